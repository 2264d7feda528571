from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.assessment import spacing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_new_card_is_due_at_once() -> None:
    card = spacing.new_card(NOW)
    assert spacing.due_at(card) == NOW
    assert spacing.stage(card) == "new"
    assert spacing.retrievability(card, NOW) == 0


def test_first_steps_are_those_of_the_library() -> None:
    # fsrs 6.3.2 documentation: learning steps of 1 and 10 minutes; Good goes to the second, Easy straight to review.
    waits = {rating: due - NOW for rating, due in spacing.preview(spacing.new_card(NOW), NOW).items()}
    assert waits[1] == timedelta(minutes=1)
    assert waits[2] == timedelta(minutes=5, seconds=30)
    assert waits[3] == timedelta(minutes=10)
    # The initial stability of Easy is 8.2956 days; with retention 0.9 the interval is the stability, rounded.
    assert waits[4] == timedelta(days=8)


def test_right_answers_lengthen_and_a_wrong_one_shortens() -> None:
    card, now = spacing.new_card(NOW), NOW
    waits = []
    for _ in range(6):
        card = spacing.review(card, 3, now)
        waits.append(spacing.due_at(card) - now)
        now = spacing.due_at(card)
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=30)
    assert spacing.stage(card) == "review"
    forgotten = spacing.review(card, 1, now)
    assert spacing.due_at(forgotten) - now == timedelta(minutes=10)
    assert spacing.stage(forgotten) == "relearning"


def test_cards_are_json_and_independent_of_the_clock() -> None:
    card = spacing.review(spacing.new_card(NOW), 3, NOW)
    assert json.loads(json.dumps(card)) == card
    assert card == spacing.review(spacing.new_card(NOW), 3, NOW)


def test_other_zones_and_missing_zones() -> None:
    china = NOW.astimezone(timezone(timedelta(hours=8)))
    assert spacing.review(spacing.new_card(china), 3, china) == spacing.review(spacing.new_card(NOW), 3, NOW)
    with pytest.raises(ValueError, match="zone"):
        spacing.new_card(datetime(2026, 3, 1))  # noqa: DTZ001


def test_seeded_spreading_is_small_repeatable_and_leaves_short_waits_alone() -> None:
    card = spacing.review(spacing.new_card(NOW), 4, NOW)
    later = spacing.due_at(card)
    plain = spacing.due_at(spacing.review(card, 3, later)) - later
    spread = {seed: spacing.due_at(spacing.review(card, 3, later, seed=seed)) - later for seed in range(50)}
    assert spread == {seed: spacing.due_at(spacing.review(card, 3, later, seed=seed)) - later for seed in range(50)}
    assert len(set(spread.values())) > 30
    assert all(abs(wait - plain) <= plain * 0.05 + timedelta(seconds=1) for wait in spread.values())
    short = spacing.review(spacing.new_card(NOW), 3, NOW, seed=1)
    assert spacing.due_at(short) == NOW + timedelta(minutes=10)


@pytest.mark.parametrize(
    ("score", "certainty", "rating"),
    [
        (Fraction(0), None, 1),
        (Fraction(49, 100), 3, 1),
        (Fraction(1, 2), None, 2),
        (Fraction(99, 100), 3, 2),
        (Fraction(1), None, 3),
        (Fraction(1), 1, 2),
        (Fraction(1), 2, 3),
        (Fraction(1), 3, 4),
    ],
)
def test_ratings_of_answers(score: Fraction, certainty: int | None, rating: int) -> None:
    assert spacing.rating_of(score, certainty) == rating


def test_due_cards_longest_overdue_first() -> None:
    cards = [
        (name, spacing.new_card(NOW + timedelta(minutes=m))) for name, m in (("b", -5), ("c", 0), ("d", 1), ("a", -5))
    ]
    assert spacing.due_cards(cards, NOW) == ["b", "a", "c"]
    assert spacing.due_cards(cards, NOW, limit=1) == ["b"]
    assert spacing.due_cards(cards, NOW, limit=0) == []


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(0, 10**7)), max_size=12))
def test_any_history_gives_a_due_time_after_the_review_and_within_bounds(history: list[tuple[int, int]]) -> None:
    card, now = spacing.new_card(NOW), NOW
    for rating, wait in history:
        now += timedelta(seconds=wait)
        card = spacing.review(card, rating, now)
        assert now < spacing.due_at(card) <= now + timedelta(days=spacing.MAX_INTERVAL_DAYS)
        assert 0 <= spacing.retrievability(card, now) <= 1


def test_unknown_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match="5"):
        spacing.review(spacing.new_card(NOW), 5, NOW)

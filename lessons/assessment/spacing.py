"""Spaced review: when to ask a question again.

The algorithm is FSRS, from the library ``fsrs``; this module is the only one that knows it.

Deterministic: times are arguments, and the library's own fuzzing (which draws from global chance) is off. With a
``seed`` the intervals of more than two days are spread by up to 5 % either way, by the seed alone, so that cards
learned together do not all fall due together. A card is a plain mapping; keep it as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any, Final, TypeVar

from fsrs import Card, Rating, Scheduler, State

from lessons.assessment.dice import Dice

CardState = Mapping[str, Any]
Reference = TypeVar("Reference")

DESIRED_RETENTION: Final = 0.9
MAX_INTERVAL_DAYS: Final = 365
SPREAD: Final = Fraction(1, 20)
SPREAD_FROM: Final = timedelta(days=2)
SPREAD_STEPS: Final = 1000
_SURE: Final = 3
_UNSURE: Final = 1

_scheduler: Final = Scheduler(
    desired_retention=DESIRED_RETENTION, maximum_interval=MAX_INTERVAL_DAYS, enable_fuzzing=False
)


def new_card(now: datetime) -> dict[str, Any]:
    """A card never reviewed, due at once."""
    return _stored(Card(card_id=0, due=_utc(now)))


def rating_of(score: Fraction, certainty: int | None = None) -> int:
    """The rating an answer amounts to: 1 again, 2 hard, 3 good, 4 easy.

    Less than half right: again. Partly right, or right but unsure (certainty 1): hard. Right: good. Right and very sure
    (certainty 3): easy.
    """
    if score < Fraction(1, 2):
        return int(Rating.Again)
    if score < 1 or certainty == _UNSURE:
        return int(Rating.Hard)
    return int(Rating.Easy if certainty == _SURE else Rating.Good)


def review(card: CardState, rating: int, now: datetime, *, seed: int | None = None) -> dict[str, Any]:
    """The card after a review at ``now``. Raises ValueError for a rating that is not 1 … 4."""
    at = _utc(now)
    reviewed, _ = _scheduler.review_card(_card(card), Rating(rating), review_datetime=at)
    if seed is not None:
        reviewed.due = at + _spread(reviewed.due - at, seed, at)
    return _stored(reviewed)


def preview(card: CardState, now: datetime) -> dict[int, datetime]:
    """When the card would be due after each of the four ratings, without spreading."""
    return {int(rating): due_at(review(card, int(rating), now)) for rating in Rating}


def due_at(card: CardState) -> datetime:
    """When the card is due (UTC)."""
    return _card(card).due


def retrievability(card: CardState, now: datetime) -> float:
    """The estimated chance of answering right at ``now``: 0 for a card never reviewed."""
    return float(_scheduler.get_card_retrievability(_card(card), current_datetime=_utc(now)))


def stage(card: CardState) -> str:
    """``new``, ``learning``, ``review`` or ``relearning``."""
    held = _card(card)
    return "new" if held.last_review is None else State(held.state).name.lower()


def due_cards(
    cards: Iterable[tuple[Reference, CardState]], now: datetime, *, limit: int | None = None
) -> list[Reference]:
    """The references of the cards due at ``now``: the longest overdue first, then in the order given; at most
    ``limit``.
    """
    at = _utc(now)
    due = [(due_at(card), reference) for reference, card in cards if due_at(card) <= at]
    ordered = [reference for _, reference in sorted(due, key=lambda entry: entry[0])]
    return ordered if limit is None else ordered[: max(0, limit)]


def _utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        msg = "the time needs a zone"
        raise ValueError(msg)
    return moment.astimezone(UTC)


def _card(stored: CardState) -> Card:
    return Card.from_dict({"card_id": 0, **stored})  # type: ignore[typeddict-item]


def _stored(card: Card) -> dict[str, Any]:
    return {name: value for name, value in card.to_dict().items() if name != "card_id"}


def _spread(interval: timedelta, seed: int, at: datetime) -> timedelta:
    if interval <= SPREAD_FROM:
        return interval
    step = Dice("spread", seed, at.isoformat(), str(interval)).below(2 * SPREAD_STEPS + 1) - SPREAD_STEPS
    return interval + timedelta(seconds=round(interval.total_seconds() * step * SPREAD / SPREAD_STEPS))

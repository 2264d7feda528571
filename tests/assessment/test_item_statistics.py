from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.assessment.item_statistics import (
    UNANSWERED,
    ItemAnswer,
    choices_of,
    discrimination,
    item_statistics,
    point_biserial,
)


def answers(*pairs: tuple[float, float]) -> list[ItemAnswer]:
    return [ItemAnswer(score, rest) for score, rest in pairs]


def test_no_answers_give_no_figures() -> None:
    figures = item_statistics([])
    assert figures.count == 0
    assert figures.facility is figures.discrimination is figures.point_biserial is figures.median_seconds is None
    assert figures.choices == figures.calibration == ()


def test_one_answer_has_a_facility_only() -> None:
    figures = item_statistics([ItemAnswer(1, 0.5, ("a",), 12, 3)])
    assert (figures.facility, figures.discrimination, figures.point_biserial, figures.median_seconds) == (
        1,
        None,
        None,
        12,
    )


def test_facility_is_the_mean_score() -> None:
    assert item_statistics(answers((1, 0.2), (0, 0.4), (0.5, 0.1), (0.5, 0.9))).facility == 0.5


def test_discrimination_by_hand() -> None:
    # Ten answers: 27 % are 2.7 places. Lower: rests .0, .1 and seven tenths of .2: scores 0 + 0 + 0.7. Upper: .9, .8
    # and seven tenths of .7: scores 1 + 1 + 0.7.
    given_answers = answers(*[(int(n in (2, 7, 8, 9)), n / 10) for n in range(10)])
    assert discrimination(given_answers) == pytest.approx((2.7 - 0.7) / 2.7)


def test_ties_share_the_places_and_order_does_not_matter() -> None:
    tied = answers((1, 0.5), (0, 0.5), (1, 0.5), (0, 0.5))
    assert discrimination(tied) == 0
    assert discrimination(tied[::-1]) == 0


def test_perfect_and_reversed_discrimination() -> None:
    assert discrimination(answers((0, 0.1), (1, 0.9))) == 1
    assert discrimination(answers((1, 0.1), (0, 0.9))) == -1


def test_point_biserial_by_hand() -> None:
    # scores 0 0 1 1, rests 1 2 2 3 (in tenths): r = 1 / sqrt(1 * 2) = 0.7071
    assert point_biserial(answers((0, 0.1), (0, 0.2), (1, 0.2), (1, 0.3))) == pytest.approx(2**-0.5)
    assert point_biserial(answers((1, 0.1), (1, 0.9))) is None
    assert point_biserial(answers((1, 0.5), (0, 0.5))) is None


def test_choice_table_counts_by_thirds() -> None:
    chosen = "abbacbaaa"
    rows = item_statistics([ItemAnswer(int(c == "a"), n / 9, (c,)) for n, c in enumerate(chosen)]).choices
    table = {row.choice: (row.count, row.lower, row.middle, row.upper) for row in rows}
    assert [row.choice for row in rows] == ["a", "b", "c"]
    assert table == {"a": (5, 1, 1, 3), "b": (3, 2, 1, 0), "c": (1, 0, 1, 0)}
    assert rows[0].share == pytest.approx(5 / 9)
    assert rows[2].mean_rest == pytest.approx(4 / 9)


def test_tied_choices_are_spread_over_the_thirds() -> None:
    (row,) = item_statistics([ItemAnswer(1, 0.5, ("a",))] * 6).choices
    assert (row.lower, row.middle, row.upper) == pytest.approx((2, 2, 2))


def test_median_ignores_unknown_times() -> None:
    timed = [ItemAnswer(1, 0, seconds=s) for s in (10, 50, None, 20, 1000)]
    assert item_statistics(timed).median_seconds == 35


def test_calibration() -> None:
    said = [ItemAnswer(score, 0, certainty=c) for score, c in ((1, 3), (0, 3), (1, 2), (1, 1), (0, 1), (1, None))]
    rows = {row.certainty: (row.count, row.mean_score, row.verdict) for row in item_statistics(said).calibration}
    assert rows == {3: (2, 0.5, "overconfident"), 2: (1, 1.0, "underconfident"), 1: (2, 0.5, "calibrated")}


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=40), st.randoms())
def test_figures_are_bounded_and_independent_of_order(pairs: list[tuple[float, float]], rng: object) -> None:
    given_answers = answers(*pairs)
    figures = item_statistics(given_answers)
    if figures.discrimination is not None:
        assert -1 - 1e-9 <= figures.discrimination <= 1 + 1e-9
    if figures.point_biserial is not None:
        assert -1 <= figures.point_biserial <= 1
    shuffled = list(given_answers)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert discrimination(shuffled) == pytest.approx(figures.discrimination, abs=1e-9)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), min_size=1, max_size=30))
def test_choice_rows_add_up(pairs: list[tuple[float, str]]) -> None:
    rows = item_statistics([ItemAnswer(0, rest, (choice,)) for rest, choice in pairs]).choices
    assert sum(row.count for row in rows) == len(pairs)
    for third in ("lower", "middle", "upper"):
        assert sum(getattr(row, third) for row in rows) == pytest.approx(len(pairs) / 3)


@pytest.mark.parametrize(
    ("response", "choices"),
    [
        ({}, (UNANSWERED,)),
        ({"choice": "b"}, ("b",)),
        ({"choices": ["a", "c"]}, ("a", "c")),
        ({"pairs": {"p1": "r1"}}, ("p1=r1",)),
        ({"order": ["a", "b"]}, ("a > b",)),
        ({"none": True}, ("(none)",)),
        ({"value": "450 GB/s"}, ("450 GB/s",)),
    ],
)
def test_choices_of_stored_responses(response: dict[str, object], choices: tuple[str, ...]) -> None:
    assert choices_of(response) == choices

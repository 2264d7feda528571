from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.assessment.grades import Verdict
from lessons.assessment.learner_view import grade
from lessons.assessment.problems import Invalid
from tests.assessment.samples import question, variant

FOUR = ["queue", "filter", "score", "bind"]


# A row of four has six pairs. By hand: a swap of neighbours turns one of them, (5 - 1) / 6; the reverse turns all.
@pytest.mark.parametrize(
    ("order", "score"),
    [
        (FOUR, Fraction(1)),
        (["filter", "queue", "score", "bind"], Fraction(2, 3)),
        (FOUR[::-1], Fraction(0)),
        (["queue", "filter", "score"], Fraction(1, 2)),
        (["queue"], Fraction(0)),
        ([*FOUR, "kubelet"], Fraction(3, 4)),
        (["kubelet"], Fraction(0)),
    ],
)
def test_score_by_hand(order: list[str], score: Fraction) -> None:
    assert grade(variant("ordering"), {"order": order}).score == score


def partial() -> dict[str, Any]:
    items = [{"id": name, "text": name} for name in ("start", "left", "right", "end")]
    return {"items": items, "order": [["start", "left", "end"], ["start", "right", "end"]]}


def test_partial_order_accepts_both_ways() -> None:
    asked = variant("ordering", **partial())
    for middle in (["left", "right"], ["right", "left"]):
        assert grade(asked, {"order": ["start", *middle, "end"]}).score == 1


def test_indirect_constraints_count() -> None:
    # Five pairs: start before the other three, left and right before end. "end" first turns three of them.
    asked = variant("ordering", **partial())
    assert grade(asked, {"order": ["end", "start", "left", "right"]}).score == 0
    assert grade(asked, {"order": ["start", "end", "left", "right"]}).score == Fraction(1, 5)


def test_distractor_placed_and_item_left_out_are_told() -> None:
    parts = {p.name: p for p in grade(variant("ordering"), {"order": ["queue", "kubelet", "filter"]}).parts}
    assert parts["kubelet"].verdict is Verdict.WRONG
    assert parts["kubelet"].feedback is not None
    assert parts["bind"].verdict is Verdict.MISSED


@given(st.permutations([*FOUR, "kubelet"]), st.integers(0, 5))
def test_score_is_bounded_and_full_only_for_a_right_order(order: list[str], length: int) -> None:
    given_order = list(order)[:length]
    score = grade(variant("ordering"), {"order": given_order}).score
    assert 0 <= score <= 1
    assert (score == 1) == (given_order == FOUR)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"order": [["queue", "filter"], ["filter", "queue"], ["score", "bind"]]}, "ordering.cycle"),
        ({"order": [["queue", "filter", "score"]]}, "ordering.unconstrained"),
        ({"order": [[*FOUR, "kubelet"]]}, "ordering.distractor_constrained"),
        ({"order": [[*FOUR, "gone"]]}, "value.unknown_reference"),
        ({"order": []}, "list.too_short"),
    ],
)
def test_bad_orders_are_refused(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(Invalid) as refused:
        question("ordering", **changes)
    assert code in {problem.code for problem in refused.value.problems}

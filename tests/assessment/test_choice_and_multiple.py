from __future__ import annotations

from fractions import Fraction

import pytest

from lessons.assessment.grades import Verdict
from lessons.assessment.learner_view import grade, parse_response, public_view
from lessons.assessment.problems import Invalid
from tests.assessment.samples import question, tokens, variant


def test_choice_partial_option_earns_its_weight() -> None:
    assert grade(variant("choice"), {"choice": "c"}).score == Fraction(1, 2)


def test_choice_tells_about_the_chosen_and_the_missed_option() -> None:
    parts = {part.name: part for part in grade(variant("choice"), {"choice": "b"}).parts}
    assert parts["b"].verdict is Verdict.WRONG
    assert parts["b"].feedback is not None
    assert parts["a"].verdict is Verdict.MISSED
    assert parts["d"].verdict is Verdict.AVOIDED


def test_choice_pinned_option_stays_last() -> None:
    assert all(variant("choice", seed=seed).content.options[-1].id == "d" for seed in range(20))


def test_choice_keeps_the_authors_order_when_told() -> None:
    assert [o.id for o in variant("choice", seed=9, shuffle=False).content.options] == ["a", "b", "c", "d"]


def test_choice_takes_only_one_option() -> None:
    asked = variant("choice")
    both = [option["token"] for option in public_view(asked, tokens())["options"][:2]]
    with pytest.raises(Invalid) as refused:
        parse_response(asked, {"choice": both}, tokens())
    assert refused.value.problems[0].code == "response.repeated"


def test_choice_without_right_option_is_refused() -> None:
    with pytest.raises(Invalid) as refused:
        question("choice", options=[{"text": "x"}, {"text": "y", "weight": 0.5}])
    assert refused.value.problems[0].code == "question.no_right_answer"


def test_repeated_option_ids_are_refused_at_their_place() -> None:
    with pytest.raises(Invalid) as refused:
        question("choice", options=[{"id": "x", "text": "1", "correct": True}, {"id": "x", "text": "2"}])
    assert [(p.code, p.where) for p in refused.value.problems] == [("value.repeated", "options[1]")]


# Four options, two right (a, b), two wrong (c, d); the expected scores follow from the rules' definitions by hand.
@pytest.mark.parametrize(
    ("rule", "chosen", "score"),
    [
        ("right_minus_wrong", ["a", "b"], Fraction(1)),
        ("right_minus_wrong", ["a"], Fraction(1, 2)),
        ("right_minus_wrong", ["a", "c"], Fraction(0)),
        ("right_minus_wrong", ["a", "b", "c"], Fraction(1, 2)),
        ("right_minus_wrong", ["a", "b", "c", "d"], Fraction(0)),
        ("per_option", ["a"], Fraction(3, 4)),
        ("per_option", ["c", "d"], Fraction(0)),
        ("per_option", ["a", "b", "c"], Fraction(3, 4)),
        ("all_or_nothing", ["a", "b"], Fraction(1)),
        ("all_or_nothing", ["a", "b", "c"], Fraction(0)),
    ],
)
def test_multiple_rules_of_credit(rule: str, chosen: list[str], score: Fraction) -> None:
    assert grade(variant("multiple", credit=rule), {"choices": chosen}).score == score


def test_multiple_weights_add_up_within_bounds() -> None:
    weighted = [{"text": "p", "weight": 0.6}, {"text": "q", "weight": 0.4}, {"text": "r", "weight": -0.5}]
    asked = variant("multiple", credit="weights", options=weighted)
    scores = {name: grade(asked, {"choices": list(name)}).score for name in ("a", "ab", "abc", "c", "ac")}
    assert scores == {"a": Fraction(3, 5), "ab": 1, "abc": Fraction(1, 2), "c": 0, "ac": Fraction(1, 10)}


def test_multiple_weights_must_reach_the_full_score() -> None:
    with pytest.raises(Invalid) as refused:
        question("multiple", credit="weights", options=[{"text": "p", "weight": 0.5}, {"text": "q"}])
    assert refused.value.problems[0].code == "weights.do_not_reach_full"


def test_multiple_three_thirds_as_moodle_writes_them_are_the_whole() -> None:
    thirds = [{"text": name, "weight": "0.33333"} for name in "pqr"]
    assert grade(variant("multiple", credit="weights", options=thirds), {"choices": ["a", "b", "c"]}).score == 1


def test_multiple_options_gone_in_a_newer_revision_count_as_wrong() -> None:
    assert grade(variant("multiple"), {"choices": ["a", "b", "gone"]}).score == Fraction(1, 2)

"""What holds for every kind of question."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from lessons.assessment.grades import State, Verdict
from lessons.assessment.learner_view import filled_form, grade, in_language, parse_response, public_view, review_view
from lessons.assessment.problems import Invalid
from lessons.assessment.question import read_question
from lessons.assessment.question_types.build_it import BuildIt
from lessons.assessment.question_types.registry import QUESTION_TYPES
from lessons.assessment.review_options import EVERYTHING, Aspect
from tests.assessment.samples import SAMPLES, source, tokens, variant

KINDS = list(QUESTION_TYPES)

OTHER_KEYS: dict[str, dict[str, Any]] = {
    "choice": {
        "options": [
            dict(o, correct=i == 2, weight=(i == 2 and 1) or 0, feedback="x")
            for i, o in enumerate(SAMPLES["choice"]["options"])
        ]
    },
    "multiple": {"options": [dict(o, correct=i == 3) for i, o in enumerate(SAMPLES["multiple"]["options"])]},
    "numeric": {"answers": [{"value": 7}], "otherwise": "no"},
    "ordering": {"order": [["bind", "score", "filter", "queue"]]},
    "matching": {
        "pairs": [
            {"left": "Filter", "right": {"zh-hans": "排序", "en": "ranks"}},
            {"left": "Score", "right": {"zh-hans": "淘汰", "en": "drops"}},
            {"left": "NormalizeScore", "right": {"zh-hans": "排序", "en": "ranks"}},
        ]
    },
    "cloze": {
        "blanks": [
            {"id": "name", "accept": ["amd.com/gpu"]},
            {"id": "count", "numbers": [{"value": 9}]},
            {"id": "who", "options": [{"text": "device plugin"}, {"text": "kube-proxy", "correct": True}]},
        ]
    },
    "short-text": {"rubric": [{"text": "other", "points": 5}], "answer": "other"},
    "click-the-nodes": {"nodes": [{"name": "n1"}, {"name": "n2", "right": True}, {"name": "n3", "feedback": "x"}]},
    "predict-winner": {"nodes": [{"name": "n1", "right": True}, {"name": "n2"}, {"name": "n3"}]},
    "fill-in-score": {
        "cells": [
            {"row": "n1", "column": "NodeResourcesFit", "value": 75, "given": True},
            {"row": "n1", "column": "total", "value": 1},
            {"row": "n2", "column": "NodeResourcesFit", "value": 2},
        ]
    },
    "who-gets-evicted": {"pods": [{"name": "hog"}, {"name": "vip", "right": True}]},
    "build-it": {
        "goals": [
            {"text": SAMPLES["build-it"]["goals"][0]["text"], "goal": {"kind": "other"}},
            {"text": SAMPLES["build-it"]["goals"][1]["text"], "goal": {"kind": "other"}, "weight": 9},
        ]
    },
    "label-the-graph": {"places": [{"at": "nvlink", "label": "slow"}, {"at": "box", "label": "slow"}]},
    "sort-into-categories": {
        "items": [dict(i, category="s", feedback="x") for i in SAMPLES["sort-into-categories"]["items"]]
    },
}


def test_every_kind_has_a_sample_and_another_key() -> None:
    assert set(SAMPLES) == set(QUESTION_TYPES) == set(OTHER_KEYS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_key_earns_the_full_score(kind: str) -> None:
    asked = variant(kind)
    if isinstance(asked.kind, BuildIt):
        judged = grade(asked, {"lab": "l1"}, asked.kind.full_evidence(asked.content))
    else:
        judged = grade(asked, asked.kind.best(asked.content))
    assert judged.score == 1
    assert judged.state is State.RIGHT


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_earns_nothing(kind: str) -> None:
    judged = grade(variant(kind), {})
    assert judged.score == 0
    assert judged.state is State.UNANSWERED


@pytest.mark.parametrize("kind", KINDS)
def test_the_public_view_does_not_depend_on_the_key(kind: str) -> None:
    """The strongest leak test: with the key exchanged, the page stays the same to the letter."""
    ours, theirs = (read_question(source(kind, **changes)) for changes in ({}, OTHER_KEYS[kind]))
    assert ours.revision != theirs.revision
    first, second = ours.variant(3, drawn_as="same"), theirs.variant(3, drawn_as="same")
    assert first.kind.best(first.content) != second.kind.best(second.content) or kind == "build-it"
    assert public_view(first, tokens()) == public_view(second, tokens())


@pytest.mark.parametrize("kind", KINDS)
def test_the_public_view_is_json_without_ids_or_feedback(kind: str) -> None:
    asked = variant(kind, explanation="SECRET-EXPLANATION", hints=["HINT-1"])
    written = json.dumps(public_view(asked, tokens()), ensure_ascii=False)
    for secret in ("SECRET", "HINT-1", "feedback", "correct", '"right"', "It only ranks", "因为"):
        assert secret not in written
    assert '"queue"' not in written
    assert '"nvlink"' not in written


@pytest.mark.parametrize("kind", KINDS)
def test_the_form_of_a_response_gives_the_response(kind: str) -> None:
    asked = variant(kind)
    response = asked.kind.best(asked.content) or {"lab": "l1", "at": "12"}
    form = filled_form(asked, response, tokens())
    assert parse_response(asked, form, tokens()) == response


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_of_another_attempt_or_question_are_refused(kind: str) -> None:
    asked = variant(kind)
    response = asked.kind.best(asked.content)
    form = filled_form(asked, response, tokens("2"))
    if form == filled_form(asked, response, tokens("1")):
        assert kind in ("numeric", "build-it")
        return
    with pytest.raises(Invalid):
        parse_response(asked, form, tokens("1"))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "form",
    [
        None,
        [],
        "choice=a",
        {"choice": "a"},
        {"choice": [1]},
        {1: ["a"]},
        {"nonsense": ["x"]},
        {"x" * 500: ["a"]},
        {f"f{index}": ["a"] for index in range(1000)},
        {"choice": ["x"] * 1000},
        {"text": ["x" * 30_000]},
    ],
)
def test_hostile_forms_are_refused_with_a_place(kind: str, form: object) -> None:
    with pytest.raises(Invalid) as refused:
        parse_response(variant(kind), form, tokens())
    assert all(problem.code.startswith("response.") for problem in refused.value.problems)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "response",
    [
        {"choice": "gone", "choices": ["gone"], "order": ["gone"], "names": ["gone"], "node": "gone", "value": "x"},
        {"pairs": {"gone": "gone"}, "blanks": {"gone": "1"}, "cells": {"gone": "1"}, "text": 5, "criteria": []},
        {"choice": 3, "choices": "abc", "order": {}, "pairs": [], "blanks": None, "cells": 1, "names": {}},
        {"pairs": {"p1": 7}, "blanks": {"count": []}, "criteria": {"c1": "2"}, "none": "yes"},
    ],
)
def test_any_stored_response_gets_a_grade(kind: str, response: dict[str, Any]) -> None:
    judged = grade(variant(kind), response, {"goals": [], "criteria": "x"})
    assert 0 <= judged.score < 1


@pytest.mark.parametrize("kind", KINDS)
def test_review_shows_exactly_what_is_allowed(kind: str) -> None:
    asked = variant(kind, explanation="EXPLANATION")
    response = asked.kind.best(asked.content)
    judged = grade(asked, response)
    nothing = review_view(asked, response, judged, tokens(), frozenset())
    assert nothing == public_view(asked, tokens())
    everything = review_view(asked, response, judged, tokens(), EVERYTHING)
    assert set(everything) - set(nothing) == {
        "response", "state", "score", "parts", "feedback", "key", "explanation", "revealed",
    }  # fmt: skip
    marks = review_view(asked, response, judged, tokens(), {Aspect.MARKS})
    assert set(marks) - set(nothing) == {"score"}
    json.dumps(everything)


@pytest.mark.parametrize("kind", KINDS)
def test_without_the_key_nothing_about_what_was_left_out_is_shown(kind: str) -> None:
    asked = variant(kind)
    judged = grade(asked, {})
    view = review_view(asked, {}, judged, tokens(), {Aspect.CORRECTNESS, Aspect.FEEDBACK})
    assert all(part["verdict"] not in (Verdict.MISSED, Verdict.AVOIDED) for part in view["parts"])


@pytest.mark.parametrize("kind", KINDS)
def test_variants_are_reproducible(kind: str) -> None:
    first, again = variant(kind, seed=7), variant(kind, seed=7)
    assert first.content == again.content
    assert public_view(first, tokens()) == public_view(again, tokens())


def test_seeds_give_different_orders() -> None:
    orders = {tuple(i.id for i in variant("ordering", seed=seed).content.items) for seed in range(30)}
    assert len(orders) > 10


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_and_missing_fields_are_reported_together(kind: str) -> None:
    broken = {name: value for name, value in source(kind).items() if name != "stem"} | {"colour": "red"}
    with pytest.raises(Invalid) as refused:
        read_question(broken)
    found = {(problem.code, problem.params.get("field")) for problem in refused.value.problems}
    assert {("field.missing", "stem"), ("field.unknown", "colour")} <= found


def test_scores_are_exact() -> None:
    judged = grade(variant("sort-into-categories"), {"pairs": {"i1": "f", "i2": "f", "i3": "f"}})
    assert judged.score == Fraction(2, 3)


def test_feedback_that_tells_the_key_is_shown_only_with_it_or_for_what_is_right() -> None:
    told = {"zh-hans": "它淘汰", "en": "it drops"}
    items = [dict(item, feedback=told) for item in SAMPLES["sort-into-categories"]["items"]]
    asked = variant("sort-into-categories", items=items)
    judged = grade(asked, {"pairs": {"i1": "f", "i2": "f"}})
    guarded = review_view(asked, {}, judged, tokens(), EVERYTHING - {Aspect.KEY})
    assert {part["verdict"]: part["feedback"] for part in guarded["parts"]} == {"right": told, "wrong": None}
    open_view = review_view(asked, {}, judged, tokens(), EVERYTHING)
    assert [part["feedback"] for part in open_view["parts"]] == [told] * 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_a_view_in_one_language_has_no_mapping_of_languages_left(kind: str, language: str) -> None:
    asked = variant(kind, explanation="x")
    response = asked.kind.best(asked.content)
    view = in_language(review_view(asked, response, grade(asked, response), tokens(), EVERYTHING), language)
    assert view["stem"] == SAMPLES[kind]["stem"][language]
    assert "zh-hans" not in json.dumps(view)


def test_a_view_falls_back_to_the_language_that_is_written() -> None:
    assert in_language({"stem": {"en": "Why?"}, "options": [], "scene": None}, "zh-hans")["stem"] == "Why?"

from __future__ import annotations

from fractions import Fraction

import pytest

from lessons.assessment.grades import State, Verdict
from lessons.assessment.learner_view import grade, parse_response, public_view, review_view
from lessons.assessment.localized import Text
from lessons.assessment.problems import Invalid
from lessons.assessment.question import read_question
from lessons.assessment.question_types.predict_winner import PENDING
from lessons.assessment.review_options import EVERYTHING, Aspect
from lessons.assessment.scenes import NodeFacts, PodFacts, SceneFacts
from tests.assessment.samples import source, tokens, variant

FACTS = SceneFacts(
    nodes=(
        NodeFacts("n1", True, None, {"NodeResourcesFit": 75}, 450),
        NodeFacts("n2", False, Text("有污点。", "Tainted.")),
        NodeFacts("n3", True, None, {"NodeResourcesFit": 87}, 462),
    ),
    best=("n3",),
    pods=(PodFacts("hog", Text("n1", "n1")), PodFacts("vip", Text("n2", "n2"), Text("更重要", "higher"))),
    victims=("hog",),
)


def unbound(kind: str, *left_out: str) -> dict[str, object]:
    return {name: value for name, value in source(kind).items() if name not in left_out}


def test_a_question_without_key_waits_for_the_engine() -> None:
    asked = read_question(unbound("click-the-nodes", "nodes"))
    assert asked.waits_for_engine
    with pytest.raises(Invalid) as refused:
        asked.variant(1)
    assert refused.value.problems[0].code == "question.needs_scene"


def test_a_question_without_key_needs_a_scene() -> None:
    with pytest.raises(Invalid) as refused:
        read_question(unbound("click-the-nodes", "nodes", "scene"))
    assert refused.value.problems[0].code == "question.needs_scene"


@pytest.mark.parametrize(("ask", "right"), [("passing", ["n1", "n3"]), ("failing", ["n2"]), ("best", ["n3"])])
def test_click_nodes_is_bound_to_filters_verdicts(ask: str, right: list[str]) -> None:
    bound = read_question(unbound("click-the-nodes", "nodes") | {"ask": ask}).bind(FACTS)
    assert not bound.waits_for_engine
    asked = bound.variant(1)
    assert asked.kind.best(asked.content) == {"names": right}
    assert grade(asked, {"names": right}).score == 1
    feedback = next(part.feedback for part in grade(asked, {"names": ["n2"]}).parts if part.name == "n2")
    assert feedback == Text("有污点。", "Tainted.")


def test_binding_makes_a_new_revision_and_is_repeatable() -> None:
    waiting = read_question(unbound("predict-winner", "nodes"))
    assert waiting.bind(FACTS).revision == waiting.bind(FACTS).revision != waiting.revision


def test_none_of_them_is_an_answer_of_its_own() -> None:
    nothing_passes = SceneFacts(nodes=(NodeFacts("n1", False), NodeFacts("n2", False)))
    asked = read_question(unbound("click-the-nodes", "nodes")).bind(nothing_passes).variant(1)
    assert grade(asked, {"none": True}).score == 1
    assert grade(asked, {"names": ["n1"]}).score == 0
    assert grade(asked, {}).state is State.UNANSWERED
    name = public_view(asked, tokens())["names"][0]["token"]
    with pytest.raises(Invalid) as refused:
        parse_response(asked, {"none": ["1"], "name": [name]}, tokens())
    assert refused.value.problems[0].code == "response.contradiction"


def test_winner_bound_and_ties_all_count() -> None:
    tied = SceneFacts(nodes=FACTS.nodes, best=("n1", "n3"))
    asked = read_question(unbound("predict-winner", "nodes")).bind(tied).variant(1)
    assert [grade(asked, {"node": name}).score for name in ("n1", "n2", "n3", PENDING)] == [1, 0, 1, 0]


def test_winner_may_be_nobody() -> None:
    asked = read_question(unbound("predict-winner", "nodes")).bind(SceneFacts(nodes=FACTS.nodes)).variant(1)
    form = {"name": [public_view(asked, tokens())["pending"]]}
    response = parse_response(asked, form, tokens())
    assert response == {"node": PENDING}
    assert grade(asked, response).score == 1


def test_scores_are_bound_for_nodes_that_passed() -> None:
    asked = read_question(unbound("fill-in-score", "rows", "cells")).bind(FACTS).variant(1)
    assert [row.id for row in asked.content.rows] == ["n1", "n3"]
    assert asked.kind.best(asked.content) == {
        "cells": {"n1/NodeResourcesFit": "75", "n1/total": "450", "n3/NodeResourcesFit": "87", "n3/total": "462"}
    }
    assert grade(asked, {"cells": {"n1/total": "450", "n3/total": "461"}}).score == Fraction(1, 4)


def test_scores_of_an_unknown_plugin_cannot_be_bound() -> None:
    waiting = read_question(unbound("fill-in-score", "rows", "cells") | {"columns": ["Nonsense"]})
    with pytest.raises(Invalid) as refused:
        waiting.bind(FACTS)
    assert refused.value.problems[0].code == "scene.facts_missing"


def test_victims_are_bound_with_their_place() -> None:
    asked = read_question(unbound("who-gets-evicted", "pods")).bind(FACTS).variant(1)
    names = public_view(asked, tokens())["names"]
    assert [(entry["name"], entry["detail"]["en"]) for entry in names] == [("hog", "n1"), ("vip", "n2")]
    assert grade(asked, {"names": ["hog"]}).score == 1
    assert grade(asked, {"names": ["hog", "vip"]}).score == 0


def test_the_order_of_the_queue_is_bound() -> None:
    waiting = read_question(unbound("ordering", "items", "order") | {"scene": {"scenario": "queue-order"}})
    asked = waiting.bind(SceneFacts(queue=("urgent", "old", "new"))).variant(1)
    assert asked.kind.best(asked.content) == {"order": ["urgent", "old", "new"]}
    assert grade(asked, {"order": ["urgent", "new", "old"]}).score == Fraction(1, 3)


def test_build_it_takes_verdicts_from_outside_only() -> None:
    asked = variant("build-it")
    response = parse_response(asked, {"lab": ["abc"], "at": ["12"]}, tokens())
    assert grade(asked, response).score == 0
    assert grade(asked, response, {"goals": {"g1": True}}).score == Fraction(3, 4)
    assert grade(asked, response, {"goals": {"g1": True, "g2": True}}).score == 1
    assert grade(asked, {**response, "goals": {"g1": True}}).score == 0


def test_short_text_in_two_steps() -> None:
    asked = variant("short-text")
    first = parse_response(asked, {"text": ["because"]}, tokens())
    judged = grade(asked, first)
    assert judged.state is State.UNMARKED
    assert {part.verdict for part in judged.parts} == {Verdict.UNMARKED}
    view = review_view(asked, first, judged, tokens(), EVERYTHING)
    fields = [criterion["field"] for criterion in view["revealed"]["rubric"]]
    second = parse_response(asked, {"text": ["changed my mind"], fields[0]: ["1"], fields[1]: ["1"]}, tokens(), first)
    assert second == {"text": "because", "criteria": {"c1": 1, "c2": 1}}
    assert grade(asked, second).score == Fraction(2, 3)


def test_short_text_hides_the_rubric_until_the_key_may_be_seen() -> None:
    asked = variant("short-text")
    view = review_view(asked, {}, grade(asked, {}), tokens(), EVERYTHING - {Aspect.KEY})
    assert "revealed" not in view
    assert "deadlock" not in str(view)


def test_short_text_points_beyond_the_rubric_are_refused() -> None:
    asked = variant("short-text")
    view = review_view(asked, {"text": "x"}, grade(asked, {"text": "x"}), tokens(), EVERYTHING)
    field = view["revealed"]["rubric"][0]["field"]
    with pytest.raises(Invalid) as refused:
        parse_response(asked, {field: ["3"]}, tokens(), {"text": "x"})
    assert refused.value.problems[0].code == "response.out_of_range"


def test_an_instructors_marks_count_instead_of_the_learners() -> None:
    asked = variant("short-text")
    own = {"text": "x", "criteria": {"c1": 2, "c2": 1}}
    assert grade(asked, own).score == 1
    assert grade(asked, own, {"criteria": {"c1": 1, "c2": 0}}).score == Fraction(1, 3)


def test_label_graph_accepts_any_of_several_labels() -> None:
    asked = variant("label-the-graph")
    assert grade(asked, {"pairs": {"nvlink": "fast", "box": "fast"}}).score == 1
    assert grade(asked, {"pairs": {"nvlink": "slow", "box": "slow"}}).score == Fraction(1, 2)


def test_label_graph_parts_are_tied_by_tokens() -> None:
    view = public_view(variant("label-the-graph"), tokens())
    parts = {part["token"] for part in (*view["graph"]["nodes"], *view["graph"]["edges"])}
    assert {target["part"] for target in view["targets"]} <= parts
    inside = [node["inside"] for node in view["graph"]["nodes"] if node["inside"]]
    assert set(inside) <= parts

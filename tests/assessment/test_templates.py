from __future__ import annotations

from typing import Any

import pytest

from lessons.assessment.learner_view import grade
from lessons.assessment.problems import Invalid
from lessons.assessment.question import Question, read_question
from tests.assessment.samples import both

TEMPLATE: dict[str, Any] = {
    "id": "least-allocated",
    "type": "numeric",
    "variables": {
        "cap": {"one_of": [4, 8, 16]},
        "used": {"from": 0, "to": 3},
        "req": {"from": "0.5", "to": 2, "step": "0.5"},
        "model": {"one_of": ["H100", "A100"]},
        "score": {"is": "(cap - used - req) * 100 // cap"},
        "require": ["used + req <= cap"],
    },
    "stem": both(
        "{{model}} 节点 {{cap}} 核，已用 {{used}}，再请求 {{ req | 1 }}：得多少分？",
        "{{model}} with {{cap}} cores, {{used}} used, asked {{ req | 1 }}: which score?",
    ),
    "answers": [{"value": "{{score}}"}],
    "explanation": both("({{cap}}−{{used}}−{{req}})×100÷{{cap}} = {{score}}", "{{ score }}"),
}


def template(**changes: Any) -> Question:
    return read_question({**TEMPLATE, **changes})


def test_a_variant_is_filled_and_its_key_follows() -> None:
    seen = set()
    for seed in range(40):
        asked = template().variant(seed)
        assert "{{" not in asked.stem.zh_hans
        key = asked.kind.best(asked.content)
        assert grade(asked, key).score == 1
        seen.add((asked.stem.en, key["value"]))
    assert len(seen) > 15


def test_the_key_is_what_the_text_says() -> None:
    for seed in range(40):
        asked = template().variant(seed)
        words = asked.stem.en.replace(",", "").replace(":", "").split()
        cap, used, req = (float(words[index]) for index in (2, 4, 7))
        assert float(asked.kind.best(asked.content)["value"]) == (cap - used - req) * 100 // cap


def test_fixed_digits_are_kept() -> None:
    assert any("asked 2.0:" in template().variant(seed).stem.en for seed in range(40))


def test_the_draw_of_an_older_revision_can_be_repeated() -> None:
    old = template()
    new = template(answers=[{"value": "{{score}}", "tolerance": {"absolute": 1}}])
    assert new.revision != old.revision
    assert new.variant(5, drawn_as=old.revision).stem == old.variant(5).stem


def test_conditions_hold() -> None:
    question = template(
        variables={"a": {"from": 1, "to": 6}, "b": {"from": 1, "to": 6}, "require": ["a < b"]},
        stem=both("{{a}} {{b}}", "{{a}} {{b}}"),
        answers=[{"value": "{{b - a}}"}],
        explanation="x",
    )
    for seed in range(30):
        a, b = question.variant(seed).stem.en.split()
        assert int(a) < int(b)


@pytest.mark.parametrize(
    ("variables", "code", "where"),
    [
        ({"a": {"from": 1, "to": 2}, "require": ["a > 5"]}, "variables.unsatisfiable", "variables.require"),
        ({"a": {"is": "b + 1"}}, "expression.unknown_name", "variables.a.is"),
        ({"a": {"from": 5, "to": 1}}, "value.out_of_range", "variables.a"),
        ({"a": {"from": 1, "to": 5, "step": 0}}, "value.out_of_range", "variables.a"),
        ({"a": {"from": 1, "to": 10**9}}, "value.out_of_range", "variables.a"),
        ({"Bad": {"from": 1, "to": 5}}, "value.bad_name", "variables.Bad"),
        ({"a": {"one_of": []}}, "list.too_short", "variables.a.one_of"),
        ({"a": 5}, "value.not_mapping", "variables.a"),
    ],
)
def test_bad_variables_are_refused_at_their_place(variables: dict[str, Any], code: str, where: str) -> None:
    with pytest.raises(Invalid) as refused:
        template(variables=variables, stem="{{a}}", answers=[{"value": 1}], explanation="x")
    assert (code, where) in {(p.code, p.where) for p in refused.value.problems}


def test_a_bad_expression_in_a_text_is_refused_at_its_place() -> None:
    with pytest.raises(Invalid) as refused:
        template(explanation=both("{{ nothing }}", "x"))
    assert [(p.code, p.where) for p in refused.value.problems] == [("expression.unknown_name", "explanation.zh-hans")]


def test_division_by_zero_in_a_rare_draw_is_found_when_reading() -> None:
    with pytest.raises(Invalid) as refused:
        template(variables={"a": {"from": 0, "to": 1}}, stem="{{ 1 / a }}", answers=[{"value": 1}], explanation="x")
    assert refused.value.problems[0].code == "expression.divides_by_zero"


def test_without_variables_braces_are_plain_text() -> None:
    plain = {name: value for name, value in TEMPLATE.items() if name != "variables"} | {"answers": [{"value": 1}]}
    assert "{{cap}}" in read_question(plain).variant(1).stem.en

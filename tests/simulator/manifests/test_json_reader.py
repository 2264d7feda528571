"""JSON: the same documents and places as YAML gives, errors with their place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.manifests.documents import parse
from simulator.manifests.limits import Limits

FLOATS = st.floats(-(2.0**53), 2.0**53)  # beyond, whole floats are read by their printed digits
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | FLOATS
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES | TEXTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=15
)


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4), st.sampled_from([None, 1, "\t"]))
def test_reads_what_json_writes(value: dict[str, Any], indent: int | str | None) -> None:
    (document,) = parse(json.dumps(value, indent=indent)).documents
    assert document.value == value


def test_marks() -> None:
    (document,) = parse('{\n  "a": [1, {"b": "x"}]\n}\n').documents
    assert document.marks.key(("a",)) == (2, 3)
    assert document.marks.value(("a",)) == (2, 8)
    assert document.marks.value(("a", 1, "b")) == (2, 18)


def test_several_values_follow_each_other() -> None:
    parsed = parse('{"a": 1}\n{"b": 2} [3]\n---\nc: 4\n')
    assert [document.value for document in parsed.documents] == [{"a": 1}, {"b": 2}, [3], {"c": 4}]


@pytest.mark.parametrize("text", ["{a: 1, b: [x, z,],}", '{\n  a: 1,\n  b: ["x", "z"],  # KYAML\n}'])
def test_flow_yaml_is_read_as_yaml(text: str) -> None:
    (document,) = parse(text).documents
    assert document.value == {"a": 1, "b": ["x", "z"]}


def test_numbers_become_what_go_makes_of_them() -> None:
    (document,) = parse('{"a": 1.0, "b": 1e3, "c": 1.5, "d": 9223372036854775808, "e": -0}').documents
    assert document.value == {"a": 1, "b": 1000, "c": 1.5, "d": 9223372036854775808.0, "e": 0}
    assert [type(value) for value in document.value.values()] == [int, int, float, float, int]


def test_lone_surrogates_become_replacement_characters() -> None:
    (document,) = parse('{"a": "\\ud800x", "b": "\\ud83d\\ude00"}').documents
    assert document.value == {"a": "\ufffdx", "b": "😀"}


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "params"),
    [
        ('{"a": 1,\n "a": 2}', "key.duplicate", 2, 2, {"key": "a", "first_line": 1}),
        ('{"a": [1 2]}', "json.unexpected", 1, 10, {"expected": ", ]", "found": "2"}),
        ('{"a": "x', "json.unclosed_string", 1, 7, {}),
        ('{"a": "\\q"}', "json.escape", 1, 8, {}),
        ('{"a": "\\u0000"}', "text.character", 1, 7, {"character": "U+0000"}),
        ('{"a": 1e999}', "json.number_range", 1, 7, {}),
        ('{"a": 1} }', "json.unexpected", 1, 10, {"expected": "value", "found": "}"}),
        ('{"a": 1', "json.unexpected", 1, 8, {"expected": ", }", "found": "end"}),
        ('{"a": 1,}', "json.unexpected", 1, 9, {"expected": "key", "found": "}"}),
        ('[{"a": 1} # x\n]', "json.unexpected", 1, 11, {"expected": ", ]", "found": "#"}),
        ('{"a" 1}', "json.unexpected", 1, 6, {"expected": ":", "found": "1"}),
    ],
)
def test_error_with_its_place(text: str, code: str, line: int, column: int, params: dict[str, Any]) -> None:
    found = parse(text).errors[0]
    assert (found.code, found.line, found.column, found.params) == (code, line, column, params)


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        ("[" * 1000, Limits(), "limits.depth"),
        ('{"a":' * 1000, Limits(), "limits.depth"),
        ("[" + "1," * 100 + "1]", Limits(max_nodes=50), "limits.nodes"),
        ("{}" * 100, Limits(max_documents=50), "limits.documents"),
        ("[" + "1," * 10_000 + "1]", Limits(max_seconds=-1.0), "limits.time"),
    ],
)
def test_limits_hold(text: str, limits: Limits, code: str) -> None:
    assert [error.code for error in parse(text, limits).errors] == [code]

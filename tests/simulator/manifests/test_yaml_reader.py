"""YAML: structure as kubectl reads it, errors with their place, nothing that hangs or runs."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.manifests.documents import Parsed, parse
from simulator.manifests.limits import Limits
from tests.simulator.manifests.recorded import recorded

STRICTER = {
    "dup": "key.duplicate",
    "dup_top": "key.duplicate",
    "flowjson": "key.duplicate",
    "binary": "yaml.tag",
    "tagpy": "yaml.tag",
    "taglocal": "yaml.tag",
    "taglocalmap": "yaml.tag",
    "tagset": "yaml.tag",
    "nul": "text.character",
    "bom_mid": "text.character",
    "dots": "yaml.after_value",
}
"""Where kubectl takes the last of two, ignores a tag, or stops reading without a word, and we refuse."""

MORE_LENIENT = {"yamldir", "doc_brace", "jsonthenyaml"}
"""What kubectl refuses and can only mean one thing: `%YAML 1.2`, a value behind `---`, YAML after JSON."""

NOT_ABOUT_YAML = {"scalar", "list", "listkind", "fookindlist", "nokind", "noapi"}

CASES = [case for case in recorded("structures.json") if case["case"] not in NOT_ABOUT_YAML]


def codes(parsed: Parsed) -> list[str]:
    return [error.code for error in parsed.errors]


def only(text: str | bytes, limits: Limits | None = None) -> Any:
    parsed = parse(text, limits) if limits else parse(text)
    assert parsed.errors == ()
    (document,) = parsed.documents
    return document.value


def error(text: str | bytes, limits: Limits | None = None) -> tuple[str, int, int]:
    parsed = parse(text, limits) if limits else parse(text)
    assert parsed.errors != ()
    first = parsed.errors[0]
    return first.code, first.line, first.column


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_structure_is_read_as_kubectl_reads_it(case: dict[str, Any]) -> None:
    parsed = parse(case["text"])
    if case["case"] in STRICTER:
        assert codes(parsed) == [STRICTER[case["case"]]]
    elif case["error"] and case["case"] not in MORE_LENIENT:
        assert len(parsed.errors) == 1
        assert parsed.errors[0].line > 0
    else:
        assert parsed.errors == ()
        expected = case["objects"]
        assert [document.value for document in parsed.documents][: len(expected)] == expected


def test_marks_lead_to_keys_and_values() -> None:
    (document,) = parse("a:\n  b: [x, {c: 1}]\n").documents
    marks = document.marks
    assert marks.value(("a",)) == (2, 3)
    assert marks.key(("a", "b")) == (2, 3)
    assert marks.value(("a", "b")) == (2, 6)
    assert marks.value(("a", "b", 0)) == (2, 7)
    assert marks.key(("a", "b", 1, "c")) == (2, 11)
    assert marks.value(("a", "b", 1, "c")) == (2, 14)
    assert marks.value(("a", "z")) is None
    assert marks.nearest(("a", "b", 1, "d", "e")) == (2, 10)
    assert marks.nearest(("a", "z")) == (1, 1)
    assert marks.below(("a", "b", 1)).value(("c",)) == (2, 14)


def test_marks_count_lines_as_editors_do() -> None:
    for text in ("# x\r\na:\r\n  b: 中文 1\r\n  c: 2\r\n", "\ufeff# x\na:\n  b: 中文 1\n  c: 2\n"):
        (document,) = parse(text).documents
        assert document.marks.value(("a", "c")) == (4, 6)


def test_marks_of_later_documents_count_from_the_text() -> None:
    first, second = parse("a: 1\n---\n# x\nb: 2\n").documents
    assert first.marks.key(("a",)) == (1, 1)
    assert second.marks.key(("b",)) == (4, 1)


def test_mark_of_an_alias_is_where_the_alias_stands_and_its_content_where_the_anchor_does() -> None:
    (document,) = parse("a: &x {k: 1}\nb: *x\n").documents
    assert document.marks.key(("b",)) == (2, 1)
    assert document.marks.value(("b", "k")) == (1, 11)


def test_aliases_share_nothing() -> None:
    value = only("a: &x {k: [1]}\nb: *x\n")
    value["b"]["k"].append(2)
    assert value == {"a": {"k": [1]}, "b": {"k": [1, 2]}}


def test_duplicate_key_names_both_lines() -> None:
    (found,) = parse("a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n").errors
    assert (found.code, found.line, found.column, found.path) == ("key.duplicate", 5, 3, ("b",))
    assert found.params == {"key": "c", "first_line": 3}


def test_duplicate_key_under_another_spelling() -> None:
    assert error('yes: 1\n"true": 2\n') == ("key.duplicate", 2, 1)


def test_merge_key_may_repeat_a_key() -> None:
    assert only("x: &x {a: 1}\ny:\n  <<: *x\n  a: 2\n") == {"x": {"a": 1}, "true": {"a": 2}}


def test_keys_that_are_no_text_are_told() -> None:
    parsed = parse("1: a\nyes: b\n")
    assert [(notice.code, notice.line, dict(notice.params)) for notice in parsed.notices] == [
        ("key.read_as", 1, {"read": "1"}),
        ("key.read_as", 2, {"read": "true"}),
    ]


def test_surprising_values_are_told() -> None:
    (notice,) = parse("a: yes\nb: 'no'\nc: true\n").notices
    assert (notice.code, notice.line, notice.path) == ("value.read_as", 1, ("a",))
    assert notice.params == {"written": "yes", "read": "true"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b: c\n", ("yaml.unexpected_colon", 1, 5)),
        ("a:\n  b: 1\n c: 2\n", ("yaml.indentation", 3, 2)),
        ("a: 1\nb\n", ("yaml.missing_colon", 3, 1)),
        ("a:\n\tb: 1\n", ("yaml.tab", 2, 1)),
        ("a: 'x\nb: 1\n", ("yaml.unclosed_quote", 3, 1)),
        ("a: [1, 2\nb: 3\n", ("yaml.unclosed_bracket", 2, 2)),
        ("a: - b\n", ("yaml.unexpected_dash", 1, 4)),
        ("a: @x\n", ("yaml.start_character", 1, 4)),
        ('a: "\\q"\n', ("yaml.escape", 1, 5)),
        ("a: *x\n", ("yaml.alias_unknown", 1, 4)),
        ("a: &x [*x]\n", ("yaml.alias_recursive", 1, 8)),
        ("<<: 1\n", ("merge.not_mapping", 1, 1)),
        ("a: !!int x\n", ("yaml.tag_mismatch", 1, 4)),
        ("a: .nan\n", ("yaml.not_a_number", 1, 4)),
        ("%TAG ! x\n---\na: 1\n", ("yaml.directive", 1, 1)),
        ("? [a]\n: b\n", ("key.not_text", 1, 3)),
        ("a: x\x07y\n", ("text.character", 1, 5)),
        ('a: "\\0"\n', ("text.character", 1, 4)),
        ("a: !!python/object/apply:os.system [ls]\n", ("yaml.tag", 1, 4)),
    ],
)
def test_error_with_its_place(text: str, expected: tuple[str, int, int]) -> None:
    assert error(text) == expected


def test_an_error_leaves_other_documents_readable_and_their_errors_told() -> None:
    parsed = parse("a: 1\n---\nb: [1\n---\nc: 1\nc: 2\n---\nd: 4\n")
    assert [document.value for document in parsed.documents] == [{"a": 1}, {"d": 4}]
    assert [(found.code, found.line) for found in parsed.errors] == [("yaml.unclosed_bracket", 4), ("key.duplicate", 6)]


def test_independent_errors_of_one_document_are_all_told() -> None:
    assert codes(parse("a: !x 1\nb: *c\nd: 1\nd: .inf\n")) == [
        "yaml.tag",
        "yaml.alias_unknown",
        "key.duplicate",
        "yaml.not_a_number",
    ]


def test_too_many_errors_end_the_reading() -> None:
    parsed = parse("a: 1\n" * 1000)
    assert len(parsed.errors) == 51
    assert parsed.errors[-1].code == "limits.errors"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a: \xff\n", ("text.not_utf8", 1, 4)),
        ("# 中\na: ".encode() + b"\xe4\xb8", ("text.not_utf8", 2, 4)),
    ],
)
def test_bytes_that_are_no_utf8(data: bytes, expected: tuple[str, int, int]) -> None:
    assert error(data) == expected


def test_utf16_with_its_mark_is_read() -> None:
    assert only("a: 中文\n".encode("utf-16")) == {"a": "中文"}


def _bomb(levels: int) -> str:
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        ("a: " + "x" * 100, Limits(max_bytes=50), "text.too_large"),
        ("a: " + "中" * 20, Limits(max_bytes=50), "text.too_large"),
        ("a: 1\n---\n" * 4, Limits(max_documents=3), "limits.documents"),
        ("[" * 1000, Limits(), "limits.depth"),
        ("{a: " * 1000, Limits(), "limits.depth"),
        ("- " * 1000, Limits(), "limits.depth"),
        ("a: &a [[[[1]]]]\nb: [[[[*a]]]]\n", Limits(max_depth=8), "limits.depth"),
        ("- x\n" * 100, Limits(max_nodes=50), "limits.nodes"),
        (_bomb(9), Limits(), "limits.nodes"),
        ("- x\n" * 10_000, Limits(max_seconds=-1.0), "limits.time"),
    ],
)
def test_limits_hold(text: str, limits: Limits, code: str) -> None:
    assert error(text, limits)[0] == code


def test_limits_are_not_met_just_below_them() -> None:
    assert only("[" * 8 + "]" * 8, Limits(max_depth=8))
    assert len(only("- x\n" * 49, Limits(max_nodes=50))) == 49
    assert len(parse("a: 1\n---\n" * 3, Limits(max_documents=3)).documents) == 3


def test_many_tag_directives_do_not_hang() -> None:
    text = "".join(f"%TAG !a{number}! b\n" for number in range(50_000)) + "---\na: b\n"
    assert error(text)[0] == "yaml.directive"

"""What is written is what kubectl prints, and reads back as it was."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.manifests.documents import parse
from simulator.manifests.writer import write
from tests.simulator.manifests.recorded import recorded

WORDS = st.sampled_from([case["word"] for case in recorded("scalars.json") if len(case["word"]) < 50])
AWKWARD = st.sampled_from(
    [
        *(
            "",
            " ",
            "\n",
            "a\n",
            "\na",
            " a\nb",
            "a \nb",
            "a\n\n",
            "\t",
            "a\tb",
            "\r\n",
            "a\x85b",
            "\u2028",
            "\ufeff",
            "\x1b",
        ),
        *(
            "- a",
            "a: b",
            "a #b",
            "#a",
            "'",
            '"',
            "*a",
            "&a",
            "!a",
            "<<",
            "=",
            "---",
            "...",
            "? a",
            "| a",
            "%a",
            "@a",
            "`a",
        ),
        *(
            "\\",
            "[",
            "{}",
            ",",
            "~",
            "null",
            "1:30",
            "2001-01-01",
            "0x1F",
            "中文",
            "中文\n多行\n",
            "😀",
            "a" * 200,
            "a b " * 100,
        ),
    ]
)
ANY_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
TEXTS = AWKWARD | WORDS | ANY_TEXT
FLOATS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: not number.is_integer())
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | FLOATS | TEXTS
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=15
)
OBJECTS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4)


@given(st.lists(OBJECTS, min_size=1, max_size=3), st.booleans())
def test_reads_back_as_it_was(objects: list[dict[str, Any]], sort_keys: bool) -> None:
    parsed = parse(write(objects, sort_keys=sort_keys))
    assert parsed.errors == ()
    assert parsed.notices == ()
    assert [document.value for document in parsed.documents] == objects


@given(OBJECTS)
def test_key_order_does_not_matter(value: dict[str, Any]) -> None:
    assert write([dict(reversed(value.items()))]) == write([value])


@pytest.mark.parametrize("case", recorded("written.json"), ids=lambda case: case["object"]["kind"])
def test_prints_as_kubectl_prints(case: dict[str, Any]) -> None:
    assert write([case["object"]]) == case["yaml"]


def test_documents_are_separated() -> None:
    assert write([{"a": 1}, {"b": ["x", {"c": "中文"}]}]) == "a: 1\n---\nb:\n- x\n- c: 中文\n"
    assert write([]) == ""


def test_nothing_is_folded_and_nothing_aliased() -> None:
    shared = ["word " * 100]
    text = write([{"a": shared, "b": shared}])
    assert "&" not in text
    assert len(text.splitlines()) == 4


@pytest.mark.parametrize(
    ("value", "error"),
    [(float("nan"), ValueError), (float("inf"), ValueError), (object(), TypeError), ({1: 2}, TypeError)],
)
def test_what_json_has_not_is_refused(value: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        write([{"a": value}])

"""Plain words mean what they mean to kubectl."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulator.manifests.scalars import (
    NotJsonError,
    TagMismatchError,
    as_json_number,
    is_surprising,
    resolve,
    resolve_tagged,
)
from tests.simulator.manifests.recorded import recorded

WORDS = recorded("scalars.json")


@pytest.mark.parametrize("case", [case for case in WORDS if "json" in case], ids=lambda case: case["word"][:20])
def test_word_is_read_as_kubectl_reads_it(case: dict[str, Any]) -> None:
    expected = json.loads(case["json"])
    value = resolve(case["word"])
    if isinstance(expected, int) and not -(2**63) <= expected < 2**63:
        expected = float(expected)  # kubectl prints such a number with zeros at its end
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize("case", [case for case in WORDS if "error" in case], ids=lambda case: case["word"])
def test_word_without_json_value_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(NotJsonError):
        resolve(case["word"])


@pytest.mark.parametrize(
    ("tag", "word", "value"),
    [
        ("str", "1", "1"),
        ("timestamp", "2001-01-01", "2001-01-01"),
        ("int", "0x10", 16),
        ("float", "1", 1),
        ("bool", "yes", True),
        ("null", "~", None),
    ],
)
def test_tagged_word(tag: str, word: str, value: object) -> None:
    assert resolve_tagged(tag, word) == value


@pytest.mark.parametrize(
    ("tag", "word"), [("int", "abc"), ("int", "1.5"), ("int", "true"), ("bool", "1"), ("null", "x")]
)
def test_tag_that_does_not_fit(tag: str, word: str) -> None:
    with pytest.raises(TagMismatchError):
        resolve_tagged(tag, word)


@pytest.mark.parametrize("word", ["yes", "NO", "y", "On", "off", "010", "-07", "0_7"])
def test_surprising_word(word: str) -> None:
    assert is_surprising(word)


@pytest.mark.parametrize("word", ["true", "False", "0", "-0", "10", "08", "0.5", "0x10", "no way", "null", ""])
def test_unsurprising_word(word: str) -> None:
    assert not is_surprising(word)


def test_huge_words_stay_cheap() -> None:
    for word in ("9" * 200_000, "0x" + "f" * 200_000, "1" + "_" * 200_000, "0." + "1" * 200_000, "1e" + "9" * 200_000):
        value = resolve(word)
        assert isinstance(value, str | int | float)


def test_whole_floats_become_ints_by_their_printed_digits() -> None:
    assert as_json_number(5.0) == 5
    assert isinstance(as_json_number(5.0), int)
    assert as_json_number(1234567890123456789.0) == 1234567890123456800
    assert isinstance(as_json_number(2.0**63), float)

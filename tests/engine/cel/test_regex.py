"""Patterns: the same answers as Python's re where both know the syntax, and never more work than text times states."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.cel.regex import PatternError, compile_pattern

ENOUGH = 10**9


def found(pattern: str, text: str) -> bool | None:
    return compile_pattern(pattern).matches(text, ENOUGH)[0]


@pytest.mark.parametrize(
    ("pattern", "text", "wanted"),
    [
        ("", "", True),
        ("^$", "", True),
        ("^$", "a", False),
        ("^a{²}$", "a{²}", True),
        ("^a{٣}$", "aaa", False),
        ("a|b|", "c", True),
        ("^(a|bc)+$", "abcbca", True),
        ("^(a|bc)+$", "abcb", False),
        ("^a{2,3}$", "aaaa", False),
        ("^a{2,}$", "aaaa", True),
        ("^[^0-9]+$", "ab1", False),
        (r"^\d+\.\d+$", "12.5", True),
        (r"^[\w.-]+$", "a_b.c-d", True),
        ("(?i)h100", "NVIDIA-H100", True),
        ("(?i)[a-c]x", "BX", True),
        ("^.$", "\n", False),
        ("a{,2}", "a{,2}", True),
        ("^(?:ab)?c", "c", True),
        ("[]a]", "]", True),
        ("[a-]", "-", True),
    ],
)
def test_pattern_matches(pattern: str, text: str, wanted: bool) -> None:
    assert found(pattern, text) is wanted


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "*a",
        "a{3,2}",
        "[b-a]",
        r"\1",
        "(?=a)",
        "(?P<n>a)",
        "[a",
        "\\",
        r"\pL",
        "a{" + "9" * 5000 + "}",
        "a{1," + "9" * 5000 + "}",
    ],
)
def test_pattern_that_cannot_be_used_is_told(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", ["(a{1000}){1000}", "(" * 30 + "a" + ")" * 30, "((((((){1000}){1000}){1000}){9}){9}){9}"]
)
def test_pattern_bomb_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern", ["(a*)*b", "(a|a)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)(.*)(.*)[^a]", "(a?){50}a{50}b"]
)
def test_work_grows_with_the_text_and_not_worse(pattern: str) -> None:
    """Backtracking would take 2^40 steps for these."""
    compiled = compile_pattern(pattern)
    answer, steps = compiled.matches("a" * 200, ENOUGH)
    assert answer is False
    assert steps <= 201 * compiled.size * 4


def test_match_stops_at_its_limit() -> None:
    answer, steps = compile_pattern("(a|b)*c").matches("ab" * 1000, 100)
    assert answer is None
    assert 100 < steps < 200


ATOMS = st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", r"\d", "1", "^", "$"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        inner.map(lambda part: f"({part})*"),
        inner.map(lambda part: f"({part}){{1,2}}"),
        inner.map(lambda part: f"(?:{part})?"),
    ),
    max_leaves=8,
)


@given(PATTERNS, st.text("abc1\n", max_size=8))
@settings(deadline=None, max_examples=400)
def test_answer_is_that_of_another_engine(pattern: str, text: str) -> None:
    wanted = re.search(pattern.replace("$", r"\Z"), text) is not None
    assert found(pattern, text) is wanted

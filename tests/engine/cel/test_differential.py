"""Our CEL against another implementation (the `cel` crate in Rust), on expressions made at random.

Known differences, kept out of what is made: it counts bytes in size(), lets the negation of -2^63 pass, fails where
NaN is ordered (false by IEEE 754), rounds large ints before it compares them with doubles, and ends all() and exists()
at an item that fails.
"""

from __future__ import annotations

import math
from typing import Any

import cel
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.cel.expressions import run


def _written(number: int) -> str:
    return str(number) if number >= 0 else f"({number})"


SMALL = st.integers(-5, 5).map(_written)
INTS = st.one_of(SMALL, st.sampled_from([2**63 - 1, -(2**62) - 1000003, 10**12]).map(_written))
DOUBLES = st.sampled_from(["0.0", "1.5", "(-2.25)", "1e10"])
STRINGS = st.text("ab-1 ", max_size=4).map(lambda text: f"'{text}'")
LISTS = st.one_of(
    st.lists(INTS, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    st.just("[0].filter(x, false)"),
)
BOOLS = st.sampled_from(["true", "false"])


def _binary(left: Any, signs: list[str], right: Any) -> st.SearchStrategy[str]:
    return st.tuples(left, st.sampled_from(signs), right).map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})")


ORDERED = st.one_of(DOUBLES, _binary(DOUBLES, ["+", "-", "*"], DOUBLES))  # never NaN


def _choice(condition: Any, branch: Any) -> st.SearchStrategy[str]:
    return st.tuples(condition, branch, branch).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})")


def _expressions(depth: int) -> tuple[Any, Any, Any, Any, Any]:
    """Strategies for int, double, string, bool and list(int) expressions up to a depth."""
    if depth == 0:
        return INTS, DOUBLES, STRINGS, BOOLS, LISTS
    ints, doubles, strings, bools, lists = _expressions(depth - 1)
    number = st.one_of(
        ints,
        _binary(ints, ["+", "-", "*", "/", "%"], ints),
        _choice(bools, ints),
        INTS.map(lambda part: f"(-{part})"),
        ints.map(lambda part: f"(0 - {part})"),  # the negation of what may be -2^63
        strings.map(lambda part: f"size({part})"),
        st.tuples(lists, ints).map(lambda parts: f"{parts[0]}[{parts[1]}]"),
        st.tuples(strings, ints).map(lambda parts: f"{{'a': {parts[1]}}}[{parts[0]}]"),
        doubles.map(lambda part: f"int({part})"),
    )
    floating = st.one_of(doubles, _binary(doubles, ["+", "-", "*", "/"], doubles), ints.map(lambda p: f"double({p})"))
    text = st.one_of(strings, _binary(strings, ["+"], strings), ints.map(lambda part: f"string({part})"))
    truth = st.one_of(
        bools,
        _binary(bools, ["&&", "||", "==", "!="], bools),
        bools.map(lambda part: f"!{part}"),
        _binary(ints, ["<", "<=", ">", ">=", "==", "!="], ints),
        _binary(doubles, ["=="], doubles),
        _binary(ORDERED, ["<", ">="], ORDERED),
        _binary(SMALL, ["<", ">=", "=="], DOUBLES),
        _binary(strings, ["<", ">=", "==", "!="], strings),
        _binary(ints, ["in"], lists),
        _binary(lists, ["==", "!="], lists),
        st.tuples(strings, st.sampled_from(["contains", "startsWith", "endsWith"]), strings).map(
            lambda parts: f"{parts[0]}.{parts[1]}({parts[2]})"
        ),
        st.tuples(strings, st.sampled_from(["^a", "b$", "[ab]+-", "a.*1", "(a|b)*1"])).map(
            lambda parts: f"{parts[0]}.matches('{parts[1]}')"
        ),
        st.tuples(lists, st.sampled_from(["all", "exists"]), st.sampled_from(["x > 0", "x != -1", "x % 2 == 1"])).map(
            lambda parts: f"{parts[0]}.{parts[1]}(x, {parts[2]})"
        ),
    )
    items = st.one_of(
        lists,
        _binary(lists, ["+"], lists),
        lists.map(lambda part: f"{part}.map(x, x * 2)"),
        lists.map(lambda part: f"{part}.filter(x, x > 0)"),
        lists.map(lambda part: f"{part}.map(x, x != 0, 6 / x)"),
    )
    return number, floating, text, truth, items


FAILED = object()


def _other(source: str) -> Any:
    try:
        return cel.evaluate(source)
    except (OverflowError, ZeroDivisionError, KeyError, IndexError, ValueError, RuntimeError, TypeError):
        return FAILED


def _ours(source: str) -> Any:
    result = run(source, limit=10**6)
    return FAILED if result.problem is not None else result.value


def _same(ours: Any, other: Any) -> bool:
    if isinstance(ours, tuple):
        return isinstance(other, list) and list(ours) == other
    if isinstance(ours, float) and math.isnan(ours):
        return isinstance(other, float) and math.isnan(other)
    return type(ours) is type(other) and ours == other


@given(st.one_of(*_expressions(3)))
@settings(deadline=None, max_examples=1500)
def test_value_is_that_of_another_implementation(source: str) -> None:
    ours, other = _ours(source), _other(source)
    assert ours is other or _same(ours, other), f"{source}: {ours!r} here, {other!r} there"

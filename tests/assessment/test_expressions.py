from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.assessment.expressions import evaluate
from lessons.assessment.problems import Invalid

VALUES = {"gpus": Fraction(8), "free": Fraction(3), "model": "H100"}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("0.1 + 0.2", Fraction(3, 10)),
        ("gpus / free", Fraction(8, 3)),
        ("(8000 - 7000) * 100 // 8000", Fraction(12)),
        ("-7 // 2", Fraction(-4)),
        ("7 % 4", Fraction(3)),
        ("2 ** 10", Fraction(1024)),
        ("2 ** -1", Fraction(1, 2)),
        ("-2 ** 2", Fraction(-4)),
        ("max(1, gpus, free) - min(gpus, free)", Fraction(5)),
        ("floor(2.9) + ceil(2.1) + abs(-1)", Fraction(6)),
        ("round(2.5) + round(-2.5)", Fraction(0)),
        ("round(1.005, 2)", Fraction(101, 100)),
        ("gpus if free > 2 else 0", Fraction(8)),
        ("1 < free <= 3 and not gpus == 7", Fraction(1)),
        ("free > 5 or gpus < 5", Fraction(0)),
        ("  gpus\n", Fraction(8)),
    ],
)
def test_values(source: str, value: Fraction) -> None:
    assert evaluate(source, VALUES) == value


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", "expression.syntax"),
        ("1 +", "expression.syntax"),
        ("１", "expression.syntax"),
        ("gpus = 1", "expression.syntax"),
        ("other", "expression.unknown_name"),
        ("model + 1", "expression.not_a_number"),
        ("1 / (free - 3)", "expression.divides_by_zero"),
        ("1 // 0", "expression.divides_by_zero"),
        ("1 % 0", "expression.divides_by_zero"),
        ("0 ** -1", "expression.divides_by_zero"),
        ("2 ** 33", "expression.too_large"),
        ("2 ** 0.5", "expression.too_large"),
        ("9999999999 ** 32", "expression.too_large"),
        ("1e9", "expression.not_allowed"),
        ("0x10", "expression.not_allowed"),
        ("1_000", "expression.not_allowed"),
        ("'a'", "expression.not_allowed"),
        ("True", "expression.not_allowed"),
        ("gpus.real", "expression.not_allowed"),
        ("gpus[0]", "expression.not_allowed"),
        ("[1, 2]", "expression.not_allowed"),
        ("lambda: 1", "expression.not_allowed"),
        ("__import__('os')", "expression.not_allowed"),
        ("(1).__class__", "expression.not_allowed"),
        ("min(*gpus)", "expression.not_allowed"),
        ("round(1, digits=2)", "expression.not_allowed"),
        ("round(1, 99)", "expression.arguments"),
        ("abs(1, 2)", "expression.arguments"),
        ("~gpus", "expression.not_allowed"),
        ("gpus << 2", "expression.not_allowed"),
        ("gpus in gpus", "expression.not_allowed"),
        ("(x := 1)", "expression.not_allowed"),
        ("-" * 200 + "1", "expression.too_complex"),
        ("+".join("1" * 140), "expression.too_complex"),
        ("(" * 150 + "1" + ")" * 140, "expression.syntax"),
        ("1" * 301, "expression.too_long"),
    ],
)
def test_everything_else_is_refused(source: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        evaluate(source, VALUES)
    assert refused.value.problems[0].code == code


@given(st.text(alphabet="0123456789.+-*/%() gpusfreminax,<>=ifelsnotdr", max_size=60))
def test_any_text_gives_a_number_or_a_problem(source: str) -> None:
    try:
        result = evaluate(source, VALUES)
    except Invalid:
        return
    assert isinstance(result, Fraction)


@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(1, 1000))
def test_arithmetic_is_exact(a: int, b: int, c: int) -> None:
    named = {"a": Fraction(a), "b": Fraction(b), "c": Fraction(c)}
    assert evaluate("(a + b) * a / c - b", named) == Fraction((a + b) * a, c) - b

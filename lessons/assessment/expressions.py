"""A small arithmetic for template questions: exact, bounded, and unable to do anything but compute.

Grammar (a part of Python's): decimal numbers, names, ``+ - * / // % **``, unary ``+ -``, parentheses, comparisons,
``and or not``, ``a if condition else b``, and the functions min, max, abs, floor, ceil, round. Values are exact
fractions, so 0.1 + 0.2 is 0.3. Python's parser makes the tree; every node of it is checked here, nothing is ever
given to ``eval``.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from lessons.assessment.grades import ONE, ZERO
from lessons.assessment.problems import Invalid, Problem

Values = Mapping[str, Fraction | str]

MAX_SOURCE: Final = 300
MAX_NODES: Final = 120
MAX_DEPTH: Final = 30
MAX_BITS: Final = 512
MAX_EXPONENT: Final = 32
_DECIMAL: Final = re.compile(r"\d{1,30}(\.\d{1,30})?|\.\d{1,30}", re.ASCII)


def evaluate(source: str, values: Values) -> Fraction:
    """The exact value of ``source`` with the named ``values``; a condition gives 1 or 0. Raises Invalid."""
    return _Evaluation(source, values).result()


def _problem(code: str, **params: object) -> Invalid:
    return Invalid([Problem(code, params)])


def _parse(source: str) -> ast.expr:
    if len(source) > MAX_SOURCE:
        raise _problem("expression.too_long", limit=MAX_SOURCE, length=len(source))
    if not source.isascii():
        raise _problem("expression.syntax", source=source)
    try:
        return ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _problem("expression.syntax", source=source) from None


class _Evaluation:
    """One walk over one tree."""

    def __init__(self, source: str, values: Values) -> None:
        self._source = source.strip()
        self._values = values
        self._tree = _parse(source)
        self._nodes = 0

    def result(self) -> Fraction:
        return self._value(self._tree, 0)

    def _value(self, node: ast.expr, depth: int) -> Fraction:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise _problem("expression.too_complex", limit=MAX_NODES)
        handler = self._HANDLERS.get(type(node))
        if handler is None:
            raise _problem("expression.not_allowed", what=type(node).__name__)
        result = handler(self, node, depth + 1)
        if max(result.numerator.bit_length(), result.denominator.bit_length()) > MAX_BITS:
            raise _problem("expression.too_large", source=self._source)
        return result

    def _constant(self, node: ast.expr, depth: int) -> Fraction:
        del depth
        written = ast.get_source_segment(self._source, node) or ""
        if not _DECIMAL.fullmatch(written):
            raise _problem("expression.not_allowed", what=written[:40])
        return Fraction(written)

    def _name(self, node: ast.expr, depth: int) -> Fraction:
        del depth
        assert isinstance(node, ast.Name)
        value = self._values.get(node.id)
        if value is None:
            raise _problem("expression.unknown_name", name=node.id, known=sorted(self._values))
        if isinstance(value, str):
            raise _problem("expression.not_a_number", name=node.id)
        return value

    def _unary(self, node: ast.expr, depth: int) -> Fraction:
        assert isinstance(node, ast.UnaryOp)
        value = self._value(node.operand, depth)
        if isinstance(node.op, ast.Not):
            return ZERO if value else ONE
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.UAdd):
            return value
        raise _problem("expression.not_allowed", what=type(node.op).__name__)

    def _binary(self, node: ast.expr, depth: int) -> Fraction:
        assert isinstance(node, ast.BinOp)
        left, right = self._value(node.left, depth), self._value(node.right, depth)
        if isinstance(node.op, ast.Pow):
            return self._power(left, right)
        operation = _OPERATIONS.get(type(node.op))
        if operation is None:
            raise _problem("expression.not_allowed", what=type(node.op).__name__)
        if right == 0 and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            raise _problem("expression.divides_by_zero", source=self._source)
        return Fraction(operation(left, right))

    def _power(self, base: Fraction, exponent: Fraction) -> Fraction:
        if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
            raise _problem("expression.too_large", source=self._source)
        if base == 0 and exponent < 0:
            raise _problem("expression.divides_by_zero", source=self._source)
        return Fraction(base ** int(exponent))

    def _compare(self, node: ast.expr, depth: int) -> Fraction:
        assert isinstance(node, ast.Compare)
        left = self._value(node.left, depth)
        for operation, operand in zip(node.ops, node.comparators, strict=True):
            comparison = _COMPARISONS.get(type(operation))
            if comparison is None:
                raise _problem("expression.not_allowed", what=type(operation).__name__)
            right = self._value(operand, depth)
            if not comparison(left, right):
                return ZERO
            left = right
        return ONE

    def _boolean(self, node: ast.expr, depth: int) -> Fraction:
        assert isinstance(node, ast.BoolOp)
        values = [bool(self._value(operand, depth)) for operand in node.values]
        return Fraction(all(values) if isinstance(node.op, ast.And) else any(values))

    def _conditional(self, node: ast.expr, depth: int) -> Fraction:
        assert isinstance(node, ast.IfExp)
        chosen = node.body if self._value(node.test, depth) else node.orelse
        return self._value(chosen, depth)

    def _call(self, node: ast.expr, depth: int) -> Fraction:
        assert isinstance(node, ast.Call)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        function = _FUNCTIONS.get(name)
        if function is None or node.keywords:
            raise _problem("expression.not_allowed", what=ast.unparse(node.func)[:40])
        arguments = [self._value(argument, depth) for argument in node.args]
        low, high, compute = function
        if not low <= len(arguments) <= high:
            raise _problem("expression.arguments", function=name)
        return compute(arguments)

    _HANDLERS: Final[dict[type[ast.expr], Callable[[_Evaluation, ast.expr, int], Fraction]]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.UnaryOp: _unary,
        ast.BinOp: _binary,
        ast.Compare: _compare,
        ast.BoolOp: _boolean,
        ast.IfExp: _conditional,
        ast.Call: _call,
    }


def rounded(value: Fraction, digits: int = 0) -> Fraction:
    """``value`` with ``digits`` digits after the point, half away from zero (as kube-scheduler rounds, unlike
    Python).
    """
    scale: int = 10**digits
    whole = math.floor(abs(value) * scale + Fraction(1, 2))
    return Fraction(whole if value >= 0 else -whole, scale)


def _round(arguments: list[Fraction]) -> Fraction:
    digits = arguments[1] if len(arguments) > 1 else ZERO
    if digits.denominator != 1 or not 0 <= digits <= 12:
        raise _problem("expression.arguments", function="round")
    return rounded(arguments[0], int(digits))


_OPERATIONS: Final[dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction | int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: Final[dict[str, tuple[int, int, Callable[[list[Fraction]], Fraction]]]] = {
    "min": (1, 20, min),
    "max": (1, 20, max),
    "abs": (1, 1, lambda given: abs(given[0])),
    "floor": (1, 1, lambda given: Fraction(math.floor(given[0]))),
    "ceil": (1, 1, lambda given: Fraction(math.ceil(given[0]))),
    "round": (1, 2, _round),
}

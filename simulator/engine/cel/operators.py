"""Operators, look-ups and calls as closures over their operands."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from simulator.engine.cel.errors import Fault
from simulator.engine.cel.functions import LETTERS_A_STEP, MAX_INT, MIN_INT, Function
from simulator.engine.cel.program import Frame, Run
from simulator.engine.cel.regex import Pattern
from simulator.engine.cel.values import BOOL, DOUBLE, INT, STRING, Type, joined

COMPARED_A_STEP: Final = 1000
"""So many characters are compared in one step."""
WALKED: Final = 2
"""Steps for an item of lists or maps that are compared."""

_COMPARE: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def spend(frame: Frame, steps: int) -> None:
    frame[0] -= steps
    if frame[0] < 0:
        raise Fault("cel.cost", 0)


def find(sign: str, types: Sequence[Type], runs: Sequence[Run], offset: int) -> tuple[Type, Run] | None:
    """(type of the result, closure); None where the operator does not go with these types."""
    if len(types) == 1:
        return _one(sign, types[0], runs[0], offset)
    left, right = types
    first, second = runs
    if sign in ("&&", "||"):
        return (BOOL, _logic(first, second, stop=sign == "||")) if left == right == BOOL else None
    if sign in ("==", "!="):
        return _equality(sign, left, right, first, second)
    if sign in _COMPARE:
        return _comparison(sign, left, right, first, second)
    if sign == "in":
        return _containment(left, right, first, second)
    return _arithmetic(sign, left, right, first, second, offset)


def _one(sign: str, kind: Type, run: Run, offset: int) -> tuple[Type, Run] | None:
    if sign == "!" and kind == BOOL:
        return BOOL, lambda frame: not run(frame)
    if sign == "-" and kind == INT:
        return INT, lambda frame: _checked(-run(frame), offset)
    if sign == "-" and kind == DOUBLE:
        return DOUBLE, lambda frame: -run(frame)
    return None


def _logic(first: Run, second: Run, *, stop: bool) -> Run:
    """`stop` on either side decides, even where the other side fails (as CEL has it)."""

    def run(frame: Frame) -> bool:
        try:
            if first(frame) is stop:
                return bool(stop)
        except Fault as fault:
            if fault.code != "cel.cost" and second(frame) is stop:
                return bool(stop)
            raise
        return bool(second(frame))

    return run


def _equality(sign: str, left: Type, right: Type, first: Run, second: Run) -> tuple[Type, Run] | None:
    if joined(left, right) is None and not (left.is_number and right.is_number):
        return None
    if left.is_plain and left != STRING:
        if sign == "==":
            return BOOL, lambda frame: bool(first(frame) == second(frame))
        return BOOL, lambda frame: bool(first(frame) != second(frame))
    equal = sign == "=="

    def run(frame: Frame) -> bool:
        one, other = first(frame), second(frame)
        spend(frame, min(_weight(one), _weight(other)))
        return bool((one == other) is equal)

    return BOOL, run


def _weight(value: Any) -> int:
    """Steps to walk through a value."""
    if isinstance(value, str):
        return len(value) // COMPARED_A_STEP
    if isinstance(value, dict):
        return sum(WALKED + _weight(item) for item in value.values())
    if isinstance(value, tuple):
        return sum(WALKED + _weight(item) for item in value)
    return 0


def _comparison(sign: str, left: Type, right: Type, first: Run, second: Run) -> tuple[Type, Run] | None:
    if not (left.is_number and right.is_number) and not (left == right and left in (STRING, BOOL)):
        return None
    compare = _COMPARE[sign]
    return BOOL, lambda frame: compare(first(frame), second(frame))


def _containment(left: Type, right: Type, first: Run, second: Run) -> tuple[Type, Run] | None:
    if right.name not in ("list", "map") or joined(left, right.item) is None:
        return None
    if right.name == "map":
        return BOOL, lambda frame: first(frame) in second(frame)

    def run(frame: Frame) -> bool:
        wanted, items = first(frame), second(frame)
        spend(frame, len(items))
        return wanted in items

    return BOOL, run


def _checked(value: int, offset: int) -> int:
    if not MIN_INT <= value <= MAX_INT:
        raise Fault("cel.overflow", offset)
    return value


def _arithmetic(sign: str, left: Type, right: Type, first: Run, second: Run, offset: int) -> tuple[Type, Run] | None:
    if sign == "+" and (left == right == STRING or (left.name == right.name == "list")):
        kind = joined(left, right)
        return None if kind is None else (kind, _concatenation(first, second))
    if left != right:
        return None
    if left == INT:
        calculate = _INTEGER[sign]

        def run(frame: Frame) -> int:
            return _checked(calculate(first(frame), second(frame), offset), offset)

        return INT, run
    if left == DOUBLE and sign in _FLOATING:
        calculate_double = _FLOATING[sign]
        return DOUBLE, lambda frame: calculate_double(first(frame), second(frame))
    return None


def _concatenation(first: Run, second: Run) -> Run:
    def run(frame: Frame) -> Any:
        one, other = first(frame), second(frame)
        size = len(one) + len(other)
        spend(frame, size // LETTERS_A_STEP if isinstance(one, str) else size)
        return one + other

    return run


def _quotient(left: int, right: int, offset: int) -> int:
    if right == 0:
        raise Fault("cel.division_by_zero", offset)
    found = abs(left) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def _remainder(left: int, right: int, offset: int) -> int:
    if right == 0:
        raise Fault("cel.division_by_zero", offset)
    found = abs(left) % abs(right)
    return -found if left < 0 else found


def _divided(left: float, right: float) -> float:
    if right != 0:
        return left / right
    return float("nan") if left == 0 or left != left else float("inf") * (1 if left > 0 else -1)  # noqa: PLR0124 (NaN)


_INTEGER: Final[Mapping[str, Callable[[int, int, int], int]]] = {
    "+": lambda left, right, _: left + right,
    "-": lambda left, right, _: left - right,
    "*": lambda left, right, _: left * right,
    "/": _quotient,
    "%": _remainder,
}
_FLOATING: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
}


def lookup(operand: Run, key: Run, offset: int) -> Run:
    def run(frame: Frame) -> Any:
        items, wanted = operand(frame), key(frame)
        if wanted not in items:
            raise Fault("cel.no_key", offset, key=wanted)
        return items[wanted]

    return run


def item(operand: Run, index: Run, offset: int) -> Run:
    def run(frame: Frame) -> Any:
        items, position = operand(frame), index(frame)
        if not 0 <= position < len(items):
            raise Fault("cel.no_index", offset, index=position)
        return items[position]

    return run


def call(function: Function, args: Sequence[Run], offset: int) -> Run:
    work, calculate, result = function.work, function.run, function.result

    def run(frame: Frame) -> Any:
        values = [arg(frame) for arg in args]
        if work is not None:
            spend(frame, work(*values))
        try:
            return calculate(*values)
        except Fault as fault:
            fault.offset = offset
            raise
        except ValueError:
            raise Fault("cel.conversion", offset, value=_short(values[0]), type=result) from None
        except IndexError as problem:
            raise Fault("cel.no_index", offset, index=problem.args[0]) from None
        except OverflowError:
            raise Fault("cel.overflow", offset) from None

    return run


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def matching(pattern: Pattern, text: Run) -> Run:
    def run(frame: Frame) -> bool:
        found, steps = pattern.matches(text(frame), frame[0])
        spend(frame, steps)
        return bool(found)

    return run

"""What can be wrong with an expression, as codes with parameters and a place in the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

TEXTS: Mapping[str, str] = {
    "cel.empty": "the expression is empty",
    "cel.too_long": "the expression has {size} characters, {limit} are allowed",
    "cel.too_deep": "the expression is nested deeper than {limit} levels",
    "cel.too_large": "the expression has more than {limit} parts",
    "cel.character": "unexpected character {found}",
    "cel.unterminated": "the text that begins here is not closed",
    "cel.escape": "unknown escape {found}",
    "cel.number": "{found} is not a number that fits",
    "cel.unexpected": "{wanted} expected, found {found}",
    "cel.left_out": "{what} cannot be used in rules",
    "cel.reserved": "{name} is a reserved word",
    "cel.unknown_name": "unknown name {name}",
    "cel.unknown_field": "{type} has no field {name}",
    "cel.unknown_function": "unknown function {name}",
    "cel.no_overload": "{name} cannot be used with ({types})",
    "cel.wrong_type": "{wanted} expected, this is {found}",
    "cel.not_an_object": "{type} has no fields",
    "cel.not_indexable": "{type} cannot be indexed",
    "cel.mixed": "all items must be of one type: {first} and {other}",
    "cel.branches": "both branches must be of one type: {first} and {other}",
    "cel.bare": "{name} cannot be used as a whole; choose a field of it",
    "cel.literal": "{name} needs a text written out here",
    "cel.macro": "{name} needs a variable name here",
    "cel.has": "has() needs a field or key, such as has(node.labels.zone)",
    "cel.pattern": "this pattern cannot be used: {error}",
    "cel.no_key": "no such key: {key}",
    "cel.no_index": "no such index: {index}",
    "cel.empty_list": "{name} of an empty list",
    "cel.division_by_zero": "division by zero",
    "cel.overflow": "the result does not fit into 64 bits",
    "cel.conversion": "{value} cannot be converted to {type}",
    "cel.cost": "the expression does too much work: more than {limit} steps",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem and where it is: `line` and `column` count from 1."""

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)
    line: int = 1
    column: int = 1

    @property
    def text(self) -> str:
        return f"{self.line}:{self.column}: {TEXTS[self.code].format_map(self.params)}"


class CelError(ValueError):
    """An expression that cannot be used, or an evaluation that failed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


class Fault(Exception):
    """A problem whose place is still an offset into the source."""

    def __init__(self, code: str, offset: int, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.offset = offset
        self.params = params

    def in_source(self, source: str) -> CelError:
        before = source[: self.offset]
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        return CelError(Problem(self.code, self.params, line, column))

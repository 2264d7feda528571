"""Template questions: variables drawn by a seed, written into the question's texts and numbers.

``variables`` maps names to ``{from, to, step?}`` (a range, both ends included), ``{one_of: [numbers or words]}`` or
``{is: expression}`` (computed from earlier ones); the name ``require`` is not a variable but a list of conditions,
and draws are repeated until all hold. Every string of the question may hold ``{{ expression }}`` or ``{{ expression |
digits }}``; a word variable stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.digest import Json
from lessons.assessment.expressions import MAX_SOURCE, evaluate, rounded
from lessons.assessment.number_text import format_number
from lessons.assessment.problems import Invalid, Path, Problem
from lessons.assessment.reading import Node

MAX_VARIABLES: Final = 30
MAX_STEPS: Final = 10_000
MAX_TRIES: Final = 200
DEFAULT_DIGITS: Final = 6
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,30}", re.ASCII)
_PLACE: Final = re.compile(r"\{\{([^{}|]{1,300})(?:\|\s*(\d{1,2})\s*)?\}\}")


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable: the values it can take (drawn with equal chance), or the expression that gives it."""

    name: str
    choices: tuple[Fraction | str, ...]
    expression: str


@dataclass(frozen=True, slots=True)
class Variables:
    """All variables in order, and the conditions they must meet."""

    drawn: tuple[Variable, ...]
    conditions: tuple[str, ...]

    def values(self, dice: Dice) -> dict[str, Fraction | str]:
        """Draw all variables. Raises Invalid if an expression fails or no draw meets the conditions."""
        for _ in range(MAX_TRIES):
            values: dict[str, Fraction | str] = {}
            for variable in self.drawn:
                values[variable.name] = self._value(variable, values, dice)
            if all(_located(condition, values, ("variables", "require")) for condition in self.conditions):
                return values
        raise Invalid([Problem("variables.unsatisfiable", {"tries": MAX_TRIES}, ("variables", "require"))])

    @staticmethod
    def _value(variable: Variable, values: Mapping[str, Fraction | str], dice: Dice) -> Fraction | str:
        if variable.expression:
            return _located(variable.expression, values, ("variables", variable.name, "is"))
        return dice.pick(variable.choices)


def read_variables(node: Node) -> Variables:
    """Read ``variables``."""
    names = [str(name) for name in node.value] if isinstance(node.value, Mapping) else []
    if len(names) > MAX_VARIABLES:
        node.fail("list.too_long", limit=MAX_VARIABLES, length=len(names))
    fields = node.fields(optional=names)
    conditions = tuple(entry.string(limit=MAX_SOURCE) for entry in fields.children("require"))
    drawn = tuple(_read_variable(name, fields[name]) for name in names[:MAX_VARIABLES] if name != "require")
    return Variables(drawn, conditions)


def _read_variable(name: str, node: Node) -> Variable:
    if not _NAME.fullmatch(name):
        node.fail("value.bad_name", found=name[:40])
    given = node.value if isinstance(node.value, Mapping) else {}
    if "is" in given:
        return Variable(name, (), node.fields(required=("is",))["is"].string(limit=MAX_SOURCE))
    if "one_of" in given:
        entries = node.fields(required=("one_of",)).children("one_of", minimum=1)
        return Variable(name, tuple(_choice(entry) for entry in entries) or (Fraction(0),), "")
    return Variable(name, _range(node), "")


def _choice(node: Node) -> Fraction | str:
    is_number = isinstance(node.value, int | float) and not isinstance(node.value, bool)
    return node.number() if is_number else node.string()


def _range(node: Node) -> tuple[Fraction, ...]:
    fields = node.fields(required=("from", "to"), optional=("step",))
    low, high = fields["from"].number(), fields["to"].number()
    step_node = fields.get("step")
    step = step_node.number(minimum=0) if step_node else Fraction(1)
    count = int((high - low) / step) + 1 if step > 0 and high >= low else 0
    if not 1 <= count <= MAX_STEPS:
        node.fail("value.out_of_range", minimum="1", maximum=str(MAX_STEPS), found=str(count))
        return (low,)
    return tuple(low + index * step for index in range(count))


def fill(value: Json, values: Mapping[str, Fraction | str], path: Path = ()) -> Any:
    """Copy ``value`` with every ``{{ … }}`` in its strings replaced.

    Raises Invalid with the place of a bad expression.
    """
    if isinstance(value, str):
        return _PLACE.sub(lambda found: _written(found[1].strip(), found[2], values, path), value)
    if isinstance(value, list):
        return [fill(item, values, (*path, index)) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {key: fill(item, values, (*path, key)) for key, item in value.items()}
    return value


def _written(source: str, digits: str | None, values: Mapping[str, Fraction | str], path: Path) -> str:
    word = values.get(source)
    if isinstance(word, str):
        return word
    result = _located(source, values, path)
    if digits is None:
        return format_number(result, digits=DEFAULT_DIGITS)
    places = min(int(digits), 12)
    whole, _, decimals = format_number(rounded(result, places), digits=places).partition(".")
    return f"{whole}.{decimals.ljust(places, '0')}" if places else whole


def _located(source: str, values: Mapping[str, Fraction | str], path: Path) -> Fraction:
    try:
        return evaluate(source, values)
    except Invalid as invalid:
        raise Invalid(problem.below(*path) for problem in invalid.problems) from None

"""A computed figure together with the formula and the numbers that went into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Term:
    """A number in a formula: its name there, value, unit ("" for a plain number) and where it comes from."""

    name: str
    value: float
    unit: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Derivation:
    """`result` = the formula with the terms filled in.

    `formula` is the id of an entry of `formulas.FORMULAS`, whose expression uses the terms' names; `parts` are the
    derivations of terms that were computed themselves, under the terms' names.
    """

    formula: str
    result: float
    unit: str
    terms: tuple[Term, ...]
    parts: tuple[tuple[str, Derivation], ...] = ()

    def value_of(self, name: str) -> float:
        """The value of a term; raises KeyError."""
        for term in self.terms:
            if term.name == name:
                return term.value
        raise KeyError(name)

    def part(self, name: str) -> Derivation | None:
        """How a term was computed, None for a given number."""
        return next((part for part_name, part in self.parts if part_name == name), None)

    def to_mapping(self) -> dict[str, Any]:
        """Plain values for pages and exports."""
        return {
            "formula": self.formula,
            "result": self.result,
            "unit": self.unit,
            "terms": [
                {"name": term.name, "value": term.value, "unit": term.unit, "source": term.source}
                for term in self.terms
            ],
            "parts": {name: part.to_mapping() for name, part in self.parts},
        }


def derived(
    formula: str, result: float, unit: str, *terms: Term, parts: Mapping[str, Derivation] | None = None
) -> Derivation:
    """A derivation; parts that are a term's own derivation are given by that term's name."""
    return Derivation(formula, result, unit, terms, tuple((parts or {}).items()))


def term_of(name: str, part: Derivation) -> Term:
    """The result of another derivation as a term."""
    return Term(name, part.result, part.unit, part.formula)

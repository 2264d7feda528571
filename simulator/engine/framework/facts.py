"""The numbers behind a decision, made only for what somebody looks at.

A fact is one condition of a Filter verdict; a formula is how one number of a score came about. Both are codes with
parameters (plain values), from which the decision can be worked out again. Pages make sentences of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Fact:
    """One condition that a node has to meet. A node is rejected by a plugin exactly where some fact does not hold."""

    code: str
    holds: bool
    params: Mapping[str, Any]

    @staticmethod
    def of(code: str, holds: object, **params: Any) -> Fact:
        return Fact(code, bool(holds), params)


@dataclass(frozen=True, slots=True)
class Formula:
    """A number and the terms it was computed from."""

    code: str
    value: int
    params: Mapping[str, Any]

    @staticmethod
    def of(code: str, value: object, **params: Any) -> Formula:
        return Formula(code, int(value), params)  # type: ignore[call-overload]


MOST_NAMES = 5
"""Of Pods concerned so many are named; the counts are always complete."""

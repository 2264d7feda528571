"""Taints of nodes and tolerations of Pods.

Source: kube-scheduler 1.36, `v1.Toleration.ToleratesTaint`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.selectors import parse_int64

HARD_EFFECTS = frozenset({"NoSchedule", "NoExecute"})
SOFT_EFFECTS = frozenset({"PreferNoSchedule"})

_CANONICAL_INT = re.compile(r"(0|-?[1-9][0-9]*)\Z")


@dataclass(frozen=True, slots=True)
class Taint:
    key: str
    value: str
    effect: str

    def __str__(self) -> str:
        return f"{self.key}={self.value}:{self.effect}" if self.value else f"{self.key}:{self.effect}"


@dataclass(frozen=True, slots=True)
class Toleration:
    """`seconds` is `tolerationSeconds`: the scheduler does not read it."""

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    seconds: int | None = None

    def tolerates(self, taint: Taint, *, comparison: bool = False) -> bool:
        """Whether this toleration covers `taint`. `comparison` is the gate TaintTolerationComparisonOperators."""
        if self.effect and self.effect != taint.effect:
            return False
        if self.key and self.key != taint.key:
            return False
        match self.operator:
            case "" | "Equal":
                return self.value == taint.value
            case "Exists":
                return True
            case "Lt" | "Gt":
                return comparison and _compares(self.operator, taint.value, self.value)
            case _:
                return False


def _compares(operator: str, taint_value: str, toleration_value: str) -> bool:
    numbers = []
    for text in (taint_value, toleration_value):
        number = parse_int64(text) if _CANONICAL_INT.match(text) else None
        if number is None:
            return False
        numbers.append(number)
    return numbers[0] < numbers[1] if operator == "Lt" else numbers[0] > numbers[1]


def parse_taints(items: Iterable[Mapping[str, Any]]) -> tuple[Taint, ...]:
    return tuple(Taint(item.get("key", ""), item.get("value") or "", item.get("effect", "")) for item in items)


def parse_tolerations(items: Iterable[Mapping[str, Any]]) -> tuple[Toleration, ...]:
    return tuple(
        Toleration(
            item.get("key") or "",
            item.get("operator") or "",
            item.get("value") or "",
            item.get("effect") or "",
            item.get("tolerationSeconds"),
        )
        for item in items
    )


def first_untolerated(
    taints: Iterable[Taint], tolerations: Iterable[Toleration], effects: frozenset[str], *, comparison: bool = False
) -> Taint | None:
    """The first taint with one of `effects` that no toleration covers."""
    tolerations = tuple(tolerations)
    for taint in taints:
        if taint.effect in effects and not any(t.tolerates(taint, comparison=comparison) for t in tolerations):
            return taint
    return None

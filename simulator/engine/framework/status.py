"""Results of plugins: status codes, reasons with parameters, and verdicts over many rows at once.

Source: kube-scheduler 1.36 `framework.Status`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools
from simulator.engine.framework.facts import Formula

Codes = npt.NDArray[np.int8]


class Code(IntEnum):
    """Status codes; `str()` gives kube's name."""

    SUCCESS = 0
    ERROR = 1
    UNSCHEDULABLE = 2
    UNRESOLVABLE = 3
    WAIT = 4
    SKIP = 5
    PENDING = 6

    def __str__(self) -> str:
        return _NAMES[self]

    @property
    def is_rejected(self) -> bool:
        return self in (Code.UNSCHEDULABLE, Code.UNRESOLVABLE, Code.PENDING)


_NAMES = {
    Code.SUCCESS: "Success",
    Code.ERROR: "Error",
    Code.UNSCHEDULABLE: "Unschedulable",
    Code.UNRESOLVABLE: "UnschedulableAndUnresolvable",
    Code.WAIT: "Wait",
    Code.SKIP: "Skip",
    Code.PENDING: "Pending",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Why: a code such as `node_resources_fit.insufficient` and its parameters. `messages.text` makes kube's words of
    it."""

    code: str
    params: tuple[tuple[str, Any], ...] = ()

    @staticmethod
    def of(code: str, **params: Any) -> Reason:
        return Reason(code, tuple(params.items()))

    @property
    def values(self) -> Mapping[str, Any]:
        return dict(self.params)


@dataclass(frozen=True, slots=True)
class Status:
    """One plugin's answer. `plugin` is filled in by the runtime."""

    code: Code = Code.SUCCESS
    reasons: tuple[Reason, ...] = ()
    plugin: str = ""

    @property
    def is_success(self) -> bool:
        return self.code == Code.SUCCESS

    @property
    def is_skip(self) -> bool:
        return self.code == Code.SKIP

    @property
    def is_rejected(self) -> bool:
        return self.code.is_rejected

    def by(self, plugin: str) -> Status:
        return Status(self.code, self.reasons, plugin)


SUCCESS: Final = Status()
SKIP = Status(Code.SKIP)


def error(code: str, **params: Any) -> Status:
    return Status(Code.ERROR, (Reason.of(code, **params),))


def unschedulable(code: str, **params: Any) -> Status:
    return Status(Code.UNSCHEDULABLE, (Reason.of(code, **params),))


def unresolvable(code: str, **params: Any) -> Status:
    return Status(Code.UNRESOLVABLE, (Reason.of(code, **params),))


@dataclass(slots=True)
class Verdicts:
    """A Filter plugin's answers for k rows.

    codes    (k,) int8 values of `Code`
    bits     (k,) int64, bit i set where `reasons[i]` applies
    reasons  the reasons this plugin can give for this Pod, in the order in which kube lists them
    """

    codes: Codes
    bits: Ints
    reasons: Sequence[Reason] = field(default_factory=tuple)

    @staticmethod
    def passed(count: int) -> Verdicts:
        return Verdicts(np.zeros(count, dtype=np.int8), np.zeros(count, dtype=np.int64))

    @staticmethod
    def where(failed: Bools, code: Code, reason: Reason) -> Verdicts:
        """Rows in `failed` get `code` with the one `reason`; the others pass."""
        return Verdicts(failed.astype(np.int8) * np.int8(code), failed.astype(np.int64), (reason,))

    @staticmethod
    def first_of(*verdicts: Verdicts) -> Verdicts:
        """For each row the first of several checks that did not pass."""
        result = Verdicts.passed(len(verdicts[0].codes))
        reasons: list[Reason] = []
        for verdict in verdicts:
            new = (result.codes == 0) & (verdict.codes != 0)
            result.codes[new] = verdict.codes[new]
            result.bits[new] = verdict.bits[new] << len(reasons)
            reasons.extend(verdict.reasons)
        result.reasons = tuple(reasons)
        return result

    def status(self, position: int) -> Status:
        code = Code(int(self.codes[position]))
        if code == Code.SUCCESS:
            return SUCCESS
        return Status(code, tuple(self.reasons_of(int(self.bits[position]))))

    def reasons_of(self, bits: int) -> Iterator[Reason]:
        for index, reason in enumerate(self.reasons):
            if bits >> index & 1:
                yield reason

    def take(self, chosen: Ints) -> Verdicts:
        return Verdicts(self.codes[chosen], self.bits[chosen], self.reasons)


Scores = Ints
MAX_SCORE = 100


def normalize(scores: Scores, *, reverse: bool = False) -> Scores:
    """kube's DefaultNormalizeScore over the feasible nodes: scaled so that the largest becomes 100, or turned round.

    All zero stays zero (`reverse`: becomes 100 everywhere).
    """
    largest = int(scores.max(initial=0))
    if largest == 0:
        return np.full(len(scores), MAX_SCORE if reverse else 0, dtype=np.int64)
    scaled = scores * MAX_SCORE // largest
    return MAX_SCORE - scaled if reverse else scaled


def normalize_facts(scores: Scores, position: int, *, reverse: bool = False) -> Formula:
    """How `normalize` made the score at `position`."""
    value = normalize(scores, reverse=reverse)[position]
    largest = int(scores.max(initial=0))
    return Formula.of("normalize.default", value, raw=int(scores[position]), largest=largest, reverse=reverse)

"""Choosing among candidate nodes: five criteria, each only breaking the ties of the one before.

Source: kube-scheduler 1.36 `framework/preemption` pickOneNodeForPreemption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.engine.cluster.pods import NO_START
from simulator.engine.preemption.story import Candidate, Criterion

_SHIFT = 2**31


def _highest_priority(candidate: Candidate) -> int:
    return candidate.victims[0].priority


def _sum_of_priorities(candidate: Candidate) -> int:
    return sum(victim.priority + _SHIFT for victim in candidate.victims)


def _earliest_start(candidate: Candidate) -> int:
    top = max(victim.priority for victim in candidate.victims)
    starts = [victim.start_time for victim in candidate.victims if victim.priority == top]
    return min(NO_START if start is None else start for start in starts)


# (name, value, True where the largest value wins)
CRITERIA: tuple[tuple[str, Callable[[Candidate], int], bool], ...] = (
    ("pdbViolations", lambda candidate: candidate.violations, False),
    ("highestPriority", _highest_priority, False),
    ("sumOfPriorities", _sum_of_priorities, False),
    ("numberOfVictims", lambda candidate: len(candidate.victims), False),
    ("startTime", _earliest_start, True),
)


def choose(candidates: Sequence[Candidate]) -> tuple[list[Candidate], str, list[Criterion]]:
    """(candidates still equal after all criteria, what decided, the criteria asked)."""
    left = list(candidates)
    if len(left) == 1:
        return left, "onlyCandidate", []
    asked = []
    for name, value_of, largest_wins in CRITERIA:
        values = [value_of(candidate) for candidate in left]
        best = max(values) if largest_wins else min(values)
        shown = {candidate.node: value for candidate, value in zip(left, values, strict=True)}
        left = [candidate for candidate, value in zip(left, values, strict=True) if value == best]
        asked.append(Criterion(name, shown, tuple(candidate.node for candidate in left)))
        if len(left) == 1:
            return left, name, asked
    return left, "tie", asked

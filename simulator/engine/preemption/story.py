"""What a preemption found, kept so that it can be told node by node."""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.engine.framework.status import Status
from simulator.engine.objects.pod import Pod


@dataclass(frozen=True, slots=True)
class Reprieve:
    """One victim offered its place back: kept, or evicted because of `why`."""

    pod: Pod
    violates_budget: bool
    kept: bool
    why: Status


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node on which evicting `victims` (most important first) makes room."""

    row: int
    node: str
    victims: tuple[Pod, ...]
    violations: int
    reprieves: tuple[Reprieve, ...] = ()


@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion of the node choice: the value of every node still in the race, and the nodes that were left."""

    name: str
    values: dict[str, int]
    left: tuple[str, ...]


@dataclass(slots=True)
class Story:
    """A whole preemption attempt.

    refusal    why the Pod may not preempt at all (a status), None where it may
    potential  nodes that preemption could help, in the order in which they are tried (only with detail)
    statuses   node -> status of the dry run where it found no victims
    ties       nodes equal by every criterion; `decided_by` the criterion that left one node, "onlyCandidate" or "tie"
    """

    refusal: Status | None = None
    potential: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    statuses: dict[str, Status] = field(default_factory=dict)
    criteria: tuple[Criterion, ...] = ()
    ties: tuple[str, ...] = ()
    decided_by: str = ""
    chosen: Candidate | None = None

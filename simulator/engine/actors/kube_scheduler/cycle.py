"""What one turn of kube-scheduler decided, without the story of how (the trace is derived again when somebody
looks)."""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.extenders import Call
from simulator.engine.framework.filtering import Search
from simulator.engine.objects.times import MILLISECOND

COST = MILLISECOND
"""What a cycle takes on the virtual clock."""

POD, POD_GROUP, PERMIT_TIMEOUT, FLUSH, SWEEP = "pod", "podGroup", "permitTimeout", "flush", "sweep"
SCHEDULED, NOMINATED, UNSCHEDULABLE, ERROR, WAITING, SKIPPED = (
    "scheduled", "nominated", "unschedulable", "error", "waiting", "skipped",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Try:
    """One call of the scheduling algorithm. Counts only; `start` and `next_start` are the sampling index before and
    after."""

    pod: str
    node: str
    feasible: int
    looked_at: int
    best: tuple[str, ...]
    n_best: int
    top_total: int | None
    start: int
    next_start: int
    error: str = ""
    placement: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """What the failure handler got. `nominated`: None leaves the nomination, "" clears it."""

    pod: str
    code: str
    message: str
    rejectors: tuple[str, ...]
    nominated: str | None


@dataclass(frozen=True, slots=True)
class Binding:
    pod: str
    node: str
    message: str = ""

    @property
    def bound(self) -> bool:
        return not self.message


@dataclass(frozen=True, slots=True)
class GroupOutcome:
    """The PodGroupScheduled condition a group cycle set."""

    name: str
    status: str
    reason: str
    message: str
    waiting_on_preemption: bool


@dataclass(slots=True)
class Cycle:
    """One turn. `calls` are the requests to extenders."""

    kind: str
    time: int
    pod: str = ""
    attempts: int = 0
    result: str = ""
    node: str = ""
    tries: list[Try] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    victims: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    assumed: list[tuple[str, str]] = field(default_factory=list)
    group: GroupOutcome | None = None
    calls: list[Call] = field(default_factory=list)


def summary(attempt: Attempt, names: list[str], placement: str | None = None) -> Try:
    """The counts of an attempt; `names` are the best nodes where there are at most eight, in the order to be told."""
    search, scoring = attempt.search, attempt.scoring
    n_best = 0
    if scoring is not None and len(scoring.totals):
        n_best = int((scoring.totals == scoring.totals.max()).sum())
    return Try(
        attempt.pod.key,
        attempt.node,
        len(search.feasible) if search else 0,
        _looked_at(search) if search else 0,
        tuple(names),
        n_best,
        attempt.top_total,
        search.start if search else 0,
        search.next_start if search else 0,
        attempt.message if attempt.error is not None else "",
        placement,
    )


def _looked_at(search: Search) -> int:
    """Nodes that fit or have a status. Extenders may have taken nodes away without giving them one."""
    outside = search.diagnosis.extra
    if search.nominated or not outside:
        return search.looked_at
    return len(search.feasible) + len(set(search.diagnosis.failed.tolist()) | set(outside))

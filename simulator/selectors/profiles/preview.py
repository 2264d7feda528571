"""What another configuration would do with one Pod, node by node, beside what the present one does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from simulator.engine.framework.attempt import Attempt, attempt
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Status
from simulator.engine.trace.explain import score_sheet
from simulator.engine.world.simulation import Simulation

MOST_ROWS: Final = 60
FITS, REJECTED, UNSEEN = "fits", "rejected", "unseen"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One node under one configuration: `total` None where nothing was scored, `status` why it is out."""

    state: str
    status: Status
    total: int | None
    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Row:
    node: str
    before: Outcome
    after: Outcome

    @property
    def differs(self) -> bool:
        return (self.before.state, self.before.total) != (self.after.state, self.after.total)


@dataclass(frozen=True, slots=True)
class Side:
    """`winner` "" where no node was found, then `message` says why; `alone` where no score was needed."""

    winner: str
    message: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """`more` nodes are not shown. Nodes whose outcome changes come first, then by the new total."""

    pod: str
    before: Side
    after: Side
    rows: tuple[Row, ...]
    more: int


def preview(begin: Callable[[], Simulation], config: Mapping[str, Any], pod: str, **others: Any) -> Preview | None:
    """Ask both configurations about `pod`; None where one of them has no scheduler for it, or it is not there.

    `begin()` gives a simulation that nobody else goes on with. `config` and `others` are those of a `configure`
    command. Raises `CommandError` where the configuration cannot be used. Extenders are not asked.
    """
    old, new = begin(), begin()
    new.apply({"type": "configure", "config": config, **others})
    tried = [_try(simulation, pod) for simulation in (old, new)]
    if tried[0] is None or tried[1] is None:
        return None
    before, after = (_outcomes(*one) for one in tried if one is not None)
    rows = [Row(node, outcome, after[node]) for node, outcome in before.items()]
    rows.sort(key=lambda row: (not row.differs, -(row.after.total or 0), -(row.before.total or 0), row.node))
    return Preview(pod, _side(tried[0][1]), _side(tried[1][1]), tuple(rows[:MOST_ROWS]), max(len(rows) - MOST_ROWS, 0))


def _try(simulation: Simulation, key: str) -> tuple[Framework, Attempt] | None:
    pod, scheduler = simulation.world.pod(key), simulation.scheduler
    framework = None if pod is None else scheduler.frameworks.get(pod.shape.scheduler_name)
    if pod is None or framework is None or pod.terminal:
        return None
    framework.handle.extenders = None
    scheduler.cluster.remove_pod(key)
    return framework, attempt(framework, replace(pod, node_name=""), scheduler.start_index, detail=True)


def _side(tried: Attempt) -> Side:
    return Side(tried.node, "" if tried.found else tried.message, tried.found and tried.scoring is None)


def _outcomes(framework: Framework, tried: Attempt) -> dict[str, Outcome]:
    nodes, search = framework.handle.cluster.nodes, tried.search
    if search is None or tried.error is not None:
        return {node.name: Outcome(UNSEEN, Status(), None, {}) for node in nodes.objects}
    feasible = set(search.feasible.tolist())
    explicit = {*search.diagnosis.failed.tolist(), *search.diagnosis.extra}
    early = not search.pre_filter.status.is_success
    inside = None if search.pre_filter.rows is None else search.pre_filter.rows
    found = {}
    for row, node in enumerate(nodes.objects):
        if row in feasible:
            sheet = score_sheet(framework, tried, node.name)
            parts = {} if sheet is None else {part.plugin: part.weighted for part in sheet.parts}
            found[node.name] = Outcome(FITS, Status(), None if sheet is None else sheet.total, parts)
        elif row in explicit or early or (inside is not None and row not in inside):
            found[node.name] = Outcome(REJECTED, search.diagnosis.status(row), None, {})
        else:
            found[node.name] = Outcome(UNSEEN, Status(), None, {})
    return found

"""Finding the nodes that fit: PreFilter, the nominated node, and Filter with nominated Pods and sampling.

Source: kube-scheduler 1.36 `schedule_one.go` findNodesThatFitPod, `framework.go` RunPreFilterPlugins and
RunFilterPluginsWithNominatedPods.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Delta, Rows
from simulator.engine.framework.answers import KeptPasses, KeptVerdicts, Recent
from simulator.engine.framework.diagnosis import Diagnosis, Findings
from simulator.engine.framework.plugin import CycleState, FilterPlugin, PreFilterResult, Reads
from simulator.engine.framework.status import SUCCESS, Code, Reason, Status, Verdicts, unresolvable
from simulator.engine.objects.pod import Pod, PodShape

if TYPE_CHECKING:
    from simulator.engine.framework.runtime import Framework

MIN_FEASIBLE_TO_FIND = 100
MIN_PERCENTAGE = 5


class PluginError(Exception):
    """A plugin answered Error: the attempt ends. `reason` is the text with its wrapper."""

    def __init__(self, reason: Reason, plugin: str) -> None:
        super().__init__(reason.code)
        self.reason = reason
        self.plugin = plugin
        self.pre_score: list[Status] = []


@dataclass(slots=True)
class PreFilterOutcome:
    """All PreFilter results in order, the status that ended the attempt (or success), and the remaining nodes."""

    results: list[tuple[str, PreFilterResult]] = field(default_factory=list)
    status: Status = SUCCESS
    names: frozenset[str] | None = None
    rows: frozenset[int] | None = None
    narrowing: list[str] = field(default_factory=list)


def run_pre_filter(framework: Framework, state: CycleState, pod: Pod) -> PreFilterOutcome:
    """Run the PreFilter plugins over the whole cluster. Raises `PluginError`."""
    from_plugins = PreFilterOutcome()
    rejected: Status | None = None
    for plugin in framework.pre_filter:
        result = plugin.pre_filter(state, pod)
        from_plugins.results.append((plugin.name, result))
        status = result.status
        if status.is_skip:
            state.skip_filter.add(plugin.name)
        elif status.code == Code.UNRESOLVABLE:
            from_plugins.status = status.by(plugin.name)
            return from_plugins
        elif status.is_rejected:
            rejected = status.by(plugin.name)
        elif status.code == Code.ERROR:
            raise framework.failure("framework.pre_filter", plugin.name, status)
        elif result.nodes is not None and not _narrow(framework, from_plugins, plugin.name, result.nodes):
            return from_plugins
    if rejected is not None:
        from_plugins.status = rejected
    return from_plugins


def _narrow(framework: Framework, outcome: PreFilterOutcome, plugin: str, names: frozenset[str]) -> bool:
    """Intersect the node set. False where nothing is left; names of unknown nodes count as something."""
    row_of = framework.handle.cluster.nodes.row_of
    outcome.names = names if outcome.names is None else outcome.names & names
    outcome.rows = frozenset(row_of[name] for name in outcome.names if name in row_of)
    outcome.narrowing = sorted({*outcome.narrowing, plugin})
    if outcome.names:
        return True
    if len(outcome.narrowing) > 1:
        outcome.status = unresolvable("framework.disjoint", plugins=" ".join(outcome.narrowing))
    else:
        outcome.status = unresolvable("framework.disjoint_one", plugin=plugin)
    return False


@dataclass(slots=True)
class Search:
    """The result of looking for nodes.

    feasible   rows that fit, in the order in which they were found
    looked_at  number of rows with a verdict (feasible or failed)
    start      visiting order index at which the search began; `next_start` the one for the next Pod
    nominated  True where only the nominated node was tried and taken
    bare       the nodes came back from an extender without their Pods, so later steps see them empty
    """

    pre_filter: PreFilterOutcome
    feasible: Ints
    diagnosis: Diagnosis
    looked_at: int = 0
    start: int = 0
    next_start: int = 0
    nominated: bool = False
    bare: bool = False


def filter_signature(plugins: list[FilterPlugin], shape: PodShape) -> tuple[object, ...]:
    """Pods with equal signatures can share a plan."""
    return tuple(
        (plugin.name, None if Reads.ANYTHING in plugin.filter_reads else plugin.filter_key(shape)) for plugin in plugins
    )


class FilterPlan:
    """Filter plugins for Pods that get equal answers from them: which answers are kept and which are asked each
    time."""

    def __init__(
        self, plugins: list[FilterPlugin], shape: PodShape, kept: Recent[tuple[str, object], KeptVerdicts]
    ) -> None:
        self._steps: list[tuple[FilterPlugin, KeptVerdicts | None]] = []
        reads = Reads(0)
        for plugin in plugins:
            if Reads.ANYTHING in plugin.filter_reads:
                self._steps.append((plugin, None))
                continue
            reads |= plugin.filter_reads
            key = (plugin.name, plugin.filter_key(shape))
            self._steps.append((plugin, kept.get(key, partial(KeptVerdicts, plugin.filter_reads))))
        self._passes = KeptPasses(reads)

    def verdicts(self, state: CycleState, pod: Pod, rows: Rows) -> tuple[Bools, list[tuple[FilterPlugin, Verdicts]]]:
        """Which of all `rows` pass, and every plugin's verdicts for all of them, in order."""
        cluster = rows.cluster
        answers: list[tuple[FilterPlugin, Verdicts]] = []
        asked: list[Verdicts] = []
        for plugin, kept in self._steps:
            if kept is None:
                verdict = plugin.filter(state, pod, rows)
                asked.append(verdict)
            else:
                if not kept.is_current(cluster):
                    kept.renew(cluster, partial(plugin.filter, state, pod))
                verdict = kept.verdicts
            answers.append((plugin, verdict))
        if not self._passes.is_current(cluster):
            known = [kept.verdicts for _, kept in self._steps if kept is not None]
            self._passes.renew(cluster, known)
        passes = self._passes.passes
        for verdict in asked:
            passes = passes & (verdict.codes == 0)
        return passes, answers


def evaluate(framework: Framework, state: CycleState, pod: Pod, rows: Rows) -> Findings:
    """First rejections for any rows, each plugin asked only about rows that passed the ones before it."""
    findings = Findings.start(len(rows))
    alive: Ints = np.arange(len(rows), dtype=np.int64)
    for plugin in framework.filters_for(state):
        if not len(alive):
            break
        some = rows if len(alive) == len(rows) else rows.subset(alive)
        verdicts = plugin.filter(state, pod, some)
        _raise_first_error(framework, plugin, verdicts)
        findings.add(plugin.name, verdicts, alive)
        alive = alive[verdicts.codes == 0]
    return findings


def evaluate_with_nominated(framework: Framework, state: CycleState, pod: Pod, rows: Rows) -> Findings:
    """As `evaluate`, but rows to which other Pods are nominated must pass with and without those."""
    delta, positions = nominated_delta(framework, pod, rows)
    if not len(positions):
        return evaluate(framework, state, pod, rows)
    findings = Findings.start(len(rows))
    with_them = evaluate(framework, state, pod, rows.with_delta(delta).subset(positions))
    failed = with_them.codes != 0
    findings.replace(positions, with_them)
    others = np.ones(len(rows), dtype=np.bool_)
    others[positions[failed]] = False
    remaining = np.flatnonzero(others)
    if len(remaining):
        findings.replace(remaining, evaluate(framework, state, pod, rows.subset(remaining)))
    return findings


def nominated_delta(framework: Framework, pod: Pod, rows: Rows) -> tuple[Delta, Ints]:
    """The rows' delta with the Pods added that are nominated there and not less important than `pod`; and the rows
    concerned."""
    handle = framework.handle
    base = rows.delta if rows.delta is not None else Delta.of([])
    nominations = handle.nominator.rows_with_nominees(handle.cluster)
    if not nominations:
        return base, np.zeros(0, dtype=np.int64)
    positions = np.flatnonzero(np.isin(rows.ids, np.array(list(nominations), dtype=np.int64)))
    entries = [
        (position, handle.nominator.number(other, handle.cluster))
        for position, row in zip(positions.tolist(), rows.ids[positions].tolist(), strict=True)
        for other in nominations[row]
        if other.priority >= pod.priority and other.uid != pod.uid
    ]
    if not entries:
        return base, np.zeros(0, dtype=np.int64)
    table = np.array(entries, dtype=np.int64)
    return base.then(table[:, 0], table[:, 1], 1), np.unique(table[:, 0])


def _raise_first_error(framework: Framework, plugin: FilterPlugin, verdicts: Verdicts) -> None:
    errors = np.flatnonzero(verdicts.codes == Code.ERROR)
    if len(errors):
        raise framework.failure("framework.filter", plugin.name, verdicts.status(int(errors[0])))


def feasible_to_find(nodes: int, percentage: int) -> int:
    """How many feasible nodes end the search. `percentage` 0 is adaptive: 50 - nodes/125, at least 5."""
    if nodes < MIN_FEASIBLE_TO_FIND:
        return nodes
    if percentage == 0:
        percentage = max(MIN_PERCENTAGE, 50 - nodes // 125)
    return max(MIN_FEASIBLE_TO_FIND, nodes * percentage // 100)

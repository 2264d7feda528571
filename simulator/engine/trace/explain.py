"""Explanations on demand: why a node was kept or rejected, where every number of its score comes from.

Everything is worked out from the attempt's own state and the cluster as it was then, by the plugins themselves. Ask
while the cluster still is as the attempt saw it: inside `History.probe(index, number, ask)`.

    history.probe(7, 0, lambda framework, tried: explain_node(framework, tried, "t4-1"))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from simulator.engine.cluster.rows import Delta, Rows
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.filtering import nominated_delta
from simulator.engine.framework.plugin import FilterPlugin
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Code, Status


@dataclass(frozen=True, slots=True)
class Check:
    """One Filter plugin about one node: its verdict and the facts behind it.

    `reached` is False behind the plugin that rejected the node: then the verdict is only what it would have been.
    """

    plugin: str
    status: Status
    facts: tuple[Fact, ...]
    reached: bool = True


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One Score plugin about one node: raw score, the same brought to 0..100, and weight × that."""

    plugin: str
    weight: int
    raw: Formula
    normalized: Formula

    @property
    def weighted(self) -> int:
        return self.normalized.value * self.weight


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """All scores of one node; `outside` is what extenders added, by their URL. `total` is the engine's."""

    node: str
    parts: tuple[ScorePart, ...]
    outside: dict[str, int]
    total: int


NOT_FOUND, NOT_LOOKED_AT, REJECTED, PASSED, CHOSEN = "notFound", "notLookedAt", "rejected", "passed", "chosen"


@dataclass(frozen=True, slots=True)
class NodeExplanation:
    """One node in one attempt.

    outcome    notFound (no such node then), notLookedAt (the search ended before, or outside the PreFilter result),
               rejected, passed (another was chosen), chosen
    status     the verdict that counts; its reasons are kube's
    checks     Filter as things are, in order; empty where PreFilter ended the attempt
    nominees   Pods nominated to the node that had to be counted too
    with_them  Filter with those Pods added; empty where there are none
    scores     None where nothing was scored
    nominated  only the nominated node was tried, and taken
    """

    pod: str
    node: str
    outcome: str
    status: Status
    checks: tuple[Check, ...] = ()
    nominees: tuple[str, ...] = ()
    with_them: tuple[Check, ...] = ()
    scores: ScoreSheet | None = None
    nominated: bool = False

    @property
    def decisive(self) -> Check | None:
        """The check that rejected the node, None where none did."""
        failed = (check for check in (*self.with_them, *self.checks) if not check.status.is_success and check.reached)
        return next(failed, None)


def explain_node(framework: Framework, tried: Attempt, node: str) -> NodeExplanation:
    """Everything an attempt did with one node."""
    row = framework.handle.cluster.nodes.row_of.get(node)
    search = tried.search
    if row is None or search is None:
        return NodeExplanation(tried.pod.key, node, NOT_FOUND, Status())
    outcome, status = _outcome(tried, row, node)
    if not search.pre_filter.status.is_success:
        return NodeExplanation(tried.pod.key, node, outcome, status)
    view = framework.handle.cluster.rows([row])
    nominees, with_them = _with_nominees(framework, tried, view)
    return NodeExplanation(
        tried.pod.key,
        node,
        outcome,
        status,
        checks(framework, tried, view),
        nominees,
        with_them,
        score_sheet(framework, tried, node),
        search.nominated,
    )


def _outcome(tried: Attempt, row: int, node: str) -> tuple[str, Status]:
    search = tried.search
    assert search is not None
    if node == tried.node:
        return CHOSEN, Status()
    if row in search.feasible.tolist():
        return PASSED, Status()
    explicit = row in search.diagnosis.failed.tolist() or row in search.diagnosis.extra
    rejected_early = not search.pre_filter.status.is_success
    outside = search.pre_filter.rows is not None and row not in search.pre_filter.rows
    if explicit or rejected_early or outside:
        return REJECTED, search.diagnosis.status(row)
    return NOT_LOOKED_AT, Status()


def checks(framework: Framework, tried: Attempt, row: Rows) -> tuple[Check, ...]:
    """Every Filter plugin that was not skipped, about the one row of `row` (hypothetical Pods of it counted)."""
    found = []
    reached = True
    for plugin in framework.filters_for(tried.state):
        check = replace(_check(plugin, tried, row), reached=reached)
        found.append(check)
        reached = reached and check.status.is_success
    return tuple(found)


def _check(plugin: FilterPlugin, tried: Attempt, row: Rows) -> Check:
    status = plugin.filter(tried.state, tried.pod, row).status(0).by(plugin.name)
    facts = () if status.code == Code.ERROR else plugin.facts(tried.state, tried.pod, row)
    return Check(plugin.name, status, tuple(facts))


def check(framework: Framework, tried: Attempt, node: str, plugin: str) -> Check | None:
    """One Filter plugin about one node as it was; None where the plugin did not run or there is no such node."""
    row = framework.handle.cluster.nodes.row_of.get(node)
    if row is None or tried.search is None or not tried.search.pre_filter.status.is_success:
        return None
    ran = (item for item in framework.filters_for(tried.state) if item.name == plugin)
    return next((_check(item, tried, framework.handle.cluster.rows([row])) for item in ran), None)


def _with_nominees(framework: Framework, tried: Attempt, row: Rows) -> tuple[tuple[str, ...], tuple[Check, ...]]:
    delta, positions = nominated_delta(framework, tried.pod, row)
    if not len(positions):
        return (), ()
    already = 0 if row.delta is None else len(row.delta.pods)
    pods = tuple(framework.handle.cluster.pods.pod(number).key for number in delta.pods[already:].tolist())
    return pods, checks(framework, tried, row.with_delta(delta))


# scores


def score_sheet(framework: Framework, tried: Attempt, node: str) -> ScoreSheet | None:
    """How the total of a feasible node came about; None where it was not scored. Needs an attempt with detail."""
    search, scoring = tried.search, tried.scoring
    row = framework.handle.cluster.nodes.row_of.get(node)
    if search is None or scoring is None or row not in search.feasible.tolist():
        return None
    position = search.feasible.tolist().index(row)
    outside = {url: scores[node] for url, scores in scoring.outside.items() if node in scores}
    parts = score_parts(framework, tried, position)
    return ScoreSheet(node, parts, outside, int(scoring.totals[position]))


def score_parts(framework: Framework, tried: Attempt, position: int) -> tuple[ScorePart, ...]:
    """Every Score plugin about the node at `position` of the feasible ones, in order."""
    search, scoring = tried.search, tried.scoring
    assert search is not None
    assert scoring is not None
    rows = Rows(framework.handle.cluster, search.feasible, bare=search.bare)
    raw_of = {layer.plugin: layer.raw for layer in scoring.layers}
    found = []
    for plugin, weight in framework.scores_for(tried.state):
        raw = plugin.score_facts(tried.state, tried.pod, rows, position)
        scores = raw_of[plugin.name]
        if plugin.normalizes:
            normalized = plugin.normalize_facts(tried.state, tried.pod, rows, scores, position)
        else:
            normalized = Formula.of("normalize.none", scores[position])
        found.append(ScorePart(plugin.name, weight, raw, normalized))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Difference:
    """One plugin's (or extender's) share in the distance between two nodes, in points of the total."""

    plugin: str
    weight: int
    of_first: int
    of_second: int

    @property
    def points(self) -> int:
        """By how much the first node is ahead."""
        return self.of_first - self.of_second


def compare(first: ScoreSheet, second: ScoreSheet) -> list[Difference]:
    """Where the first node is ahead of the second, largest difference first; plugins that agree are left out."""
    other = {part.plugin: part for part in second.parts}
    found = [Difference(p.plugin, p.weight, p.weighted, other[p.plugin].weighted) for p in first.parts]
    urls = dict.fromkeys([*first.outside, *second.outside])
    found += [Difference(url, 1, first.outside.get(url, 0), second.outside.get(url, 0)) for url in urls]
    return sorted((item for item in found if item.points), key=lambda item: (-abs(item.points), item.plugin))


# preemption


@dataclass(frozen=True, slots=True)
class ReprieveExplanation:
    """One potential victim offered its place back on a node: the checks with it there again, and who else was."""

    node: str
    victim: str
    kept: bool
    beside: tuple[str, ...]
    checks: tuple[Check, ...]


def explain_reprieves(
    framework: Framework, tried: Attempt, node: str, steps: Sequence[tuple[str, bool]]
) -> list[ReprieveExplanation]:
    """Every step of a dry run on `node`. `steps` are (Pod key, whether it was kept), in the order of the dry run."""
    cluster = framework.handle.cluster
    row = cluster.rows([cluster.nodes.row_of[node]])
    numbers = np.array([cluster.pods.number_of[key] for key, _ in steps], dtype=np.int64)
    at = np.zeros(len(numbers), dtype=np.int64)
    delta = Delta(at, numbers, np.full(len(numbers), -1, dtype=np.int64))
    found = []
    beside: list[str] = []
    for index, (key, kept) in enumerate(steps):
        trial = delta.then(at[:1], numbers[index : index + 1], 1)
        made = _with_and_without_nominees(framework, tried, row.with_delta(trial))
        found.append(ReprieveExplanation(node, key, kept, tuple(beside), made))
        if kept:
            delta = trial
            beside.append(key)
    return found


def _with_and_without_nominees(framework: Framework, tried: Attempt, row: Rows) -> tuple[Check, ...]:
    """The pass that rejected the row; the one without nominees where neither did."""
    nominees, with_them = _with_nominees(framework, tried, row)
    if nominees and any(not check.status.is_success for check in with_them):
        return with_them
    return checks(framework, tried, row)

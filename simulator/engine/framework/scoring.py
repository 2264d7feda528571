"""Scoring the feasible nodes and picking one.

Source: kube-scheduler 1.36 `schedule_one.go` prioritizeNodes and selectHost, `framework.go` RunScorePlugins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.answers import KeptScores, KeptTotals, Recent
from simulator.engine.framework.plugin import CycleState, Reads, ScorePlugin
from simulator.engine.framework.status import MAX_SCORE, Code, Reason, Scores, Status
from simulator.engine.objects.pod import Pod, PodShape

if TYPE_CHECKING:
    from simulator.engine.framework.runtime import Framework


@dataclass(slots=True)
class ScoreLayer:
    """One plugin's scores of the feasible rows: `raw`, `normalized` (0..100) and the weight they are multiplied
    with."""

    plugin: str
    weight: int
    raw: Scores
    normalized: Scores


@dataclass(slots=True)
class Scoring:
    """`totals` (k,) for the rows given, with the layers where detail was asked for and the PreScore statuses in order.

    `outside`: what each extender (by URL) added to which node.
    """

    totals: Scores
    pre_score: list[Status] = field(default_factory=list)
    layers: list[ScoreLayer] = field(default_factory=list)
    outside: dict[str, dict[str, int]] = field(default_factory=dict)


def run_pre_score(framework: Framework, state: CycleState, pod: Pod, rows: Rows) -> list[Status]:
    """Run PreScore over the feasible rows. Raises `PluginError`, with the statuses so far as `pre_score`."""
    statuses: list[Status] = []
    for plugin in framework.pre_score:
        status = plugin.pre_score(state, pod, rows)
        statuses.append(status.by(plugin.name))
        if status.is_skip:
            state.skip_score.add(plugin.name)
        elif not status.is_success:
            failure = framework.failure("framework.pre_score", plugin.name, status)
            failure.pre_score = statuses
            raise failure
    return statuses


class ScorePlan:
    """The Score plugins for one Pod shape with a given set skipped: which scores are kept."""

    def __init__(
        self, plugins: list[tuple[ScorePlugin, int]], shape: PodShape, kept: Recent[tuple[str, object], KeptScores]
    ) -> None:
        self.plugins = plugins
        self._kept: dict[str, KeptScores] = {}
        plain = Reads(0)
        for plugin, _ in plugins:
            if Reads.ANYTHING in plugin.score_reads:
                continue
            key = (plugin.name, plugin.score_key(shape))
            self._kept[plugin.name] = kept.get(key, lambda plugin=plugin: KeptScores(plugin.score_reads))  # type: ignore[misc]
            if not plugin.normalizes:
                plain |= plugin.score_reads
        self._totals = KeptTotals(plain)

    def raw(self, state: CycleState, pod: Pod, rows: Rows, plugin: ScorePlugin) -> Scores:
        kept = self._kept.get(plugin.name)
        if kept is None or rows.bare:
            return plugin.score(state, pod, rows)
        return kept.renew(rows.cluster, lambda some: plugin.score(state, pod, some))[rows.ids]

    def layers(self, state: CycleState, pod: Pod, rows: Rows) -> list[ScoreLayer]:
        """Every plugin's scores in full."""
        found = []
        for plugin, weight in self.plugins:
            raw = self.raw(state, pod, rows, plugin)
            normalized = plugin.normalize(state, pod, rows, raw) if plugin.normalizes else raw
            found.append(ScoreLayer(plugin.name, weight, raw, normalized))
        return found

    def totals(self, state: CycleState, pod: Pod, rows: Rows) -> tuple[Scores, list[ScoreLayer]]:
        """(totals, layers that were not taken from the kept sum): the same totals as from `layers`, in fewer steps."""
        cluster = rows.cluster
        parts: list[tuple[Scores, int]] = []
        layers: list[ScoreLayer] = []
        base = 0
        for plugin, weight in self.plugins:
            kept = self._kept.get(plugin.name)
            if kept is None:
                raw = plugin.score(state, pod, rows)
            else:
                whole = kept.renew(cluster, lambda some, plugin=plugin: plugin.score(state, pod, some))  # type: ignore[misc]
                if not plugin.normalizes:
                    parts.append((whole, weight))
                    continue
                if kept.is_constant:
                    one = Rows(cluster, rows.ids[:1])
                    base += weight * int(plugin.normalize(state, pod, one, whole[rows.ids[:1]])[0])
                    continue
                raw = whole[rows.ids]
            normalized = plugin.normalize(state, pod, rows, raw) if plugin.normalizes else raw
            layers.append(ScoreLayer(plugin.name, weight, raw, normalized))
        kept_total = self._totals.renew(cluster, parts)
        totals = kept_total[rows.ids] + base if parts else np.full(len(rows), base, dtype=np.int64)
        for layer in layers:
            totals += layer.normalized * layer.weight
        return totals, layers


def score_rows(framework: Framework, state: CycleState, pod: Pod, rows: Rows, *, detail: bool) -> Scoring:
    """PreScore, Score, NormalizeScore and weights for the feasible rows. Raises `PluginError`."""
    if not framework.score:
        return Scoring(np.ones(len(rows), dtype=np.int64))
    statuses = run_pre_score(framework, state, pod, rows)
    plan = framework.score_plan(state, pod)
    if detail or rows.bare or rows.delta is not None:
        layers = plan.layers(state, pod, rows)
        totals = np.zeros(len(rows), dtype=np.int64)
        for layer in layers:
            totals += layer.normalized * layer.weight
    else:
        totals, layers = plan.totals(state, pod, rows)
    for layer in layers:
        _check_range(framework, layer)
    return Scoring(totals, statuses, layers if detail else [])


def _check_range(framework: Framework, layer: ScoreLayer) -> None:
    scores = layer.normalized
    if not len(scores) or (int(scores.min()) >= 0 and int(scores.max()) <= MAX_SCORE):
        return
    wrong = int(scores[np.flatnonzero((scores < 0) | (scores > MAX_SCORE))[0]])
    reason = Reason.of("framework.invalid_score", plugin=layer.plugin, score=wrong)
    raise framework.failure("", layer.plugin, Status(Code.ERROR, (reason,)))


def best_rows(rows: Ints, totals: Scores) -> Ints:
    """The rows with the highest total, ascending."""
    return np.sort(rows[totals == totals.max()])


def heap_root(totals: list[int]) -> int:
    """Index that kube's heap puts at its root without random keys: the first maximum in pre-order of the implicit tree.

    Node i has children 2i+1 and 2i+2; a child wins only when strictly greater.
    """
    winners = list(range(len(totals)))
    for index in range(len(totals) - 1, -1, -1):
        best = index
        for child in (2 * index + 1, 2 * index + 2):
            if child < len(totals) and totals[winners[child]] > totals[best]:
                best = winners[child]
        winners[index] = best
    return winners[0]

"""Scoring the feasible nodes and picking one.

Source: kube-scheduler 1.36 `schedule_one.go` prioritizeNodes and selectHost, `framework.go` RunScorePlugins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.cluster.cluster import Cluster
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


def score_signature(plugins: list[tuple[ScorePlugin, int]], shape: PodShape) -> tuple[object, ...]:
    """Pods with equal signatures can share a plan."""
    return tuple(
        (plugin.name, None if Reads.ANYTHING in plugin.score_reads else plugin.score_key(shape))
        for plugin, _ in plugins
    )


class ScorePlan:
    """Score plugins for Pods that get equal scores from them: which scores are kept and which are asked each time."""

    def __init__(
        self, plugins: list[tuple[ScorePlugin, int]], shape: PodShape, kept: Recent[tuple[str, object], KeptScores]
    ) -> None:
        self._steps: list[tuple[ScorePlugin, int, KeptScores | None]] = []
        plain = Reads(0)
        for plugin, weight in plugins:
            if Reads.ANYTHING in plugin.score_reads:
                self._steps.append((plugin, weight, None))
                continue
            key = (plugin.name, plugin.score_key(shape))
            self._steps.append((plugin, weight, kept.get(key, partial(KeptScores, plugin.score_reads))))
            if not plugin.normalizes:
                plain |= plugin.score_reads
        self._totals = KeptTotals(plain)

    def layers(self, state: CycleState, pod: Pod, rows: Rows) -> list[ScoreLayer]:
        """Every plugin's scores in full."""
        found = []
        for plugin, weight, kept in self._steps:
            if kept is None or rows.bare:
                raw = plugin.score(state, pod, rows)
            else:
                raw = self._renewed(kept, plugin, state, pod, rows.cluster)[rows.ids]
            found.append(_layer(plugin, weight, state, pod, rows, raw))
        return found

    @staticmethod
    def _renewed(kept: KeptScores, plugin: ScorePlugin, state: CycleState, pod: Pod, cluster: Cluster) -> Scores:
        if not kept.is_current(cluster):
            kept.renew(cluster, partial(plugin.score, state, pod))
        return kept.scores

    def totals(self, state: CycleState, pod: Pod, rows: Rows) -> tuple[Scores, list[ScoreLayer]]:
        """(totals, layers that were not taken from the kept sum): the same totals as from `layers`, in fewer steps."""
        cluster = rows.cluster
        parts: list[tuple[Scores, int]] = []
        layers: list[ScoreLayer] = []
        base = 0
        for plugin, weight, kept in self._steps:
            if kept is None:
                layers.append(_layer(plugin, weight, state, pod, rows, plugin.score(state, pod, rows)))
                continue
            whole = self._renewed(kept, plugin, state, pod, cluster)
            if not plugin.normalizes:
                parts.append((whole, weight))
            elif kept.is_constant:
                base += weight * int(plugin.normalize(state, pod, Rows(cluster, rows.ids[:1]), whole[:1])[0])
            else:
                layers.append(_layer(plugin, weight, state, pod, rows, whole[rows.ids]))
        if not self._totals.is_current(cluster):
            self._totals.renew(cluster, parts)
        totals = self._totals.totals[rows.ids]
        if base:
            totals += base
        for layer in layers:
            totals += layer.normalized * layer.weight
        return totals, layers


def _layer(plugin: ScorePlugin, weight: int, state: CycleState, pod: Pod, rows: Rows, raw: Scores) -> ScoreLayer:
    normalized = plugin.normalize(state, pod, rows, raw) if plugin.normalizes else raw
    return ScoreLayer(plugin.name, weight, raw, normalized)


def score_rows(framework: Framework, state: CycleState, pod: Pod, rows: Rows, *, detail: bool) -> Scoring:
    """PreScore, Score, NormalizeScore and weights for the feasible rows. Raises `PluginError`."""
    if not framework.score and framework.handle.extenders is None:
        return Scoring(np.ones(len(rows), dtype=np.int64))
    statuses = run_pre_score(framework, state, pod, rows)
    framework.check_scores()
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

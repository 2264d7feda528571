"""TaintToleration: keep Pods off nodes whose taints they do not tolerate.

Decides: Filter by NoSchedule and NoExecute taints; Score by the number of intolerable PreferNoSchedule taints, fewer
is better. Kubernetes counterpart: kube-scheduler 1.36 TaintToleration, weight 3. Simplified here: nothing. Reads:
node taints, pod tolerations. Writes: nothing. Wakes on: node added or its taints changed so that the Pod now
tolerates them; the Pod's tolerations changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PreScorePlugin,
    Reads,
    ScorePlugin,
)
from simulator.engine.framework.status import (
    SUCCESS,
    Code,
    Reason,
    Scores,
    Status,
    Verdicts,
    normalize,
    normalize_facts,
)
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.taints import HARD_EFFECTS, SOFT_EFFECTS, Taint, Toleration, first_untolerated
from simulator.engine.plugins.selector_facts import near_tolerations, toleration_text

_REASON = Reason("taint_toleration.untolerated")


class TaintToleration(FilterPlugin, PreScorePlugin, ScorePlugin):
    name = "TaintToleration"
    filter_reads = Reads.NODE
    score_reads = Reads.NODE
    normalizes = True
    without_pre_score = "taint_toleration.no_state"

    def filter_key(self, shape: PodShape) -> Hashable:
        return shape.tolerations

    def score_key(self, shape: PodShape) -> Hashable:
        return shape.tolerations

    def untolerated(self, shape: PodShape, taints: Sequence[Taint]) -> Taint | None:
        """The first taint that keeps a Pod of this shape off the node."""
        return first_untolerated(taints, shape.tolerations, HARD_EFFECTS, comparison=self._comparison)

    @property
    def _comparison(self) -> bool:
        return self.handle.gate("TaintTolerationComparisonOperators")

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        taint_sets = rows.cluster.nodes.taints
        failed = np.array([self.untolerated(pod.shape, taints) is not None for taints in taint_sets], dtype=np.bool_)
        return Verdicts.where(failed[rows.taint_sets], Code.UNRESOLVABLE, _REASON)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        hard = [taint for taint in row.nodes[0].taints if taint.effect in HARD_EFFECTS]
        return [self._taint_fact(pod.shape.tolerations, taint) for taint in hard]

    def _taint_fact(self, tolerations: Sequence[Toleration], taint: Taint) -> Fact:
        by = next((t for t in tolerations if t.tolerates(taint, comparison=self._comparison)), None)
        return Fact.of(
            "taint_toleration.taint",
            by is not None,
            taint=str(taint),
            tolerated_by=None if by is None else toleration_text(by),
            near=[] if by is not None else near_tolerations(taint, tolerations),
        )

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        return SUCCESS

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        soft = [t for t in pod.shape.tolerations if not t.effect or t.effect in SOFT_EFFECTS]
        counts = [len(self._intolerable(taints, soft)) for taints in rows.cluster.nodes.taints]
        return np.array(counts, dtype=np.int64)[rows.taint_sets]

    def _intolerable(self, taints: Sequence[Taint], tolerations: Sequence[Toleration]) -> list[Taint]:
        return [
            taint
            for taint in taints
            if taint.effect in SOFT_EFFECTS
            and not any(t.tolerates(taint, comparison=self._comparison) for t in tolerations)
        ]

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        soft = [t for t in pod.shape.tolerations if not t.effect or t.effect in SOFT_EFFECTS]
        taints = self._intolerable(rows.cluster.nodes.objects[int(rows.ids[position])].taints, soft)
        return Formula.of("taint_toleration.score", len(taints), taints=[str(taint) for taint in taints])

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        return normalize(scores, reverse=True)

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        return normalize_facts(scores, position, reverse=True)

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_TAINT), self._tolerated_now),
            EventInterest(ClusterEvent(POD, Action.UPDATE_POD_TOLERATION), self._own_tolerations),
        )

    def _tolerated_now(self, pod: Pod, old: Node | None, new: Node) -> Hint:
        before = old is None or self.untolerated(pod.shape, old.taints) is not None
        return Hint.QUEUE if before and self.untolerated(pod.shape, new.taints) is None else Hint.SKIP

    @staticmethod
    def _own_tolerations(pod: Pod, _old: Pod | None, new: Pod) -> Hint:
        return Hint.QUEUE if new.uid == pod.uid else Hint.SKIP

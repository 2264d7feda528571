"""NodeUnschedulable: keep Pods off cordoned nodes.

Decides: Filter by `spec.unschedulable`, unless the Pod tolerates the taint
`node.kubernetes.io/unschedulable:NoSchedule`. Kubernetes counterpart: kube-scheduler 1.36 NodeUnschedulable.
Simplified here: nothing. Reads: node unschedulable, pod tolerations. Writes: nothing. Wakes on: a schedulable node
added; a node uncordoned; the Pod now tolerates the cordon taint.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact
from simulator.engine.framework.plugin import CycleState, EventInterest, FilterPlugin, Hint, Reads
from simulator.engine.framework.status import Code, Reason, Verdicts
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.taints import Taint, first_untolerated

CORDON = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
_REASON = Reason("node_unschedulable.cordoned")


class NodeUnschedulable(FilterPlugin):
    name = "NodeUnschedulable"
    filter_reads = Reads.NODE

    def filter_key(self, shape: PodShape) -> Hashable:
        return self._tolerates(shape)

    def _tolerates(self, shape: PodShape) -> bool:
        comparison = self.handle.gate("TaintTolerationComparisonOperators")
        return first_untolerated([CORDON], shape.tolerations, frozenset({CORDON.effect}), comparison=comparison) is None

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        cordoned = rows.unschedulable
        if self._tolerates(pod.shape):
            return Verdicts.passed(len(rows))
        return Verdicts.where(cordoned, Code.UNRESOLVABLE, _REASON)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        cordoned, tolerated = bool(row.unschedulable[0]), self._tolerates(pod.shape)
        holds = tolerated or not cordoned
        return (Fact.of("node_unschedulable.cordon", holds, cordoned=cordoned, tolerated=tolerated, taint=str(CORDON)),)

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_TAINT), self._became_schedulable),
            EventInterest(ClusterEvent(POD, Action.UPDATE_POD_TOLERATION), self._tolerates_now),
        )

    @staticmethod
    def _became_schedulable(_pod: Pod, old: Node | None, new: Node) -> Hint:
        fits = not new.unschedulable and (old is None or old.unschedulable)
        return Hint.QUEUE if fits else Hint.SKIP

    def _tolerates_now(self, pod: Pod, _old: Pod | None, new: Pod) -> Hint:
        return Hint.QUEUE if new.uid == pod.uid and self._tolerates(new.shape) else Hint.SKIP

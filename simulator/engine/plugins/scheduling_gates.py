"""SchedulingGates: hold a Pod back until all its scheduling gates are removed.

Decides: PreEnqueue: a Pod with gates does not enter the active queue.
Kubernetes counterpart: kube-scheduler 1.36 SchedulingGates.
Simplified here: nothing.
Reads: pod schedulingGates. Writes: nothing. Wakes on: the last gate of the Pod removed.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.framework.events import POD, Action, ClusterEvent
from simulator.engine.framework.plugin import EventInterest, Hint, PreEnqueuePlugin
from simulator.engine.framework.status import SUCCESS, Status, unresolvable
from simulator.engine.objects.pod import Pod


class SchedulingGates(PreEnqueuePlugin):
    name = "SchedulingGates"

    def pre_enqueue(self, pod: Pod) -> Status:
        gates = pod.shape.scheduling_gates
        if not gates:
            return SUCCESS
        return unresolvable("scheduling_gates.gated", gates=" ".join(gates))

    def events(self) -> Sequence[EventInterest]:
        return (EventInterest(ClusterEvent(POD, Action.UPDATE_POD_GATES_ELIMINATED), self._own_gates_gone),)

    @staticmethod
    def _own_gates_gone(pod: Pod, _old: Pod | None, new: Pod) -> Hint:
        return Hint.QUEUE if new.uid == pod.uid else Hint.SKIP

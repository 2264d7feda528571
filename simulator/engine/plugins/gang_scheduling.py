"""GangScheduling: all Pods of a gang together, or none.

Decides: PreEnqueue: members wait until the PodGroup and at least minCount Pods exist. Permit: members wait until
minCount of them have a node, at most five minutes. Kubernetes counterpart: kube-scheduler 1.36 GangScheduling (gates
GenericWorkload and GangScheduling, alpha, off). Simplified here: nothing. Reads: PodGroup, members of the group.
Writes: nothing. Wakes on: a member added; the PodGroup added.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.cluster.pod_groups import PodGroupStates, min_count
from simulator.engine.framework.events import POD, Action, ClusterEvent
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    Hint,
    Manifest,
    PermitPlugin,
    PermitResult,
    PreEnqueuePlugin,
)
from simulator.engine.framework.status import SUCCESS, Code, Reason, Status, unresolvable
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND

PERMIT_TIMEOUT = 5 * 60 * SECOND
_WAIT = Status(Code.WAIT, (Reason("gang_scheduling.waiting"),))


class GangScheduling(PreEnqueuePlugin, PermitPlugin):
    name = "GangScheduling"

    def pre_enqueue(self, pod: Pod) -> Status:
        key = PodGroupStates.key_of(pod)
        if key is None:
            return SUCCESS
        group = self.handle.groups.object(key)
        if group is None:
            return unresolvable("gang_scheduling.no_group", group=pod.shape.pod_group)
        needed = min_count(group)
        if needed is not None and self.handle.groups.state(key).known < needed:
            return unresolvable("gang_scheduling.too_few")
        return SUCCESS

    def permit(self, state: CycleState, pod: Pod, node: str) -> PermitResult:
        key = PodGroupStates.key_of(pod)
        group = None if key is None else self.handle.groups.object(key)
        needed = None if group is None else min_count(group)
        if key is None or needed is None:
            return PermitResult()
        members = self.handle.groups.state(key)
        if members.scheduled < needed:
            self.handle.to_activate.extend(members.unscheduled)
            return PermitResult(_WAIT, PERMIT_TIMEOUT)
        if self.handle.permits is not None:
            for other in list(members.assumed):
                self.handle.permits.allow(other, self.name)
        return PermitResult()

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(POD, Action.ADD), self._member_added),
            EventInterest(ClusterEvent("PodGroup", Action.ADD), self._group_added),
        )

    @staticmethod
    def _member_added(pod: Pod, _old: Pod | None, new: Pod) -> Hint:
        same = new.namespace == pod.namespace and new.shape.pod_group == pod.shape.pod_group
        return Hint.QUEUE if same else Hint.SKIP

    @staticmethod
    def _group_added(pod: Pod, _old: Manifest | None, new: Manifest) -> Hint:
        metadata = new["metadata"]
        own = (metadata.get("namespace") or "default", metadata["name"]) == (pod.namespace, pod.shape.pod_group)
        return Hint.QUEUE if own else Hint.SKIP

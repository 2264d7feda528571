"""Cluster events: what happened to which kind of object, as plugins register for them.

Source: kube-scheduler 1.36 `fwk.ClusterEvent`, `fwk.ActionType`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

WILDCARD = "*"
NODE, POD, ASSIGNED_POD, UNSCHEDULED_POD = "Node", "Pod", "AssignedPod", "UnschedulablePod"


class Action(IntFlag):
    ADD = 1
    DELETE = 2
    UPDATE_NODE_ALLOCATABLE = 4
    UPDATE_NODE_LABEL = 8
    UPDATE_NODE_TAINT = 16
    UPDATE_NODE_CONDITION = 32
    UPDATE_NODE_ANNOTATION = 64
    UPDATE_NODE_DECLARED_FEATURE = 128
    UPDATE_POD_LABEL = 256
    UPDATE_POD_SCALE_DOWN = 512
    UPDATE_POD_TOLERATION = 1024
    UPDATE_POD_GATES_ELIMINATED = 2048
    UPDATE_POD_GENERATED_CLAIM = 4096
    UPDATE = 8188
    ALL = 8191


_ACTION_NAMES = {
    Action.ADD: "Add",
    Action.DELETE: "Delete",
    Action.UPDATE_NODE_ALLOCATABLE: "UpdateNodeAllocatable",
    Action.UPDATE_NODE_LABEL: "UpdateNodeLabel",
    Action.UPDATE_NODE_TAINT: "UpdateNodeTaint",
    Action.UPDATE_NODE_CONDITION: "UpdateNodeCondition",
    Action.UPDATE_NODE_ANNOTATION: "UpdateNodeAnnotation",
    Action.UPDATE_NODE_DECLARED_FEATURE: "UpdateNodeDeclaredFeature",
    Action.UPDATE_POD_LABEL: "UpdatePodLabel",
    Action.UPDATE_POD_SCALE_DOWN: "UpdatePodScaleDown",
    Action.UPDATE_POD_TOLERATION: "UpdatePodToleration",
    Action.UPDATE_POD_GATES_ELIMINATED: "UpdatePodSchedulingGatesEliminated",
    Action.UPDATE_POD_GENERATED_CLAIM: "UpdatePodGeneratedResourceClaim",
    Action.UPDATE: "Update",
    Action.ALL: "All",
}


@dataclass(frozen=True, slots=True)
class ClusterEvent:
    """`resource` is a kind, or `*`; `actions` the bits of what happened (or, when registered, of what is of
    interest)."""

    resource: str
    actions: Action

    @property
    def is_wildcard(self) -> bool:
        return self.resource == WILDCARD and self.actions == Action.ALL

    @property
    def label(self) -> str:
        """kube's name, such as `NodeUpdateNodeTaint`."""
        return f"{self.resource}{_ACTION_NAMES.get(self.actions, self.actions.name or '')}"

    @property
    def labels(self) -> list[str]:
        """kube's names of the single events that a registration for several actions stands for."""
        if self.actions in _ACTION_NAMES:
            return [self.label]
        return [f"{self.resource}{name}" for action, name in _ACTION_NAMES.items() if action in self.actions]

    def covers(self, incoming: ClusterEvent) -> bool:
        """Whether a registration for this event is interested in `incoming`."""
        if self.is_wildcard:
            return True
        same = self.resource in (incoming.resource, WILDCARD) or (
            self.resource == POD and incoming.resource in (ASSIGNED_POD, UNSCHEDULED_POD)
        )
        return same and bool(self.actions & incoming.actions) and incoming.actions <= self.actions


EVERYTHING = ClusterEvent(WILDCARD, Action.ALL)

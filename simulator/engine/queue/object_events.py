"""Which cluster events an update of a Pod or Node amounts to.

Source: kube-scheduler 1.36 `framework/events.go`.
"""

from __future__ import annotations

from simulator.engine.framework.events import ASSIGNED_POD, NODE, UNSCHEDULED_POD, Action, ClusterEvent
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod

NODE_ADDED = ClusterEvent(NODE, Action.ADD)
NODE_DELETED = ClusterEvent(NODE, Action.DELETE)
ASSIGNED_POD_ADDED = ClusterEvent(ASSIGNED_POD, Action.ADD)
ASSIGNED_POD_DELETED = ClusterEvent(ASSIGNED_POD, Action.DELETE)
UNSCHEDULED_POD_ADDED = ClusterEvent(UNSCHEDULED_POD, Action.ADD)


def node_update_events(old: Node, new: Node) -> list[ClusterEvent]:
    """Events of a node update, in the order in which they are told."""
    changes = (
        (Action.UPDATE_NODE_TAINT, old.unschedulable and not new.unschedulable),
        (Action.UPDATE_NODE_ALLOCATABLE, old.allocatable != new.allocatable or old.pod_slots != new.pod_slots),
        (Action.UPDATE_NODE_LABEL, old.labels != new.labels),
        (Action.UPDATE_NODE_TAINT, old.taints != new.taints),
        (Action.UPDATE_NODE_CONDITION, old.conditions != new.conditions),
        (Action.UPDATE_NODE_ANNOTATION, old.annotations != new.annotations),
        (Action.UPDATE_NODE_DECLARED_FEATURE, old.declared_features != new.declared_features),
    )
    return [ClusterEvent(NODE, action) for action, changed in changes if changed]


def pod_update_events(old: Pod, new: Pod) -> list[ClusterEvent]:
    """Events of a Pod update; a plain Update where nothing that scheduling reads has changed."""
    resource = ASSIGNED_POD if new.node_name else UNSCHEDULED_POD
    changes = (
        (Action.UPDATE_POD_LABEL, old.labels != new.labels),
        (Action.UPDATE_POD_SCALE_DOWN, _scaled_down(old, new)),
        (Action.UPDATE_POD_GATES_ELIMINATED, bool(old.shape.scheduling_gates) and not new.shape.scheduling_gates),
        (Action.UPDATE_POD_TOLERATION, len(old.shape.tolerations) != len(new.shape.tolerations)),
    )
    found = [ClusterEvent(resource, action) for action, changed in changes if changed]
    return found or [ClusterEvent(resource, Action.UPDATE)]


def _scaled_down(old: Pod, new: Pod) -> bool:
    before, after = old.shape.requests.on_node, new.shape.requests.on_node
    return any(name not in after or after[name] < amount for name, amount in before.items())

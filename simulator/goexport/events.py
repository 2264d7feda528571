"""Cluster events as Go registers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simulator.engine.framework.events import ASSIGNED_POD, NODE, POD, Action, ClusterEvent

_NAMES: Final = {
    Action.ADD: "Add",
    Action.DELETE: "Delete",
    Action.UPDATE_NODE_ALLOCATABLE: "UpdateNodeAllocatable",
    Action.UPDATE_NODE_LABEL: "UpdateNodeLabel",
    Action.UPDATE_NODE_TAINT: "UpdateNodeTaint",
    Action.UPDATE_NODE_ANNOTATION: "UpdateNodeAnnotation",
    Action.UPDATE_POD_LABEL: "UpdatePodLabel",
    Action.UPDATE_POD_SCALE_DOWN: "UpdatePodScaleDown",
}


def go_events(events: Sequence[ClusterEvent]) -> list[str]:
    """Composite literals, one for every kind of object. Pods on nodes and waiting ones are one kind in the API."""
    actions: dict[str, list[str]] = {}
    for event in events:
        resource = POD if event.resource == ASSIGNED_POD else event.resource
        found = actions.setdefault(resource, [])
        names = ["Add", "Delete", "Update"] if event.resource == ASSIGNED_POD else _names(event.actions)
        found += [name for name in names if name not in found and not (name != "Update" and "Update" in found)]
    return [
        f"{{Event: fwk.ClusterEvent{{Resource: fwk.{'Node' if resource == NODE else 'Pod'}, "
        f"ActionType: {' | '.join(f'fwk.{name}' for name in names)}}}}}"
        for resource, names in actions.items()
    ]


def _names(actions: Action) -> list[str]:
    return [name for action, name in _NAMES.items() if actions & action]

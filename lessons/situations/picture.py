"""A picture of a cluster as plain values, for the page that asks about it: nodes with what is free, Pods, who waits.

`{nodes: [{name, resources, labels, taints, unschedulable, pods}], pods: [...waiting], pod: {...}|null}`; amounts are
`[used, total]` (milli-CPU, bytes, counts).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from lessons.situations.runs import shown_name
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.world.simulation import Simulation

MOST_NODES: Final = 60
_EVERYWHERE: Final = frozenset({"kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch"})
_QUIET: Final = frozenset({"ephemeral-storage"})

Picture = dict[str, Any]


def picture_of(simulation: Simulation, pod: str = "") -> Picture:
    """The cluster as it is, and the Pod called `pod` (a key) whose turn it is."""
    nodes: list[Node] = simulation.world.list("Node")[:MOST_NODES]
    pods: list[Pod] = [item for item in simulation.world.list("Pod") if not item.terminal]
    asked = next((item for item in pods if item.key == pod), None)
    return {
        "pod": _pod(asked) if asked else None,
        "nodes": [_node(node, [item for item in pods if item.node_name == node.name]) for node in nodes],
        "waiting": [_pod(item) for item in pods if not item.node_name and item.key != pod],
    }


def _node(node: Node, pods: Iterable[Pod]) -> dict[str, Any]:
    on_it = list(pods)
    used = _sum(item.shape.requests.on_node for item in on_it)
    resources = {
        name: [used.get(name, 0), total] for name, total in node.allocatable.items() if total and name not in _QUIET
    }
    return {
        "name": node.name,
        "resources": resources,
        "labels": {name: value for name, value in node.labels.items() if name not in _EVERYWHERE},
        "taints": [str(taint) for taint in node.taints],
        "unschedulable": node.unschedulable,
        "pods": [_pod(item) for item in on_it],
    }


def _sum(requests: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for one in requests:
        for name, amount in one.items():
            total[name] = total.get(name, 0) + amount
    return total


def _pod(pod: Pod) -> dict[str, Any]:
    spec = pod.shape.spec
    return {
        "name": shown_name(pod.key),
        "node": pod.node_name,
        "priority": pod.priority,
        "requests": {name: amount for name, amount in pod.shape.requests.incoming.items() if amount},
        "labels": dict(pod.labels),
        "tolerations": [_toleration(one) for one in spec.get("tolerations") or () if not _is_routine(one)],
        "nodeSelector": dict(spec.get("nodeSelector") or {}),
        "affinity": spec.get("affinity") or {},
        "spread": list(spec.get("topologySpreadConstraints") or ()),
        "gates": list(pod.shape.scheduling_gates),
        "group": pod.shape.pod_group or "",
        "preemptionPolicy": pod.shape.preemption_policy,
    }


def _is_routine(toleration: Mapping[str, Any]) -> bool:
    """The two tolerations that admission gives every Pod."""
    return str(toleration.get("key", "")).startswith("node.kubernetes.io/")


def _toleration(toleration: Mapping[str, Any]) -> str:
    key = toleration.get("key", "")
    operator = toleration.get("operator") or "Equal"
    effect = f":{toleration['effect']}" if toleration.get("effect") else ""
    if operator == "Exists":
        return f"{key or '*'} (Exists){effect}"
    return f"{key}={toleration.get('value', '')}{effect}"

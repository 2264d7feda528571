"""NUMA zones with their resources: from NodeResourceTopology objects and back; the machine that zones tell.

Source: topology.node.k8s.io/v1alpha2 NodeResourceTopology. Amounts are the engine's: milli-CPU, bytes, count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from simulator.engine.fabric.accelerators import NVIDIA, accelerator
from simulator.engine.fabric.layouts import Board
from simulator.engine.fabric.shape import HostShape, NumaNode
from simulator.engine.objects.quantity import Quantity
from simulator.engine.objects.requests import CPU, amount

NONE: Final = "none"
BEST_EFFORT: Final = "best-effort"
RESTRICTED: Final = "restricted"
SINGLE_NUMA_NODE: Final = "single-numa-node"
POLICIES: Final = (NONE, BEST_EFFORT, RESTRICTED, SINGLE_NUMA_NODE)

CONTAINER: Final = "container"
POD: Final = "pod"
SCOPES: Final = (CONTAINER, POD)

MAX_NUMA_NODES: Final = 8
"""More the kubelet's Topology Manager does not take: it tries every combination of them. Source:
`defaultMaxAllowableNUMANodes`."""
_MOST_DIGITS: Final = 4
LOCAL_COST: Final = 10
REMOTE_COST: Final = 20

_OLD_POLICIES: Final = {
    "SingleNUMANodeContainerLevel": (SINGLE_NUMA_NODE, CONTAINER),
    "SingleNUMANodePodLevel": (SINGLE_NUMA_NODE, POD),
    "RestrictedContainerLevel": (RESTRICTED, CONTAINER),
    "RestrictedPodLevel": (RESTRICTED, POD),
    "BestEffortContainerLevel": (BEST_EFFORT, CONTAINER),
    "BestEffortPodLevel": (BEST_EFFORT, POD),
    "BestEffort": (BEST_EFFORT, CONTAINER),
    "Restricted": (RESTRICTED, CONTAINER),
    "None": (NONE, CONTAINER),
}

Amounts = Mapping[str, int]


@dataclass(frozen=True)
class Zone:
    """One NUMA node: all of each resource, what is free of it, and the distance to other zones (10 = local)."""

    id: int
    capacity: Amounts
    available: Amounts
    costs: Mapping[int, int] = field(default_factory=dict)

    def minus(self, request: Amounts) -> Zone:
        """With this much taken; resources that the zone does not report stay out of it."""
        left = {name: value - request.get(name, 0) for name, value in self.available.items()}
        return replace(self, available=left)


@dataclass(frozen=True)
class NodeZones:
    """A node's zones, ascending by id, with the kubelet's topology-manager settings."""

    node: str
    zones: tuple[Zone, ...]
    policy: str = NONE
    scope: str = CONTAINER
    max_numa_nodes: int = MAX_NUMA_NODES

    def zone(self, number: int) -> Zone:
        return next(zone for zone in self.zones if zone.id == number)


def zones_from_object(manifest: Mapping[str, Any]) -> NodeZones:
    """The zones of a NodeResourceTopology object; zones that are no NUMA node (`node-<id>`) are left out.

    Raises QuantityError for an amount that is none.
    """
    policy, scope, limit = _settings(manifest)
    zones = [zone for raw in manifest.get("zones") or () if (zone := _zone(raw)) is not None]
    name = str((manifest.get("metadata") or {}).get("name", ""))
    return NodeZones(name, tuple(sorted(zones, key=lambda zone: zone.id)), policy, scope, limit)


def zones_to_object(zones: NodeZones) -> dict[str, Any]:
    """The NodeResourceTopology object of a node's zones."""
    return {
        "apiVersion": "topology.node.k8s.io/v1alpha2",
        "kind": "NodeResourceTopology",
        "metadata": {"name": zones.node},
        "attributes": [
            {"name": "topologyManagerPolicy", "value": zones.policy},
            {"name": "topologyManagerScope", "value": zones.scope},
            {"name": "topologyManagerMaxNUMANodes", "value": str(zones.max_numa_nodes)},
        ],
        "zones": [
            {
                "name": f"node-{zone.id}",
                "type": "Node",
                "resources": [
                    {
                        "name": name,
                        "capacity": _text(name, zone.capacity[name]),
                        "allocatable": _text(name, zone.capacity[name]),
                        "available": _text(name, zone.available.get(name, 0)),
                    }
                    for name in zone.capacity
                ],
                "costs": [{"name": f"node-{other}", "value": cost} for other, cost in zone.costs.items()],
            }
            for zone in zones.zones
        ],
    }


def shape_of_zones(zones: NodeZones, model: str, resource: str = NVIDIA) -> HostShape:
    """The machine that zones tell: NUMA nodes and their GPUs (of one model), each on a host bridge of its own.

    A NodeResourceTopology knows neither NVLink nor PCIe switches nor cards.
    """
    board = Board()
    for zone in zones.zones:
        for _ in range(zone.capacity.get(resource, 0)):
            board.gpu(model, board.host_bridge(zone.id))
    nodes = tuple(NumaNode(zone.id, "", index) for index, zone in enumerate(zones.zones))
    return HostShape(zones.node, nodes, tuple(board.bridges), tuple(board.gpus), pcie=accelerator(model).chip.pcie)


def share_of(total: int, index: int, parts: int) -> int:
    """One of `parts` whole-numbered shares of a total; the first ones get what does not divide."""
    return total // parts + (1 if index < total % parts else 0)


def _settings(manifest: Mapping[str, Any]) -> tuple[str, str, int]:
    values = {str(item.get("name")): str(item.get("value")) for item in manifest.get("attributes") or ()}
    old = [name for name in manifest.get("topologyPolicies") or () if name in _OLD_POLICIES]
    policy, scope = _OLD_POLICIES[old[0]] if old else (NONE, CONTAINER)
    policy = values.get("topologyManagerPolicy", policy)
    scope = values.get("topologyManagerScope", scope)
    limit = values.get("topologyManagerMaxNUMANodes", "")
    return (
        policy if policy in POLICIES else NONE,
        scope if scope in SCOPES else CONTAINER,
        _number(limit) or MAX_NUMA_NODES,
    )


def _zone(raw: Mapping[str, Any]) -> Zone | None:
    number = _zone_id(str(raw.get("name", "")))
    if raw.get("type") != "Node" or number is None:
        return None
    resources = raw.get("resources") or ()
    costs = {_zone_id(str(cost.get("name", ""))): int(cost.get("value", 0)) for cost in raw.get("costs") or ()}
    return Zone(
        number,
        {str(item["name"]): _amount(item, "allocatable", "capacity") for item in resources},
        {str(item["name"]): _amount(item, "available", "allocatable") for item in resources},
        {other: cost for other, cost in costs.items() if other is not None},
    )


def _zone_id(name: str) -> int | None:
    prefix, _, number = name.partition("-")
    return _number(number) if prefix == "node" else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None


def _amount(item: Mapping[str, Any], key: str, otherwise: str) -> int:
    return amount(str(item["name"]), Quantity.parse(item.get(key, item.get(otherwise))))


def _text(name: str, value: int) -> str:
    if name == CPU and value % 1000:
        return f"{value}m"
    return str(value // 1000 if name == CPU else value)

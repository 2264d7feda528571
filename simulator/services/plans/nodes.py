"""New nodes from the palette, other amounts for nodes, and nodes that go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.fabric.node_fabric import node_fabric_manifest
from simulator.engine.fabric.presets import PRESETS, node_manifest, preset_host, preset_rack
from simulator.engine.objects.node import Node
from simulator.engine.world.commands import Command
from simulator.selectors.frames import Frame
from simulator.selectors.refs import Ref, manifests_of
from simulator.services.plans.names import names_by_pattern
from simulator.services.plans.network import new_leaf
from simulator.services.plans.together import Plan, for_each, there, together

RACK_LABEL: Final = "gpuschedlab.io/rack"


@dataclass(frozen=True, slots=True)
class NodeOrder:
    """Nodes to add: `count` machines of a preset (of one that fills a rack: so many racks), named by `pattern`.

    rack, leaf   where they stand and what they are plugged into; "" for nowhere. A leaf that is not there is made.
    provider     whose taints they get (`presets.TAINTS`)
    """

    preset: str
    count: int
    pattern: str
    rack: str = ""
    leaf: str = ""
    provider: str = "none"
    labels: Mapping[str, str] = field(default_factory=dict)


def add_nodes(order: NodeOrder) -> Plan:
    def plan(frame: Frame) -> Command:
        objects: list[Mapping[str, Any]] = [] if not order.leaf else new_leaf(frame, order.leaf)
        for host, rack in _hosts(order, frame):
            labels = {**({RACK_LABEL: rack} if rack else {}), **order.labels}
            objects.append(node_manifest(host, provider=order.provider, labels=labels))
            if order.leaf:
                spec = {"machine": order.preset, "leaves": [order.leaf]}
                objects.append(node_fabric_manifest(host.name, spec))
        return {"type": "apply", "objects": objects}

    return plan


def _hosts(order: NodeOrder, frame: Frame) -> list[tuple[Host, str]]:
    """The machines with the rack each stands in."""
    taken = {node.name for node in frame.nodes}
    leaves = (order.leaf,) if order.leaf else ()
    if not PRESETS[order.preset].rack_of:
        names = names_by_pattern(order.pattern, order.count, taken)
        return [(preset_host(order.preset, name, leaves), order.rack) for name in names]
    taken_racks = {node.labels.get(RACK_LABEL, "") for node in frame.nodes}
    racks = names_by_pattern(order.pattern, order.count, taken_racks | taken)
    return [(host, rack) for rack in racks for host in preset_rack(order.preset, rack, leaves)]


def resize(refs: Sequence[Ref], capacity: Mapping[str, str], allocatable: Mapping[str, str]) -> Plan:
    """Other amounts; resources that are not named stay as they are. A capacity alone counts for both, as does an
    allocatable amount.
    """
    given = {"capacity": {**allocatable, **capacity}, "allocatable": {**capacity, **allocatable}}

    def make(ref: Ref, _item: Any) -> Command:
        return {"type": "patch", **ref.to_mapping(), "patch": {"status": given}}

    return for_each(refs, make)


def remove(refs: Sequence[Ref]) -> Plan:
    """Delete objects. With a node goes its NodeFabric, and the Pods that ran there (as the Pod garbage collector of
    Kubernetes would have it)."""

    def plan(frame: Frame) -> Command:
        gone: dict[Ref, None] = {}
        fabrics = manifests_of(frame, NODE_FABRIC)
        for ref, item in there(frame, refs).items():
            if isinstance(item, Node):
                pods = [pod for pod in frame.pods if pod.node_name == ref.name and not pod.terminating]
                gone |= dict.fromkeys(Ref("Pod", pod.namespace, pod.name) for pod in pods)
                gone |= {Ref(NODE_FABRIC, "", ref.name): None} if ref.name in fabrics else {}
            gone[ref] = None
        return together({"type": "delete", **ref.to_mapping()} for ref in gone)

    return plan

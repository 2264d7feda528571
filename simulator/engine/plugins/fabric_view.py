"""The fabric as a scheduler sees it: machines of its nodes, and which GPUs are free on each.

A Pod that has no devices yet (it is assumed, or its kubelet had no turn) counts as if it had got those its node's
policy would give it now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.fabric.accelerators import AMD, ASCEND, NVIDIA
from simulator.engine.fabric.allocation import choose_gpus
from simulator.engine.fabric.cluster_fabric import fabric_of
from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.machine import Machine, machine_of
from simulator.engine.fabric.node_fabric import KIND, SWITCH_KIND, read_node_fabric
from simulator.engine.fabric.scoring import FabricIndex
from simulator.engine.framework.plugin import Lister, Manifest
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.pod_devices import devices_held

RESOURCES: Final = (NVIDIA, AMD, ASCEND)
_FEW: Final = 256
"""So many changed rows are looked up one by one; after more all rows are."""

Gpus = tuple[int, ...]


def gpus_wanted(shape: PodShape) -> int:
    """Whole GPUs (or NPUs) a Pod asks for."""
    requests = shape.requests.on_node
    return next((requests[name] for name in RESOURCES if requests.get(name)), 0)


class FabricView:
    """Renewed by `refresh`; then `index` and `free` (by node name) are those of the moment."""

    def __init__(self, cluster: Cluster, objects: Lister) -> None:
        self._cluster = cluster
        self._objects = objects
        self._seen: tuple[list[Node], list[Manifest], list[Manifest]] = ([], [], [])
        self._known: dict[str, tuple[Node, Manifest | None, Machine]] = {}
        self._given: dict[str, dict[str, Gpus]] = {}
        self._usage = -1
        self.machines: dict[str, Machine] = {}
        self.index = FabricIndex(Fabric())
        self.free: dict[str, Gpus] = {}

    def refresh(self) -> None:
        """Take over what changed since the last time."""
        seen = (
            list(self._cluster.nodes.objects),
            list(self._objects.list(KIND)),
            list(self._objects.list(SWITCH_KIND)),
        )
        changes = self._cluster.usage_changes
        rows = changes.since(self._usage, _FEW) if self._usage >= 0 else None
        if seen != self._seen:
            self._rebuild(*seen)
            self._seen, rows = seen, None
        names = self.machines if rows is None else [self._cluster.nodes.objects[row].name for row in rows]
        for name in names:
            if name in self.machines:
                self._give(name)
        self._usage = changes.count

    def _rebuild(self, nodes: Sequence[Node], fabrics: Sequence[Manifest], switches: Sequence[Manifest]) -> None:
        said = {str(item["metadata"]["name"]): item for item in fabrics}
        known = {node.name: self._machine(node, said.get(node.name)) for node in nodes}
        self._known = {node.name: (node, said.get(node.name), known[node.name]) for node in nodes}
        self.machines = {name: machine for name, machine in known.items() if machine.host.shape.gpus}
        labels = {node.name: node.labels for node in nodes}
        policies = {name: machine.device_policy for name, machine in self.machines.items()}
        self.index = FabricIndex(fabric_of(list(self.machines.values()), labels, switches), policies)
        self.free = {}
        self._given = {}

    def _machine(self, node: Node, fabric: Manifest | None) -> Machine:
        old = self._known.get(node.name)
        if old is not None and old[0] is node and old[1] is fabric:
            return old[2]
        return machine_of(node.manifest, None if fabric is None else read_node_fabric(fabric))

    def _give(self, name: str) -> None:
        """Who has which GPUs of a node: as written down, then the others in the order in which they came."""
        machine = self.machines[name]
        numbers = self._cluster.pods.on_node[self._cluster.nodes.row_of[name]]
        pods = [self._cluster.pods.pod(number) for number in numbers]
        given = {pod.key: _gpus_held(pod) for pod in pods if devices_held(pod)}
        taken = {gpu for gpus in given.values() for gpu in gpus}
        free = [gpu for gpu in machine.host.healthy_gpus if gpu not in taken]
        for pod in pods:
            count = gpus_wanted(pod.shape)
            if pod.key not in given and count:
                chosen = choose_gpus(machine.host.shape, free, count, machine.device_policy)
                given[pod.key] = chosen.gpus if chosen else ()
                free = [gpu for gpu in free if gpu not in given[pod.key]]
        self._given[name], self.free[name] = given, tuple(free)

    def gpus_of(self, pod: Pod, node: str) -> Gpus:
        """The GPUs a Pod has, or would have, on the node it is on."""
        return self._given.get(node, {}).get(pod.key, ())


def _gpus_held(pod: Pod) -> Gpus:
    return tuple(sorted(dict.fromkeys(map(gpu_of, devices_held(pod)))))


def placements(view: FabricView, pods: Sequence[tuple[Pod, str]]) -> Mapping[str, Gpus]:
    """GPUs of Pods (with their nodes) by node."""
    found: dict[str, list[int]] = {}
    for pod, node in pods:
        found.setdefault(node, []).extend(view.gpus_of(pod, node))
    return {node: tuple(gpus) for node, gpus in found.items() if gpus}

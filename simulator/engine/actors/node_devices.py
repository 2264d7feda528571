"""What is inside the nodes and who has which of it: learned from Nodes, NodeFabrics and the annotations of Pods.

The kubelet writes down on the Pod what it gave it. So the objects are all there is to remember.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from simulator.engine.fabric.devices import with_taken, zones_of_machine
from simulator.engine.fabric.machine import Machine, machine_of
from simulator.engine.fabric.node_fabric import read_node_fabric
from simulator.engine.fabric.numa_zones import NONE, NodeZones
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.pod_devices import devices_held, numa_held
from simulator.engine.world.bus import Change


class NodeDevices:
    """Machines and Pods by node. Only Pods that may hold something are kept."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._fabrics: dict[str, Mapping[str, Any]] = {}
        self._machines: dict[str, Machine] = {}
        self._pods: dict[str, dict[str, Pod]] = {}
        self._node_of: dict[str, str] = {}
        self._asks: dict[PodShape, bool] = {}

    def observe(self, change: Change) -> None:
        if change.kind == "Pod":
            self._observe_pod(change.object, gone=change.new is None)
        elif change.kind == "Node":
            self._put(self._nodes, change.object.name, change.new)
        elif change.kind == "NodeFabric":
            self._put(self._fabrics, str(change.object["metadata"]["name"]), change.new)

    def _put(self, table: dict[str, Any], name: str, item: Any) -> None:
        self._machines.pop(name, None)
        if item is None:
            table.pop(name, None)
        else:
            table[name] = item

    def _observe_pod(self, pod: Pod, *, gone: bool) -> None:
        if gone or not pod.node_name or pod.terminal:
            node = self._node_of.pop(pod.key, None)
            if node is not None:
                self._pods[node].pop(pod.key, None)
        elif pod.node_name in self._fabrics or self.asks_devices(pod.shape):
            self._pods.setdefault(pod.node_name, {})[pod.key] = pod
            self._node_of[pod.key] = pod.node_name

    def asks_devices(self, shape: PodShape) -> bool:
        """Whether Pods of this shape ask for any extended resource."""
        found = self._asks.get(shape)
        if found is None:
            found = self._asks[shape] = any("/" in name for name in shape.resources_named)
        return found

    def node(self, name: str) -> Node | None:
        return self._nodes.get(name)

    def has_fabric(self, name: str) -> bool:
        """Whether a NodeFabric object is about this node."""
        return name in self._fabrics

    def machine(self, name: str) -> Machine | None:
        """The machine of a node, None where there is no such node or nobody said what is inside."""
        found = self._machines.get(name)
        if found is None and name in self._nodes:
            fabric = self._fabrics.get(name)
            said = None if fabric is None else read_node_fabric(fabric)
            found = self._machines[name] = machine_of(self._nodes[name].manifest, said)
        return found if found is not None and found.is_known else None

    def pod(self, key: str) -> Pod | None:
        """A Pod by its key, None where it is on no node or cannot hold anything."""
        return self._pods.get(self._node_of.get(key, ""), {}).get(key)

    def pods(self, node: str, without: Container[str] = ()) -> list[Pod]:
        """The Pods on a node that may hold devices or zones."""
        return [pod for key, pod in self._pods.get(node, {}).items() if key not in without]

    def zones(self, node: str, without: Container[str] = ()) -> NodeZones | None:
        """The NUMA zones of a node with what is free, None where no Topology Manager policy counts."""
        machine, item = self.machine(node), self._nodes.get(node)
        if machine is None or item is None or machine.numa_policy == NONE:
            return None
        pods = self.pods(node, without)
        taken = [device for pod in pods for device in devices_held(pod)]
        zones = zones_of_machine(machine, item.allocatable, taken)
        for pod in pods:
            zones = with_taken(zones, numa_held(pod))
        return zones

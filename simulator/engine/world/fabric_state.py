"""The fabric that a cluster's objects tell, and the GPUs that Pods have in it: for goals and pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.fabric.cluster_fabric import fabric_of
from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.machine import Machine, machine_of
from simulator.engine.fabric.node_fabric import KIND, SWITCH_KIND, read_node_fabric
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.world.simulation import Simulation

Manifest = Mapping[str, Any]
Placement = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class ClusterFabric:
    """The machines of all nodes by name, in order of creation, and the fabric they make up. What is only assumed of a
    machine says so.
    """

    machines: Mapping[str, Machine]
    fabric: Fabric


def cluster_fabric(nodes: Sequence[Node], fabrics: Iterable[Manifest], switches: Sequence[Manifest]) -> ClusterFabric:
    """From Nodes, NodeFabrics and NetworkSwitches."""
    said = {str(item["metadata"]["name"]): read_node_fabric(item) for item in fabrics}
    machines = {node.name: machine_of(node.manifest, said.get(node.name)) for node in nodes}
    return ClusterFabric(
        machines, fabric_of(list(machines.values()), {node.name: node.labels for node in nodes}, switches)
    )


def fabric_now(simulation: Simulation) -> Fabric:
    """The fabric of a simulation as it is."""
    world = simulation.world
    return cluster_fabric(world.list("Node"), world.list(KIND), world.list(SWITCH_KIND)).fabric


def placement_of(pods: Iterable[Pod]) -> Placement:
    """GPU numbers by node of Pods that have devices and have not ended."""
    found: dict[str, dict[int, None]] = {}
    for pod in pods:
        if pod.node_name and not pod.terminal:
            for device in devices_held(pod):
                found.setdefault(pod.node_name, {})[gpu_of(device)] = None
    return {node: tuple(sorted(gpus)) for node, gpus in found.items()}

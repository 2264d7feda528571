"""The fabric of a simulation at a moment, and the GPUs that Pods have in it: for goals and pages."""

from __future__ import annotations

from collections.abc import Iterable

from simulator.engine.fabric.cluster_fabric import fabric_of
from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.node_fabric import SWITCH_KIND
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.world.simulation import Simulation

Placement = dict[str, tuple[int, ...]]


def machines_now(simulation: Simulation) -> dict[str, Machine]:
    """The machines of all nodes by name, in order of creation; what is only assumed says so."""
    names = [node.name for node in simulation.world.list("Node")]
    found = {name: simulation.devices.any_machine(name) for name in names}
    return {name: machine for name, machine in found.items() if machine is not None}


def fabric_now(simulation: Simulation) -> Fabric:
    """All machines and the switches between them."""
    labels = {node.name: node.labels for node in simulation.world.list("Node")}
    return fabric_of(list(machines_now(simulation).values()), labels, simulation.world.list(SWITCH_KIND))


def placement_of(pods: Iterable[Pod]) -> Placement:
    """GPU numbers by node of Pods that have devices and have not ended."""
    found: dict[str, dict[int, None]] = {}
    for pod in pods:
        if pod.node_name and not pod.terminal:
            for device in devices_held(pod):
                found.setdefault(pod.node_name, {})[gpu_of(device)] = None
    return {node: tuple(sorted(gpus)) for node, gpus in found.items()}

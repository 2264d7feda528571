"""The fabric of a frame: machines, who holds which GPU, which GPUs are free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.node_fabric import KIND, SWITCH_KIND
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.world.fabric_state import cluster_fabric
from simulator.selectors.frames import Frame

Slot = tuple[str, int]


@dataclass(frozen=True)
class FrameFabric:
    """`holders` are the Pods on each GPU by (node, GPU number); `counted` how many GPUs of a node are used by Pods that
    have no devices (their machine is not known).
    """

    machines: Mapping[str, Machine]
    fabric: Fabric
    holders: Mapping[Slot, tuple[Pod, ...]]
    counted: Mapping[str, int]

    @property
    def gpu_machines(self) -> dict[str, Machine]:
        """Those with GPUs, in order of creation."""
        return {name: machine for name, machine in self.machines.items() if machine.host.shape.gpus}

    def free(self, node: str) -> tuple[int, ...]:
        """Healthy GPUs that no Pod holds; Pods without devices take the first ones."""
        healthy = [gpu for gpu in self.machines[node].host.healthy_gpus if not self.holders.get((node, gpu))]
        return tuple(healthy[self.counted.get(node, 0) :])


def fabric_of_frame(frame: Frame) -> FrameFabric:
    """What the frame's Nodes, NodeFabrics, NetworkSwitches and Pods tell."""
    known = cluster_fabric(frame.nodes, frame.objects.get(KIND, ()), frame.objects.get(SWITCH_KIND, ()))
    holders: dict[Slot, list[Pod]] = {}
    counted: dict[str, int] = {}
    for pod in frame.pods:
        if not pod.node_name or pod.terminal:
            continue
        devices = devices_held(pod)
        for gpu in dict.fromkeys(map(gpu_of, devices)):
            holders.setdefault((pod.node_name, gpu), []).append(pod)
        if not devices and pod.node_name in known.machines:
            wanted = _whole_gpus(pod, known.machines[pod.node_name])
            counted[pod.node_name] = counted.get(pod.node_name, 0) + wanted
    return FrameFabric(known.machines, known.fabric, {slot: tuple(pods) for slot, pods in holders.items()}, counted)


def _whole_gpus(pod: Pod, machine: Machine) -> int:
    gpus = machine.host.shape.gpus
    return pod.shape.requests.on_node.get(machine.host.shape.model(0).resource, 0) if gpus else 0

"""Device plugin and GPU feature discovery of all nodes: resources, health and labels follow the NodeFabric.

Only nodes with a NodeFabric object are looked after: it says what is inside, so the Node's amounts and labels are made
from it. A GPU that fails stays in the capacity and leaves the allocatable amount. Pods that have it go on running, as
they do under the real kubelet (with the gate ResourceHealthStatus it says so in their status); here an Event tells it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from simulator.engine.actors.actor import Note
from simulator.engine.actors.node_devices import NodeDevices
from simulator.engine.actors.node_keeper import NodeKeeper
from simulator.engine.fabric.accelerators import AMD, ASCEND, NVIDIA, UNKNOWN
from simulator.engine.fabric.device_plugin import MILLI, SHARED_MEMORY, device_labels
from simulator.engine.fabric.devices import gpu_of
from simulator.engine.fabric.from_labels import COUNT, PRODUCT
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.mig import RESOURCE_PREFIX
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Announce, Decision, Patch

_RESOURCES: Final = (NVIDIA, f"{NVIDIA}.shared", AMD, ASCEND, MILLI, SHARED_MEMORY)
_LABELS: Final = (f"{NVIDIA}.", "nvidia.com/mig", f"{AMD}.")
_MACHINE: Final = f"{NVIDIA}.machine"
_CLIQUE: Final = f"{NVIDIA}.clique"


class DevicePlugin(NodeKeeper):
    name: ClassVar[str] = "device-plugin"
    rank: ClassVar[int] = 15

    def __init__(self, devices: NodeDevices) -> None:
        super().__init__()
        self._devices = devices
        self._told: dict[str, tuple[int, ...]] = {}

    def observe(self, change: Change, now: int) -> None:
        if change.kind == "NodeFabric":
            name = str(change.object["metadata"]["name"])
        elif change.kind == "Node" and self._devices.has_fabric(change.object.name):
            name = change.object.name
        else:
            return
        if change.new is None:
            self._dirty.pop(name, None)
            self._told.pop(name, None)
        else:
            self._dirty[name] = None

    def _work(self, name: str) -> list[Decision]:
        node, machine = self._devices.node(name), self._devices.machine(name)
        if node is None or machine is None:
            return []
        patch = _patch(node, machine)
        decisions: list[Decision] = [Patch("Node", "", name, patch)] if patch else []
        new = [gpu for gpu in machine.host.failed if gpu not in self._told.get(name, ())]
        return decisions + self._events(name, new)

    def _events(self, name: str, failed: list[int]) -> list[Decision]:
        found: list[Decision] = []
        for pod in self._devices.pods(name):
            lost = [gpu for gpu in dict.fromkeys(map(gpu_of, devices_held(pod))) if gpu in failed]
            if lost:
                gpus = ", ".join(f"GPU{gpu}" for gpu in lost)
                text = f"Device of the Pod is unhealthy: {gpus} on node {name}"
                found.append(Announce("Pod", pod.key, "Warning", "DeviceUnhealthy", text))
        return found

    def _note(self, name: str, decisions: list[Decision]) -> Note:
        machine = self._devices.machine(name)
        assert machine is not None
        self._told[name] = machine.host.failed
        amounts = {resource: [count.allocatable, count.capacity] for resource, count in machine.resources.items()}
        pods = [decision.key for decision in decisions if isinstance(decision, Announce)]
        told = (("resources", amounts), ("failed", list(machine.host.failed)), ("pods", pods))
        return Note("device_plugin.updated", name, told)

    def save(self) -> Any:
        return {"told": {name: list(gpus) for name, gpus in self._told.items()}, "dirty": self._due()}

    def load(self, saved: Any) -> None:
        self._told = {name: tuple(gpus) for name, gpus in saved["told"].items()}
        self._dirty = dict.fromkeys(saved["dirty"])


def _patch(node: Node, machine: Machine) -> dict[str, Any]:
    """What to change so that the Node tells of its machine; {} for nothing."""
    patch: dict[str, Any] = {}
    status = node.manifest.get("status") or {}
    amounts = {
        "capacity": {name: str(count.capacity) for name, count in machine.resources.items()},
        "allocatable": {name: str(count.allocatable) for name, count in machine.resources.items()},
    }
    for which, wanted in amounts.items():
        have = {name: str(amount) for name, amount in (status.get(which) or {}).items() if _is_device(name)}
        if have != wanted:
            patch.setdefault("status", {})[which] = {**dict.fromkeys(have), **wanted}
    if machine.host.shape.gpus and machine.host.shape.model(0) == UNKNOWN:
        return patch
    wrong = _difference(node.labels, _labels(node, machine))
    if wrong:
        patch["metadata"] = {"labels": wrong}
    return patch


def _labels(node: Node, machine: Machine) -> dict[str, str]:
    """The labels that GFD would set; of a plain machine that is labelled as what it is already, only those it has."""
    labels = device_labels(machine.host, node.labels.get(_MACHINE, ""), machine.sharing, machine.mig)
    is_right = all(node.labels.get(name) == labels.get(name) for name in (PRODUCT, COUNT))
    if is_right and machine.sharing is None and machine.mig is None:
        return {name: text for name, text in labels.items() if name in node.labels}
    return labels


def _difference(have: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, str | None]:
    """Labels to set, and those of an earlier machine to take away (the clique is the network's, not the device's)."""
    gone = [name for name in have if name.startswith(_LABELS) and name not in wanted and name != _CLIQUE]
    return {**dict.fromkeys(gone), **{name: text for name, text in wanted.items() if have.get(name) != text}}


def _is_device(name: str) -> bool:
    return name in _RESOURCES or name.startswith(RESOURCE_PREFIX)

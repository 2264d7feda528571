"""Small clusters with a fabric, for tests of what pages show of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.objects.pod_devices import DEVICES
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.selectors.fabrics import FrameFabric, fabric_of_frame
from simulator.selectors.frames import Frame, frame_of

API = "gpuschedlab.io/v1alpha1"
Manifest = dict[str, Any]


def gpu_node(name: str, machine: str, *, gpus: int = 8, spec: Mapping[str, Any] | None = None) -> list[Manifest]:
    """A Node and its NodeFabric, of a preset machine."""
    amounts = {"cpu": "128", "memory": "1Ti", "pods": "110", "nvidia.com/gpu": str(gpus)}
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name},
        "status": {"capacity": amounts, "allocatable": dict(amounts)},
    }
    inside = {"machine": machine, **(spec or {})}
    return [node, {"apiVersion": API, "kind": "NodeFabric", "metadata": {"name": name}, "spec": inside}]


def switch(name: str, *, tier: int = 1, parent: str = "", oversubscription: float = 1) -> Manifest:
    spec: dict[str, Any] = {"tier": tier, "oversubscription": oversubscription}
    if parent:
        spec["parent"] = parent
    return {"apiVersion": API, "kind": "NetworkSwitch", "metadata": {"name": name}, "spec": spec}


def gpu_pod(name: str, node: str, devices: Iterable[int], **labels: str) -> Manifest:
    """A Pod that runs with these GPUs."""
    held = list(devices)
    requests = {"cpu": "1", "nvidia.com/gpu": str(len(held))}
    container = {"name": "main", "image": "x", "resources": {"requests": requests, "limits": requests}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": labels, "annotations": {DEVICES: ",".join(map(str, held))}},
        "spec": {"nodeName": node, "containers": [container]},
        "status": {"phase": "Running"},
    }


def look_at(objects: Iterable[Mapping[str, Any]]) -> tuple[FrameFabric, Frame]:
    """The fabric and the frame of a cluster of these objects."""
    simulation = Simulation(Setup())
    simulation.apply({"type": "apply", "objects": [dict(item) for item in objects]})
    frame = frame_of(simulation, {})
    return fabric_of_frame(frame), frame

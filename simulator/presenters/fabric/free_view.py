"""Free GPUs of the whole cluster: how many Pods of each size still fit, and what is left over in pieces too small."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.device_plugin import MILLI
from simulator.engine.fabric.devices import shared_gpus, shares_gpus
from simulator.engine.fabric.fragmentation import Fragmentation, node_fragmentation, typical_pods
from simulator.engine.fabric.sharing import WHOLE
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.objects.requests import CPU
from simulator.presenters.resources import gpus_of
from simulator.selectors.fabrics import FrameFabric
from simulator.selectors.frames import Frame

SIZES: Final = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class SizeRow:
    """Pods of `gpus` GPUs: `fits` more of them, after which `left` free GPUs are of no use to any of that size."""

    gpus: int
    fits: int
    left: int


@dataclass(frozen=True, slots=True)
class FreeView:
    """`free` whole GPUs of `total`; `largest` the most on one node. `unusable` GPUs of them a Pod like those in the
    cluster could not use (FGD's expected fragmentation), None while there are no Pods to go by.
    """

    free: int
    total: int
    failed: int
    largest: int
    sizes: tuple[SizeRow, ...]
    unusable: float | None


def free_view(known: FrameFabric, frame: Frame) -> FreeView:
    """Of everything with GPUs; a machine shared in thousandths counts its idle ones."""
    free = {name: len(known.free(name)) for name in known.gpu_machines}
    total = sum(len(machine.host.shape.gpus) for machine in known.gpu_machines.values())
    rows = []
    for size in SIZES:
        fits = sum(count // size for count in free.values())
        rows.append(SizeRow(size, fits, sum(free.values()) - fits * size))
    failed = sum(len(machine.host.failed) for machine in known.gpu_machines.values())
    return FreeView(
        sum(free.values()), total, failed, max(free.values(), default=0), tuple(rows), _unusable(known, frame)
    )


def _unusable(known: FrameFabric, frame: Frame) -> float | None:
    """FGD's F over all nodes, in GPUs: typical are the Pods that there are."""
    kinds = [
        (requests.get(CPU, 0), _milli(requests), max(1, gpus_of(requests)), ())
        for requests in (pod.shape.requests.on_node for pod in frame.pods if not pod.terminal)
        if gpus_of(requests) or requests.get(MILLI)
    ]
    typical = typical_pods(kinds)
    if not typical:
        return None
    used = {node.name: 0 for node in frame.nodes}
    for pod in frame.pods:
        if pod.node_name in used and not pod.terminal:
            used[pod.node_name] += pod.shape.requests.on_node.get(CPU, 0)
    whole = Fragmentation()
    for node in frame.nodes:
        if node.name in known.gpu_machines:
            cpu = max(0, node.allocatable.get(CPU, 0) - used[node.name])
            whole = whole.plus(node_fragmentation(cpu, _left(known, node.name), typical))
    return whole.amount / WHOLE


def _milli(requests: Mapping[str, int]) -> int:
    return WHOLE if gpus_of(requests) else min(WHOLE, requests.get(MILLI, 0))


def _left(known: FrameFabric, node: str) -> list[int]:
    """Thousandths left on each GPU of a node."""
    machine = known.machines[node]
    if shares_gpus(machine):
        pods = {pod.key: pod for (name, _), found in known.holders.items() if name == node for pod in found}
        state = shared_gpus(machine, [(devices_held(pod), pod.shape.requests.on_node) for pod in pods.values()])
        return list(state.milli)
    free = known.free(node)
    return [WHOLE if gpu.index in free else 0 for gpu in machine.host.shape.gpus]

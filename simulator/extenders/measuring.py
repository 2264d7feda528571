"""What an extender costs, measured on this machine: the same rule as a plugin and as a service over real HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from simulator.engine.framework.extenders import Request
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders, Timing
from simulator.extenders.rule_server import RULE

SIZES: Final = (10, 30, 100, 300, 1_000, 3_000, 10_000)
PLUGIN, NAMES, OBJECTS = "plugin", "names", "objects"
WAYS: Final = (PLUGIN, NAMES, OBJECTS)
"""plugin   the rule in the scheduler's process
names    an extender with nodeCacheCapable: names of nodes go over the wire
objects  an extender without: whole Node objects do, there and back
"""

LEAST_PODS, MOST_PODS, ENOUGH_SECONDS = 3, 200, 1.5
_MODELS: Final = ("NVIDIA-H100-80GB-HBM3", "NVIDIA-A100-SXM4-80GB", "Tesla-T4")
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Figure:
    """One cluster size and one way. Times are milliseconds a Pod, sizes bytes a Pod.

    `engine` is what the scheduler itself took; `encode` and `decode` the client's JSON; `travel` the way there and
    back; `wait` the extender's own work.
    """

    nodes: int
    way: str
    pods: int
    pods_per_second: float
    engine: float
    encode: float
    travel: float
    wait: float
    decode: float
    sent: int
    received: int

    def to_json(self) -> dict[str, Any]:
        return {name: round(value, 3) if isinstance(value, float) else value for name, value in asdict(self).items()}


@contextmanager
def rule_server() -> Iterator[str]:
    """The base URL of the extender, in a process of its own for as long as it is needed."""
    root = Path(__file__).resolve().parent.parent.parent
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "simulator.extenders.rule_server"]
    process = subprocess.Popen(  # noqa: S603 (our own module, by this interpreter)
        command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def measure(nodes: int, url: str, tell: Callable[[str], None] = lambda _way: None) -> list[Figure]:
    """All ways at one size; `tell` is called before each."""
    timings: list[Timing] = []
    port = HttpExtenders(Addresses(read_entries(["127.0.0.0/8"])), measured=timings.append)
    simulation = Simulation(Setup(plugins=[{"name": "ModelScore", "score": RULE}]), port=port)
    manifests = [_node(number) for number in range(nodes)]
    for first in range(0, nodes, _BATCH):
        simulation.apply({"type": "apply", "objects": manifests[first : first + _BATCH]})
    port.call(Request(0, "seed", f"{url}/seed", 30_000_000, {"items": manifests}))
    figures = []
    for way in WAYS:
        tell(way)
        simulation.apply({"type": "configure", "config": _config(way, url)})
        figures.append(_measured(simulation, way, nodes, timings))
    port.close()
    return figures


def _measured(simulation: Simulation, way: str, nodes: int, timings: list[Timing]) -> Figure:
    _schedule(simulation, f"warm-{way}")
    timings.clear()
    taken, pods = 0.0, 0
    while pods < LEAST_PODS or (taken < ENOUGH_SECONDS and pods < MOST_PODS):
        taken += _schedule(simulation, f"{way}-{pods}")
        pods += 1
    outside = sum(one.encode + one.exchange + one.decode for one in timings)

    def each(value: Callable[[Timing], float]) -> float:
        return sum(map(value, timings)) / pods * 1000

    return Figure(
        nodes, way, pods, pods / taken, (taken - outside) / pods * 1000, each(lambda one: one.encode),
        each(lambda one: one.exchange - one.work), each(lambda one: one.work), each(lambda one: one.decode),
        sum(one.sent for one in timings) // pods, sum(one.received for one in timings) // pods,
    )  # fmt: skip


def _schedule(simulation: Simulation, name: str) -> float:
    """Seconds that the scheduler's turn for one more Pod takes; it is gone afterwards, so that every one is alike."""
    simulation.apply({"type": "apply", "objects": [_pod(name)]})
    started = time.perf_counter()
    turn = simulation.scheduler.schedule_one(simulation.now)
    taken = time.perf_counter() - started
    assert turn is not None
    for decision in turn.decisions:
        simulation.world.carry_out(decision, simulation.scheduler.name)
    simulation.world.remove("Pod", "default", name)
    return taken


def _config(way: str, url: str) -> Mapping[str, Any]:
    config: dict[str, Any] = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    if way == PLUGIN:
        return {**config, "profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": "ModelScore"}]}}}]}
    extender = {
        "urlPrefix": url,
        "filterVerb": "filter",
        "prioritizeVerb": "prioritize",
        "weight": 1,
        "nodeCacheCapable": way == NAMES,
        "httpTimeout": "30s",
    }
    return {**config, "extenders": [extender]}


def _node(number: int) -> dict[str, Any]:
    name = f"node-{number:05d}"
    amounts = {"cpu": "128", "memory": "1024Gi", "ephemeral-storage": "2Ti", "pods": "110", "nvidia.com/gpu": "8"}
    labels = {
        "kubernetes.io/hostname": name,
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/os": "linux",
        "topology.kubernetes.io/zone": f"zone-{number % 3}",
        "nvidia.com/gpu.product": _MODELS[number % 3],
        "nvidia.com/gpu.count": "8",
        "nvidia.com/gpu.memory": "81559",
        "nvidia.com/cuda.driver.major": "550",
    }
    conditions = [
        {"type": kind, "status": "True" if kind == "Ready" else "False", "reason": f"Kubelet{kind}"}
        for kind in ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")
    ]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels, "annotations": {"node.alpha.kubernetes.io/ttl": "0"}},
        "status": {"capacity": amounts, "allocatable": amounts, "conditions": conditions},
    }


def _pod(name: str) -> dict[str, Any]:
    requests = {"cpu": "4", "memory": "16Gi", "nvidia.com/gpu": "1"}
    container = {
        "name": "main",
        "image": "registry.local/train",
        "resources": {"requests": requests, "limits": {"nvidia.com/gpu": "1"}},
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container]}}

"""The engine on the work the real kube-scheduler was timed on, and on some of its own.

Inputs and the real scheduler's figures are in tests/golden/kube-scheduler/perf and PERF.md. Timed is what was timed
there: pop, snapshot, the scheduling algorithm with every node evaluated, assume and Reserve, for Pods queued before;
CPU time of one process. The calibration line says how fast this machine is, so that figures from different machines
can be compared.
"""

from __future__ import annotations

import gc
import gzip
import json
import os
import resource
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
from simulator.engine.framework.config import SchedulerConfig
from simulator.engine.framework.gates import with_defaults
from simulator.engine.framework.rules import Rules
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import ShapeInterner
from simulator.engine.world.bus import ADDED, Change
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup

PERF = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parents[1] / "golden") / "kube-scheduler" / "perf"

# Pods per CPU second of kube-scheduler 1.36.3, parallelism 1: (every node evaluated, adaptive sampling). PERF.md.
REAL = {
    ("plain", 1000): (330, 650),
    ("plain", 5000): (57, 503),
    ("taint", 1000): (283, 358),
    ("taint", 5000): (48, 194),
    ("spread", 1000): (144, 161),
    ("spread", 5000): (32, 79),
}
AIM = {"plain": 60, "taint": 60, "spread": 20}
Manifest = Mapping[str, Any]


class Nothing:
    """No objects of other kinds."""

    def get(self, _kind: str, _namespace: str, _name: str) -> None:
        return None

    def list(self, _kind: str, _namespace: str | None = None) -> tuple[()]:
        return ()


def measure() -> Iterator[str]:
    yield f"calibration: {_calibrate():.0f} µs for a fixed piece of NumPy (5,000 int64: add, compare, take, argmax)"
    for kind, nodes in REAL:
        yield _workload(kind, nodes, pods=2000)
    yield from _growth()
    yield _unschedulable()
    yield _preemption()
    yield _memory()
    yield from _history()


def _calibrate() -> float:
    values = np.arange(5000, dtype=np.int64)
    best = 1e9
    for _ in range(20):
        start = time.process_time()
        for _ in range(200):
            total = values + values
            chosen = np.flatnonzero(total > 100)
            total[chosen].argmax()
        best = min(best, (time.process_time() - start) / 200)
    return best * 1e6


def read_inputs(kind: str, nodes: int, pods: int) -> tuple[list[Manifest], list[Manifest]]:
    """(node manifests, Pod manifests) of a recorded workload."""
    with gzip.open(PERF / f"{kind}-{nodes}-5000.jsonl.gz", "rt") as lines:
        scenario = json.loads(next(lines))
        return scenario["objects"], [json.loads(next(lines)) for _ in range(pods)]


def new_scheduler(nodes: list[Manifest]) -> KubeScheduler:
    config = replace(SchedulerConfig(), percentage_of_nodes_to_score=100)
    scheduler = KubeScheduler(config, with_defaults(None), Rules(), Nothing())
    for manifest in nodes:
        scheduler.observe(Change(ADDED, "Node", None, Node(manifest)), 0)
    return scheduler


def enqueue(scheduler: KubeScheduler, pods: list[Manifest]) -> None:
    interner = ShapeInterner()
    for index, manifest in enumerate(pods):
        pod = replace(interner.pod(manifest), uid=f"uid-{index}")
        scheduler.observe(Change(ADDED, "Pod", None, pod), index)


def run(scheduler: KubeScheduler, pods: int) -> tuple[float, list[Cycle]]:
    """(CPU seconds, the cycles) of `pods` scheduling cycles."""
    gc.collect()
    gc.freeze()
    cycles = []
    start = time.process_time()
    for _ in range(pods):
        turn = scheduler.schedule_one(1_000_000_000)
        assert turn is not None
        cycles.append(turn.record)
    spent = time.process_time() - start
    gc.unfreeze()
    return spent, cycles


def _workload(kind: str, nodes: int, pods: int) -> str:
    node_manifests, pod_manifests = read_inputs(kind, nodes, pods)
    scheduler = new_scheduler(node_manifests)
    enqueue(scheduler, pod_manifests)
    seconds, cycles = run(scheduler, pods)
    rate = pods / seconds
    every, sampled = REAL[(kind, nodes)]
    wrong = _differences(kind, nodes, cycles)
    aim = f", aim {AIM[kind]}" if nodes == 5000 else ""
    return (
        f"{kind:<6} {nodes:>5} nodes {pods} Pods: {rate:7.0f} Pods/CPU-s = {rate / every:5.1f} × the real one "
        f"evaluating every node{aim}; {rate / sampled:5.1f} × the real one sampling; decisions that differ: {wrong}"
    )


def _differences(kind: str, nodes: int, cycles: list[Cycle]) -> str:
    recorded = next(PERF.glob(f"decisions-{kind}-{nodes}-*.jsonl.gz"))
    with gzip.open(recorded, "rt") as lines:
        expected = [json.loads(line) for line in lines]
    wrong = 0
    for entry, cycle in zip(expected, cycles, strict=False):
        tried = cycle.tries[0]
        got = (cycle.node, tried.feasible, tried.n_best, tried.top_total)
        wrong += got != (entry["selected"], entry["nFeasible"], entry.get("nBest"), entry.get("topTotal"))
    return f"{wrong} of {min(len(expected), len(cycles))}"


def _growth() -> Iterator[str]:
    """Cost per Pod beside the number of nodes, and beside the number of Pods bound before."""
    costs = []
    for nodes in (1000, 2000, 4000, 8000):
        node_manifests, pods = read_inputs("spread", 5000, 1000)
        doubled = [*node_manifests, *(_renamed(manifest, "-b") for manifest in node_manifests)][:nodes]
        scheduler = new_scheduler(doubled)
        enqueue(scheduler, pods)
        run(scheduler, 200)
        seconds, _ = run(scheduler, 800)
        costs.append((nodes, seconds / 800 * 1e6))
    told = ", ".join(f"{nodes} nodes {cost:.0f} µs" for nodes, cost in costs)
    yield f"spread, cost of a Pod by nodes: {told}"
    node_manifests, pods = read_inputs("spread", 5000, 5000)
    scheduler = new_scheduler(node_manifests)
    enqueue(scheduler, pods)
    run(scheduler, 500)
    costs = []
    for bound in (500, 2000, 4000):
        run(scheduler, bound - len(scheduler.assumed))
        seconds, _ = run(scheduler, 500)
        costs.append((bound, seconds / 500 * 1e6))
    told = ", ".join(f"{bound} bound {cost:.0f} µs" for bound, cost in costs)
    yield f"spread 5000 nodes, cost of a Pod by Pods bound: {told}"


def _renamed(manifest: Manifest, suffix: str) -> dict[str, Any]:
    name = manifest["metadata"]["name"] + suffix
    labels = {**(manifest["metadata"].get("labels") or {}), "kubernetes.io/hostname": name}
    return {**manifest, "metadata": {**manifest["metadata"], "name": name, "labels": labels}}


def _small_pod(index: int, cpu: str, priority: int = 0) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}
    return {
        "metadata": {"name": f"p{index}", "namespace": "default"},
        "spec": {"containers": [container], "priority": priority},
    }


def _unschedulable() -> str:
    """Every node rejects every Pod, and the message is made."""
    nodes, _ = read_inputs("plain", 5000, 0)
    scheduler = new_scheduler(nodes)
    enqueue(scheduler, [_small_pod(index, str(65 + index % 7)) for index in range(500)])
    seconds, cycles = run(scheduler, 500)
    assert all(cycle.failures for cycle in cycles)
    return (
        f"unschedulable 5000 nodes: {500 / seconds:.0f} Pods/CPU-s with message ({cycles[0].failures[0].message[:60]}…)"
    )


def _preemption() -> str:
    """Every node is full with three less important Pods; each Pod has to find victims."""
    nodes, _ = read_inputs("plain", 5000, 0)
    scheduler = new_scheduler(nodes)
    interner = ShapeInterner()
    for row, manifest in enumerate(nodes):
        for slot in range(3):
            pod = interner.pod(_small_pod(row * 3 + slot, "20"))
            placed = replace(
                pod,
                name=f"v{row}-{slot}",
                uid=f"v{row}-{slot}",
                node_name=manifest["metadata"]["name"],
                start_time=slot,
            )
            scheduler.observe(Change(ADDED, "Pod", None, placed), 0)
    enqueue(scheduler, [_small_pod(index, "30", priority=100) for index in range(100)])
    seconds, cycles = run(scheduler, 100)
    assert all(cycle.victims for cycle in cycles)
    return f"preemption 5000 nodes, three victims each: {100 / seconds:.0f} Pods/CPU-s"


def _memory() -> str:
    """10,000 nodes and 50,000 Pods of the recorded templates, in a process of its own."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        os.write(write_end, _fill().encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text


def _fill() -> str:
    nodes, pods = read_inputs("plain", 5000, 5000)
    doubled = nodes + [{**n, "metadata": {**n["metadata"], "name": n["metadata"]["name"] + "-b"}} for n in nodes]
    many = [
        {**pod, "metadata": {**pod["metadata"], "name": f"{pod['metadata']['name']}-{turn}"}}
        for turn in range(10)
        for pod in pods
    ]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    scheduler = new_scheduler(doubled)
    enqueue(scheduler, many)
    seconds, cycles = run(scheduler, len(many))
    placed = sum(1 for cycle in cycles if cycle.node)
    first, last = cycles[:1000], cycles[-1000:]
    del first, last
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (
        f"memory 10000 nodes 50000 Pods: peak {peak // 1024} MiB (before: {before // 1024} MiB with the inputs), "
        f"{len(many) / seconds:.0f} Pods/CPU-s, {placed} placed"
    )


def _history() -> Iterator[str]:
    """A full explanation of one cycle at 1,000 nodes, and a lab of 500 commands opened at any point."""
    nodes, pods = read_inputs("plain", 1000, 500)
    history = History.begin(Setup())
    history.apply({"type": "apply", "objects": [_node(manifest) for manifest in nodes]})
    history.apply({"type": "apply", "objects": [dict(pod) for pod in pods[:5]]})
    history.apply({"type": "run", "turns": 5})
    start = time.perf_counter()
    history.trace(history.count - 1)
    yield f"explain one cycle at 1000 nodes: {(time.perf_counter() - start) * 1000:.0f} ms (aim under 150)"
    history = History.begin(Setup())
    history.apply({"type": "apply", "objects": [_node(manifest) for manifest in nodes[:100]]})
    for pod in pods[:250]:
        history.apply({"type": "apply", "objects": [dict(pod)]})
        history.apply({"type": "run", "turns": 1})
    worst = 0.0
    for point in range(0, history.count, 37):
        start = time.perf_counter()
        history.at(point)
        worst = max(worst, time.perf_counter() - start)
    yield f"open a lab of 501 commands (100 nodes) at any point: worst {worst * 1000:.0f} ms (aim under 1000)"


def _node(manifest: Manifest) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Node",
        **{k: v for k, v in manifest.items() if k not in ("apiVersion", "kind")},
    }

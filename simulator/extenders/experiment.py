"""The experiment as a whole: what an extender costs at growing sizes, and what several optimistic schedulers bring."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from simulator.engine.optimistic.model import LOGICAL, PHYSICAL, SHARED, Optimistic
from simulator.extenders.measuring import SIZES, measure, rule_server

SCHEDULERS: Final = (1, 2, 4, 8, 16)
OPTIMISTIC_NODES: Final = 120
OPTIMISTIC_PODS: Final = 480
MODES: Final = (SHARED, LOGICAL, PHYSICAL)

Tell = Callable[[int, int, str, Mapping[str, Any]], None]
"""tell(done, total, code, params)"""


def sizes_up_to(most: int) -> list[int]:
    return [size for size in SIZES if size <= most]


def run_experiment(most_nodes: int, tell: Tell) -> dict[str, Any]:
    """Everything, as JSON. `tell` is called before each step and may raise to stop."""
    sizes = sizes_up_to(most_nodes)
    total = len(sizes) * 3 + len(SCHEDULERS) * len(MODES)
    done = 0
    figures: list[dict[str, Any]] = []

    def step(size: int, way: str) -> None:
        nonlocal done
        tell(done, total, "size", {"nodes": size, "way": way})
        done += 1

    with rule_server() as url:
        for size in sizes:
            figures += [figure.to_json() for figure in measure(size, url, partial(step, size))]
    optimistic = []
    for count in SCHEDULERS:
        for mode in MODES:
            tell(done, total, "schedulers", {"count": count})
            done += 1
            optimistic.append(several(count, mode))
    return {"machine": machine(), "figures": figures, "optimistic": optimistic}


def machine() -> dict[str, Any]:
    return {"cpus": os.cpu_count() or 0, "system": platform.system(), "python": platform.python_version()}


def several(count: int, mode: str, *, nodes: int = OPTIMISTIC_NODES, pods: int = OPTIMISTIC_PODS) -> dict[str, Any]:
    """So many schedulers with equal shares of the Pods. `speedup`: Pods a round against one scheduler, which has 1."""
    started = time.perf_counter()
    outcome = Optimistic(_nodes(nodes), list(_queues(count, pods)), mode=mode).run()
    taken = time.perf_counter() - started
    rounds = len(outcome.rounds)
    return {
        "schedulers": count,
        "mode": mode,
        "pods": pods,
        "bound": len(outcome.bound),
        "pending": len(outcome.pending),
        "rounds": rounds,
        "attempts": outcome.attempts,
        "conflicts": outcome.conflicts,
        "speedup": round(len(outcome.bound) / rounds, 3) if rounds else 0,
        "attempt_ms": round(taken / max(1, outcome.attempts) * 1000, 3),
    }


def _queues(count: int, pods: int) -> Iterator[Sequence[Mapping[str, Any]]]:
    for index in range(count):
        yield [_pod(f"s{index}-{number}") for number in range(pods * index // count, pods * (index + 1) // count)]


def _pod(name: str) -> dict[str, Any]:
    requests = {"cpu": "2", "memory": "8Gi", "nvidia.com/gpu": "2"}
    resources = {"requests": requests, "limits": {"nvidia.com/gpu": "2"}}
    container = {"name": "main", "image": "registry.local/train", "resources": resources}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container]}}


def _nodes(count: int) -> list[dict[str, Any]]:
    amounts = {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "8"}
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {"name": f"node-{number:03d}", "labels": {"kubernetes.io/hostname": f"node-{number:03d}"}},
            "status": {"capacity": amounts, "allocatable": amounts},
        }
        for number in range(count)
    ]

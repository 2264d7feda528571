"""A small cluster and simulations with learners' rules, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.trace.records import AttemptDetail
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup

H100, T4 = "NVIDIA-H100-80GB-HBM3", "Tesla-T4"


def node(name: str, gpus: int = 0, product: str = "", **labels: str) -> dict[str, Any]:
    given = {key.replace("__", "/").replace("_", "."): value for key, value in labels.items()}
    if product:
        given["nvidia.com/gpu.product"] = product
    allocatable = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    if gpus:
        allocatable["nvidia.com/gpu"] = str(gpus)
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": given},
        "status": {"allocatable": allocatable, "capacity": allocatable},
    }


def pod(name: str, gpus: int = 0, *, on: str = "", priority: int = 0, **metadata: Any) -> dict[str, Any]:
    resources: dict[str, Any] = {"requests": {"cpu": "1"}}
    if gpus:
        resources["requests"]["nvidia.com/gpu"] = resources.setdefault("limits", {})["nvidia.com/gpu"] = str(gpus)
    spec: dict[str, Any] = {"containers": [{"name": "main", "image": "train", "resources": resources}]}
    if on:
        spec["nodeName"] = on
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, **metadata}, "spec": spec}


CLUSTER = [node("cpu-1"), node("t4-1", 2, T4), node("h100-1", 8, H100), node("h100-2", 8, H100)]


def config(name: str, weight: int = 5) -> dict[str, Any]:
    """The default profile with one more plugin."""
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": name, "weight": weight}]}}}],
    }


def history(rule: Mapping[str, str], objects: Sequence[Mapping[str, Any]], *, weight: int = 5) -> History:
    """A simulation with the rule in its profile, after `objects` were applied and everything has run."""
    made = History.begin(Setup(config=config(rule["name"], weight), plugins=[rule]))
    made.apply({"type": "apply", "objects": list(objects)})
    made.apply({"type": "run", "turns": 200})
    return made


def attempts(of: History, key: str) -> list[AttemptDetail]:
    """Every attempt at a Pod, in order."""
    found = []
    for index, action in enumerate(of.actions):
        if action.actor == "kube-scheduler":
            found += [detail for detail in of.trace(index).attempts if detail.pod == key]
    return found


def placed(of: History) -> dict[str, str]:
    return {item.name: item.node_name for item in of.head.world.list("Pod")}

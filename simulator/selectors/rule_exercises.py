"""Exercises in writing rules: texts, what a learner sees, and the scenarios that grade it, which nobody sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml
from django.conf import settings
from django.http import Http404

from simulator.engine.fabric.accelerators import NVIDIA
from simulator.engine.fabric.from_labels import CLIQUE, PRODUCT

FOLDER: Final = "rule_exercises"
Text = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A cluster with Pods to place. `says` what it is about; `expect` what has to come of it (hidden cases alone)."""

    objects: tuple[Mapping[str, Any], ...]
    pods: tuple[Mapping[str, Any], ...]
    says: Text
    expect: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Exercise:
    """`point` is what is to be written: filter or score. `solution` and `wrong` are for tests."""

    slug: str
    order: int
    title: Text
    text: Text
    minutes: int
    point: str
    normalize: str
    starter: str
    hints: tuple[Text, ...]
    shown: Case
    hidden: tuple[Case, ...]
    solution: str
    wrong: tuple[str, ...]


def exercise_list() -> list[Exercise]:
    """All exercises, in their order."""
    return list(_exercises().values())


def exercise_get(slug: str) -> Exercise:
    found = _exercises().get(slug)
    if found is None:
        raise Http404
    return found


@lru_cache(maxsize=1)
def _exercises() -> dict[str, Exercise]:
    folder = Path(settings.BASE_DIR) / "fixtures" / FOLDER
    read = [_exercise(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.yaml"))]
    return {exercise.slug: exercise for exercise in sorted(read, key=lambda exercise: exercise.order)}


def _exercise(data: Mapping[str, Any]) -> Exercise:
    return Exercise(
        slug=data["slug"],
        order=data["order"],
        title=data["title"],
        text=data["text"],
        minutes=data["minutes"],
        point=data["point"],
        normalize=data.get("normalize", "none"),
        starter=data["starter"].strip(),
        hints=tuple(data["hints"]),
        shown=_case(data["shown"]),
        hidden=tuple(_case(case) for case in data["hidden"]),
        solution=data["solution"],
        wrong=tuple(data["wrong"]),
    )


def _case(data: Mapping[str, Any]) -> Case:
    objects = [item for node in data["nodes"] for item in node_objects(node)]
    pods = [item for pod in data["pods"] for item in pod_objects(pod)]
    return Case(tuple(objects), tuple(pods), data.get("says", {}), data.get("expect", {}))


def node_objects(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`{name, gpus, product, resource, clique, labels, used, used_cpu}`: a Node, and a Pod that uses part of it."""
    name, resource = data["name"], data.get("resource", NVIDIA)
    labels = {"kubernetes.io/hostname": name, **data.get("labels", {})}
    for label, key in ((PRODUCT, "product"), (CLIQUE, "clique")):
        if data.get(key):
            labels[label if resource == NVIDIA or key == "clique" else f"{resource}.product-name"] = data[key]
    amounts = {"cpu": "64", "memory": "512Gi", "pods": "110"}
    if data.get("gpus"):
        amounts[resource] = str(data["gpus"])
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": amounts, "allocatable": amounts},
    }
    used, cpu = data.get("used", 0), data.get("used_cpu", 0)
    if not used and not cpu:
        return [node]
    return [node, pod_manifest(f"{name}-tenant", used, cpu=str(cpu or 1), resource=resource, node=name)]


def pod_objects(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """`{name, gpus, cpu, labels, count}`: Pods to place; several get a number behind their name."""
    count = data.get("count")
    names = [data["name"]] if count is None else [f"{data['name']}-{number}" for number in range(1, count + 1)]
    return [
        pod_manifest(name, data.get("gpus", 0), cpu=str(data.get("cpu", 2)), labels=data.get("labels"))
        for name in names
    ]


def pod_manifest(
    name: str,
    gpus: int,
    *,
    cpu: str,
    resource: str = NVIDIA,
    node: str = "",
    labels: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    amounts = {"cpu": cpu}
    if gpus:
        amounts[resource] = str(gpus)
    limits = {resource: str(gpus)} if gpus else {}
    container = {"name": "main", "image": "registry.local/work", "resources": {"requests": amounts, "limits": limits}}
    metadata: dict[str, Any] = {"name": name}
    if labels:
        metadata["labels"] = dict(labels)
    spec: dict[str, Any] = {"containers": [container]}
    if node:
        spec["nodeName"] = node
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


SAMPLE: Final[Sequence[Mapping[str, Any]]] = (
    {"name": "cpu-1"},
    {"name": "t4-1", "gpus": 2, "product": "Tesla-T4", "labels": {"topology.kubernetes.io/zone": "a"}},
    {"name": "l40s-1", "gpus": 8, "product": "NVIDIA-L40S", "labels": {"topology.kubernetes.io/zone": "a"}},
    {
        "name": "a100-1",
        "gpus": 8,
        "product": "NVIDIA-A100-SXM4-80GB",
        "used": 2,
        "labels": {"topology.kubernetes.io/zone": "a", "nvidia.com/gpu.memory": "81920"},
    },
    {
        "name": "h100-1",
        "gpus": 8,
        "product": "NVIDIA-H100-80GB-HBM3",
        "used": 5,
        "labels": {"topology.kubernetes.io/zone": "b", "nvidia.com/gpu.memory": "81559"},
    },
    {
        "name": "h100-2",
        "gpus": 8,
        "product": "NVIDIA-H100-80GB-HBM3",
        "labels": {"topology.kubernetes.io/zone": "b", "nvidia.com/gpu.memory": "81559"},
    },
    {"name": "nvl72-a-1", "gpus": 4, "product": "NVIDIA-GB200", "clique": "rack-a.0"},
    {"name": "nvl72-a-2", "gpus": 4, "product": "NVIDIA-GB200", "clique": "rack-a.0", "used": 4},
    {"name": "nvl72-b-1", "gpus": 4, "product": "NVIDIA-GB200", "clique": "rack-b.0"},
    {"name": "mi300x-1", "gpus": 8, "product": "AMD_Instinct_MI300X_OAM", "resource": "amd.com/gpu"},
)
"""The cluster that rules are tried on where there is no lab."""

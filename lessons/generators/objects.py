"""Manifests for small clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

Manifest = dict[str, Any]

GPU: Final = "nvidia.com/gpu"
PRODUCT: Final = "nvidia.com/gpu.product"
MODELS: Final = ("NVIDIA-A100-SXM4-80GB", "NVIDIA-H100-80GB-HBM3", "NVIDIA-L40S", "Tesla-T4")


def node(
    name: str,
    *,
    gpus: int,
    cpu: int = 32,
    memory_gib: int = 256,
    labels: Mapping[str, str] | None = None,
    taints: Sequence[Mapping[str, str]] = (),
    unschedulable: bool = False,
) -> Manifest:
    amounts = {"cpu": str(cpu), "memory": f"{memory_gib}Gi", "pods": "110", **({GPU: str(gpus)} if gpus else {})}
    spec: dict[str, Any] = {"taints": [dict(taint) for taint in taints]} if taints else {}
    if unschedulable:
        spec["unschedulable"] = True
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
        "spec": spec,
        "status": {"capacity": amounts, "allocatable": amounts},
    }


def pod(
    name: str,
    *,
    gpus: int = 0,
    cpu: int = 1,
    memory_gib: int = 1,
    on: str = "",
    priority_class: str = "",
    labels: Mapping[str, str] | None = None,
    spec: Mapping[str, Any] | None = None,
) -> Manifest:
    requests = {"cpu": str(cpu), "memory": f"{memory_gib}Gi", **({GPU: str(gpus)} if gpus else {})}
    limits = {"limits": {GPU: str(gpus)}} if gpus else {}
    container = {"name": "main", "image": "example/work:1", "resources": {"requests": requests, **limits}}
    placed = {"nodeName": on} if on else {}
    classed = {"priorityClassName": priority_class} if priority_class else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "labels": dict(labels or {})},
        "spec": {"containers": [container], **placed, **classed, **(spec or {})},
    }


def priority_class(name: str, value: int) -> Manifest:
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value}


def require_label(key: str, values: Sequence[str]) -> Manifest:
    """The part of a Pod's spec that wants nodes with one of these values."""
    expression = {"key": key, "operator": "In", "values": list(values)}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}}

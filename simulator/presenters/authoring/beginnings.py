"""What a new scenario begins with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.kinds import Start
from simulator.manifests.bundle import write_bundle
from simulator.manifests.bundle_schema import API_VERSION, SCENARIO

STARTS: Final[Sequence[Start]] = (
    Start(
        "small", _("A small GPU cluster"), _("Two nodes with 8 GPUs each, one of them tainted, and a Pod that waits.")
    ),
    Start("gang", _("Two gangs and too few GPUs"), _("Two nodes with 4 GPUs each, two jobs of 6 Pods each.")),
    Start("empty", _("Nothing"), _("An empty cluster: draw it, or paste manifests.")),
)


def beginning(start: str, *, name: str, title: str, language: str) -> str:
    """The text of a new scenario."""
    front = {
        "apiVersion": API_VERSION,
        "kind": SCENARIO,
        "metadata": {"name": name},
        "spec": {"title": {language: title}, "level": "beginner"},
    }
    return write_bundle(front, _CLUSTERS.get(start, _nothing)())


def _nothing() -> list[dict[str, Any]]:
    return []


def _small() -> list[dict[str, Any]]:
    taint = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]
    return [
        _node("gpu-1", 8),
        _node("gpu-2", 8, taints=taint),
        _pod("train", 4, "4"),
    ]


def _gang() -> list[dict[str, Any]]:
    pods = [_pod(f"{job}-{index}", 1, "2", job=job) for index in range(6) for job in ("red", "blue")]
    return [_node("gpu-1", 4), _node("gpu-2", 4), *pods]


def _node(name: str, gpus: int, *, taints: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
    amounts = {"cpu": "32", "memory": "256Gi", "nvidia.com/gpu": str(gpus), "pods": "110"}
    node: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, "gpu-type": "h100"}},
        "status": {"allocatable": dict(amounts), "capacity": dict(amounts)},
    }
    if taints:
        node["spec"] = {"taints": [dict(taint) for taint in taints]}
    return node


def _pod(name: str, gpus: int, cpu: str, *, job: str = "") -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": name}
    if job:
        metadata["labels"] = {"job": job}
    resources = {"limits": {"nvidia.com/gpu": str(gpus)}, "requests": {"cpu": cpu, "memory": "8Gi"}}
    containers = [{"name": "main", "image": "example/train:1", "resources": resources}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": containers}}


_CLUSTERS: Final[Mapping[str, Callable[[], list[dict[str, Any]]]]] = {
    "small": _small,
    "gang": _gang,
    "empty": _nothing,
}

"""What accelerators a node has, guessed from its labels and annotations when its status does not say.

Sources, in this order: GPU feature discovery (NVIDIA), HAMi's node annotation, GKE, AMD's and Intel's node labellers,
Huawei's, Alibaba's trace labels, the cloud machine's type. Meanings: gpu-topology.md §5 of the course's facts, that is
k8s-device-plugin docs/gpu-feature-discovery, ROCm k8s-device-plugin, HAMi docs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from simulator.manifests.instance_types import INSTANCE_TYPE_LABELS, INSTANCE_TYPES

_NVIDIA: Final = "nvidia.com/"
_MIG_COUNT: Final = re.compile(r"nvidia\.com/(mig-[0-9a-z.+]+)\.count")
_HAMI: Final = "hami.io/node-nvidia-register"
_HAMI_FIELDS: Final = 7
_GPU_MODEL_AT: Final = 4
_OAM_GPUS: Final = 8
"""AMD's OAM accelerators are sold on boards of eight."""

_MAX_COUNT: Final = 10_000

_ASCEND_NPUS: Final = 8
"""A training server with Ascend 910 has eight."""

_SHARES_PER_GPU: Final = 1000
"""Alibaba offers a GPU also in thousandths."""

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Accelerators:
    """`resources`: extended resource to amount; `devices`: how many cards that are; `source`: the label or annotation
    it was read from; `model`: as the source names it, if it does."""

    resources: Mapping[str, int]
    devices: int
    source: str
    model: str = ""


def guess_accelerators(labels: Labels, annotations: Labels) -> Accelerators | None:
    """Return what the first source that says something says, None if no source does."""
    for guess in _GUESSES:
        found = guess(labels, annotations)
        if found is not None:
            return found
    return None


def _feature_discovery(labels: Labels, _annotations: Labels) -> Accelerators | None:
    """NVIDIA: `gpu.count` devices, each offered `gpu.replicas` times; MIG strategy mixed offers its slices by name.

    `gpu.replicas` 0 marks the parent of mixed MIG slices. Shared devices are offered as `gpu.shared` when the product's
    name was left alone (a rename shows as the suffix `-SHARED` otherwise).
    """
    count = _count(labels.get(f"{_NVIDIA}gpu.count"))
    if count is None:
        return None
    replicas = _count(labels.get(f"{_NVIDIA}gpu.replicas"))
    replicas = 1 if replicas is None else replicas
    product = labels.get(f"{_NVIDIA}gpu.product", "")
    renamed = replicas > 1 and not product.endswith("-SHARED")
    resources = {f"{_NVIDIA}gpu.shared" if renamed else f"{_NVIDIA}gpu": count * replicas}
    for label, value in sorted(labels.items()):
        slices = _MIG_COUNT.fullmatch(label)
        if slices:
            shares = _count(labels.get(f"{_NVIDIA}{slices[1]}.replicas")) or 1
            resources[_NVIDIA + slices[1]] = (_count(value) or 0) * shares
    return Accelerators(resources, count, f"{_NVIDIA}gpu.count", product.removesuffix("-SHARED"))


def _hami(_labels: Labels, annotations: Labels) -> Accelerators | None:
    """HAMi lists devices as `uuid,split,memory MiB,core %,type,NUMA,healthy:`; here each counts once, unsplit."""
    entries = [entry for entry in annotations.get(_HAMI, "").split(":") if entry]
    if not entries:
        return None
    whole = [fields for fields in (entry.split(",") for entry in entries) if len(fields) >= _HAMI_FIELDS]
    model = whole[0][_GPU_MODEL_AT].removeprefix("NVIDIA-").strip().replace(" ", "-") if whole else ""
    return Accelerators({f"{_NVIDIA}gpu": len(entries)}, len(entries), _HAMI, model)


def _gke(labels: Labels, _annotations: Labels) -> Accelerators | None:
    model = labels.get("cloud.google.com/gke-accelerator")
    if not model:
        return None
    count = _count(labels.get("cloud.google.com/gke-accelerator-count")) or 1
    return Accelerators({f"{_NVIDIA}gpu": count}, count, "cloud.google.com/gke-accelerator", model)


def _amd(labels: Labels, _annotations: Labels) -> Accelerators | None:
    """AMD's labeller names the product but no count: boards of OAM modules have eight, all else is one."""
    model = labels.get("amd.com/gpu.product-name")
    if not model and not any(label.startswith(("amd.com/gpu.", "beta.amd.com/gpu.")) for label in labels):
        return None
    count = _OAM_GPUS if (model or "").endswith("_OAM") else 1
    return Accelerators({"amd.com/gpu": count}, count, "amd.com/gpu.product-name", model or "")


def _intel(labels: Labels, _annotations: Labels) -> Accelerators | None:
    count = _count(labels.get("gpu.intel.com/device.count"))
    if count is None:
        return None
    model = labels.get("gpu.intel.com/product", "")
    return Accelerators({"gpu.intel.com/i915": count}, count, "gpu.intel.com/device.count", model)


def _huawei(labels: Labels, _annotations: Labels) -> Accelerators | None:
    model = labels.get("accelerator", "")
    if not model.startswith("huawei-Ascend910"):
        return None
    chip = labels.get("node.kubernetes.io/npu.chip.name", model)
    return Accelerators({"huawei.com/Ascend910": _ASCEND_NPUS}, _ASCEND_NPUS, "accelerator", chip)


def _alibaba(labels: Labels, _annotations: Labels) -> Accelerators | None:
    model = labels.get("alibabacloud.com/gpu-card-model")
    if not model:
        return None
    resources = {"alibabacloud.com/gpu-count": 1, "alibabacloud.com/gpu-milli": _SHARES_PER_GPU}
    return Accelerators(resources, 1, "alibabacloud.com/gpu-card-model", model)


def _cloud_machine(labels: Labels, _annotations: Labels) -> Accelerators | None:
    for label in INSTANCE_TYPE_LABELS:
        machine = INSTANCE_TYPES.get(labels.get(label, ""))
        if machine:
            return Accelerators({f"{_NVIDIA}gpu": machine.gpus}, machine.gpus, label, machine.model)
    return None


def _count(text: str | None) -> int | None:
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 6:
        return None
    return min(int(text), _MAX_COUNT)


_GUESSES: Final[tuple[Callable[[Labels, Labels], Accelerators | None], ...]] = (
    _feature_discovery,
    _hami,
    _gke,
    _amd,
    _intel,
    _huawei,
    _alibaba,
    _cloud_machine,
)

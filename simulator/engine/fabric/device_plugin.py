"""The device plugin's and the feature discovery's side of a machine: resources, health, labels.

Sources: NVIDIA k8s-device-plugin and gpu-feature-discovery (docs and internal/lm), ROCm k8s-device-plugin labeller.
Capacity counts every device, allocatable only the healthy ones (kubelet's device manager).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.accelerators import AMD, ASCEND, NVIDIA, Accelerator
from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.mig import MigProfile, mig_profile, mig_profiles
from simulator.engine.fabric.sharing import BINPACK, WHOLE

TIME_SLICING: Final = "time-slicing"
MPS: Final = "mps"
SHARES: Final = "shares"
STRATEGIES: Final = (TIME_SLICING, MPS, SHARES)

MILLI: Final = "alibabacloud.com/gpu-milli"
"""Thousandths of GPUs, as in Alibaba's GPU-sharing clusters (their public trace's name)."""
SHARED_MEMORY: Final = "aliyun.com/gpu-mem"
"""GPU memory, the name of Alibaba's gpushare device plugin; here in MiB."""

_DRIVER: Final = ("550", "54", "15")
_RUNTIME: Final = ("12", "4")


@dataclass(frozen=True, slots=True)
class Sharing:
    """Several Pods per GPU: `replicas` equal parts of each (time-slicing, MPS; `renamed` advertises them as
    `<resource>.shared`), or any number of thousandths and MiB (`shares`; `cards` says which GPU is filled first).
    """

    strategy: str = TIME_SLICING
    replicas: int = 1
    renamed: bool = False
    cards: str = BINPACK


@dataclass(frozen=True, slots=True)
class MigConfig:
    """MIG instances: profile names per GPU index (a GPU that is not listed is whole); strategy single or mixed."""

    strategy: str
    profiles: Mapping[int, Sequence[str]]


@dataclass(frozen=True, slots=True)
class DeviceCount:
    """What a Node reports of one resource: all devices, and the healthy ones."""

    capacity: int
    allocatable: int


def device_resources(
    host: Host, sharing: Sharing | None = None, mig: MigConfig | None = None
) -> dict[str, DeviceCount]:
    """Extended resources of a machine by name, {} without accelerators."""
    if not host.shape.gpus:
        return {}
    if sharing and sharing.strategy == SHARES:
        return _share_resources(host)
    resource = host.shape.model(0).resource
    whole = [gpu.index for gpu in host.shape.gpus if not (mig and mig.profiles.get(gpu.index))]
    healthy = set(host.healthy_gpus)
    factor = sharing.replicas if sharing else 1
    name = f"{resource}.shared" if sharing and sharing.renamed and sharing.replicas > 1 else resource
    counts = {name: DeviceCount(len(whole) * factor, len([gpu for gpu in whole if gpu in healthy]) * factor)}
    for profile, gpus in _mig_devices(host, mig).items():
        alive = len([gpu for gpu in gpus if gpu in healthy])
        if mig and mig.strategy == "single":
            old = counts[name]
            counts[name] = DeviceCount(old.capacity + len(gpus), old.allocatable + alive)
        else:
            counts[profile.resource] = DeviceCount(len(gpus), alive)
    return counts


def _share_resources(host: Host) -> dict[str, DeviceCount]:
    memory = {gpu.index: host.shape.model(gpu.index).memory_mib for gpu in host.shape.gpus}
    healthy = host.healthy_gpus
    return {
        MILLI: DeviceCount(WHOLE * len(memory), WHOLE * len(healthy)),
        SHARED_MEMORY: DeviceCount(sum(memory.values()), sum(memory[gpu] for gpu in healthy)),
    }


def _mig_devices(host: Host, mig: MigConfig | None) -> dict[MigProfile, list[int]]:
    found: dict[MigProfile, list[int]] = {}
    for gpu, names in (mig.profiles if mig else {}).items():
        for name in names:
            found.setdefault(mig_profile(host.shape.gpus[gpu].model, name), []).append(gpu)
    return found


def device_labels(
    host: Host, machine: str = "", sharing: Sharing | None = None, mig: MigConfig | None = None
) -> dict[str, str]:
    """Labels that the vendor's discovery puts on the Node, {} without accelerators."""
    if not host.shape.gpus:
        return {}
    model = host.shape.model(0)
    if model.resource == AMD:
        return _amd_labels(model)
    if model.resource == ASCEND:
        return {"accelerator": "huawei-Ascend910"}
    return _nvidia_labels(host, model, machine, sharing, mig)


def _nvidia_labels(
    host: Host, model: Accelerator, machine: str, sharing: Sharing | None, mig: MigConfig | None
) -> dict[str, str]:
    major, _, minor = model.chip.compute.partition(".")
    shared = sharing is not None and sharing.replicas > 1
    labels = {
        f"{NVIDIA}.present": "true",
        f"{NVIDIA}.count": str(len(host.shape.gpus)),
        f"{NVIDIA}.product": model.product + ("-SHARED" if sharing and shared and not sharing.renamed else ""),
        f"{NVIDIA}.memory": str(model.memory_mib),
        f"{NVIDIA}.family": model.chip.family,
        f"{NVIDIA}.compute.major": major,
        f"{NVIDIA}.compute.minor": minor,
        f"{NVIDIA}.machine": machine or "unknown",
        f"{NVIDIA}.mode": "compute",
        f"{NVIDIA}.replicas": str(sharing.replicas if sharing else 1),
        f"{NVIDIA}.sharing-strategy": sharing.strategy if sharing and shared else "none",
        "nvidia.com/mig.capable": "true" if mig_profiles(model.id) else "false",
        "nvidia.com/mig.strategy": mig.strategy if mig else "none",
        "nvidia.com/mps.capable": "true" if sharing and sharing.strategy == MPS else "false",
        "nvidia.com/vgpu.present": "false",
        "nvidia.com/cuda.driver-version.full": ".".join(_DRIVER),
        "nvidia.com/cuda.driver-version.major": _DRIVER[0],
        "nvidia.com/cuda.driver-version.minor": _DRIVER[1],
        "nvidia.com/cuda.driver-version.revision": _DRIVER[2],
        "nvidia.com/cuda.runtime-version.full": ".".join(_RUNTIME),
        "nvidia.com/cuda.runtime-version.major": _RUNTIME[0],
        "nvidia.com/cuda.runtime-version.minor": _RUNTIME[1],
    }
    if host.nvlink_domain:
        labels[f"{NVIDIA}.clique"] = host.nvlink_domain
    return labels | _mig_labels(host, model, mig)


def _mig_labels(host: Host, model: Accelerator, mig: MigConfig | None) -> dict[str, str]:
    """Single: the GPU's own labels speak of the one profile; mixed: a set of labels per profile."""
    labels: dict[str, str] = {}
    for profile, gpus in _mig_devices(host, mig).items():
        single = mig is not None and mig.strategy == "single"
        prefix = NVIDIA if single else profile.resource
        labels |= {
            f"{prefix}.count": str(len(gpus)),
            f"{prefix}.product": f"{model.product}-MIG-{profile.name}",
            f"{prefix}.memory": str(profile.memory_mib),
            f"{prefix}.replicas": "1",
            f"{prefix}.multiprocessors": str(profile.multiprocessors),
            f"{prefix}.slices.gi": str(profile.compute),
            f"{prefix}.slices.ci": str(profile.compute),
            f"{prefix}.engines.copy": str(profile.compute),
        }
        if not single and len(mig.profiles if mig else ()) == len(host.shape.gpus):
            labels[f"{NVIDIA}.replicas"] = "0"
    return labels


def _amd_labels(model: Accelerator) -> dict[str, str]:
    compute_units = {"mi300x": 304, "mi250x": 110}.get(model.id, 0)
    return {
        f"{AMD}.product-name": model.product,
        f"{AMD}.device-id": {"mi300x": "74a1", "mi250x": "740c"}.get(model.id, ""),
        f"{AMD}.family": model.chip.family,
        f"{AMD}.vram": f"{model.memory_mib // 1024}G",
        f"{AMD}.cu-count": str(compute_units),
        f"{AMD}.simd-count": str(4 * compute_units),
    }

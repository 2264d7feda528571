"""Known machines as a palette: shape, Node capacity, labels, taints; and hosts and racks built from them.

Capacities of `t4-2` are a recorded Node's; the others are the machines' data sheets, with what kernel and file system
take off. Allocatable follows the kubelet's defaults: 100 MiB of memory and 10 % of the disk are kept back.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.fabric import preset_shapes
from simulator.engine.fabric.device_plugin import MigConfig, Sharing, device_labels, device_resources
from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.shape import HostShape

MAX_PODS: Final = 110
_EVICTION_KI: Final = 100 * 1024
_DISK_SHARE_KEPT: Final = 0.10000000149011612
"""10 % as the kubelet has it: a float32."""

_GIB_KI: Final = 1024 * 1024
_KERNEL_SHARE: Final = (63, 64)

TAINTS: Final[dict[str, tuple[dict[str, str], ...]]] = {
    "none": (),
    "gke": ({"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},),
    "oke": ({"key": "nvidia.com/gpu", "effect": "NoSchedule"},),
    "karpenter": ({"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"},),
}
"""Taints that providers put on GPU nodes; AKS, EKS and kubeadm put none."""


@dataclass(frozen=True)
class Preset:
    """A machine of the palette. Memory and disk are Ki as a Node reports them; `machine` is the GFD label."""

    id: str
    shape: HostShape
    cpu: int
    memory_ki: int
    disk_ki: int
    machine: str
    arch: str = "amd64"
    rack_of: int = 0
    """Hosts that one rack of this machine has; 0 for machines that stand alone."""


def _usable(gib: int) -> int:
    return gib * _GIB_KI * _KERNEL_SHARE[0] // _KERNEL_SHARE[1]


def _preset(
    shape: HostShape,
    cpu: int,
    memory_gib: int,
    disk_gib: int,
    machine: str = "",
    *,
    arch: str = "amd64",
    rack_of: int = 0,
) -> Preset:
    return Preset(shape.name, shape, cpu, _usable(memory_gib), _usable(disk_gib), machine, arch, rack_of)


_ALL: Final = (
    _preset(preset_shapes.hgx_h100(), 224, 2048, 1760, "PowerEdge-XE9680"),
    _preset(preset_shapes.hgx_h200(), 224, 2048, 1760, "DGXH200"),
    _preset(preset_shapes.hgx_b200(), 224, 2048, 1760, "DGXB200"),
    _preset(preset_shapes.dgx_a100(), 256, 1024, 1760, "DGXA100-920-23687-2530-000"),
    _preset(preset_shapes.a800(), 128, 1024, 880, "NF5688M6"),
    _preset(preset_shapes.h20(), 384, 2048, 1760, "HGX-H20"),
    _preset(preset_shapes.a100_pcie_bridged(), 96, 512, 880, "PowerEdge-R7525"),
    _preset(preset_shapes.l40s(), 128, 512, 880, "SYS-421GE-TNRT"),
    _preset(preset_shapes.rtx_4090(), 128, 512, 880, "G493-ZB3"),
    Preset("t4-2", preset_shapes.t4(), 32, 123662920, 101445540, "Google-Compute-Engine"),
    _preset(preset_shapes.dgx1_v100(), 80, 512, 440, "DGX-1"),
    _preset(preset_shapes.mi300x(), 192, 2048, 1760),
    _preset(preset_shapes.ascend_910b(), 192, 1536, 880, arch="arm64"),
    _preset(preset_shapes.gb200_tray(), 144, 960, 880, "GB200-NVL72", arch="arm64", rack_of=18),
    _preset(preset_shapes.cpu_only(), 64, 256, 440),
)

PRESETS: Final[dict[str, Preset]] = {preset.id: preset for preset in _ALL}
"""The palette by id, in the order in which it is shown."""


def preset_of_shape(name: str) -> Preset | None:
    """The preset a shape comes from; a changed shape keeps the name before `~`."""
    return PRESETS.get(name.partition("~")[0])


def preset_host(preset: str, name: str, leaves: tuple[str, ...] = (), nvlink_domain: str | None = None) -> Host:
    """A host of this preset; raises KeyError for an unknown one."""
    return Host(name, PRESETS[preset].shape, leaves, nvlink_domain)


def preset_rack(preset: str, rack: str, leaves: tuple[str, ...] = ()) -> tuple[Host, ...]:
    """All hosts of a rack whose NVLink domain spans it (`gb200-tray-4`: 18 trays, 72 GPUs), named rack-0, rack-1 ..."""
    size = PRESETS[preset].rack_of
    domain = clique_label(rack)
    return tuple(preset_host(preset, f"{rack}-{index}", leaves, domain) for index in range(size))


def clique_label(rack: str) -> str:
    """A stable `<ClusterUUID>.<CliqueID>` for a rack's NVLink domain."""
    return f"{uuid.uuid5(uuid.NAMESPACE_URL, f'nvlink-domain:{rack}')}.0"


def node_manifest(
    host: Host,
    *,
    provider: str = "none",
    labels: Mapping[str, str] | None = None,
    sharing: Sharing | None = None,
    mig: MigConfig | None = None,
) -> dict[str, Any]:
    """The Node object of a preset's host: capacity, allocatable, labels, taints (`TAINTS` by provider), Ready.

    Raises KeyError for a host whose shape comes from no preset.
    """
    preset = PRESETS[host.shape.name.partition("~")[0]]
    capacity, allocatable = _amounts(preset)
    for resource, count in device_resources(host, sharing, mig).items():
        capacity[resource] = str(count.capacity)
        allocatable[resource] = str(count.allocatable)
    all_labels = {
        "kubernetes.io/arch": preset.arch,
        "kubernetes.io/hostname": host.name,
        "kubernetes.io/os": "linux",
        **device_labels(host, preset.machine, sharing, mig),
        **(labels or {}),
    }
    taints = TAINTS[provider] if host.shape.gpus else ()
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": host.name, "labels": all_labels},
        "spec": {"taints": [dict(taint) for taint in taints]} if taints else {},
        "status": {
            "capacity": capacity,
            "allocatable": allocatable,
            "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        },
    }


def _amounts(preset: Preset) -> tuple[dict[str, str], dict[str, str]]:
    """Capacity and allocatable without accelerators."""
    capacity = {
        "cpu": str(preset.cpu),
        "ephemeral-storage": f"{preset.disk_ki}Ki",
        "hugepages-1Gi": "0",
        "hugepages-2Mi": "0",
        "memory": f"{preset.memory_ki}Ki",
        "pods": str(MAX_PODS),
    }
    kept_back = {
        "ephemeral-storage": str(_allocatable_disk(preset.disk_ki)),
        "memory": f"{preset.memory_ki - _EVICTION_KI}Ki",
    }
    return capacity, capacity | kept_back


def _allocatable_disk(disk_ki: int) -> int:
    size = disk_ki * 1024
    return size - int(size * _DISK_SHARE_KEPT)

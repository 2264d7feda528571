"""The palette: the machines one can add, with their figures, and where they can be put."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from simulator.engine.fabric.accelerators import ACCELERATORS
from simulator.engine.fabric.links import HCCS, XGMI, link_kind
from simulator.engine.fabric.node_fabric import SWITCH_KIND
from simulator.engine.fabric.presets import PRESETS, TAINTS, Preset, node_manifest, preset_host, preset_rack
from simulator.engine.fabric.shape import HostShape
from simulator.rules import allows_command
from simulator.selectors.moments import Moment
from simulator.selectors.refs import manifests_of
from simulator.services.plans.network import tier_of
from simulator.services.plans.nodes import RACK_LABEL

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_GIB_KI: Final = 1024 * 1024
_EXAMPLE: Final = "example"

_NAMES: Final[Mapping[str, tuple[StrOrPromise, str, int]]] = {
    "hgx-h100-8": ("HGX H100", "h100", 80),
    "hgx-h200-8": ("HGX H200", "h200", 141),
    "hgx-b200-8": ("HGX B200", "b200", 180),
    "dgx-a100-8": ("DGX A100", "a100", 80),
    "a800-8": ("A800", "a800", 80),
    "h20-8": ("H20", "h20", 96),
    "a100-pcie-4": ("A100 PCIe", "a100-pcie", 80),
    "l40s-8": ("L40S", "l40s", 48),
    "rtx4090-8": ("RTX 4090", "rtx4090", 24),
    "t4-2": ("T4", "t4", 16),
    "dgx1-v100-8": ("DGX-1 V100", "v100", 16),
    "mi300x-8": ("MI300X", "mi300x", 192),
    "ascend-910b-8": ("Ascend 910B", "ascend", 64),
    "gb200-tray-4": ("GB200 NVL72", "gb200", 186),
    "cpu-64": (_("CPU only"), "cpu", 0),
}
"""What a preset is called, what the names of its nodes begin with, and the GB of one GPU as it is sold."""

PROVIDERS: Final[Mapping[str, StrOrPromise]] = {
    "none": _("none"),
    "gke": "nvidia.com/gpu=present:NoSchedule (GKE)",
    "oke": "nvidia.com/gpu:NoSchedule (OKE)",
    "karpenter": "nvidia.com/gpu=true:NoSchedule (Karpenter)",
}
assert set(PROVIDERS) == set(TAINTS)


@dataclass(frozen=True, slots=True)
class PresetView:
    """`memory` is GiB of the node, `gpu_memory` GB of one GPU as it is sold; `hosts` how many nodes one of it makes."""

    id: str
    title: StrOrPromise
    pattern: str
    gpus: int
    gpu_memory: int
    resource: str
    link: StrOrPromise
    network: str
    cpu: int
    memory: int
    hosts: int
    labels: tuple[tuple[str, str], ...]

    @property
    def slots(self) -> range:
        return range(self.gpus)


@dataclass(frozen=True, slots=True)
class PaletteView:
    """`racks` and `leaves` are those there are; `is_allowed`: the scenario lets one add nodes."""

    presets: tuple[PresetView, ...]
    racks: tuple[str, ...]
    leaves: tuple[str, ...]
    providers: tuple[tuple[str, StrOrPromise], ...]
    taken: tuple[str, ...]
    is_allowed: bool
    later_step: int | None


def present_palette(moment: Moment) -> PaletteView:
    nodes = moment.newest.nodes
    switches = manifests_of(moment.newest, SWITCH_KIND)
    racks = dict.fromkeys(node.labels[RACK_LABEL] for node in nodes if node.labels.get(RACK_LABEL))
    return PaletteView(
        presets=presets(),
        racks=tuple(racks),
        leaves=tuple(name for name, manifest in switches.items() if tier_of(manifest) == 1),
        providers=tuple(PROVIDERS.items()),
        taken=(*(node.name for node in nodes), *racks),
        is_allowed=allows_command(moment.lab, "apply"),
        later_step=None if moment.is_head else moment.head.action,
    )


@cache
def presets() -> tuple[PresetView, ...]:
    return tuple(_preset(preset) for preset in PRESETS.values())


def _preset(preset: Preset) -> PresetView:
    shape, (title, stem, gpu_memory) = preset.shape, _NAMES[preset.id]
    model = ACCELERATORS[shape.gpus[0].model] if shape.gpus else None
    host = preset_rack(preset.id, _EXAMPLE)[0] if preset.rack_of else preset_host(preset.id, _EXAMPLE)
    labels = node_manifest(host)["metadata"]["labels"]
    return PresetView(
        id=preset.id,
        title=title,
        pattern=f"{stem}-r{{n}}" if preset.rack_of else f"{stem}-{{n}}",
        gpus=len(shape.gpus),
        gpu_memory=gpu_memory,
        resource=model.resource if model else "",
        link=_link(shape),
        network=_network(shape),
        cpu=preset.cpu,
        memory=preset.memory_ki // _GIB_KI,
        hosts=preset.rack_of or 1,
        labels=tuple((name, value) for name, value in sorted(labels.items()) if _EXAMPLE not in value),
    )


def _link(shape: HostShape) -> StrOrPromise:
    """What is between the GPUs, in a word or two."""
    if shape.switched:
        return "NVSwitch"
    if not shape.pairs:
        return _("PCIe only") if shape.gpus else ""
    family = link_kind(shape.pairs[0].link).family
    if family in (XGMI, HCCS):
        return _("xGMI mesh") if family == XGMI else _("HCCS mesh")
    return _("NVLink bridges") if len(shape.pairs) < len(shape.gpus) else _("NVLink cube mesh")


def _network(shape: HostShape) -> str:
    """`8 × 400 Gb/s`: the cards that carry the GPUs' traffic."""
    cards = [nic for nic in shape.nics if nic.carries]
    if not cards:
        return ""
    return f"{len(cards)} × {link_kind(cards[0].link).nominal.per_direction * 8:g} Gb/s"

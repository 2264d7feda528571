"""Configurations to start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from simulator.selectors.profiles.model import blank_config

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

GPU: Final = "nvidia.com/gpu"
HOSTS: Final = "kubernetes.io/hostname"
ZONES: Final = "topology.kubernetes.io/zone"


@dataclass(frozen=True, slots=True)
class Preset:
    """`profile` is the profile without its name."""

    name: str
    title: StrOrPromise
    about: StrOrPromise
    profile: Callable[[], Mapping[str, Any]]

    def config(self) -> dict[str, Any]:
        made = blank_config()
        made["profiles"][0] |= self.profile()
        return made


def _fit(kind: str, **resources: int) -> dict[str, Any]:
    weights = [{"name": name, "weight": weight} for name, weight in resources.items()]
    return {"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": kind, "resources": weights}}}


def _on(**weights: int) -> dict[str, Any]:
    return {"multiPoint": {"enabled": [{"name": name, "weight": weight} for name, weight in weights.items()]}}


def _bin_pack() -> dict[str, Any]:
    return {
        "plugins": _on(NodeResourcesFit=10),
        "pluginConfig": [_fit("MostAllocated", **{GPU: 5, "cpu": 1, "memory": 1})],
    }


def _spread() -> dict[str, Any]:
    constraints = [
        {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": "ScheduleAnyway"}
        for skew, key in ((1, ZONES), (1, HOSTS))
    ]
    args = {"defaultingType": "List", "defaultConstraints": constraints}
    return {"plugins": _on(PodTopologySpread=5), "pluginConfig": [{"name": "PodTopologySpread", "args": args}]}


def _gpu_aware() -> dict[str, Any]:
    return {
        "plugins": _on(NodeResourcesFit=5, GPUFabricScore=10),
        "pluginConfig": [_fit("MostAllocated", **{GPU: 1})],
    }


PRESETS: Final = (
    Preset("default", _("Default"), _("kube-scheduler as it comes."), dict),
    Preset("bin-pack", _("Bin-pack GPUs"), _("Full nodes first, GPUs counted: whole machines stay free."), _bin_pack),
    Preset("spread", _("Spread"), _("Pods of one set over zones and hosts, so that one failure takes few."), _spread),
    Preset(
        "gpu-aware", _("By GPU topology"), _("Pack GPUs, and keep a job within its fastest connection."), _gpu_aware
    ),
)


def preset_named(name: str) -> Preset | None:
    return next((preset for preset in PRESETS if preset.name == name), None)

"""Forms about the inside of nodes: breaking and repairing it, pasting a machine's matrix, placing a group of GPUs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from simulator.engine.fabric.accelerators import ACCELERATORS
from simulator.engine.fabric.allocation import BEST_EFFORT, DEVICE_ORDER, WIDEST_RING
from simulator.engine.fabric.links import LINK_KINDS, NETWORK_FAMILIES
from simulator.engine.fabric.training import MODELS
from simulator.engine.world.commands import Command
from simulator.forms.commands import MAX_NAME, CommandForm
from simulator.forms.steps import LabForm
from simulator.presenters.fabric.placement_view import Training

MOST_DEVICES: Final = 1000
MOST_PLACED: Final = 64
NETWORK_KINDS: Final = tuple(kind.id for kind in LINK_KINDS.values() if kind.family in NETWORK_FAMILIES)
POLICIES: Final = (BEST_EFFORT, DEVICE_ORDER, WIDEST_RING)


class InsideForm(CommandForm):
    """A command about something inside a node."""

    name = forms.CharField(max_length=MAX_NAME, label=_("node"))


class GpuForm(InsideForm):
    gpu = forms.IntegerField(min_value=0, max_value=MOST_DEVICES, label=_("GPU"))


class FailGpuForm(GpuForm):
    def command(self) -> Command:
        return {"type": "failGpu", **_given(self, "name", "gpu")}


class RepairGpuForm(GpuForm):
    def command(self) -> Command:
        return {"type": "repairGpu", **_given(self, "name", "gpu")}


class SetLinkForm(GpuForm):
    """`links` NVLinks of a GPU are up (into its NVSwitch, or to the `other` GPU); all of them without a number."""

    other = forms.IntegerField(min_value=0, max_value=MOST_DEVICES, required=False, label=_("other GPU"))
    links = forms.IntegerField(min_value=0, max_value=MOST_DEVICES, required=False, label=_("links"))

    def command(self) -> Command:
        return {"type": "setLink", **_given(self, "name", "gpu", "other", "links")}


class NicForm(InsideForm):
    nic = forms.IntegerField(min_value=0, max_value=MOST_DEVICES, label=_("network card"))


class FailNicForm(NicForm):
    link = forms.ChoiceField(choices=[(kind, kind) for kind in NETWORK_KINDS], required=False, label=_("link"))

    def command(self) -> Command:
        return {"type": "failNic", **_given(self, "name", "nic", "link")}


class RepairNicForm(NicForm):
    def command(self) -> Command:
        return {"type": "repairNic", **_given(self, "name", "nic")}


def _given(form: forms.Form, *names: str) -> dict[str, Any]:
    """Fields that were filled in."""
    return {name: form.cleaned_data[name] for name in names if form.cleaned_data[name] not in (None, "")}


FABRIC_FORMS: Final[Mapping[str, type[CommandForm]]] = {
    "failGpu": FailGpuForm,
    "repairGpu": RepairGpuForm,
    "setLink": SetLinkForm,
    "failNic": FailNicForm,
    "repairNic": RepairNicForm,
}
"""By the name in the command's address, as `commands.COMMAND_FORMS`."""


class PasteForm(LabForm):
    """A matrix and the node it goes to. A name that is no node's yet makes a new one."""

    text = forms.CharField(strip=False, label=_("text"), max_length=1_500_000)
    node = forms.RegexField(
        r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$",
        max_length=MAX_NAME,
        label=_("node"),
        error_messages={"invalid": _("A node’s name has small letters, digits, “-” and “.”; write it as in a100-1.")},
    )
    model = forms.ChoiceField(choices=[(name, name) for name in ACCELERATORS], required=False, label=_("GPU model"))
    nic_link = forms.ChoiceField(choices=[(kind, kind) for kind in NETWORK_KINDS], required=False, label=_("network"))
    policy = forms.ChoiceField(choices=[(name, name) for name in POLICIES], required=False, label=_("device policy"))


@dataclass(frozen=True, slots=True)
class PlacementQuery:
    """What a placement page is asked: how many GPUs, which, and what is trained on them."""

    count: int
    gpus: str
    training: Training


def placement_query(values: QueryDict) -> PlacementQuery:
    """From an address; whatever is missing or out of range is as at the beginning."""
    name = values.get("model", "")
    training = Training(
        MODELS.get(name, Training().model),
        _within(values.get("tokens", ""), 1, 10_000_000, Training().tokens),
        _within(values.get("overlap", ""), 0, 100, 0) / 100,
    )
    chosen = [values.get("gpus", ""), *values.getlist("gpu")]
    return PlacementQuery(_within(values.get("count", ""), 1, MOST_PLACED, 8), ",".join(chosen)[:20_000], training)


def _within(text: str, least: int, most: int, otherwise: int) -> int:
    return min(max(int(text), least), most) if text.isdecimal() and len(text) < 10 else otherwise

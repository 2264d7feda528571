"""The edits of the cluster as forms. A new one is a form with `plan()` and one entry in `EDIT_FORMS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from simulator.engine.objects.taints import HARD_EFFECTS, SOFT_EFFECTS
from simulator.forms.commands import MAX_LINE, MAX_NAME, labels_in
from simulator.forms.nodes import AddNodesForm, BuildNetworkForm, ConnectForm, ResizeForm, SwitchForm
from simulator.forms.refs import EditForm, RefsForm
from simulator.services.plans.copies import duplicate
from simulator.services.plans.nodes import RACK_LABEL, remove
from simulator.services.plans.together import Plan, for_each

MOST_GPUS: Final = 1_000
LONGEST_GRACE: Final = 86_400
EFFECTS: Final = sorted(HARD_EFFECTS | SOFT_EFFECTS)
GANG_GATES: Final = ("GenericWorkload", "GangScheduling")
HOW_TO_SET: Final = _("Write key=value to set one, key- to take one away.")


class RemoveForm(RefsForm):
    def plan(self) -> Plan:
        return remove(self.selected())


class DuplicateForm(RefsForm):
    def plan(self) -> Plan:
        return duplicate(self.selected())


class CordonForm(RefsForm):
    on = True

    def plan(self) -> Plan:
        return for_each(self.selected(), lambda ref, _item: {"type": "cordon", "name": ref.name, "on": self.on})


class UncordonForm(CordonForm):
    on = False


class DrainForm(RefsForm):
    """kubectl's options: `force` takes Pods without a controller too, `disable_eviction` asks no budget, `grace` in
    seconds counts instead of each Pod's own, `selector` are labels that Pods must have."""

    force = forms.BooleanField(required=False, label=_("force"))
    disable_eviction = forms.BooleanField(required=False, label=_("without asking budgets"))
    grace = forms.IntegerField(min_value=0, max_value=LONGEST_GRACE, required=False, label=_("grace period"))
    selector = forms.CharField(max_length=MAX_LINE, required=False, label=_("labels of the Pods"))

    def clean_selector(self) -> dict[str, str]:
        text = self.cleaned_data["selector"]
        return {key: value or "" for key, value in labels_in(text).items()} if text else {}

    def plan(self) -> Plan:
        data = self.cleaned_data
        options: dict[str, Any] = {"force": data["force"]}
        if data["disable_eviction"]:
            options["disableEviction"] = True
        if data["grace"] is not None:
            options["gracePeriod"] = data["grace"]
        if data["selector"]:
            options["podSelector"] = data["selector"]
        return for_each(self.selected(), lambda ref, _item: {"type": "drain", "name": ref.name, **options})


class StringsForm(RefsForm):
    """Labels or annotations: `values` to set (or, as `key-`, to take away), or `gone`, one key to take away."""

    values = forms.CharField(max_length=MAX_LINE, required=False, label=_("new values"))
    gone = forms.CharField(max_length=MAX_NAME, required=False, label=_("to take away"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not data["values"] and not data["gone"]:
            raise forms.ValidationError(HOW_TO_SET)
        return data

    def changes(self) -> dict[str, str | None]:
        data = self.cleaned_data
        return {data["gone"]: None} if data["gone"] else dict(data["values"])


class LabelsForm(StringsForm):
    def clean_values(self) -> dict[str, str | None]:
        text = self.cleaned_data["values"]
        return labels_in(text) if text else {}

    def plan(self) -> Plan:
        labels = self.changes()
        return for_each(self.selected(), lambda ref, _item: {"type": "label", **ref.to_mapping(), "labels": labels})


class AnnotationsForm(StringsForm):
    """One annotation at a time: its value may have spaces."""

    def clean_values(self) -> dict[str, str | None]:
        key, equals, value = self.cleaned_data["values"].partition("=")
        if not key or (not equals and not key.endswith("-")):
            raise forms.ValidationError(HOW_TO_SET)
        return {key: value} if equals else {key.removesuffix("-"): None}

    def plan(self) -> Plan:
        change = {"type": "annotate", "annotations": self.changes()}
        return for_each(self.selected(), lambda ref, _item: {**change, **ref.to_mapping()})


class TaintsForm(RefsForm):
    """A taint to put on, or one (`gone` as `key:effect`) to take away."""

    key = forms.CharField(max_length=MAX_NAME, required=False, label=_("key"))
    value = forms.CharField(max_length=MAX_NAME, required=False, label=_("value"))
    effect = forms.ChoiceField(choices=[(name, name) for name in EFFECTS], required=False, label=_("effect"))
    gone = forms.CharField(max_length=2 * MAX_NAME, required=False, label=_("to take away"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not data["gone"] and not (data["key"] and data["effect"]):
            raise forms.ValidationError(_("A taint has a key and an effect."))
        return data

    def plan(self) -> Plan:
        data = self.cleaned_data
        if data["gone"]:
            key, _colon, effect = data["gone"].rpartition(":")
            change: dict[str, Any] = {"remove": [{"key": key, "effect": effect}]}
        else:
            value = {"value": data["value"]} if data["value"] else {}
            change = {"add": [{"key": data["key"], **value, "effect": data["effect"]}]}
        return for_each(self.selected(), lambda ref, _item: {"type": "taint", "name": ref.name, **change})


class RackForm(RefsForm):
    """The rack the nodes stand in; none takes them out of theirs."""

    rack = forms.CharField(max_length=63, required=False, label=_("rack"))

    def plan(self) -> Plan:
        labels = {RACK_LABEL: self.cleaned_data["rack"] or None}
        return for_each(self.selected(), lambda ref, _item: {"type": "label", **ref.to_mapping(), "labels": labels})


class RenameForm(RefsForm):
    to = forms.CharField(max_length=MAX_NAME, label=_("new name"))

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if len(data.get("refs") or ()) > 1:
            raise forms.ValidationError(_("One node at a time can get another name."))
        return data

    def plan(self) -> Plan:
        to = self.cleaned_data["to"]
        return for_each(self.selected(), lambda ref, _item: {"type": "rename", "name": ref.name, "to": to})


class GpuForm(RefsForm):
    kind = "failGpu"
    gpu = forms.IntegerField(min_value=0, max_value=MOST_GPUS, label=_("GPU"))

    def plan(self) -> Plan:
        gpu = self.cleaned_data["gpu"]
        return for_each(self.selected(), lambda ref, _item: {"type": self.kind, "name": ref.name, "gpu": gpu})


class RepairGpuForm(GpuForm):
    kind = "repairGpu"


class GangsForm(EditForm):
    """Switch the feature gates of native pod groups on."""

    def plan(self) -> Plan:
        gates = dict.fromkeys(GANG_GATES, True)
        return lambda frame: {"type": "configure", "gates": {**frame.setup.gates, **gates}}


EDIT_FORMS: Final[Mapping[str, type[EditForm]]] = {
    "nodes": AddNodesForm,
    "switch": SwitchForm,
    "network": BuildNetworkForm,
    "connect": ConnectForm,
    "resize": ResizeForm,
    "label": LabelsForm,
    "annotate": AnnotationsForm,
    "taint": TaintsForm,
    "cordon": CordonForm,
    "uncordon": UncordonForm,
    "drain": DrainForm,
    "rack": RackForm,
    "rename": RenameForm,
    "fail-gpu": GpuForm,
    "repair-gpu": RepairGpuForm,
    "duplicate": DuplicateForm,
    "delete": RemoveForm,
    "gangs": GangsForm,
}
"""By the name in the edit's address."""

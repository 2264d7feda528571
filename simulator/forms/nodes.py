"""Forms that add nodes, switches and networks, and give nodes other amounts."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from simulator.engine.fabric.presets import PRESETS, TAINTS
from simulator.forms.commands import MAX_LINE, MAX_NAME, labels_in
from simulator.forms.refs import EditForm, RefsField, RefsForm
from simulator.services.plans.network import build_network, connect, put_switch
from simulator.services.plans.nodes import NodeOrder, add_nodes, resize
from simulator.services.plans.together import Plan

MOST_NODES: Final = 500
MOST_RACKS: Final = 20
MOST_TIERS: Final = 4
_AMOUNT: Final = re.compile(r"(capacity|allocatable):([A-Za-z0-9./_-]{1,253})")
_MOST_AMOUNTS: Final = 60


class AddNodesForm(EditForm):
    preset = forms.ChoiceField(choices=[(name, name) for name in PRESETS], label=_("machine"))
    count = forms.IntegerField(min_value=1, max_value=MOST_NODES, label=_("how many"))
    pattern = forms.CharField(max_length=MAX_NAME, label=_("name"))
    rack = forms.CharField(max_length=63, required=False, label=_("rack"))
    leaf = forms.CharField(max_length=MAX_NAME, required=False, label=_("leaf switch"))
    provider = forms.ChoiceField(choices=[(name, name) for name in TAINTS], required=False, label=_("taint"))
    labels = forms.CharField(max_length=MAX_LINE, required=False, label=_("labels"))

    def clean_labels(self) -> dict[str, str]:
        text = self.cleaned_data["labels"]
        return {key: value for key, value in labels_in(text).items() if value is not None} if text else {}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        preset = PRESETS.get(str(data.get("preset")))
        if preset and preset.rack_of and (data.get("count") or 0) > MOST_RACKS:
            raise forms.ValidationError(_("At most %(limit)s racks at once."), params={"limit": MOST_RACKS})
        return data

    def plan(self) -> Plan:
        data = self.cleaned_data
        order = NodeOrder(
            data["preset"],
            data["count"],
            data["pattern"],
            data["rack"],
            data["leaf"],
            data["provider"] or "none",
            data["labels"],
        )
        return add_nodes(order)


class SwitchForm(EditForm):
    """A switch, or another place for the one of that name."""

    name = forms.CharField(max_length=MAX_NAME, label=_("name"))
    tier = forms.IntegerField(min_value=1, max_value=MOST_TIERS, label=_("tier"))
    parent = forms.CharField(max_length=MAX_NAME, required=False, label=_("above it"))
    oversubscription = forms.FloatField(min_value=1, max_value=64, required=False, label=_("oversubscription"))

    def plan(self) -> Plan:
        data = self.cleaned_data
        return put_switch(data["name"], data["tier"], data["parent"], data["oversubscription"] or 1.0)


class BuildNetworkForm(EditForm):
    """Leaf and spine switches for the nodes that are selected, or for all."""

    refs = RefsField(required=False)
    per_leaf = forms.IntegerField(min_value=1, max_value=MOST_NODES, label=_("nodes per leaf"))
    rails = forms.BooleanField(required=False, label=_("one leaf per card"))
    oversubscription = forms.FloatField(min_value=1, max_value=64, required=False, label=_("oversubscription"))

    def plan(self) -> Plan:
        data = self.cleaned_data
        return build_network(
            data["refs"], data["per_leaf"], rails=data["rails"], oversubscription=data["oversubscription"] or 1.0
        )


class ConnectForm(RefsForm):
    """The leaf that all cards of the nodes are plugged into; none unplugs them."""

    leaf = forms.CharField(max_length=MAX_NAME, required=False, label=_("leaf switch"))

    def plan(self) -> Plan:
        return connect(self.selected(), self.cleaned_data["leaf"])


class ResizeForm(RefsForm):
    """Amounts in fields `capacity:cpu`, `allocatable:nvidia.com/gpu` …; what is left empty stays as it is."""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        amounts: dict[str, dict[str, str]] = {"capacity": {}, "allocatable": {}}
        for name in list(self.data)[:_MOST_AMOUNTS]:
            found, value = _AMOUNT.fullmatch(name), str(self.data[name]).strip()
            if found and value:
                amounts[found[1]][found[2]] = value
        if not self.errors and not any(amounts.values()):
            raise forms.ValidationError(_("No amount was given."))
        return {**data, **amounts}

    def plan(self) -> Plan:
        return resize(self.selected(), self.cleaned_data["capacity"], self.cleaned_data["allocatable"])

"""The commands of a lab as forms. A new one is a form with `command()` and one entry in `COMMAND_FORMS`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from simulator.engine.world.commands import Command
from simulator.forms.steps import LabForm

MAX_NAME = 253
MAX_LINE = 4000
_LABEL = re.compile(r"([^=,\s]+)(?:=([^,\s]*)|(-))")
_TAINT = re.compile(r"([^=:,\s]+)(?:=([^:,\s]*))?(?::([A-Za-z]+))?")


class CommandForm(LabForm):
    """Something a person does to a lab."""

    @abstractmethod
    def command(self) -> Command:
        """The engine's command; the form must be valid."""


class ObjectForm(CommandForm):
    """A command about one object; without a kind it is a Node."""

    kind = forms.CharField(max_length=MAX_NAME, label=_("kind"), required=False)
    namespace = forms.CharField(max_length=MAX_NAME, label=_("namespace"), required=False)
    name = forms.CharField(max_length=MAX_NAME, label=_("name"))

    def about(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "kind": data["kind"] or "Node",
            "namespace": data["namespace"] or "default",
            "name": data["name"],
        }


class DeleteForm(ObjectForm):
    def command(self) -> Command:
        return {"type": "delete", **self.about()}


def labels_in(text: str) -> dict[str, str | None]:
    """Labels as kubectl takes them: `gpu-type=a100 old-`; None takes one away. Raises `ValidationError`."""
    found: dict[str, str | None] = {}
    for word in re.split(r"[,\s]+", text.strip()):
        match = _LABEL.fullmatch(word)
        if match is None:
            problem = _("“%(word)s” is no label. Write key=value to set one, key- to take one away.")
            raise forms.ValidationError(problem, params={"word": word})
        found[match[1]] = None if match[3] else match[2]
    return found


class LabelForm(ObjectForm):
    """Labels as kubectl takes them: `gpu-type=a100 old-`."""

    labels = forms.CharField(max_length=MAX_LINE, label=_("labels"))

    def clean_labels(self) -> dict[str, str | None]:
        return labels_in(self.cleaned_data["labels"])

    def command(self) -> Command:
        return {"type": "label", **self.about(), "labels": self.cleaned_data["labels"]}


class TaintForm(ObjectForm):
    """Taints as kubectl takes them: `key=value:NoSchedule key:NoExecute- key-`."""

    taints = forms.CharField(max_length=MAX_LINE, label=_("taints"))

    def clean_taints(self) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
        add: list[dict[str, str]] = []
        remove: list[dict[str, str]] = []
        for word in re.split(r"[,\s]+", self.cleaned_data["taints"].strip()):
            match = _TAINT.fullmatch(word.removesuffix("-"))
            gone = word.endswith("-")
            if match is None or (not gone and not match[3]):
                text = _("“%(word)s” is no taint. Write key=value:NoSchedule to add one, key- to take one away.")
                raise forms.ValidationError(text, params={"word": word})
            taint = {"key": match[1], "effect": match[3]} if match[3] else {"key": match[1]}
            if gone:
                remove.append(taint)
            else:
                add.append({**taint, "value": match[2]} if match[2] else taint)
        return add, remove

    def command(self) -> Command:
        add, remove = self.cleaned_data["taints"]
        return {"type": "taint", "name": self.cleaned_data["name"], "add": add, "remove": remove}


class CordonForm(ObjectForm):
    def command(self) -> Command:
        return {"type": "cordon", "name": self.cleaned_data["name"], "on": True}


class UncordonForm(ObjectForm):
    def command(self) -> Command:
        return {"type": "cordon", "name": self.cleaned_data["name"], "on": False}


class DrainForm(ObjectForm):
    def command(self) -> Command:
        return {"type": "drain", "name": self.cleaned_data["name"]}


class ScaleForm(ObjectForm):
    replicas = forms.IntegerField(min_value=0, max_value=10_000, label=_("replicas"))

    def command(self) -> Command:
        return {"type": "scale", **self.about(), "replicas": self.cleaned_data["replicas"]}


class AdvanceForm(CommandForm):
    """Let virtual time pass."""

    seconds = forms.FloatField(min_value=0.001, max_value=86_400 * 30, label=_("seconds"))

    def command(self) -> Command:
        return {"type": "advance", "seconds": self.cleaned_data["seconds"]}


COMMAND_FORMS: Mapping[str, type[CommandForm]] = {
    "delete": DeleteForm,
    "label": LabelForm,
    "taint": TaintForm,
    "cordon": CordonForm,
    "uncordon": UncordonForm,
    "drain": DrainForm,
    "scale": ScaleForm,
    "advance": AdvanceForm,
}
"""By the name in the command's address. `apply` and `configure` take texts and have views of their own."""


class PlainTextField(forms.Field):
    """A text exactly as it was sent: whatever is wrong with it, its reader says so with a line."""

    def to_python(self, value: Any) -> str:
        return "" if value is None else str(value)


class TextForm(LabForm):
    """A text with manifests or a configuration."""

    text = PlainTextField(required=False, label=_("text"))


class NameForm(LabForm):
    """A new name, of a lab or a branch."""

    name = forms.CharField(max_length=80, required=False, label=_("name"))

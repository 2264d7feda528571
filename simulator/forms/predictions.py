"""An answer to a lab's question, and whether one wants to be asked."""

from __future__ import annotations

from typing import cast

from django import forms
from django.utils.translation import gettext_lazy as _

from simulator.enums import PredictKind, PredictMode
from simulator.forms.steps import MAX_SEQ, LabForm, PlaceField
from simulator.selectors.gates import MOST_CHOICES, Question

MAX_KEY = 512
NONE = ""
"""Chosen where one says that there is none."""


class PredictForm(LabForm):
    """`choice` are names of nodes or keys of Pods; the empty one says that there is none."""

    at = PlaceField(label=_("place"), required=False)
    kind = forms.ChoiceField(choices=PredictKind.choices, label=_("kind"))
    pod = forms.CharField(max_length=MAX_KEY, required=False, label=_("Pod"))
    attempt = forms.IntegerField(min_value=1, max_value=MAX_SEQ, label=_("attempt"))

    def clean(self) -> None:
        super().clean()
        given = self.data.getlist("choice") if hasattr(self.data, "getlist") else []
        if not given:
            raise forms.ValidationError(_("Choose something first; “none” is an answer too."))
        if len(given) > MOST_CHOICES * 4 or any(len(name) > MAX_KEY for name in given):
            raise forms.ValidationError(_("These are too many names."))
        self.cleaned_data["choice"] = given

    def question(self) -> Question:
        data = self.cleaned_or_raise()
        return PredictKind(str(data["kind"])), str(data["pod"]), cast("int", data["attempt"])

    def answer(self) -> list[str]:
        given = cast("list[str]", self.cleaned_or_raise()["choice"])
        return [name for name in given if name != NONE]


class PredictModeForm(LabForm):
    at = PlaceField(label=_("place"), required=False)
    mode = forms.ChoiceField(
        choices=[choice for choice in PredictMode.choices if choice[0] != PredictMode.REQUIRED], label=_("predictions")
    )

    def chosen(self) -> PredictMode:
        return PredictMode(str(self.cleaned_or_raise()["mode"]))

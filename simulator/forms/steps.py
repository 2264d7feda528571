"""A step of the lab, and what every form of a lab carries."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm
from simulator.enums import Direction, StepUnit
from simulator.models import Lab
from simulator.selectors.positions import Position

MAX_SEQ = 10_000_000


@dataclass(frozen=True, slots=True)
class Sent:
    """Which form this was (a token used once), and the newest command its page knew.

    `seq` is None for a form sent without a script: it takes the lab as it is.
    """

    client_token: uuid.UUID
    seq: int | None

    def expected_seq(self, lab: Lab) -> int:
        return lab.head_seq if self.seq is None else self.seq


class LabForm(CleanForm):
    seq = forms.IntegerField(min_value=0, max_value=MAX_SEQ, required=False, label=_("command number"))
    client_token = forms.UUIDField(required=False, label=_("token"))

    def sent(self) -> Sent:
        """Raises `BadInput` where something in the form is wrong."""
        data = self.cleaned_or_raise()
        token = cast("uuid.UUID | None", data["client_token"])
        return Sent(token or uuid.uuid4(), cast("int | None", data["seq"]))


class PlaceField(forms.CharField):
    """A place as addresses write it; `Position` or None."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=16, **kwargs)

    def clean(self, value: Any) -> Position | None:
        text = super().clean(value)
        if not text:
            return None
        position = Position.parse(text)
        if position is None:
            raise forms.ValidationError(_("“%(at)s” is no place in a lab."), params={"at": text})
        return position


@dataclass(frozen=True, slots=True)
class Step:
    at: Position
    direction: Direction
    unit: StepUnit


class StepForm(LabForm):
    at = PlaceField(label=_("place"), required=False)
    go = forms.ChoiceField(choices=Direction.choices, label=_("direction"))
    unit = forms.ChoiceField(choices=StepUnit.choices, required=False, label=_("unit"))

    def step(self) -> Step:
        data = self.cleaned_or_raise()
        at = cast("Position | None", data["at"])
        direction, unit = Direction(str(data["go"])), StepUnit(str(data["unit"] or StepUnit.RECORD))
        if direction == Direction.EVENT:
            direction, unit = Direction.FORWARD, StepUnit.EVENT
        return Step(at or Position(0), direction, unit)

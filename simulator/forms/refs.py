"""Forms about objects that were selected: one or many of them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from simulator.forms.steps import LabForm
from simulator.selectors.refs import Ref
from simulator.services.plans.together import Plan

MOST_REFS: Final = 2_000
_LONGEST: Final = MOST_REFS * 600


class RefsField(forms.CharField):
    """Names of objects (`Ref`), separated by white space; a tuple of `Ref`."""

    def __init__(self, *, required: bool = True) -> None:
        super().__init__(max_length=_LONGEST, required=required, label=_("selection"))

    def clean(self, value: Any) -> tuple[Ref, ...]:
        words = str(super().clean(value) or "").split()
        refs = [Ref.parse(word) for word in dict.fromkeys(words)]
        if None in refs:
            raise forms.ValidationError(_("This names no object of the lab."))
        if len(refs) > MOST_REFS:
            raise forms.ValidationError(_("At most %(limit)s objects at once."), params={"limit": MOST_REFS})
        return tuple(cast("list[Ref]", refs))


class EditForm(LabForm):
    """An edit of the cluster."""

    @abstractmethod
    def plan(self) -> Plan:
        """What is to be done; the form must be valid."""


class RefsForm(EditForm):
    """An edit of the selected objects."""

    refs = RefsField()

    def selected(self) -> tuple[Ref, ...]:
        return cast("tuple[Ref, ...]", self.cleaned_data["refs"])

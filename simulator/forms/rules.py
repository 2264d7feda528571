"""A rule as forms send it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm
from simulator.engine.cel.parser import MAX_SOURCE
from simulator.engine.user_rules.rule import NORMALIZATIONS
from simulator.forms.steps import LabForm

LONGEST = MAX_SOURCE + 1000
"""A little more than a rule may have, so that the limit is told at its place and not by the form."""


class RuleForm(CleanForm):
    """`pod` is the Pod to ask about, by its key."""

    name = forms.CharField(max_length=80, required=False, label=_("name"))
    filter = forms.CharField(max_length=LONGEST, required=False, strip=False, label="Filter")
    score = forms.CharField(max_length=LONGEST, required=False, strip=False, label="Score")
    normalize = forms.ChoiceField(
        choices=[(value, value) for value in NORMALIZATIONS], required=False, label=_("normalization")
    )
    pod = forms.CharField(max_length=320, required=False, label="Pod")

    def fields_given(self) -> dict[str, str]:
        """Everything as text; line ends as the engine counts them. Raises `BadInput`."""
        return {name: str(value).replace("\r\n", "\n") for name, value in self.cleaned_or_raise().items()}


class LabRuleForm(RuleForm, LabForm):
    """A rule in a lab. `do` is what its button does: force or remove."""

    at = forms.CharField(max_length=16, required=False)
    weight = forms.IntegerField(min_value=1, max_value=1_000_000, required=False, label=_("weight"))
    do = forms.CharField(max_length=16, required=False)

    def fields_given(self) -> dict[str, str]:
        self.cleaned_or_raise()
        left_out = ("seq", "client_token")
        texts = {name: "" if value is None else str(value) for name, value in self.cleaned_data.items()}
        return {name: text.replace("\r\n", "\n") for name, text in texts.items() if name not in left_out}

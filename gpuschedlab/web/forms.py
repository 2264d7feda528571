"""Forms as the site uses them: rendered with its own look, validated in one line, tokens included."""

from __future__ import annotations

import uuid

from django import forms
from django.forms.renderers import TemplatesSetting
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.errors import BadInput


class SiteFormRenderer(TemplatesSetting):
    """Renders every form and field with templates/forms/."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"


class CleanForm(forms.Form):
    """A form for commands: its data is good, or the request ends with a BadInput saying what is wrong."""

    def cleaned_or_raise(self) -> dict[str, object]:
        if self.is_valid():
            return dict(self.cleaned_data)
        raise BadInput(" ".join(self._sentence(name, " ".join(map(str, found))) for name, found in self.errors.items()))

    def _sentence(self, name: str, problem: str) -> str:
        return f"{self.fields[name].label or name}: {problem}" if name in self.fields else problem


class ClientTokenField(forms.UUIDField):
    """The hidden token of {% client_token %}; a fresh one for each rendered form."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(initial=uuid.uuid4, label=_("token"))

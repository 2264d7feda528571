"""Starting a quiz."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm, ClientTokenField
from lessons.assessment.review_options import Mode


class StartForm(CleanForm):
    """How the quiz is taken, and the token that makes one attempt of a double click."""

    mode = forms.TypedChoiceField(
        label=_("mode"), choices=[(Mode.PRACTICE, _("Practice")), (Mode.TEST, _("Test"))], coerce=Mode
    )
    client_token = ClientTokenField()

    if TYPE_CHECKING:

        def cleaned_or_raise(self) -> dict[str, Any]: ...

"""Forms of the teaching pages."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm, ClientTokenField
from lessons.assessment.gift.importing import MAX_LENGTH


class GiftForm(forms.Form):
    """A GIFT file, pasted or uploaded; `store` makes drafts of its questions, without it they are only looked at."""

    language = forms.ChoiceField(label=_("Language of the texts"), choices=settings.LANGUAGES)
    text = forms.CharField(
        label=_("GIFT text"),
        required=False,
        strip=False,
        max_length=MAX_LENGTH,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "class": "code-input"}),
    )
    file = forms.FileField(label=_("or a file"), required=False)
    client_token = ClientTokenField()

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        upload = data.get("file")
        if upload is not None:
            try:
                data["text"] = upload.read(MAX_LENGTH * 4 + 1).decode("utf-8-sig")
            except UnicodeDecodeError:
                self.add_error("file", _("The file is not UTF-8 text. Save it as UTF-8 and send it again."))
        if not data.get("text") and not self.errors:
            self.add_error("text", _("Paste a text, or choose a file."))
        return data


class RegradeForm(CleanForm):
    """By which revision the answers are judged; `apply` does it, without it it is a dry run."""

    revision = forms.IntegerField(label=_("revision"), min_value=1)
    apply = forms.BooleanField(label=_("for good"), required=False)

"""What the pages of authors send besides their drafts' own forms."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.materials.forms import VersionForm
from lessons.assessment.scenes import MAX_CYCLE
from lessons.manifests.boxes import POINTS, PREDICTIONS

MOST_CAPTION = 600


class TakeForm(VersionForm):
    """Questions to be taken into a part of a quiz."""

    part = forms.IntegerField(label=_("Part"), min_value=0, max_value=1000, required=False)


class SceneForm(VersionForm):
    """A scene to be put into a lesson."""

    scenario = forms.SlugField(label=_("Scenario"), max_length=100)
    step = forms.RegexField(
        label=_("The step it begins at"),
        regex=rf"^[0-9]{{1,3}}:({'|'.join(POINTS)}):[A-Za-z0-9._/-]{{1,200}}$",
        required=False,
    )
    predict = forms.ChoiceField(label=_("Predicted first"), choices=[(one, one) for one in PREDICTIONS], required=False)
    section = forms.CharField(label=_("Behind which section"), max_length=100, required=False)
    caption_zh = forms.CharField(label=_("What to look at, Chinese"), max_length=MOST_CAPTION, required=False)
    caption_en = forms.CharField(label=_("What to look at, English"), max_length=MOST_CAPTION, required=False)
    expect_zh = forms.CharField(label=_("What is to be seen then, Chinese"), max_length=MOST_CAPTION, required=False)
    expect_en = forms.CharField(label=_("What is to be seen then, English"), max_length=MOST_CAPTION, required=False)

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        for name, label in (("caption", _("What to look at")), ("expect", _("What is to be seen then"))):
            if not data.get(f"{name}_zh") and not data.get(f"{name}_en"):
                self.add_error(f"{name}_en", _("Write “%(what)s” in a language at least.") % {"what": label})
        cycle, _mark, place = str(data.get("step") or "").partition(":")
        point, _mark, pod = place.partition(":")
        if pod:
            data |= {"cycle": min(int(cycle), MAX_CYCLE), "point": point, "pod": pod}
        return data


class CheckForm(VersionForm):
    """Questions of the bank to be put into a lesson."""

    section = forms.CharField(label=_("Behind which section"), max_length=100, required=False)

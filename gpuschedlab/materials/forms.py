"""What the pages of materials send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm, ClientTokenField

if TYPE_CHECKING:
    from gpuschedlab.materials.kinds import MaterialKind

MOST_VERSION = 100_000_000


class NewForm(forms.Form):
    """A new material: what it is called, and how it begins."""

    title = forms.CharField(
        label=_("Title"), max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True})
    )
    start = forms.ChoiceField(label=_("Begin with"), widget=forms.RadioSelect)
    client_token = ClientTokenField()

    def __init__(self, kind: MaterialKind, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        starts = kind.starts()
        choice = self.fields["start"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(one.name, one.label) for one in starts]
        choice.initial = starts[0].name


class VersionForm(CleanForm):
    """A change of a draft, and the version its page was made from."""

    version = forms.IntegerField(label=_("version"), min_value=1, max_value=MOST_VERSION)

    @property
    def base(self) -> int:
        return int(str(self.cleaned_or_raise()["version"]))


class TextForm(VersionForm):
    text = forms.CharField(label=_("text"), required=False, strip=False, max_length=1_500_000)


class ListForm(VersionForm):
    """An entry of a list: added, removed, moved."""

    path = forms.CharField(label=_("list"), max_length=400)
    act = forms.ChoiceField(label=_("what"), choices=[(act, act) for act in ("add", "remove", "up", "down")])
    index = forms.IntegerField(label=_("place"), min_value=0, max_value=100_000, required=False)
    kind = forms.CharField(label=_("kind"), max_length=60, required=False)


class RestoreForm(VersionForm):
    wanted = forms.IntegerField(label=_("version"), min_value=1, max_value=MOST_VERSION)


class TokenForm(CleanForm):
    """A form that makes something once."""

    client_token = ClientTokenField()


class PublishForm(VersionForm):
    client_token = ClientTokenField()
    listed = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], required=False)


class ImportForm(forms.Form):
    """Files to bring in: single ones, or zips of many."""

    files = forms.FileField(label=_("Files"))

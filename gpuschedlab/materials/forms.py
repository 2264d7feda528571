"""What the pages of materials send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm, ClientTokenField

if TYPE_CHECKING:
    from gpuschedlab.materials.documents.changes import Act
    from gpuschedlab.materials.kinds import MaterialKind

MOST_VERSION = 100_000_000


class NewForm(forms.Form):
    """A new material: what it is called, and how it begins."""

    title = forms.CharField(
        label=_("Title"), max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True})
    )
    start = forms.ChoiceField(label=_("Starting point"), widget=forms.RadioSelect)
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

    op = forms.RegexField(label=_("what"), regex=r"^(add|remove|up|down):([0-9]{1,5}):([A-Za-z0-9_./-]{1,400})$")

    @property
    def operation(self) -> tuple[Act, int, str]:
        """What is done, with which entry, of which list."""
        act, index, name = str(self.cleaned_or_raise()["op"]).split(":", 2)
        return cast("Act", act), int(index), name

    @property
    def kind(self) -> str:
        """The kind chosen for a new entry of that list."""
        return str(self.data.get(f"kind/{self.operation[2]}", ""))[:60]


class RestoreForm(VersionForm):
    wanted = forms.IntegerField(label=_("version"), min_value=1, max_value=MOST_VERSION)


class TokenForm(CleanForm):
    """A form that makes something once."""

    client_token = ClientTokenField()


class PublishForm(VersionForm):
    client_token = ClientTokenField()
    listed = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], required=False)

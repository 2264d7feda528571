"""Where things of a lab were put."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.forms import CleanForm
from gpuschedlab.web.jsontext import read_json

MAX_PLACES = 2000  # in one request
FARTHEST = 1e6


class PlacesForm(CleanForm):
    places = forms.CharField(label=_("positions"))

    def clean_places(self) -> dict[str, tuple[float, float]]:
        """Name -> (x, y)."""
        try:
            found = read_json(self.cleaned_data["places"])
        except ValueError:
            found = None
        if not isinstance(found, dict) or len(found) > MAX_PLACES or not all(map(_is_place, found.values())):
            raise forms.ValidationError(_("These are no positions."))
        return {str(name)[:253]: (float(x), float(y)) for name, (x, y) in found.items()}

    def moved(self) -> dict[str, tuple[float, float]]:
        return self.cleaned_or_raise()["places"]  # type: ignore[return-value]  # what clean_places gives


def _is_place(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_coordinate, value))


def _is_coordinate(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FARTHEST

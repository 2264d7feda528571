"""Reference pages in the page's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml
from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from simulator.presenters.sentences.both import EN
from simulator.presenters.sentences.say import current_language
from simulator.selectors.reference import PLUGIN_HEADINGS, POINT_HEADINGS, PluginEntry, PointEntry, Sections

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from simulator.models import Scenario

LABELS: Final[Mapping[str, StrOrPromise]] = {
    "Decides": gettext_lazy("Decides"),
    "Kubernetes counterpart": gettext_lazy("Kubernetes counterpart"),
    "Simplified here": gettext_lazy("Simplified here"),
    "Reads": gettext_lazy("Reads"),
    "Writes": gettext_lazy("Writes"),
    "Wakes on": gettext_lazy("Wakes on"),
    "When": gettext_lazy("When it runs"),
    "May return": gettext_lazy("What may be returned"),
    "Then": gettext_lazy("What happens then"),
}


@dataclass(frozen=True, slots=True)
class Section:
    label: StrOrPromise
    text: str


@dataclass(frozen=True, slots=True)
class PluginView:
    name: str
    title: str
    points: tuple[str, ...]
    sections: tuple[Section, ...]
    place: str


@dataclass(frozen=True, slots=True)
class PointView:
    key: str
    go_name: str
    sections: tuple[Section, ...]
    plugins: tuple[str, ...]


def _texts(english: Sections, chinese: Sections) -> Sections:
    return english if current_language() == EN else {**english, **chinese}


def _sections(texts: Sections, headings: Iterable[str]) -> tuple[Section, ...]:
    return tuple(Section(LABELS[heading], texts[heading]) for heading in headings if texts.get(heading))


def present_plugin(entry: PluginEntry) -> PluginView:
    texts = _texts(entry.sections, entry.chinese)
    return PluginView(entry.name, texts["title"], entry.points, _sections(texts, PLUGIN_HEADINGS), _place(entry))


def _place(entry: PluginEntry) -> str:
    """Where the default profile has it."""
    if entry.gate is None:
        return _("In no default profile; enable it by name.")
    if entry.gate:
        return _("In the default profile with the feature gate %(gate)s.") % {"gate": entry.gate}
    if entry.weight is not None:
        return _("In the default profile, weight %(weight)s.") % {"weight": entry.weight}
    return _("In the default profile.")


def present_point(entry: PointEntry) -> PointView:
    texts = _texts(entry.sections, entry.chinese)
    return PointView(entry.key, entry.go_name, _sections(texts, POINT_HEADINGS), entry.plugins)


@lru_cache(maxsize=1)
def _scenarios_by_subject() -> Mapping[str, list[str]]:
    path = Path(settings.BASE_DIR) / "fixtures" / "reference" / "scenarios.yaml"
    found: Mapping[str, list[str]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def seen_in(subject: str, scenarios: Iterable[Scenario]) -> list[dict[str, Any]]:
    """Published scenarios in which a plugin or extension point can be seen at work, as links."""
    wanted = _scenarios_by_subject().get(subject, [])
    titles = {scenario.slug: scenario.current.title for scenario in scenarios if scenario.current is not None}
    return [{"slug": slug, "title": titles[slug]} for slug in wanted if slug in titles]

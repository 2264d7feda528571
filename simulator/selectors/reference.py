"""The reference of extension points and plugins: the code's own docstrings; in Chinese a file beside them."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml
from django.conf import settings
from django.http import Http404

from simulator.engine.framework.plugin import Plugin, Point
from simulator.engine.framework.profile import DEFAULT_PLUGINS, GATED_PLUGINS
from simulator.engine.framework.registry import PLUGINS

PLUGIN_HEADINGS: Final = (
    "Decides", "Kubernetes counterpart", "Simplified here", "Reads", "Writes", "Wakes on",
)  # fmt: skip
POINT_HEADINGS: Final = ("When", "May return", "Then")
Sections = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PluginEntry:
    """`sections` by heading in English, `chinese` by the same headings, with "title" for the first line of both.

    `weight` in the default profile, None where it does not score there; `gate` that enables it, "" for always, None
    where no default profile has it.
    """

    name: str
    points: tuple[str, ...]
    sections: Sections
    chinese: Sections
    weight: int | None
    gate: str | None


@dataclass(frozen=True, slots=True)
class PointEntry:
    """`plugins` are those in the registry that can run there, in the default profile's order first."""

    key: str
    go_name: str
    sections: Sections
    chinese: Sections
    plugins: tuple[str, ...]


def sections_of(text: str, headings: tuple[str, ...]) -> dict[str, str]:
    """The parts of a docstring behind its headings, each on one line and up to the end of its paragraph."""
    breaks = text.replace("\n\n", " \0 ")
    text = " ".join(breaks.split())
    found = list(re.finditer(rf"(?:^|(?<=\s))({'|'.join(headings)}): ", text))
    ends = [match.start() for match in found[1:]] + [len(text)]
    parts = {match[1]: text[match.end() : end] for match, end in zip(found, ends, strict=True)}
    return {heading: part.partition("\0")[0].strip() for heading, part in parts.items()}


def docstring_of(plugin: type[Plugin]) -> str:
    return sys.modules[plugin.__module__].__doc__ or ""


def fingerprint(text: str) -> str:
    """What tells that a docstring has changed since it was translated."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


@lru_cache(maxsize=1)
def translations() -> Mapping[str, Any]:
    path = Path(settings.BASE_DIR) / "fixtures" / "reference" / "zh-hans.yaml"
    found: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def _plugins() -> dict[str, PluginEntry]:
    weights = {plugin.name: plugin.weight for plugin in DEFAULT_PLUGINS}
    gates = dict.fromkeys(weights, "") | {plugin.name: gate for gate, plugin in GATED_PLUGINS}
    return {plugin.name: _plugin(plugin, weights, gates) for plugin in PLUGINS}


def _plugin(plugin: type[Plugin], weights: Mapping[str, int], gates: Mapping[str, str]) -> PluginEntry:
    text = docstring_of(plugin)
    title = text.split("\n")[0].partition(": ")[2]
    points = tuple(point.key for point in Point if issubclass(plugin, point.interface))
    chinese = {key: value for key, value in translations()["plugins"].get(plugin.name, {}).items() if key != "of"}
    scores = "score" in points
    weight = (weights.get(plugin.name) or 1) if scores and plugin.name in gates else None
    sections = {"title": title, **sections_of(text, PLUGIN_HEADINGS)}
    return PluginEntry(plugin.name, points, sections, chinese, weight, gates.get(plugin.name))


@lru_cache(maxsize=1)
def _points() -> dict[str, PointEntry]:
    order = {plugin.name: number for number, plugin in enumerate(DEFAULT_PLUGINS)}
    found = {}
    for point in Point:
        able = [plugin.name for plugin in PLUGINS if issubclass(plugin, point.interface)]
        text = point.interface.__doc__ or ""
        chinese = {key: value for key, value in translations()["points"].get(point.key, {}).items() if key != "of"}
        found[point.key] = PointEntry(
            point.key,
            point.go_name,
            sections_of(text, POINT_HEADINGS),
            chinese,
            tuple(sorted(able, key=lambda name: order.get(name, len(order)))),
        )
    return found


def plugin_entries() -> list[PluginEntry]:
    return list(_plugins().values())


def point_entries() -> list[PointEntry]:
    return list(_points().values())


def plugin_entry(name: str) -> PluginEntry:
    if name not in _plugins():
        raise Http404
    return _plugins()[name]


def point_entry(key: str) -> PointEntry:
    if key not in _points():
        raise Http404
    return _points()[key]

"""The list of scenarios as the page shows it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _

from simulator.enums import Level
from simulator.models import Lab, Scenario
from simulator.presenters.credits import author_of
from simulator.presenters.lab_urls import own_urls

TOPICS: dict[str, Any] = {
    "filter": _("Filter"),
    "score": _("Score"),
    "preemption": _("preemption"),
    "queue": _("queue"),
    "priority": _("priority"),
    "affinity": _("affinity"),
    "taints": _("taints"),
    "spread": _("spreading"),
    "resources": _("resources"),
    "gpu": _("GPUs"),
    "fragmentation": _("fragmentation"),
    "topology": _("topology"),
    "gang": _("gangs"),
    "controllers": _("controllers"),
    "profiles": _("profiles"),
    "extender": _("Extender"),
    "free": _("free lab"),
}
"""What the catalogue's scenarios are sorted by, in the order shown; authors may add words of their own."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a filter; `url` is the list with it chosen (or no longer, where it is)."""

    name: str
    label: Any
    count: int
    current: bool
    url: str


@dataclass(frozen=True, slots=True)
class ScenarioCard:
    slug: str
    title: str
    summary: str
    level: Level
    minutes: int | None
    topics: tuple[Any, ...]
    continue_url: str
    author: str


@dataclass(frozen=True, slots=True)
class ScenarioList:
    cards: tuple[ScenarioCard, ...]
    topics: tuple[Choice, ...]
    levels: tuple[Choice, ...]
    total: int
    filtered: bool


def present_scenarios(found: Sequence[Scenario], labs: Iterable[Lab], *, topic: str, level: str) -> ScenarioList:
    """The list with what is chosen of topics and levels; unknown ones choose nothing away."""
    newest: dict[int, Lab] = {}
    for lab in labs:
        newest.setdefault(lab.revision.scenario_id, lab)
    used = {name for scenario in found for name in _topics(scenario)}
    topics = [*(name for name in TOPICS if name in used), *sorted(used - TOPICS.keys())]
    topic = topic if topic in topics else ""
    level = level if level in Level.values else ""
    shown = [s for s in found if (not topic or topic in _topics(s)) and (not level or _level(s) == level)]
    return ScenarioList(
        tuple(_card(scenario, newest.get(scenario.pk)) for scenario in shown),
        tuple(
            Choice(
                name,
                topic_label(name),
                sum(name in _topics(s) for s in found),
                name == topic,
                _url("" if name == topic else name, level),
            )
            for name in topics
        ),
        tuple(
            Choice(
                value,
                label,
                sum(_level(s) == value for s in found),
                value == level,
                _url(topic, "" if value == level else value),
            )
            for value, label in Level.choices
        ),
        len(found),
        bool(topic or level),
    )


def topic_label(name: str) -> Any:
    return TOPICS.get(name, name)


def _url(topic: str, level: str) -> str:
    chosen = {name: value for name, value in (("topic", topic), ("level", level)) if value}
    return f"?{urlencode(chosen)}" if chosen else "?"


def _topics(scenario: Scenario) -> list[str]:
    assert scenario.current is not None
    return scenario.current.topics


def _level(scenario: Scenario) -> Level:
    assert scenario.current is not None
    return scenario.current.level


def _card(scenario: Scenario, lab: Lab | None) -> ScenarioCard:
    revision = scenario.current
    assert revision is not None
    return ScenarioCard(
        scenario.slug,
        revision.title,
        revision.summary,
        revision.level,
        revision.spec.get("minutes"),
        tuple(topic_label(name) for name in revision.topics),
        own_urls(lab).page if lab is not None else "",
        author_of(scenario),
    )

"""What apps put on the frame's pages: entries in the header, actions and sections on the home page.

An app registers in its own home.py, which is loaded at start:

    register_nav(NavEntry(_("Scenarios"), "simulator:scenario_list", order=20))
    register_home_section(HomeSection("simulator/home.html", scenarios_for_home, order=20))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django_stubs_ext import StrOrPromise

    from gpuschedlab.accounts.models import Participant


@dataclass(frozen=True, slots=True)
class NavEntry:
    """A link in the header, shown to those `visible_to` lets through (everybody without it)."""

    label: StrOrPromise
    url_name: str
    order: int
    visible_to: Callable[[Participant], bool] | None = None


@dataclass(frozen=True, slots=True)
class HomeAction:
    """A button at the top of the home page; the first by order is the main one."""

    label: StrOrPromise
    url_name: str
    order: int


@dataclass(frozen=True, slots=True)
class HomeSection:
    """A section of the home page: `template` is rendered with what `context_for` gives for a participant.

    A section without content (an empty mapping) is left out. `style` is the style sheet it needs, under static/.
    """

    template: str
    context_for: Callable[[Participant], Mapping[str, Any]]
    order: int
    style: str = ""


@dataclass(slots=True)
class _Registry:
    nav: list[NavEntry] = field(default_factory=list)
    actions: list[HomeAction] = field(default_factory=list)
    sections: list[HomeSection] = field(default_factory=list)


_registry = _Registry()


def register_nav(entry: NavEntry) -> None:
    _registry.nav = sorted([*_registry.nav, entry], key=lambda one: one.order)


def register_home_action(action: HomeAction) -> None:
    _registry.actions = sorted([*_registry.actions, action], key=lambda one: one.order)


def register_home_section(section: HomeSection) -> None:
    _registry.sections = sorted([*_registry.sections, section], key=lambda one: one.order)


def nav_entries(participant: Participant) -> list[NavEntry]:
    return [entry for entry in _registry.nav if entry.visible_to is None or entry.visible_to(participant)]


def home_actions() -> list[HomeAction]:
    return list(_registry.actions)


def home_styles() -> list[str]:
    """The style sheets of all sections, each once."""
    return list(dict.fromkeys(section.style for section in _registry.sections if section.style))


def home_sections(participant: Participant) -> list[tuple[str, Mapping[str, Any]]]:
    """(template, context) of every section that has something to show."""
    made = ((section.template, section.context_for(participant)) for section in _registry.sections)
    return [(template, context) for template, context in made if context]

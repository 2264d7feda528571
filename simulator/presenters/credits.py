"""Whose a scenario is, and what it was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from simulator.models.scenario import localized

if TYPE_CHECKING:
    from simulator.models import Scenario


def author_of(scenario: Scenario) -> str:
    """Who published it; "" for the catalogue's."""
    return str(scenario.owner) if scenario.owner is not None else ""


def credit_of(scenario: Scenario) -> str:
    """The line that names the author and, of a fork, what it goes on from; "" for the catalogue's own."""
    parts = []
    if author := author_of(scenario):
        parts.append(_("By %(author)s.") % {"author": author})
    based = scenario.based_on
    if based:
        named = {
            "title": localized(based.get("title")) or based.get("name", ""),
            "number": based.get("number", 1),
            "author": based.get("author", ""),
        }
        if named["author"]:
            parts.append(_("Made from “%(title)s” by %(author)s (revision %(number)s).") % named)
        else:
            parts.append(_("Made from “%(title)s” (revision %(number)s).") % named)
    return " ".join(parts)

"""What the places of a scenario are called where people read of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from simulator.presenters.authoring.goal_fields import FIELDS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from simulator.manifests.remarks import Path

NAMES: Final[Mapping[str, StrOrPromise]] = {
    "title": _("Title"),
    "summary": _("Short summary"),
    "text": _("Task"),
    "level": _("Level"),
    "topics": _("Topics"),
    "minutes": _("Minutes"),
    "goals": _("Goal"),
    "hints": _("Hint"),
    "allowedCommands": _("Allowed commands"),
    "predictions": _("Predictions"),
    "gates": _("Gate"),
    "predict": _("What is predicted"),
    "profiles": _("Profile"),
    "rules": _("Driving rules"),
    "solution": _("Solution"),
    "en": _("English"),
    "zh-hans": _("Chinese"),
    "objects": _("Objects"),
}
ADDRESS: Final = _("Name in the address")


def place_name(path: Path) -> str:
    """A path of the document as people call it: `("spec", "goals", 0, "node")` is "Goal 1 › Node"."""
    if path == ("metadata", "name"):
        return str(ADDRESS)
    words: list[str] = []
    for step in path[1:] if path[:1] == ("spec",) else path:
        if isinstance(step, int):
            words[-1:] = [f"{words[-1]} {step + 1}" if words else str(step + 1)]
        else:
            words.append(str(NAMES.get(step) or FIELDS.get(step) or step))
    return " › ".join(words)

"""What the places of a question's, quiz's or lesson's document are called where people read of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from gpuschedlab.materials.documents.paths import Path

NAMES: Final[Mapping[str, StrOrPromise]] = {
    "id": _("Name in the address"),
    "title": _("Title"),
    "stem": _("Question"),
    "text": _("Text"),
    "explanation": _("Explanation"),
    "hints": _("Hint"),
    "level": _("Level"),
    "topics": _("Topics"),
    "facts": _("Facts of the chapter"),
    "variables": _("Variables"),
    "scene": _("Step of a scenario"),
    "scenario": _("Scenario"),
    "options": _("Option"),
    "correct": _("right"),
    "feedback": _("Feedback"),
    "answers": _("Number"),
    "numbers": _("Number"),
    "value": _("Number"),
    "units": _("Unit"),
    "symbol": _("Symbol"),
    "items": _("Item"),
    "order": _("Chain"),
    "pairs": _("Pair"),
    "left": _("Left"),
    "right": _("Right"),
    "distractors": _("Distractor"),
    "blanks": _("Blank"),
    "accept": _("Word"),
    "rubric": _("Criterion"),
    "points": _("Points"),
    "answer": _("A model answer"),
    "categories": _("Category"),
    "category": _("Belongs to"),
    "graph": _("Figure"),
    "nodes": _("Box"),
    "edges": _("Connection"),
    "ends": _("Between"),
    "labels": _("Label of the figure"),
    "label": _("Right label"),
    "places": _("Place"),
    "goals": _("Goal"),
    "goal": _("Goal"),
    "columns": _("Columns"),
    "open": _("Open form"),
    "prompt": _("What is asked"),
    "description": _("Description"),
    "settings": _("Settings"),
    "sections": _("Part"),
    "questions": _("Question"),
    "pool": _("Pool"),
    "pick": _("How many are drawn"),
    "marks": _("Marks for each"),
    "review": _("Review options"),
    "attempts": _("Attempts"),
    "late": _("What is handed in late"),
    "summary": _("Summary"),
    "minutes": _("Minutes"),
    "prerequisites": _("Lessons to read first"),
    "sources": _("Source"),
    "en": _("English"),
    "zh-hans": _("Chinese"),
}


def place_name(path: Path) -> str:
    """A path of the document as people call it: `("options", 0, "text")` is "Option 1 › Text"."""
    words: list[str] = []
    for step in path:
        if isinstance(step, int):
            words[-1:] = [f"{words[-1]} {step + 1}" if words else str(step + 1)]
        else:
            words.append(str(NAMES.get(step, step)))
    return " › ".join(words)

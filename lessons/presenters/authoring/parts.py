"""The questions in a quiz's document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Any

from lessons.selectors.question_drafts import names_of


def with_questions(document: Mapping[str, Any], names: Sequence[str], section: int = -1) -> dict[str, Any]:
    """The quiz's document with questions added to a part (the last one that names questions; a new one where there
    is none). Those that are there already stay where they are."""
    sections = [dict(one) for one in document.get("sections") or () if isinstance(one, Mapping)]
    if not 0 <= section < len(sections):
        section = next((i for i in reversed(range(len(sections))) if "pool" not in sections[i]), len(sections))
    if section == len(sections):
        taken = {one.get("id") for one in sections}
        free = next(letter for letter in ascii_lowercase if letter not in taken)
        sections.append({"id": free, "questions": []})
    there = set(names_of(document))
    listed = [*(sections[section].get("questions") or ()), *(name for name in names if name not in there)]
    sections[section]["questions"] = listed
    return {**document, "sections": sections}

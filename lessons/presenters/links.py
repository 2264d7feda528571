"""Where links of lessons lead: `lesson:topology#numa`, `term:gang`, `lab:gang-deadlock`, `quiz:selftest`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import NoReverseMatch, reverse

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROUTES: Final[Mapping[str, str]] = {
    "lesson": "lessons:lesson_detail",
    "quiz": "lessons:quiz_detail",
    "lab": "simulator:scenario",
}


def address_of(reference: str) -> str:
    """The address of a reference; `#place` stays within the page. What leads nowhere becomes the glossary's top."""
    if reference.startswith("#"):
        return reference
    kind, _, rest = reference.partition(":")
    slug, mark, place = rest.partition("#")
    if kind == "term":
        return f"{reverse('lessons:glossary')}#{slug}"
    try:
        return reverse(_ROUTES[kind], args=[slug]) + mark + place
    except (KeyError, NoReverseMatch):
        return "#"

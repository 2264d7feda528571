"""The page's language as lessons name it, and titles in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language

from lessons.assessment.localized import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lessons.models import LessonRevision


def page_language() -> str:
    """`zh-hans` or `en`."""
    return LANGUAGES[0] if (get_language() or "").startswith("zh") else LANGUAGES[1]


def front_of(revision: LessonRevision) -> Mapping[str, Any]:
    """A lesson's front matter in the page's language."""
    front: Mapping[str, Any] = revision.front[page_language()]
    return front


def localized(texts: Mapping[str, str] | str | None) -> str:
    """A text that is written in both languages, or needs no translation, in the page's language."""
    if not texts:
        return ""
    if isinstance(texts, str):
        return texts
    return texts.get(page_language()) or next(iter(texts.values()))

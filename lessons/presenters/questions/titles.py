"""How a question is called in lists and headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from lessons.presenters.languages import page_language

if TYPE_CHECKING:
    from lessons.assessment.question import Question as QuestionText

LONGEST: Final = 60
_MARKUP: Final = re.compile(r"[`*_]")
_DRAWN: Final = re.compile(r"\{\{.*?\}\}")


def question_title(text: QuestionText) -> str:
    """Its title, its number among the twelve, or the beginning of its stem."""
    language = page_language()
    if text.title is not None:
        return text.title.in_language(language)
    if text.selftest is not None and text.id.startswith("selftest-"):
        return _("Question %(number)s of the twelve") % {"number": text.selftest}
    return stem_beginning(text)


def stem_beginning(text: QuestionText) -> str:
    """The stem's first words, without markup; … where each variant has its own number, or a blank."""
    words = _MARKUP.sub("", _DRAWN.sub("…", text.stem.in_language(page_language()))).split("\n")[0].strip()
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()}…"

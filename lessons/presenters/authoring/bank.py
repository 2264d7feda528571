"""The bank as an author of a quiz looks through it, and the questions that a quiz has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from lessons.presenters.authoring.question_fields import TYPES
from lessons.presenters.languages import localized
from lessons.presenters.questions.titles import question_title, stem_beginning
from lessons.selectors.texts import question_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from gpuschedlab.materials.models import Draft
    from lessons.assessment.question import Question as QuestionText
    from lessons.models import Question

NEW, PUBLISHED, LOST = "draft", "published", "lost"


@dataclass(frozen=True, slots=True)
class BankLine:
    """A question one may take."""

    slug: str
    title: str
    stem: str
    type: StrOrPromise
    level: str
    topics: tuple[str, ...]
    url: str
    is_mine: bool
    is_there: bool


@dataclass(frozen=True, slots=True)
class BankFilter:
    """What of the bank is shown."""

    query: str = ""
    type: str = ""
    level: str = ""
    mine: bool = False

    def holds(self, line: BankLine, text: QuestionText) -> bool:
        words = f"{line.slug} {line.title} {line.stem} {' '.join(line.topics)}".casefold()
        return (
            all(word in words for word in self.query.casefold().split())
            and (not self.type or text.type == self.type)
            and (not self.level or text.level == self.level)
            and (line.is_mine or not self.mine)
        )


def present_bank(
    questions: Mapping[str, Question], owner_id: Any, there: Sequence[str], wanted: BankFilter
) -> list[BankLine]:
    """The questions that the filter holds, the author's own first."""
    found = []
    for slug, question in questions.items():
        if question.current is None:
            continue
        text = question_text(question.current)
        line = _line(slug, text, question, owner_id, slug in there)
        if wanted.holds(line, text):
            found.append(line)
    return sorted(found, key=lambda line: (not line.is_mine, line.title))


def _line(slug: str, text: QuestionText, question: Question, owner_id: Any, is_there: bool) -> BankLine:
    return BankLine(
        slug,
        question_title(text),
        stem_beginning(text),
        type_name(text.type),
        text.level,
        text.topics,
        reverse("lessons:question_detail", args=[slug]),
        question.owner_id == owner_id,
        is_there,
    )


def type_name(name: str) -> StrOrPromise:
    return TYPES[name][0] if name in TYPES else name


@dataclass(frozen=True, slots=True)
class PartLine:
    """A question that the quiz names: where one goes on with it, and how it stands."""

    name: str
    title: str
    type: StrOrPromise
    url: str
    state: str
    state_label: StrOrPromise


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the quiz. `pool` says that it draws instead of naming."""

    title: str
    lines: tuple[PartLine, ...]
    is_pool: bool
    pick: Any
    marks: Any


STATES: Mapping[str, StrOrPromise] = {NEW: _("draft"), PUBLISHED: _("published"), LOST: _("not in the bank")}


def present_parts(
    document: Mapping[str, Any], questions: Mapping[str, Question], drafts: Mapping[str, Draft]
) -> list[Part]:
    """The quiz's parts with the titles of their questions."""
    sections = document.get("sections")
    return [
        _part(one, questions, drafts)
        for one in (sections if isinstance(sections, list) else ())
        if isinstance(one, Mapping)
    ]


def _part(section: Mapping[str, Any], questions: Mapping[str, Question], drafts: Mapping[str, Draft]) -> Part:
    named = section.get("questions")
    names = [name for name in (named if isinstance(named, list) else ()) if isinstance(name, str) and name]
    title = section.get("title")
    return Part(
        localized(title) if isinstance(title, Mapping | str) else "",
        tuple(_part_line(name, questions.get(name), drafts.get(name)) for name in names),
        "pool" in section,
        section.get("pick"),
        section.get("marks") or 1,
    )


def _part_line(name: str, question: Question | None, draft: Draft | None) -> PartLine:
    text = question_text(question.current) if question is not None and question.current is not None else None
    if draft is not None:
        url, title = reverse("materials:form", args=[draft.pk]), draft.title
    elif text is not None:
        url, title = reverse("lessons:question_detail", args=[name]), question_title(text)
    else:
        url, title = "", name
    state = PUBLISHED if text is not None else (NEW if draft is not None else LOST)
    return PartLine(name, title, type_name(text.type) if text is not None else "", url, state, STATES[state])

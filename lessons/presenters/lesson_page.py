"""A lesson's page: its text with live parts in place, what comes before and after, and the terms it explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.safestring import SafeString

from lessons.presenters.glossary import TermView, present_terms
from lessons.presenters.languages import front_of
from lessons.presenters.links import address_of

if TYPE_CHECKING:
    from lessons.models import Lesson, Term
    from lessons.presenters.lesson_text import PieceView, SectionView, TextView
    from lessons.presenters.questions.views import QuestionView


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a section with all its template needs."""

    kind: str
    html: SafeString = field(default_factory=SafeString)
    data: Mapping[str, Any] = field(default_factory=dict)
    questions: tuple[QuestionView, ...] = ()
    templates: tuple[str, ...] = ()
    lab: str = ""


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A section of the page."""

    id: str
    heading: SafeString
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class LessonView:
    """The page. `before` and `after` are (slug, section, title) of the neighbours in the course, or None."""

    slug: str
    front: Mapping[str, Any]
    sections: tuple[SectionPart, ...]
    terms: tuple[TermView, ...]
    before: tuple[str, str, str] | None
    after: tuple[str, str, str] | None
    needs: tuple[tuple[str, str], ...]

    @property
    def contents(self) -> list[SectionPart]:
        return [section for section in self.sections if section.id]


def present_lesson(
    lesson: Lesson,
    lessons: Sequence[Lesson],
    text: TextView,
    terms: Sequence[Term],
    checks: Mapping[str, QuestionView],
) -> LessonView:
    """The page of a lesson. `checks`: its questions that can be asked, by slug."""
    assert lesson.current is not None
    front = front_of(lesson.current)
    titles = {one.slug: (one.slug, *_called(one)) for one in lessons}
    order = list(titles)
    place = order.index(lesson.slug) if lesson.slug in titles else 0
    used = [term for term in terms if term.slug in set(text.terms)]
    return LessonView(
        slug=lesson.slug,
        front=front,
        sections=tuple(_section(section, checks) for section in text.sections),
        terms=tuple(present_terms(used)),
        before=titles[order[place - 1]] if place > 0 else None,
        after=titles[order[place + 1]] if place + 1 < len(order) else None,
        needs=tuple((slug, titles[slug][2]) for slug in front["prerequisites"] if slug in titles),
    )


def _called(lesson: Lesson) -> tuple[str, str]:
    assert lesson.current is not None
    front = front_of(lesson.current)
    return front["section"], front["title"]


def _section(section: SectionView, checks: Mapping[str, QuestionView]) -> SectionPart:
    parts = tuple(_part(piece, checks) for piece in section.pieces)
    return SectionPart(section.id, section.heading, section.title, parts)


def _part(piece: PieceView, checks: Mapping[str, QuestionView]) -> Part:
    data = piece.data
    if piece.kind == "check":
        return Part("check", questions=tuple(checks[name] for name in data["questions"] if name in checks))
    if piece.kind == "scene":
        question = checks.get(data["question"] or "")
        lab = address_of(f"lab:{data['scenario']}")
        return Part("scene", data=data, questions=(question,) if question else (), lab=lab)
    if piece.kind == "figure":
        names = (f"lessons/figures/{data['name']}.html", "lessons/figures/_missing.html")
        return Part("figure", data=data, templates=names)
    return Part(piece.kind, html=piece.html)

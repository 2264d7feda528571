"""Reads of lessons, the glossary, and how far somebody is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404

from lessons.models import Lesson, LessonState, QuestionState, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant

NEW, STARTED, DONE = "new", "started", "done"


def lesson_list() -> list[Lesson]:
    """The course in order, without the long texts."""
    return list(_published().filter(from_catalogue=True).defer("current__texts"))


def lesson_more_list() -> list[Lesson]:
    """Instructors' lessons that everybody finds, without the long texts."""
    return list(_published().filter(from_catalogue=False, listed=True).defer("current__texts"))


def lesson_get(slug: str) -> Lesson:
    found = _published().filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _published() -> QuerySet[Lesson]:
    return Lesson.objects.filter(current__isnull=False).select_related("current")


def readers_of(lesson: Lesson) -> tuple[int, int]:
    """How many began a lesson, and how many have seen every section of it."""
    states = list(LessonState.objects.filter(lesson=lesson).values_list("sections", flat=True))
    wanted = set(lesson.current.outline["sections"]) if lesson.current is not None else set()
    return len(states), sum(wanted <= set(seen) for seen in states)


def term_list() -> list[Term]:
    return list(Term.objects.all())


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """What of a lesson is done. `place` is the section to go on with."""

    sections: frozenset[str]
    scenes: frozenset[str]
    checks: frozenset[str]
    outline: dict[str, list[str]]
    place: str = ""
    visited_at: datetime | None = None

    @property
    def total(self) -> int:
        return sum(len(entries) for entries in self.outline.values())

    @property
    def done(self) -> int:
        kinds = (("sections", self.sections), ("scenes", self.scenes), ("checks", self.checks))
        return sum(name in found for kind, found in kinds for name in self.outline[kind])

    @property
    def percent(self) -> int:
        return self.done * 100 // self.total if self.total else 0

    @property
    def state(self) -> str:
        if self.total and self.done == self.total:
            return DONE
        return STARTED if self.done or self.visited_at else NEW


def progress_of(*, viewer: Participant, lessons: Sequence[Lesson]) -> dict[int, LessonProgress]:
    """How far the viewer is in each lesson, by its primary key."""
    states: dict[int, LessonState] = {}
    answered: frozenset[str] = frozenset()
    if not viewer.is_new:
        mine = LessonState.objects.filter(participant_id=viewer.pk, lesson__in=lessons)
        states = {state.lesson_id: state for state in mine}
        answered = _answered(viewer, (name for lesson in lessons for name in _outline(lesson)["checks"]))
    return {lesson.pk: _progress(lesson, states.get(lesson.pk), answered) for lesson in lessons}


def _answered(viewer: Participant, slugs: Iterable[str]) -> frozenset[str]:
    wanted = list(dict.fromkeys(slugs))
    found = QuestionState.objects.filter(participant_id=viewer.pk, question__slug__in=wanted)
    return frozenset(found.values_list("question__slug", flat=True))


def _outline(lesson: Lesson) -> dict[str, list[str]]:
    assert lesson.current is not None
    outline: dict[str, list[str]] = lesson.current.outline
    return outline


def _progress(lesson: Lesson, state: LessonState | None, answered: frozenset[str]) -> LessonProgress:
    outline = _outline(lesson)
    if state is None:
        return LessonProgress(frozenset(), frozenset(), answered, outline)
    return LessonProgress(
        frozenset(state.sections), frozenset(state.scenes), answered, outline, state.place, state.visited_at
    )

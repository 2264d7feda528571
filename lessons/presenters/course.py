"""The course as a map: lessons in order, each with its state, and the one to go on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse

from lessons.presenters.languages import front_of
from lessons.selectors.lessons import DONE, NEW, STARTED, LessonProgress

if TYPE_CHECKING:
    from lessons.models import Lesson


@dataclass(frozen=True, slots=True)
class LessonCard:
    """A lesson on the map."""

    slug: str
    section: str
    title: str
    goal: str
    summary: str
    minutes: int
    needs: tuple[tuple[str, str], ...]
    progress: LessonProgress

    @property
    def address(self) -> str:
        return reverse("lessons:lesson_detail", args=[self.slug])


@dataclass(frozen=True, slots=True)
class CourseView:
    """`next`: the lesson to begin or go on with, None when all are done; `next_address` leads to the place in it."""

    lessons: tuple[LessonCard, ...]
    next: LessonCard | None
    next_address: str
    done: int

    @property
    def is_started(self) -> bool:
        return any(lesson.progress.state != NEW for lesson in self.lessons)

    @property
    def minutes(self) -> int:
        return sum(lesson.minutes for lesson in self.lessons)


def present_course(lessons: Sequence[Lesson], progress: Mapping[int, LessonProgress]) -> CourseView:
    titles = {lesson.slug: _front(lesson)["title"] for lesson in lessons}
    cards = tuple(_card(lesson, progress[lesson.pk], titles) for lesson in lessons)
    following = _next(cards)
    address = following.address if following else ""
    if following and following.progress.place:
        address = f"{address}#{following.progress.place}"
    return CourseView(cards, following, address, sum(card.progress.state == DONE for card in cards))


def _next(cards: Sequence[LessonCard]) -> LessonCard | None:
    """The lesson visited last that is not done, else the first that is not begun."""
    begun = [card for card in cards if card.progress.state == STARTED and card.progress.visited_at]
    if begun:
        return max(begun, key=lambda card: card.progress.visited_at.timestamp() if card.progress.visited_at else 0)
    return next((card for card in cards if card.progress.state != DONE), None)


def _front(lesson: Lesson) -> Mapping[str, Any]:
    assert lesson.current is not None
    return front_of(lesson.current)


def _card(lesson: Lesson, progress: LessonProgress, titles: Mapping[str, str]) -> LessonCard:
    front = _front(lesson)
    needs = tuple((slug, titles[slug]) for slug in front["prerequisites"] if slug in titles)
    return LessonCard(
        lesson.slug,
        front["section"],
        front["title"],
        front["goal"],
        front["summary"],
        front["minutes"],
        needs,
        progress,
    )

"""Quizzes and attempts as their pages show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from lessons.assessment.review_options import Aspect, Mode
from lessons.presenters.languages import page_language
from lessons.presenters.questions.titles import stem_beginning
from lessons.selectors.asked import asked_of, shown_of
from lessons.selectors.attempts import Score, score_of
from lessons.selectors.texts import quiz_text

if TYPE_CHECKING:
    from datetime import datetime

    from django_stubs_ext import StrOrPromise

    from lessons.assessment.quizzes import QuizSettings
    from lessons.models import Attempt, Quiz, Slot

MODES: Final[Mapping[str, StrOrPromise]] = {
    Mode.PRACTICE: gettext_lazy("Practice"),
    Mode.TEST: gettext_lazy("Test"),
    Mode.REVIEW: gettext_lazy("Review"),
}
LATE: Final[Mapping[str, StrOrPromise]] = {
    "reject": gettext_lazy("After that nothing more is taken; what was saved counts."),
    "accept": gettext_lazy("What is handed in later is taken in full."),
    "penalty": gettext_lazy("What is handed in later loses part of the mark for each hour."),
}
COUNTS: Final[Mapping[str, StrOrPromise]] = {
    "best": gettext_lazy("The best attempt counts."),
    "last": gettext_lazy("The last attempt counts."),
    "first": gettext_lazy("The first attempt counts."),
    "mean": gettext_lazy("The mean of all attempts counts."),
}
STATES: Final[Mapping[str, tuple[str, StrOrPromise]]] = {
    "right": ("✓", gettext_lazy("right")),
    "partial": ("◐", gettext_lazy("partly right")),
    "wrong": ("✕", gettext_lazy("not right")),
    "unmarked": ("✎", gettext_lazy("give it points")),
    "unanswered": ("–", gettext_lazy("not answered")),
    "saved": ("●", gettext_lazy("saved")),
    "in": ("●", gettext_lazy("answered")),
    "open": ("○", gettext_lazy("open")),
}


@dataclass(frozen=True, slots=True)
class SlotView:
    """A question in the overview of an attempt."""

    number: int
    title: str
    state: str
    icon: str
    words: StrOrPromise
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class AttemptView:
    """An attempt: where it stands, and its score once that may be shown."""

    attempt: Attempt
    title: str
    quiz_slug: str
    mode: StrOrPromise
    slots: tuple[SlotView, ...]
    score: Score | None
    passed: bool | None
    first_open: str
    done: int

    @property
    def is_test(self) -> bool:
        return self.attempt.mode == Mode.TEST

    @property
    def is_finished(self) -> bool:
        return self.attempt.finished_at is not None

    @property
    def due_at(self) -> datetime | None:
        return self.attempt.due_at

    @property
    def is_late(self) -> bool:
        return self.attempt.late_factor != 1


def present_attempt(attempt: Attempt, *, current: int = 0) -> AttemptView:
    """An attempt that was fetched with its slots."""
    assert attempt.quiz is not None
    text, slots = quiz_text(attempt.quiz), list(attempt.slots.all())
    views = tuple(_slot(attempt, slot, current) for slot in slots)
    shown = shown_of(attempt, answered=False)
    score = score_of(attempt) if Aspect.MARKS in shown or attempt.mode == Mode.PRACTICE else None
    first = next((view.address for view in views if view.state == "open"), views[0].address if views else "")
    return AttemptView(
        attempt=attempt,
        title=text.title.in_language(page_language()),
        quiz_slug=attempt.quiz.quiz.slug,
        mode=MODES[attempt.mode],
        slots=views,
        score=score,
        passed=_passed(text.settings, score, attempt),
        first_open=first,
        done=sum(view.state != "open" for view in views),
    )


def _passed(settings: QuizSettings, score: Score | None, attempt: Attempt) -> bool | None:
    if settings.pass_percent is None or score is None or attempt.finished_at is None or score.unmarked:
        return None
    return score.share * 100 >= settings.pass_percent


def _slot(attempt: Attempt, slot: Slot, current: int) -> SlotView:
    asked = asked_of(attempt, slot)
    state = slot_state(attempt, slot)
    icon, words = STATES[state]
    address = reverse("lessons:attempt_question", args=[attempt.pk, slot.number])
    return SlotView(slot.number, stem_beginning(asked.text), state, icon, words, address, slot.number == current)


def slot_state(attempt: Attempt, slot: Slot) -> str:
    """One of STATES: what of a question may be told in a list."""
    asked = asked_of(attempt, slot)
    if asked.is_open:
        return "saved" if slot.draft else "open"
    if Aspect.CORRECTNESS not in asked.shown:
        return "in" if asked.answer is not None else "unanswered"
    return str(asked.grading.state) if asked.grading is not None else "unanswered"


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """An attempt in the list of a quiz's page."""

    attempt: Attempt
    mode: StrOrPromise
    score: Score | None


@dataclass(frozen=True, slots=True)
class QuizView:
    """A quiz: what it is, its rules in words, and one's attempts."""

    slug: str
    title: str
    description: str
    rules: tuple[str, ...]
    modes: tuple[tuple[str, StrOrPromise, StrOrPromise], ...]
    certainty: bool
    open: Attempt | None
    attempts: tuple[AttemptLine, ...]


_MODES_TOLD: Final[Mapping[Mode, StrOrPromise]] = {
    Mode.PRACTICE: gettext_lazy("You see what is right after each question."),
    Mode.TEST: gettext_lazy("You see what is right when you have handed in everything."),
}


def present_quiz(quiz: Quiz, attempts: Sequence[Attempt]) -> QuizView:
    """A quiz with one's attempts, which were fetched with their slots."""
    assert quiz.current is not None
    text = quiz_text(quiz.current)
    language = page_language()
    modes = (Mode.TEST,) if text.settings.mode is Mode.TEST else (Mode.PRACTICE, Mode.TEST)
    return QuizView(
        slug=quiz.slug,
        title=text.title.in_language(language),
        description=text.description.in_language(language) if text.description else "",
        rules=tuple(_rules(text.settings)),
        modes=tuple((mode.value, MODES[mode], _MODES_TOLD[mode]) for mode in modes),
        certainty=text.settings.certainty,
        open=next((attempt for attempt in attempts if attempt.finished_at is None), None),
        attempts=tuple(present_attempt_line(attempt) for attempt in attempts if attempt.finished_at is not None),
    )


def present_attempt_line(attempt: Attempt) -> AttemptLine:
    """An attempt that was fetched with its slots, in a list."""
    shown = Aspect.MARKS in shown_of(attempt, answered=True)
    return AttemptLine(attempt, MODES[attempt.mode], score_of(attempt) if shown else None)


def _rules(settings: QuizSettings) -> list[str]:
    rules, told = settings.attempts, []
    if rules.allowed is not None:
        told.append(
            ngettext("%(n)s attempt is allowed.", "%(n)s attempts are allowed.", rules.allowed) % {"n": rules.allowed}
        )
    if rules.time_limit is not None:
        minutes = round(rules.time_limit.total_seconds() / 60)
        told.append(ngettext("The time is %(n)s minute.", "The time is %(n)s minutes.", minutes) % {"n": minutes})
        told.append(str(LATE[rules.late.kind]))
    if rules.allowed is None or rules.allowed > 1:
        told.append(str(COUNTS[rules.counts]))
    if settings.pass_percent is not None:
        told.append(_("%(n)s%% of the marks pass.") % {"n": settings.pass_percent})
    return told


@dataclass(frozen=True, slots=True)
class QuizCard:
    """A quiz in the list: how many of its questions one has answered, and how many right."""

    slug: str
    title: str
    description: str
    questions: int
    answered: int
    right: int


def present_quiz_card(quiz: Quiz, slugs: Sequence[str], best: Mapping[str, float]) -> QuizCard:
    """`slugs`: the quiz's questions that can be asked; `best`: one's best score by question."""
    assert quiz.current is not None
    text, language = quiz_text(quiz.current), page_language()
    given = [best[slug] for slug in slugs if slug in best]
    return QuizCard(
        quiz.slug,
        text.title.in_language(language),
        text.description.in_language(language) if text.description else "",
        len(slugs),
        len(given),
        sum(score == 1 for score in given),
    )

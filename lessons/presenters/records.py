"""One's own record as its page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from lessons.presenters.languages import page_language
from lessons.presenters.questions.titles import question_title
from lessons.presenters.quizzes import AttemptLine, present_attempt_line
from lessons.selectors.texts import question_text, quiz_text

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.models import Attempt, QuestionState


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """A question one has answered: the last score in percent, and when it is due again."""

    title: str
    address: str
    percent: int
    answered: int
    due_at: datetime


@dataclass(frozen=True, slots=True)
class RecordView:
    """`attempts`: (title of the quiz, line)."""

    questions: tuple[QuestionLine, ...]
    attempts: tuple[tuple[str, AttemptLine], ...]
    right: int

    @property
    def answered(self) -> int:
        return len(self.questions)


def present_record(states: Sequence[QuestionState], attempts: Sequence[Attempt]) -> RecordView:
    lines = tuple(_line(state) for state in states if state.question.current is not None)
    return RecordView(
        lines,
        tuple((_title(attempt), present_attempt_line(attempt)) for attempt in attempts),
        sum(line.percent == 100 for line in lines),
    )


def _line(state: QuestionState) -> QuestionLine:
    assert state.question.current is not None
    return QuestionLine(
        question_title(question_text(state.question.current)),
        reverse("lessons:question_detail", args=[state.question.slug]),
        round(state.last_score * 100),
        state.answered,
        state.due_at,
    )


def _title(attempt: Attempt) -> str:
    assert attempt.quiz is not None
    return quiz_text(attempt.quiz).title.in_language(page_language())

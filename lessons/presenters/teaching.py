"""Figures of questions, and reports of imports, as instructors see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from lessons.presenters.problems import problem_sentence
from lessons.presenters.questions.titles import question_title
from lessons.selectors.texts import question_text

if TYPE_CHECKING:
    from lessons.assessment.gift.notes import Note
    from lessons.assessment.item_statistics import ItemStatistics
    from lessons.models import Question
    from lessons.selectors.statistics import QuestionFigures

HARD, EASY, FLAT = 0.3, 0.95, 0.1
ENOUGH = 10
"""Fewer answers say nothing about a question."""


@dataclass(frozen=True, slots=True)
class FigureLine:
    """A question in the list."""

    slug: str
    title: str
    type: str
    learners: int
    percent: int | None


def present_figures(figures: Sequence[QuestionFigures]) -> list[FigureLine]:
    return [_line(one) for one in figures]


def _line(one: QuestionFigures) -> FigureLine:
    assert one.question.current is not None
    text = question_text(one.question.current)
    percent = None if one.facility is None else round(one.facility * 100)
    return FigureLine(one.question.slug, question_title(text), text.type, one.learners, percent)


@dataclass(frozen=True, slots=True)
class QuestionFiguresView:
    """All figures of a question. `choices`: row of the table -> what was chosen, in words where the question has them.

    advice  what the figures suggest, as sentences
    """

    slug: str
    title: str
    stem: str
    statistics: ItemStatistics
    choices: tuple[tuple[str, Any], ...]
    advice: tuple[str, ...]


def present_question_figures(question: Question, statistics: ItemStatistics) -> QuestionFiguresView:
    assert question.current is not None
    text = question_text(question.current)
    names = _names(question.current.source)
    rows = tuple((names.get(row.choice, row.choice) or _("(left blank)"), row) for row in statistics.choices)
    return QuestionFiguresView(
        question.slug, question_title(text), text.stem.in_language(""), statistics, rows, tuple(_advice(statistics))
    )


def _names(source: Mapping[str, Any]) -> dict[str, str]:
    """Option id -> its text, for the types that have options."""
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    found: dict[str, str] = {}
    for option, letter in zip(source.get("options") or (), letters, strict=False):
        text = option["text"]
        found[option.get("id", letter)] = text if isinstance(text, str) else next(iter(text.values()))
    return found


def _advice(statistics: ItemStatistics) -> Iterable[str]:
    if statistics.count < ENOUGH:
        yield _("Fewer than %(n)s answers: the figures do not say much yet.") % {"n": ENOUGH}
        return
    if statistics.facility is not None and statistics.facility < HARD:
        yield _("Very hard: few are right. Look at the choices; perhaps the key is wrong, or the lesson leaves it out.")
    if statistics.facility is not None and statistics.facility > EASY:
        yield _("Nearly everybody is right. As a check that is fine; in a test it tells nobody apart.")
    if statistics.discrimination is not None and statistics.discrimination < FLAT:
        yield _("It does not tell those who know from those who do not. Read its words again.")


@dataclass(frozen=True, slots=True)
class NoteView:
    """An entry of a GIFT report."""

    effect: str
    line: int
    question: str
    text: str


def present_notes(notes: Iterable[Note]) -> list[NoteView]:
    effects = {"skipped": _("left out"), "dropped": _("dropped"), "changed": _("changed")}
    return [
        NoteView(
            effects[note.effect], note.line, note.question, problem_sentence(note.problem.code, note.problem.params)
        )
        for note in notes
    ]

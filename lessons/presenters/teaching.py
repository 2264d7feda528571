"""Figures of questions, and reports of imports, as instructors see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from lessons.assessment.item_statistics import UNANSWERED, choices_of
from lessons.presenters.languages import localized, page_language
from lessons.presenters.problems import problem_sentence
from lessons.presenters.questions.titles import question_title
from lessons.selectors.texts import question_text, quiz_text

if TYPE_CHECKING:
    from datetime import datetime

    from lessons.assessment.gift.notes import Note
    from lessons.assessment.item_statistics import ChoiceRow, ItemStatistics
    from lessons.assessment.marking import Regrade
    from lessons.assessment.question import Question as QuestionText
    from lessons.models import Answer, Question, Slot
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
class ChoiceLine:
    """A row of the table of choices, in words where the question has them. `is_key`: None where that is not known."""

    words: str
    row: ChoiceRow
    is_key: bool | None

    @property
    def percent(self) -> int:
        return round(100 * self.row.share)


@dataclass(frozen=True, slots=True)
class QuestionFiguresView:
    """All figures of a question.

    advice  what the figures suggest, as sentences
    """

    slug: str
    title: str
    stem: str
    statistics: ItemStatistics
    choices: tuple[ChoiceLine, ...]
    advice: tuple[str, ...]


def present_question_figures(question: Question, statistics: ItemStatistics) -> QuestionFiguresView:
    revision = question.current or question.revisions.latest("number")
    text = question_text(revision)
    names, right = _names(revision.source), _right(text)
    rows = tuple(
        ChoiceLine(names.get(row.choice, row.choice) or _("(left blank)"), row, row.choice in right if right else None)
        for row in statistics.choices
    )
    stem = text.stem.in_language(page_language())
    return QuestionFiguresView(question.slug, question_title(text), stem, statistics, rows, tuple(_advice(statistics)))


def _names(source: Mapping[str, Any]) -> dict[str, str]:
    """Option id -> its text, for the types that have options."""
    found: dict[str, str] = {}
    for option, letter in zip(source.get("options") or (), ascii_lowercase, strict=False):
        found[option.get("id", letter)] = localized(option["text"])
    for item in source.get("items") or ():
        if isinstance(item, Mapping) and "id" in item:
            found[item["id"]] = localized(item.get("text"))
    return found


def _right(text: QuestionText) -> frozenset[str]:
    """The choices of the key, as item statistics count them; empty where the key says nothing of choices, or is
    another one for every variant."""
    if text.variables:
        return frozenset()
    variant = text.variant(0)
    return frozenset(choices_of(variant.kind.best(variant.content))) - {UNANSWERED}


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
class RegradeLine:
    """An answer whose score a regrade changes: whose it is, from where, and the score in percent."""

    who: str
    where: str
    at: datetime
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class RegradeView:
    """What a regrade would change: how many answers go up, down, stay, and which ones change."""

    up: int
    down: int
    same: int
    people: int
    lines: tuple[RegradeLine, ...]


def present_regrade(preview: Regrade, answers: Mapping[str, tuple[Slot, Answer]]) -> RegradeView:
    """`answers`: those that change, by the preview's names for them."""
    changed = [(change, *answers[change.attempt]) for change in preview.differing if change.attempt in answers]
    lines = tuple(
        RegradeLine(
            str(slot.attempt.participant),
            _context(slot),
            answer.given_at,
            round(100 * float(change.before)),
            round(100 * float(change.after)),
        )
        for change, slot, answer in changed
    )
    people = len({slot.attempt.participant_id for _change, slot, _answer in changed})
    return RegradeView(**preview.summary(), people=people, lines=lines)


def _context(slot: Slot) -> str:
    """Where an answer was given, in words."""
    attempt = slot.attempt
    if attempt.quiz is not None:
        return quiz_text(attempt.quiz).title.in_language(page_language())
    kind, _mark, name = attempt.context.partition(":")
    words = {"lesson": _("Lesson %(name)s"), "review": _("Review")}
    return words.get(kind, _("By itself")) % {"name": name}


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

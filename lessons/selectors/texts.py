"""Stored revisions as the values of lessons.assessment; kept in memory, since a revision never changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lessons.assessment.question import Question as QuestionText
from lessons.assessment.question import Variant, read_question
from lessons.assessment.quizzes import Quiz as QuizText
from lessons.assessment.quizzes import read_quiz_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lessons.assessment.quizzes import Section
    from lessons.models import QuestionRevision, QuizRevision, Slot


class _Kept:
    """A source that is not part of the key of a cache: the number before it says which it is."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)

    def __hash__(self) -> int:
        return 0


def question_text(revision: QuestionRevision) -> QuestionText:
    """The question a stored revision is."""
    return _question(revision.pk, revision.digest, _Kept(revision.source))


@lru_cache(maxsize=1024)
def _question(_pk: int, _digest: str, kept: _Kept) -> QuestionText:
    return read_question(kept.source)


def quiz_text(revision: QuizRevision) -> QuizText:
    """The quiz a stored revision is."""
    return _quiz(revision.pk, revision.digest, _Kept(revision.source))


@lru_cache(maxsize=128)
def _quiz(_pk: int, _digest: str, kept: _Kept) -> QuizText:
    return read_quiz_document(kept.source).quiz


def drawable_quiz(revision: QuizRevision, bank: Mapping[str, QuestionText]) -> QuizText:
    """The quiz with what can be asked now: sections leave out questions the bank does not have."""
    sections = [_drawable_section(section, quiz_section, bank) for section, quiz_section in _sections(revision)]
    return read_quiz_document({**revision.source, "sections": [section for section in sections if section]}).quiz


def _sections(revision: QuizRevision) -> Iterator[tuple[dict[str, Any], Section]]:
    return zip(revision.source["sections"], quiz_text(revision).sections, strict=True)


def _drawable_section(
    source: dict[str, Any], section: Section, bank: Mapping[str, QuestionText]
) -> dict[str, Any] | None:
    there = [name for name in section.questions if name in bank]
    size = len(there) if section.pool is None else sum(section.pool.holds(text) for text in bank.values())
    if not size:
        return None
    named = {"questions": there} if section.pool is None else {}
    pick = {"pick": min(section.pick, size)} if section.pick is not None else {}
    return {**source, **named, **pick}


def slot_text(slot: Slot) -> QuestionText:
    """The question a slot asks: of the bank, or as the engine made it."""
    return question_text(slot.revision) if slot.revision is not None else read_question((slot.made or {})["source"])


def slot_variant(slot: Slot) -> Variant:
    """What the learner was asked, numbers and order included."""
    return slot_text(slot).variant(slot.seed)

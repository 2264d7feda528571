"""Reads of the question bank and of quizzes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

from lessons.models import Question, Quiz
from lessons.selectors.texts import question_text, quiz_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from lessons.assessment.question import Question as QuestionText


def question_list() -> QuerySet[Question]:
    """What can be asked."""
    return Question.objects.filter(current__isnull=False).select_related("current", "open_of")


def question_get(slug: str) -> Question:
    found = question_list().filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def open_form_of(question: Question) -> str | None:
    """The slug of a question's open form, or None."""
    return question_list().filter(open_of=question).values_list("slug", flat=True).first()


def questions_by_slug(slugs: Iterable[str]) -> dict[str, Question]:
    """Those of the questions that can be asked."""
    return {question.slug: question for question in question_list().filter(slug__in=list(slugs))}


def bank() -> dict[str, Question]:
    """The catalogue's questions that quizzes may draw: open forms are asked only beside their question."""
    return {question.slug: question for question in question_list().filter(open_of=None, from_catalogue=True)}


def bank_texts(questions: dict[str, Question]) -> dict[str, QuestionText]:
    """The bank as `draw` of lessons.assessment wants it."""
    return {slug: question_text(question.current) for slug, question in questions.items() if question.current}


def quiz_slugs(quizzes: Iterable[Quiz]) -> dict[str, list[str]]:
    """Quiz -> the questions that it can ask."""
    texts = bank_texts(bank())
    found: dict[str, list[str]] = {}
    for quiz in quizzes:
        assert quiz.current is not None
        asked: dict[str, None] = {}
        for section in quiz_text(quiz.current).sections:
            pooled = [name for name, text in texts.items() if section.pool is not None and section.pool.holds(text)]
            asked.update(dict.fromkeys([*(name for name in section.questions if name in texts), *pooled]))
        found[quiz.slug] = list(asked)
    return found


def quiz_questions(quiz: Quiz) -> list[QuestionText]:
    """The questions a quiz can ask."""
    texts = bank_texts(bank())
    return [texts[slug] for slug in quiz_slugs([quiz])[quiz.slug]]


def quiz_list() -> QuerySet[Quiz]:
    return Quiz.objects.filter(current__isnull=False).select_related("current")


def quiz_get(slug: str) -> Quiz:
    found = quiz_list().filter(slug=slug).first()
    if found is None:
        raise Http404
    return found

"""Reads of the question bank and of quizzes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import Http404

from lessons.models import Question, Quiz
from lessons.rules import can_see_figures
from lessons.selectors.texts import question_text, quiz_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.question import Question as QuestionText


def question_list() -> QuerySet[Question]:
    """What can be asked."""
    return Question.objects.filter(current__isnull=False).select_related("current", "open_of")


def question_get(*, viewer: Participant, slug: str) -> Question:
    """A question to be answered by itself; one that is kept for its author's quizzes only by its author."""
    found = question_list().filter(Q(listed=True) | Q(owner_id=viewer.pk), slug=slug).first()
    if found is None:
        raise Http404
    return found


def question_for_author(*, viewer: Participant, slug: str) -> Question:
    """A question whose figures the viewer may see, retired or not. Raises Http404."""
    found = Question.objects.select_related("current").filter(slug=slug).first()
    if found is None or not can_see_figures(viewer, found) or not found.revisions.exists():
        raise Http404
    return found


def open_form_of(question: Question) -> str | None:
    """The slug of a question's open form, or None."""
    return question_list().filter(open_of=question).values_list("slug", flat=True).first()


def questions_by_slug(slugs: Iterable[str]) -> dict[str, Question]:
    """Those of the questions that can be asked."""
    return {question.slug: question for question in question_list().filter(slug__in=list(slugs))}


def bank(quizzes: Iterable[Quiz]) -> dict[str, Question]:
    """What these quizzes may draw, by slug; open forms are asked only beside their question."""
    found = list(quizzes)
    owners = {quiz.owner_id for quiz in found if quiz.owner_id is not None}
    named = {name for quiz in found if quiz.owner_id is not None for name in named_by(quiz)}
    drawable = Q(from_catalogue=True) | Q(owner__in=owners) | Q(slug__in=named, listed=True)
    return {question.slug: question for question in question_list().filter(drawable, open_of=None)}


def bank_for(owner: Participant, named: Iterable[str]) -> dict[str, Question]:
    """What a quiz of that author's may draw which names these questions."""
    drawable = Q(from_catalogue=True) | Q(owner=owner) | Q(slug__in=list(named), listed=True)
    return {question.slug: question for question in question_list().filter(drawable, open_of=None)}


def bank_of(quiz: Quiz, questions: Mapping[str, Question]) -> dict[str, Question]:
    """Those of the questions that the quiz may draw: the catalogue's, its author's own, listed ones that it names."""
    named = named_by(quiz) if quiz.owner_id is not None else frozenset()

    def may(question: Question) -> bool:
        if question.from_catalogue:
            return True
        own = quiz.owner_id is not None and question.owner_id == quiz.owner_id
        return own or (question.listed and question.slug in named)

    return {slug: question for slug, question in questions.items() if may(question)}


def named_by(quiz: Quiz) -> frozenset[str]:
    """The questions that the quiz asks for by name."""
    if quiz.current is None:
        return frozenset()
    return frozenset(name for section in quiz_text(quiz.current).sections for name in section.questions)


def bank_texts(questions: Mapping[str, Question]) -> dict[str, QuestionText]:
    """The bank as `draw` of lessons.assessment wants it."""
    return {slug: question_text(question.current) for slug, question in questions.items() if question.current}


def quiz_slugs(quizzes: Iterable[Quiz]) -> dict[str, list[str]]:
    """Quiz -> the questions that it can ask."""
    listed = list(quizzes)
    questions = bank(listed)
    found: dict[str, list[str]] = {}
    for quiz in listed:
        assert quiz.current is not None
        texts = bank_texts(bank_of(quiz, questions))
        asked: dict[str, None] = {}
        for section in quiz_text(quiz.current).sections:
            pooled = [name for name, text in texts.items() if section.pool is not None and section.pool.holds(text)]
            asked.update(dict.fromkeys([*(name for name in section.questions if name in texts), *pooled]))
        found[quiz.slug] = list(asked)
    return found


def quiz_questions(quiz: Quiz) -> list[QuestionText]:
    """The questions a quiz can ask."""
    texts = bank_texts(bank([quiz]))
    return [texts[slug] for slug in quiz_slugs([quiz])[quiz.slug]]


def quiz_list() -> QuerySet[Quiz]:
    """The quizzes that everybody finds."""
    return _published().filter(listed=True)


def _published() -> QuerySet[Quiz]:
    return Quiz.objects.filter(current__isnull=False).select_related("current")


def quiz_get(slug: str) -> Quiz:
    found = _published().filter(slug=slug).first()
    if found is None:
        raise Http404
    return found

"""Storing questions and quizzes, and giving scene questions their key from the engine."""

from __future__ import annotations

import logging
from statistics import mode
from typing import TYPE_CHECKING, Any

from lessons.models import Question, Quiz
from lessons.services.revisions import Outcome, claim, revision_add
from lessons.services.scenes import Bound, scene_bind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lessons.assessment.question import Question as QuestionText
    from lessons.assessment.quizzes import Quiz as QuizText
    from lessons.assessment.quizzes import QuizDocument
    from lessons.services.revisions import Authorship

logger = logging.getLogger(__name__)


def question_store(
    text: QuestionText, *, from_catalogue: bool, open_of: Question | None = None, by: Authorship | None = None
) -> Outcome:
    """Store a question, and its open form as a question of its own; unchanged ones stay as they are.

    Raises NameTakenError where the name is somebody else's.
    """
    defaults = {"source": text.source, "open_of": open_of, "from_catalogue": from_catalogue}
    question, created = Question.objects.select_related("current").get_or_create(
        slug=text.id, defaults=defaults | (by.defaults if by else {})
    )
    claim(question, by)
    if not created and question.source != text.source:
        question.source = dict(text.source)
        question.save(update_fields=["source"])
    outcome = _publish(question, scene_bind(text), by)
    opened = text.open_form()
    if opened is not None:
        question_store(opened, from_catalogue=from_catalogue, open_of=question, by=by)
    else:
        Question.objects.filter(open_of=question).update(current=None)
    return outcome


def _publish(question: Question, bound: Bound | None, by: Authorship | None = None) -> Outcome:
    """Make the bound text the current revision; without one the question is not asked."""
    if bound is None:
        if question.current is None:
            return Outcome.UNCHANGED
        question.current = None
        question.save(update_fields=["current"])
        return Outcome.UPDATED
    values: dict[str, Any] = {"source": bound.text.source, "situation": bound.situation}
    if by is None:
        return revision_add(question, bound.digest, values)
    return revision_add(question, by.digest(bound.digest), {**values, "content": by.content})


def questions_bind_again(texts: Iterable[QuestionText]) -> list[Outcome]:
    """Give scene questions their key anew, after scenarios have changed."""
    known = {question.slug: question for question in Question.objects.select_related("current")}
    return [_publish(known[text.id], scene_bind(text)) for text in texts if text.id in known]


def quiz_store(text: QuizText, *, order: int, from_catalogue: bool, by: Authorship | None = None) -> Outcome:
    """Store a quiz with its settings and sections; a document without sections is no quiz and only fills the bank.

    Raises NameTakenError where the name is somebody else's.
    """
    if not text.sections:
        return Outcome.UNCHANGED
    defaults = {"order": order, "from_catalogue": from_catalogue}
    quiz, _ = Quiz.objects.select_related("current").get_or_create(
        slug=text.id, defaults=defaults | (by.defaults if by else {})
    )
    claim(quiz, by)
    if quiz.order != order:
        quiz.order = order
        quiz.save(update_fields=["order"])
    source = {name: value for name, value in text.source.items() if name != "questions"}
    if by is None:
        return revision_add(quiz, text.revision, {"source": source})
    return revision_add(quiz, by.digest(text.revision), {"source": source, "content": by.content})


def quiz_documents_store(documents: Iterable[QuizDocument]) -> list[Outcome]:
    """Store the catalogue's quizzes and questions; what it no longer has is no longer asked."""
    outcomes: list[Outcome] = []
    questions: set[str] = set()
    quizzes: set[str] = set()
    for document in documents:
        outcomes.append(quiz_store(document.quiz, order=_place(document), from_catalogue=True))
        quizzes.add(document.quiz.id)
        for text in document.questions:
            outcomes.append(question_store(text, from_catalogue=True))
            questions.add(text.id)
    gone = Question.objects.filter(from_catalogue=True, open_of=None).exclude(slug__in=questions)
    Question.objects.filter(open_of__in=gone).update(current=None)
    gone.update(current=None)
    Quiz.objects.filter(from_catalogue=True).exclude(slug__in=quizzes).update(current=None)
    return outcomes


def _place(document: QuizDocument) -> int:
    """Where a quiz of the catalogue stands in the list: the self-test first, what is done in the lab last, the others
    by the section of the chapter they ask about most."""
    if any(question.selftest for question in document.questions if question.scene is None):
        return 0
    if all(question.scene for question in document.questions):
        return 1000
    sections = [int(fact[1:].partition(".")[0]) for question in document.questions for fact in question.facts]
    return 10 * mode(sections) if sections else 999

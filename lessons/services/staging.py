"""Drafts as a preview shows them. Only ever called within a transaction that is rolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lessons.models import Lesson, LessonRevision, Question, QuestionRevision, Quiz, QuizRevision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import Model

    from gpuschedlab.accounts.models import Participant
    from lessons.manifests.lesson_folder import LessonDocument
    from lessons.services.scenes import Bound

RESERVED: Final = "preview-"
"""Names that begin like this are nobody's but a preview's."""


def staged_name(draft_id: Any) -> str:
    return f"{RESERVED}{draft_id.hex[:12]}"


def question_stage(*, owner: Participant, bound: Bound) -> tuple[Model, ...]:
    """Rows of a published question, under the name its text has."""
    text = bound.text
    question = Question.objects.create(slug=text.id, source=text.source, owner=owner)
    rows = [*_revised(question, bound)]
    opened = text.open_form()
    if opened is not None:
        other = Question.objects.create(slug=opened.id, source=opened.source, owner=owner, open_of=question)
        rows += _revised(other, type(bound)(opened, bound.situation))
    return tuple(rows)


def _revised(question: Question, bound: Bound) -> Sequence[Model]:
    revision = QuestionRevision.objects.create(
        question=question, number=1, digest=bound.digest, source=bound.text.source, situation=bound.situation
    )
    question.current = revision
    question.save(update_fields=["current"])
    return (question, revision)


def quiz_stage(*, owner: Participant, name: str, source: Mapping[str, Any], digest: str) -> tuple[Model, ...]:
    """Rows of a published quiz."""
    quiz = Quiz.objects.create(slug=name, owner=owner, listed=False)
    revision = QuizRevision.objects.create(quiz=quiz, number=1, digest=digest, source=dict(source))
    quiz.current = revision
    quiz.save(update_fields=["current"])
    return (quiz, revision)


def lesson_stage(*, owner: Participant, name: str, document: LessonDocument) -> tuple[Model, ...]:
    """Rows of a published lesson."""
    order = next(iter(document.front.values()))["order"]
    lesson = Lesson.objects.create(slug=name, order=order, owner=owner, listed=False)
    revision = LessonRevision.objects.create(
        lesson=lesson,
        number=1,
        digest=document.digest,
        texts=document.bodies,
        front=document.front,
        outline=document.outline,
    )
    lesson.current = revision
    lesson.save(update_fields=["current"])
    return (lesson, revision)

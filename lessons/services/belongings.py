"""What participants own of lessons: how it goes from one to another, and what of it they can take along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import F

from lessons.assessment.spacing import due_at
from lessons.models import Attempt, Lesson, LessonState, Question, QuestionState, Quiz
from lessons.selectors.asked import newest_of
from lessons.selectors.attempts import with_slots

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.models import Slot


def attempts_count(participant: Participant) -> int:
    return Attempt.objects.filter(participant_id=participant.pk).count()


def attempts_move(source: Participant, target: Participant) -> None:
    Attempt.objects.filter(participant=source).update(participant=target)
    for kind in (Question, Quiz, Lesson):
        kind.objects.filter(owner=source).update(owner=target)


def attempts_export(participant: Participant) -> list[dict[str, Any]]:
    """Every attempt with what was asked, answered and how it was judged."""
    mine = Attempt.objects.filter(participant_id=participant.pk).order_by("started_at")
    return [_attempt(attempt) for attempt in with_slots(mine)]


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "id": str(attempt.pk),
        "context": attempt.context,
        "quiz": attempt.quiz.quiz.slug if attempt.quiz is not None else None,
        "mode": attempt.mode,
        "started_at": attempt.started_at.isoformat(),
        "finished_at": attempt.finished_at.isoformat() if attempt.finished_at else None,
        "questions": [_slot(slot) for slot in attempt.slots.all()],
    }


def _slot(slot: Slot) -> dict[str, Any]:
    answer, grading = newest_of(slot)
    name = slot.revision.question.slug if slot.revision is not None else (slot.made or {})["source"]["id"]
    return {
        "question": name,
        "saved": slot.draft,
        "response": answer.response if answer else None,
        "certainty": answer.certainty if answer else None,
        "given_at": answer.given_at.isoformat() if answer else None,
        "score": str(grading.score) if grading else None,
        "state": grading.state if grading else None,
    }


def lessons_count(participant: Participant) -> int:
    return LessonState.objects.filter(participant_id=participant.pk).count()


def lessons_move(source: Participant, target: Participant) -> None:
    """Join what both have seen; the place of whoever read last is the place to go on."""
    there = {state.lesson_id: state for state in LessonState.objects.filter(participant=target)}
    for state in LessonState.objects.filter(participant=source):
        kept = there.get(state.lesson_id)
        if kept is None:
            state.participant = target
            state.save(update_fields=["participant"])
            continue
        kept.sections = list(dict.fromkeys([*kept.sections, *state.sections]))
        kept.scenes = list(dict.fromkeys([*kept.scenes, *state.scenes]))
        if state.visited_at > kept.visited_at:
            kept.place, kept.visited_at = state.place, state.visited_at
        kept.save()


def lessons_export(participant: Participant) -> list[dict[str, Any]]:
    states = LessonState.objects.filter(participant_id=participant.pk).select_related("lesson")
    return [
        {
            "lesson": state.lesson.slug,
            "sections": state.sections,
            "scenes": state.scenes,
            "visited_at": state.visited_at.isoformat(),
        }
        for state in states
    ]


def reviews_count(participant: Participant) -> int:
    return QuestionState.objects.filter(participant_id=participant.pk).count()


def reviews_move(source: Participant, target: Participant) -> None:
    """Of two cards of a question the one reviewed last goes on."""
    there = {state.question_id: state for state in QuestionState.objects.filter(participant=target)}
    for state in QuestionState.objects.filter(participant=source):
        kept = there.get(state.question_id)
        if kept is None:
            state.participant = target
            state.save(update_fields=["participant"])
            continue
        if state.answered_at > kept.answered_at:
            kept.card, kept.due_at = state.card, due_at(state.card)
            kept.last_score, kept.answered_at = state.last_score, state.answered_at
        kept.best_score = max(kept.best_score, state.best_score)
        kept.answered = F("answered") + state.answered
        kept.save()


def reviews_export(participant: Participant) -> list[dict[str, Any]]:
    states = QuestionState.objects.filter(participant_id=participant.pk).select_related("question")
    return [
        {
            "question": state.question.slug,
            "answered": state.answered,
            "last_score": state.last_score,
            "best_score": state.best_score,
            "due_at": state.due_at.isoformat(),
            "card": state.card,
        }
        for state in states
    ]

"""Reads for spaced review: what is due, and how well each question went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from lessons.models import QuestionState

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant


def due_states(*, viewer: Participant) -> QuerySet[QuestionState]:
    """Questions to be asked again by now, the longest overdue first; none that are kept for quizzes."""
    if viewer.is_new:
        return QuestionState.objects.none()
    due = _askable(viewer).filter(due_at__lte=timezone.now())
    return due.order_by("due_at", "pk")


def due_count(*, viewer: Participant) -> int:
    return due_states(viewer=viewer).count()


def states_of(*, viewer: Participant) -> QuerySet[QuestionState]:
    return QuestionState.objects.filter(participant_id=viewer.pk).select_related("question__current")


def _askable(viewer: Participant) -> QuerySet[QuestionState]:
    return states_of(viewer=viewer).filter(question__current__isnull=False, question__listed=True)


def next_due(*, viewer: Participant) -> QuestionState | None:
    """The card that becomes due first after now."""
    if viewer.is_new:
        return None
    return _askable(viewer).filter(due_at__gt=timezone.now()).order_by("due_at").first()


def best_scores(*, viewer: Participant) -> dict[str, float]:
    """Question -> the best score so far."""
    if viewer.is_new:
        return {}
    return dict(states_of(viewer=viewer).values_list("question__slug", "best_score"))

"""Reads for one's own record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.models import Attempt, QuestionState
from lessons.selectors.attempts import with_slots
from lessons.selectors.reviews import states_of

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant

RECENT = 20


def state_list(*, viewer: Participant) -> list[QuestionState]:
    """One's history with every question, the latest first."""
    if viewer.is_new:
        return []
    return list(states_of(viewer=viewer).filter(question__current__isnull=False).order_by("-answered_at", "pk"))


def recent_attempts(*, viewer: Participant) -> list[Attempt]:
    """One's latest attempts at quizzes."""
    if viewer.is_new:
        return []
    mine = Attempt.objects.filter(participant_id=viewer.pk, quiz__isnull=False)
    return list(with_slots(mine.order_by("-started_at"), texts=False)[:RECENT])

"""Spaced review: every final answer moves its question's card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lessons.assessment.spacing import due_at, new_card, rating_of, review
from lessons.models import QuestionState

if TYPE_CHECKING:
    from datetime import datetime
    from fractions import Fraction

    from gpuschedlab.accounts.models import Participant


def question_reviewed(
    participant: Participant, question_id: int, score: Fraction, certainty: int | None, now: datetime
) -> None:
    """Enter an answer into the learner's history with the question; call it within the answer's transaction."""
    state, _ = QuestionState.objects.select_for_update().get_or_create(
        participant=participant,
        question_id=question_id,
        defaults={"card": new_card(now), "due_at": now, "answered_at": now},
    )
    state.card = review(state.card, rating_of(score, certainty), now, seed=question_id)
    state.due_at = due_at(state.card)
    state.answered += 1
    state.answered_at = now
    state.last_score = float(score)
    state.best_score = max(state.best_score, float(score))
    state.save()

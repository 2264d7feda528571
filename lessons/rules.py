"""Who may do what with questions and their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuschedlab.accounts.rules import is_administrator, is_instructor

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.models import Question


def can_see_figures(participant: Participant, question: Question) -> bool:
    """Its author; of the course's questions every instructor."""
    return can_teach(participant) and (question.from_catalogue or question.owner_id == participant.pk)


def can_regrade(participant: Participant, question: Question) -> bool:
    """Its author; of the course's questions the administrators, since it changes marks everywhere."""
    own = question.owner_id is not None and question.owner_id == participant.pk
    return can_teach(participant) and (own or (question.from_catalogue and is_administrator(participant)))


def can_teach(participant: Participant) -> bool:
    """See figures of questions, import and export."""
    return is_instructor(participant)

"""Reads of participants."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from gpuschedlab.accounts.models import Participant

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import User

USER_PARTICIPANTS = UUID("6f0d3f0e-5c7e-4f0c-9c70-0d2f9f1f6a11")  # the name space of users' own participants


def participant_find(participant_id: UUID) -> Participant | None:
    return Participant.objects.select_related("user").filter(pk=participant_id).first()


def participant_of_user(user: User) -> Participant:
    """The user's participant; when the user has none, one not stored yet, whose id is the same each time."""
    found = Participant.objects.select_related("user").filter(user=user).first()
    return found or Participant(id=uuid5(USER_PARTICIPANTS, str(user.pk)), user=user)

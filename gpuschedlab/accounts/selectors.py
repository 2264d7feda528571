"""Reads of participants."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from gpuschedlab.accounts.merging import belongings_export
from gpuschedlab.accounts.models import Participant

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import User

USER_PARTICIPANTS = UUID("6f0d3f0e-5c7e-4f0c-9c70-0d2f9f1f6a11")  # the name space of users' own participants


def participant_export(participant: Participant) -> dict[str, object]:
    """All that is stored about a person, as JSON values."""
    user = participant.user
    return {
        "participant": {
            "id": str(participant.pk),
            "name": participant.name,
            "language": participant.language,
            "time_zone": participant.time_zone,
            "created_at": participant.created_at.isoformat(),
        },
        "account": {
            "username": user.get_username(),
            "email": user.email,
            "joined_at": user.date_joined.isoformat(),
        }
        if user is not None
        else None,
        **belongings_export(participant),
    }


def participant_find(participant_id: UUID) -> Participant | None:
    return Participant.objects.filter(pk=participant_id).first()


def participant_of_user(user: User) -> Participant:
    """The user's participant; when the user has none, one not stored yet, whose id is the same each time."""
    found = Participant.objects.select_related("user").filter(user=user).first()
    return found or Participant(id=uuid5(USER_PARTICIPANTS, str(user.pk)), user=user)

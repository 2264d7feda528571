"""Who may do what, as small predicates used by selectors, services and templates alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuschedlab.accounts.models import Role

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


def is_instructor(participant: Participant) -> bool:
    """Instructors, and administrators, who may do all that instructors may."""
    return participant.user is not None and participant.user.role in {Role.INSTRUCTOR, Role.ADMINISTRATOR}


def is_administrator(participant: Participant) -> bool:
    return participant.user is not None and participant.user.role == Role.ADMINISTRATOR

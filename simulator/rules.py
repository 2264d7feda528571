"""Who may do what with scenarios and labs, as small predicates used by selectors, services and templates alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from simulator.models import Lab

ALWAYS_ALLOWED = frozenset({"run", "advance", "restore"})
"""Stepping, and taking back what was allowed."""


def can_change_lab(viewer: Participant, lab: Lab) -> bool:
    """Only its owner; everybody else does not even learn that it is there."""
    return lab.owner_id == viewer.pk


def allows_command(lab: Lab, command_type: str) -> bool:
    """Whether the lab's scenario lets learners use a kind of command."""
    allowed = lab.revision.spec.get("allowedCommands")
    return allowed is None or command_type in allowed or command_type in ALWAYS_ALLOWED


def is_staff(viewer: Participant) -> bool:
    """Whether somebody may see the pages for those who look after the site."""
    return viewer.user is not None and viewer.user.is_staff

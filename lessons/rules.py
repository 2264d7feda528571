"""Who may do what with questions and their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuschedlab.accounts.rules import is_instructor

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


def can_teach(participant: Participant) -> bool:
    """See figures of questions, regrade, import and export."""
    return is_instructor(participant)

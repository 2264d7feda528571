"""Who may do what with drafts and what is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuschedlab.accounts.rules import is_instructor

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft


def can_write(viewer: Participant) -> bool:
    """Have materials of one's own."""
    return is_instructor(viewer)


def can_edit(viewer: Participant, draft: Draft) -> bool:
    """Only its owner; everybody else, administrators too, does not even learn that it is there."""
    return can_write(viewer) and draft.owner_id == viewer.pk

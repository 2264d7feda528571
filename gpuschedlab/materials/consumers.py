"""The socket topic of a draft: draft:<id> for its owner; seq is its version."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.rules import can_edit
from gpuschedlab.web.sockets.topics import register_topic

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


class DraftTopic:
    def head(self, participant: Participant, key: str) -> int | None:
        try:
            draft_id = UUID(key)
        except ValueError:
            return None
        draft = Draft.objects.filter(pk=draft_id).first()
        return draft.version if draft is not None and can_edit(participant, draft) else None


register_topic("draft", DraftTopic())

"""Socket topics of labs: lab:<id> for the owner, shared-lab:<token> behind a read-only link; seq is the command's."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from gpuschedlab.web.sockets.topics import register_topic
from simulator.models import Lab
from simulator.selectors.labs import lab_find

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


class LabTopic:
    def head(self, participant: Participant, key: str) -> int | None:
        try:
            lab_id = UUID(key)
        except ValueError:
            return None
        lab = lab_find(viewer=participant, lab_id=lab_id)
        return lab.head_seq if lab else None


class SharedLabTopic:
    def head(self, participant: Participant, key: str) -> int | None:
        return Lab.objects.filter(share_token=key).values_list("head_seq", flat=True).first()


register_topic("lab", LabTopic())
register_topic("shared-lab", SharedLabTopic())

"""The web kit's own socket topic: run:<id>."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from gpuschedlab.web.jobs.selectors import run_find
from gpuschedlab.web.sockets.topics import register_topic

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant


class RunTopic:
    """A run's changes; seq is its version."""

    def head(self, participant: Participant, key: str) -> int | None:
        try:
            run_id = UUID(key)
        except ValueError:
            return None
        run = run_find(viewer=participant, run_id=run_id)
        return run.version if run else None


register_topic("run", RunTopic())

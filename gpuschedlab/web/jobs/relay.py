"""The web process's part in jobs: passing on what workers changed, and looking after orphaned runs.

In the embedded mode the worker is another process without a way to this one's sockets. So this process reads the rows
that changed, five times a second, and only while somebody listens.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from channels.db import database_sync_to_async
from django.utils import timezone

from gpuschedlab.web.idempotency import forget_old_tokens
from gpuschedlab.web.jobs.services import run_events, run_sweep, runs_forget_old
from gpuschedlab.web.models import Run
from gpuschedlab.web.sockets.hub import get_hub

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

logger = logging.getLogger(__name__)

RELAY_EVERY = 0.2  # seconds
SWEEP_EVERY = 15.0  # seconds
TIDY_EVERY = 3600.0  # seconds
OVERLAP = timedelta(seconds=3)  # rows are looked at this much later again: a transaction may commit late


async def relay_runs() -> None:
    """Hand the changes of runs to this process's sockets, for ever."""
    hub = get_hub()
    told: dict[UUID, int] = {}
    while True:
        await asyncio.sleep(RELAY_EVERY)
        if not hub.has_listeners():
            told.clear()
            continue
        try:
            rows = await database_sync_to_async(_changed_since)(timezone.now() - OVERLAP)
        except Exception:
            logger.warning("could not read the changed runs", exc_info=True)
            continue
        for run_id, version, state, topic in rows:
            if told.get(run_id) == version:
                continue
            for event in run_events(run_id, version, state, topic):
                hub.deliver(event)
        told = {run_id: version for run_id, version, _, _ in rows}


def _changed_since(moment: datetime) -> list[tuple[UUID, int, str, str]]:
    rows = Run.objects.filter(changed_at__gt=moment).order_by("changed_at")
    return list(rows.values_list("id", "version", "state", "topic"))


async def sweep_runs() -> None:
    """Send orphaned runs again and forget what is old, for ever."""
    loop = asyncio.get_running_loop()
    tidied_at = loop.time()
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        try:
            await database_sync_to_async(run_sweep)()
            if loop.time() - tidied_at > TIDY_EVERY:
                tidied_at = loop.time()
                await database_sync_to_async(runs_forget_old)()
                await database_sync_to_async(forget_old_tokens)()
        except Exception:
            logger.warning("could not look after the runs", exc_info=True)

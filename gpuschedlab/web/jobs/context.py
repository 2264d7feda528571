"""What a job holds while it works: its progress, its lease, and the wish that it stop."""

from __future__ import annotations

import logging
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import F
from django.utils import timezone

from gpuschedlab.web.jobs.services import notify
from gpuschedlab.web.models import Run, RunState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from uuid import UUID

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=30)
HEARTBEAT = 10.0  # seconds between renewals
WRITE_EVERY = 0.25  # seconds; progress told more often than this is not written


class JobCancelled(Exception):
    """The run was asked to stop, or is no longer this worker's. A job lets it pass through."""


class JobFailed(Exception):
    """A job's own failure: a code among its kind's messages, with that sentence's parameters."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


class JobContext:
    """One attempt at a run by one worker."""

    def __init__(self, run_id: UUID, worker: str) -> None:
        self.run_id = run_id
        self.worker = worker
        self._written_at = 0.0

    def progress(self, done: int, total: int | None, code: str = "", **params: Any) -> None:
        """Tell how far the job is; raises JobCancelled when it has to stop. Cheap enough for every step of a loop."""
        now = time.monotonic()
        if now - self._written_at < WRITE_EVERY and done != total:
            return
        self._written_at = now
        self._write({"done": done, "total": total, "message_code": code, "message_params": params})

    def _write(self, changes: Mapping[str, Any]) -> None:
        now = timezone.now()
        written = self.mine().update(**changes, version=F("version") + 1, changed_at=now, lease_until=now + LEASE)
        run = Run.objects.get(pk=self.run_id) if written else None
        if run is None or run.cancel_requested_at is not None:
            raise JobCancelled
        notify(run)

    def mine(self) -> Any:
        """The run's row, as long as this worker holds its lease."""
        return Run.objects.filter(pk=self.run_id, state=RunState.RUNNING, worker=self.worker)


class Heartbeat:
    """Renews the lease while the job works, from a thread with its own database connection."""

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="job heartbeat", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._stopped.wait(HEARTBEAT):
                try:
                    self._context.mine().update(lease_until=timezone.now() + LEASE)
                except Exception:
                    logger.warning("heartbeat of run %s missed", self._context.run_id, exc_info=True)
        finally:
            connection.close()

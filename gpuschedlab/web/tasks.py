"""The one Celery task: take a run by its id, work, write what came of it."""

from __future__ import annotations

import json
import logging
import os
import socket
import uuid
from typing import Any

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F, Q
from django.utils import timezone

from gpuschedlab.web.jobs.context import LEASE, Heartbeat, JobCancelled, JobContext, JobFailed
from gpuschedlab.web.jobs.registry import job_kind
from gpuschedlab.web.jobs.services import TASK, notify
from gpuschedlab.web.models import Run, RunState

logger = logging.getLogger(__name__)


@shared_task(name=TASK)
def run_job(run_id: str) -> None:
    """Do the run's work if it is still to be done; a second message about the same run does nothing."""
    context = JobContext(uuid.UUID(run_id), f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}")
    run = _claim(context)
    if run is None:
        return
    notify(run)
    outcome = _work(run, context)
    now = timezone.now()
    if context.mine().update(**outcome, version=F("version") + 1, changed_at=now, finished_at=now, lease_until=None):
        notify(Run.objects.get(pk=run.pk))


def _claim(context: JobContext) -> Run | None:
    """Take the run: queued, or running under a lease that ran out. One statement, so only one worker gets it."""
    now = timezone.now()
    free = Q(state=RunState.QUEUED) | Q(state=RunState.RUNNING, lease_until__lt=now)
    taken = Run.objects.filter(free, pk=context.run_id).update(
        state=RunState.RUNNING,
        worker=context.worker,
        attempts=F("attempts") + 1,
        version=F("version") + 1,
        started_at=now,
        changed_at=now,
        lease_until=now + LEASE,
        done=0,
        total=None,
        message_code="",
        message_params={},
    )
    return Run.objects.get(pk=context.run_id) if taken else None


def _work(run: Run, context: JobContext) -> dict[str, Any]:
    """Call the job; what to write into the row afterwards."""
    kind = job_kind(run.kind)
    if kind is None:
        return {"state": RunState.FAILED, "error_code": "job.unknown"}
    try:
        with Heartbeat(context):
            result = dict(kind.work(context, **run.params) or {})
            json.dumps(result)  # what cannot be stored fails here, as the job's own error
    except JobCancelled:
        return {"state": RunState.CANCELLED}
    except JobFailed as failure:
        return {"state": RunState.FAILED, "error_code": failure.code, "error_params": failure.params}
    except SoftTimeLimitExceeded:
        return {"state": RunState.FAILED, "error_code": "job.too_long"}
    except Exception:
        logger.exception("run %s (%s) failed", run.pk, run.kind)
        return {"state": RunState.FAILED, "error_code": "job.failed"}
    return {"state": RunState.SUCCEEDED, "result": result}

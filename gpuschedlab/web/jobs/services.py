"""Starting and stopping runs, and looking after those whose worker is gone."""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from celery import current_app
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.jobs.registry import job_kind
from gpuschedlab.web.models import ACTIVE, Run, RunState
from gpuschedlab.web.sockets.events import publish

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.web.sockets.events import Event

logger = logging.getLogger(__name__)

TASK = "gpuschedlab.web.run_job"
MAX_ACTIVE = 3  # runs of one participant at a time
MAX_ATTEMPTS = 3
UNCLAIMED = timedelta(seconds=30)  # a queued run that nobody took in this time is sent again
KEPT = timedelta(days=7)


def enqueue(
    kind: str,
    *,
    owner: Participant | None,
    params: Mapping[str, Any],
    topic: str = "",
    run_id: uuid.UUID | None = None,
) -> Run:
    """Write a Run and, once the caller's transaction is committed, send it to a worker.

    Give a `run_id` made beforehand (a form's client token) to start the same run only once. The participant must be
    stored. `params` are the job's keyword arguments (JSON). `topic` is told of every change besides run:<id>.
    """
    if job_kind(kind) is None:
        raise ValueError(f"no job is named {kind}")
    run_id = run_id or uuid.uuid4()
    owner_id = owner.pk if owner else None
    found = Run.objects.filter(pk=run_id, owner_id=owner_id, kind=kind).first()
    if found is not None:
        return found
    if owner and Run.objects.filter(owner_id=owner_id, state__in=ACTIVE).count() >= MAX_ACTIVE:
        raise Conflict(_("Other long tasks of yours are still running. Wait for one to end, or cancel it."))
    run = Run.objects.create(id=run_id, kind=kind, owner_id=owner_id, params=dict(params), topic=topic)
    transaction.on_commit(partial(send, run.pk))
    return run


def send(run_id: uuid.UUID) -> None:
    """Put a run's id into the queue. If that fails, run_sweep sends it again later."""
    try:
        current_app.tasks[TASK].apply_async(args=[str(run_id)], retry=False)
    except Exception:
        logger.exception("could not queue run %s", run_id)


def notify(run: Run) -> None:
    """Tell those who look at a run that its row has changed."""
    for event in run_events(run.pk, run.version, run.state, run.topic):
        publish(event["topic"], event["type"], event["seq"], event["data"])


def run_events(run_id: uuid.UUID, version: int, state: str, topic: str) -> list[Event]:
    """What listeners are told of a changed run. On a further topic the event has no seq: it is not that topic's own."""
    data = {"run": str(run_id), "state": state}
    events: list[Event] = [{"topic": f"run:{run_id}", "type": "run.changed", "seq": version, "data": data}]
    if topic:
        events.append({"topic": topic, "type": "run.changed", "seq": 0, "data": data})
    return events


def run_cancel(*, actor: Participant, run: Run) -> Run:
    """Ask a run to stop: at once when it has not begun, at its next step when it has."""
    now = timezone.now()
    mine = Run.objects.filter(pk=run.pk, owner_id=actor.pk)
    change = {"version": F("version") + 1, "changed_at": now, "cancel_requested_at": now}
    if not mine.filter(state=RunState.QUEUED).update(state=RunState.CANCELLED, finished_at=now, **change):
        mine.filter(state=RunState.RUNNING, cancel_requested_at=None).update(**change)
    run.refresh_from_db()
    notify(run)
    return run


def run_sweep(*, no_worker_yet: bool = False) -> int:
    """Send again what nobody works on, and give up on what keeps dying; returns how many were sent again.

    `no_worker_yet`: the caller starts the only worker after this, so every active run is an orphan.
    """
    now = timezone.now()
    orphans = Q(state__in=ACTIVE)
    if not no_worker_yet:
        orphans = Q(state=RunState.RUNNING, lease_until__lt=now) | Q(
            state=RunState.QUEUED, changed_at__lt=now - UNCLAIMED
        )
    sent = 0
    for run in Run.objects.filter(orphans).order_by("created_at"):
        same = Run.objects.filter(pk=run.pk, version=run.version, state=run.state, lease_until=run.lease_until)
        changes = {"version": run.version + 1, "changed_at": now, "worker": "", "lease_until": None}
        if run.attempts >= MAX_ATTEMPTS:
            if same.update(state=RunState.FAILED, error_code="job.crashed", finished_at=now, **changes):
                run.refresh_from_db()
                notify(run)
        elif same.update(state=RunState.QUEUED, **changes):
            send(run.pk)
            sent += 1
    return sent


def runs_forget_old() -> None:
    Run.objects.filter(finished_at__lt=timezone.now() - KEPT).delete()

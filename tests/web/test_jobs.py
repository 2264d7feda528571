"""Runs of jobs: the row first, one worker at a time, nothing lost when that dies, nothing done twice."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.jobs import context as job_context
from gpuschedlab.web.jobs import services
from gpuschedlab.web.jobs.context import JobCancelled, JobContext
from gpuschedlab.web.jobs.presenters import COMMON_MESSAGES, present_run
from gpuschedlab.web.jobs.services import enqueue, run_cancel, run_sweep, runs_forget_old
from gpuschedlab.web.models import Run, RunState
from gpuschedlab.web.tasks import _claim, run_job
from tests.factories.accounts import make_participant

pytestmark = pytest.mark.django_db

HTMX = {"hx-request": "true"}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[uuid.UUID]:
    """The runs that were put into the queue, which nobody takes."""
    ids: list[uuid.UUID] = []
    monkeypatch.setattr(services, "send", ids.append)
    return ids


@pytest.fixture
def owner() -> Participant:
    return make_participant()


def make_run(**fields: Any) -> Run:
    fields.setdefault("kind", "tests.count")
    return Run.objects.create(**fields)


def count(owner: Participant, **params: Any) -> Run:
    return enqueue("tests.count", owner=owner, params={"steps": 2, "pause": 0, **params})


def test_run_is_sent_only_when_its_row_is_committed(
    owner: Participant, sent: list[uuid.UUID], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        run = count(owner)
        assert sent == []
    assert sent == [run.pk]
    assert run.state == RunState.QUEUED


def test_same_run_id_starts_one_run(owner: Participant, sent: list[uuid.UUID]) -> None:
    run_id = uuid.uuid4()
    first = enqueue("tests.count", owner=owner, params={"steps": 1}, run_id=run_id)
    assert enqueue("tests.count", owner=owner, params={"steps": 1}, run_id=run_id) == first
    assert Run.objects.count() == 1


def test_unknown_kind_is_a_mistake_of_ours(owner: Participant) -> None:
    with pytest.raises(ValueError, match=r"tests\.nothing"):
        enqueue("tests.nothing", owner=owner, params={})


def test_participant_may_have_a_few_runs_at_a_time(owner: Participant) -> None:
    for _ in range(services.MAX_ACTIVE):
        count(owner)
    with pytest.raises(Conflict):
        count(owner)
    count(make_participant())


def test_finished_run_keeps_its_result_and_progress(owner: Participant) -> None:
    run = count(owner)
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.result, run.attempts) == (RunState.SUCCEEDED, {"steps": 2}, 1)
    assert run.finished_at is not None
    assert run.lease_until is None
    assert run.message_params == {"n": 1}


def test_second_message_about_a_run_does_nothing(owner: Participant) -> None:
    run = count(owner)
    run_job(str(run.pk))
    run_job(str(run.pk))
    run.refresh_from_db()
    assert run.attempts == 1


@pytest.mark.parametrize(
    ("how", "code", "sentence"),
    [("told", "no_luck", "Node t4-1 is gone."), ("raised", "job.failed", COMMON_MESSAGES["job.failed"])],
)
def test_failed_run_says_why(owner: Participant, how: str, code: str, sentence: object) -> None:
    run = enqueue("tests.fail", owner=owner, params={"how": how})
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.FAILED, code)
    assert present_run(run).sentence == str(sentence)


def test_result_that_is_not_json_fails_the_run(owner: Participant, monkeypatch: pytest.MonkeyPatch) -> None:
    run = enqueue("tests.odd", owner=owner, params={})
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.FAILED, "job.failed")


def test_run_of_a_kind_that_is_gone_fails(owner: Participant) -> None:
    run = make_run(kind="tests.of_old", owner=owner)
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.FAILED, "job.unknown")
    assert present_run(run).title == "tests.of_old"


def test_cancel_before_the_start_ends_the_run_at_once(owner: Participant) -> None:
    run = run_cancel(actor=owner, run=count(owner))
    assert run.state == RunState.CANCELLED
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.attempts) == (RunState.CANCELLED, 0)


def test_cancel_while_running_stops_at_the_next_step(owner: Participant) -> None:
    run = count(owner)
    context = JobContext(run.pk, "me")
    assert _claim(context) is not None
    context.progress(0, 2)
    run.refresh_from_db()
    assert run_cancel(actor=owner, run=run).state == RunState.RUNNING
    with pytest.raises(JobCancelled):
        context.progress(2, 2)


def test_cancel_of_somebody_elses_run_does_nothing(owner: Participant) -> None:
    assert run_cancel(actor=make_participant(), run=count(owner)).state == RunState.QUEUED


def test_progress_told_too_often_is_not_written(owner: Participant, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(job_context.time, "monotonic", lambda: now)
    run = count(owner)
    context = JobContext(run.pk, "me")
    _claim(context)
    context.progress(1, 9)
    now += job_context.WRITE_EVERY / 2
    context.progress(2, 9)
    run.refresh_from_db()
    assert run.done == 1
    now += job_context.WRITE_EVERY
    context.progress(3, 9)
    context.progress(9, 9)
    run.refresh_from_db()
    assert run.done == 9


def test_worker_that_lost_its_lease_writes_nothing_more(owner: Participant) -> None:
    run = count(owner)
    slow, quick = JobContext(run.pk, "slow"), JobContext(run.pk, "quick")
    assert _claim(slow) is not None
    assert _claim(quick) is None
    Run.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert _claim(quick) is not None
    with pytest.raises(JobCancelled):
        slow.progress(1, 2)
    quick.progress(1, 2)


def test_sweep_sends_orphans_again(sent: list[uuid.UUID]) -> None:
    now = timezone.now()
    late, soon = now - timedelta(minutes=1), now + timedelta(minutes=1)
    dead = make_run(state=RunState.RUNNING, lease_until=late, attempts=1)
    forgotten = make_run(changed_at=late, created_at=now + timedelta(seconds=1))
    make_run(state=RunState.RUNNING, lease_until=soon, attempts=1)
    make_run()
    make_run(state=RunState.SUCCEEDED, changed_at=late)
    assert run_sweep() == 2
    assert sent == [dead.pk, forgotten.pk]
    dead.refresh_from_db()
    assert (dead.state, dead.lease_until, dead.version) == (RunState.QUEUED, None, 2)


def test_sweep_before_the_only_worker_starts_takes_every_active_run(sent: list[uuid.UUID]) -> None:
    running = make_run(state=RunState.RUNNING, lease_until=timezone.now() + timedelta(minutes=1))
    queued = make_run(created_at=timezone.now() + timedelta(seconds=1))
    make_run(state=RunState.FAILED)
    assert run_sweep(no_worker_yet=True) == 2
    assert sent == [running.pk, queued.pk]


def test_run_that_kills_its_workers_is_given_up(sent: list[uuid.UUID]) -> None:
    run = make_run(
        state=RunState.RUNNING, lease_until=timezone.now() - timedelta(minutes=1), attempts=services.MAX_ATTEMPTS
    )
    assert run_sweep() == 0
    run.refresh_from_db()
    assert (run.state, run.error_code) == (RunState.FAILED, "job.crashed")
    assert sent == []


def test_old_runs_are_forgotten() -> None:
    make_run(finished_at=timezone.now() - services.KEPT - timedelta(hours=1))
    kept = make_run(finished_at=timezone.now())
    active = make_run()
    runs_forget_old()
    assert set(Run.objects.all()) == {kept, active}


def test_broker_that_is_down_leaves_the_run_for_the_sweep(
    owner: Participant, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def down(*args: Any, **kwargs: Any) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(services.current_app.tasks[services.TASK], "apply_async", down)
    services.send(count(owner).pk)
    assert "could not queue run" in caplog.text
    assert Run.objects.get().state == RunState.QUEUED


def test_progress_part_of_a_running_run(client: Client, participant: Participant) -> None:
    run = make_run(
        owner=participant, state=RunState.RUNNING, done=1, total=4, message_code="step", message_params={"n": 1}
    )
    page = client.get(f"/runs/{run.pk}/").content.decode()
    assert "<html" in page
    assert 'value="25"' in page
    part = client.get(f"/runs/{run.pk}/", headers=HTMX)
    assert "Step 1" in part.content.decode()
    assert "<form" not in part.content.decode()
    assert "HX-Retarget" not in part.headers


def test_part_of_a_finished_run_replaces_the_whole(client: Client, participant: Participant) -> None:
    run = make_run(owner=participant, state=RunState.SUCCEEDED)
    part = client.get(f"/runs/{run.pk}/", headers=HTMX)
    assert part.headers["HX-Retarget"] == f"#run-{run.pk}"
    assert part.headers["HX-Trigger"] == "run-finished"
    assert "data-topic" not in part.content.decode()


def test_stop_without_htmx_goes_back_to_the_run(client: Client, participant: Participant) -> None:
    run = make_run(owner=participant)
    assert client.post(f"/runs/{run.pk}/stop/").headers["Location"] == f"/runs/{run.pk}/"
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_run_of_somebody_else_is_not_there(client: Client, participant: Participant) -> None:
    run = make_run(owner=make_participant())
    assert client.get(f"/runs/{run.pk}/").status_code == 404
    assert client.post(f"/runs/{run.pk}/stop/").status_code == 404
    run.refresh_from_db()
    assert run.state == RunState.QUEUED

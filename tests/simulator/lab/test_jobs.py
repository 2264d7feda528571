"""Running to idle: at once, or as a job that can be cancelled; one command comes of it, or nothing."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils import timezone

from gpuschedlab.web.jobs import context as job_context
from gpuschedlab.web.jobs import services
from gpuschedlab.web.models import Run, RunState
from gpuschedlab.web.tasks import run_job
from simulator.models import Lab, LabCommand
from simulator.selectors.histories import histories, open_history
from tests.factories.accounts import be, make_participant
from tests.factories.labs import give, make_lab, make_node, make_pod, make_revision, run

if TYPE_CHECKING:
    from simulator.models import ScenarioRevision

pytestmark = pytest.mark.django_db

LABEL = {"type": "label", "kind": "Node", "name": "n1", "labels": {"a": "b"}}


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[uuid.UUID]:
    """The runs that were put into the queue, which nobody takes."""
    ids: list[uuid.UUID] = []
    monkeypatch.setattr(services, "send", ids.append)
    monkeypatch.setattr(job_context, "WRITE_EVERY", 0)
    return ids


def crowd(count: int = 6) -> ScenarioRevision:
    return make_revision([make_node("n1"), *(make_pod(f"p{number}") for number in range(count))])


def job_of(lab: Lab, seq: int) -> Run:
    params = {"lab_id": str(lab.pk), "seq": seq}
    return Run.objects.create(kind="simulator.run_to_idle", owner=lab.owner, params=params, topic=lab.topic)


def work(job: Run) -> Run:
    run_job(str(job.pk))
    job.refresh_from_db()
    return job


def test_short_run_is_answered_at_once(sent: list[uuid.UUID]) -> None:
    client, lab = Client(), make_lab(make_participant(), crowd())
    be(client, lab.owner)
    client.post(f"/labs/{lab.revision.scenario.slug}/{lab.pk}/run/", {"revision": lab.revision.number})
    assert Lab.objects.get().head_seq == 1
    assert not sent
    with open_history(Lab.objects.get()) as history:
        assert history.frame(history.count).idle


def test_long_run_goes_on_as_a_job(
    sent: list[uuid.UUID], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr("simulator.views.runs.REQUEST_BUDGET", 0)
    client, lab = Client(headers={"Accept-Language": "en", "HX-Request": "true"}), make_lab(make_participant(), crowd())
    be(client, lab.owner)
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(f"/labs/{lab.revision.scenario.slug}/{lab.pk}/run/", {"revision": lab.revision.number})
    assert answer.status_code == 200
    assert 'role="progressbar"' in answer.content.decode() or "<progress" in answer.content.decode()
    job = Run.objects.get()
    assert sent == [job.pk]
    assert LabCommand.objects.count() == 1  # what the budget allowed
    assert work(job).state == RunState.SUCCEEDED
    rows = list(LabCommand.objects.order_by("seq"))
    assert [row.type for row in rows] == ["run", "run"]
    assert rows[1].client_token == job.pk
    assert rows[1].last - rows[1].first == job.result["turns"] == rows[1].command["turns"]
    histories.clear()
    with open_history(Lab.objects.get()) as history:
        assert history.frame(history.count).idle
        assert len([pod for pod in history.frame(history.count).pods if pod.node_name]) == 4  # the node has four CPUs


def test_lost_and_repeated_job_appends_once(sent: list[uuid.UUID]) -> None:
    lab = make_lab(make_participant(), crowd())
    run(lab)
    job = job_of(lab, 1)
    work(job)
    Run.objects.update(state=RunState.RUNNING, lease_until=timezone.now() - timedelta(seconds=1))
    histories.clear()
    assert work(job).state == RunState.SUCCEEDED
    assert LabCommand.objects.count() == 2


def test_cancelled_job_leaves_the_lab_as_it_was(sent: list[uuid.UUID]) -> None:
    lab = make_lab(make_participant(), crowd())
    run(lab)
    job = job_of(lab, 1)
    Run.objects.update(cancel_requested_at=timezone.now())
    assert work(job).state == RunState.CANCELLED
    assert LabCommand.objects.count() == 1
    give(lab, LABEL)
    run(lab, 3)
    assert LabCommand.objects.count() == 3


def test_job_whose_lab_went_on_is_dropped(sent: list[uuid.UUID]) -> None:
    lab = make_lab(make_participant(), crowd())
    run(lab)
    give(lab, LABEL)
    job = work(job_of(lab, 1))
    assert (job.state, job.error_code) == (RunState.FAILED, "moved")
    assert LabCommand.objects.count() == 2


def test_job_of_a_lab_that_is_gone_fails(sent: list[uuid.UUID]) -> None:
    lab = make_lab(make_participant(), crowd())
    run(lab)
    job = job_of(lab, 1)
    Lab.objects.all().delete()
    job = work(job)
    assert (job.state, job.error_code) == (RunState.FAILED, "gone")

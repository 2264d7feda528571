"""Proofs that take longer than a request may: a job goes on with them."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from gpuschedlab.materials.views import life
from gpuschedlab.web.jobs import services
from gpuschedlab.web.models import Run
from gpuschedlab.web.tasks import run_job
from simulator.models import Scenario
from tests.factories.materials import make_draft, scenario_text

if TYPE_CHECKING:
    from django.test import Client

    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(life, "REQUEST_BUDGET", -1)
    monkeypatch.setattr(services, "send", lambda _run_id: None)


def begin(client: Client, draft: Draft) -> Run:
    sent = {"version": draft.version, "client_token": str(uuid.uuid4()), "listed": "yes"}
    answer = client.post(f"/materials/{draft.pk}/publish/", sent)
    assert answer.url == f"/materials/{draft.pk}/publish/"
    assert not Scenario.objects.exists()
    return Run.objects.get()


def test_job_publishes(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    run = begin(author, draft)
    assert f"/runs/{run.pk}/" in author.get(f"/materials/{draft.pk}/publish/").content.decode()
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.result) == ("succeeded", {"name": "give-it-back", "number": 1, "kind": "scenario"})
    assert Scenario.objects.get().slug == "give-it-back"


def test_job_that_finds_a_flaw_publishes_nothing_and_the_page_tells_it(author: Client, ada: Participant) -> None:
    draft = make_draft(ada, scenario_text(solution=[{"command": "cordon", "name": "n1", "on": True}]))
    run = begin(author, draft)
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "not_ready")
    assert not Scenario.objects.exists()
    page = author.get(f"/materials/{draft.pk}/publish/").content.decode()
    assert "The solution does not reach goal 1." in page


def test_job_for_a_draft_that_was_changed_publishes_nothing(author: Client, ada: Participant) -> None:
    draft = make_draft(ada)
    run = begin(author, draft)
    author.post(f"/materials/{draft.pk}/form/", {"version": 1, "spec/minutes": "9"})
    run_job(str(run.pk))
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "changed")
    assert not Scenario.objects.exists()

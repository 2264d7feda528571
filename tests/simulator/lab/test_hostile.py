"""Requests that ask for too much, or send what no page of ours sends: a clear refusal, and the lab is as it was."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from gpuschedlab.web import limits
from simulator.models import Lab
from simulator.selectors.proofs import TooLong, prove
from simulator.services import oversight
from simulator.services.branches import lab_fork
from simulator.services.labs import lab_run
from simulator.services.oversight import TooMuchWork
from tests.factories.accounts import make_participant
from tests.factories.labs import give, make_lab, make_node, make_pod, make_revision, run
from tests.simulator.lab.test_pages import Page

if TYPE_CHECKING:
    from simulator.models import ScenarioRevision

pytestmark = pytest.mark.django_db

HUGE = "9" * 5000


def retrying() -> ScenarioRevision:
    """Pods that are tried again every five minutes, and fit nowhere."""
    return make_revision([make_node("n1"), *(make_pod(f"p{index}", cpu="100") for index in range(20))])


def test_time_in_which_too_much_happens_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oversight, "MAX_ACTIONS", 300)
    page = Page(retrying())
    page.post("do/advance/", seconds="1")
    refused = page.client.post(page.url + "do/advance/", {**page.fields, "seconds": "2592000"})

    assert refused.status_code == 413
    assert "broken off" in refused.content.decode()
    lab = Lab.objects.get()
    assert lab.head_seq == 1
    assert page.post("do/advance/", seconds="1").status_code == 200
    lab.refresh_from_db()
    assert lab.head_seq == 2


def test_what_takes_too_long_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oversight, "MAX_WORK", -1.0)
    lab = make_lab(make_participant())
    with pytest.raises(TooMuchWork):
        give(lab, {"type": "advance", "seconds": 1})
    assert not Lab.objects.exists()


def test_a_branch_that_takes_too_long_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = make_lab(make_participant())
    run(lab)
    monkeypatch.setattr(oversight, "MAX_WORK", -1.0)
    with pytest.raises(TooMuchWork):
        lab_fork(actor=lab.owner, lab=lab, actions=2, name="", new_id=uuid.uuid4())
    assert Lab.objects.count() == 1


def test_a_run_ends_where_the_lab_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = make_lab(make_participant(), retrying())
    monkeypatch.setattr(oversight, "MAX_ACTIONS", 7)
    answer = lab_run(actor=lab.owner, lab=lab, client_token=uuid.uuid4(), expected_seq=0, stop=lambda _action: False)
    assert answer.last == 7


@pytest.mark.parametrize("before", [HUGE, "²", "0", "-1"])
def test_a_branch_from_a_step_that_is_none_is_refused(before: str) -> None:
    page = Page(make_revision([make_node("n1"), make_pod("p1")]))
    page.step()
    answer = page.client.post(page.url + "fork/", {**page.fields, "before": before})
    assert answer.status_code in {302, 400}


def test_a_token_of_somebody_elses_branch_makes_none() -> None:
    token = str(uuid.uuid4())
    pages = [Page(make_revision([make_node("n1"), make_pod("p1")])) for _ in range(2)]
    codes = []
    for page in pages:
        page.step()
        codes.append(page.client.post(page.url + "fork/", {"client_token": token, "before": "1"}).status_code)
    assert codes == [302, 409]


@pytest.mark.parametrize(
    "places",
    ["[" * 100_000, "NaN", '{"n1": [NaN, 1]}', '{"n1": [1e400, 1]}', r'{"\ud800": [1, 1]}', r'{"\u0000": [1, 1]}'],
)
def test_positions_that_are_none_are_refused(places: str) -> None:
    page = Page(make_revision([make_node("n1"), make_pod("p1")]))
    page.step()
    answer = page.client.post(page.url + "places/", {"places": places})
    assert answer.status_code == 400


@pytest.mark.parametrize("base", ['{"a": NaN}', '{"a": 1e400}', r'{"a": "\ud800"}', r'{"a": "\u0000"}', "[" * 9000])
@pytest.mark.parametrize("do", ["x", "force", f"show:{HUGE}", "show:²"])
def test_a_configuration_that_no_page_sends_is_refused(base: str, do: str) -> None:
    page = Page(make_revision([make_node("n1"), make_pod("p1")]))
    assert page.client.post(page.url + "profile/", {"base": base, "do": do}).status_code == 400


def test_a_profile_that_is_not_there_is_not_shown() -> None:
    page = Page(make_revision([make_node("n1"), make_pod("p1")]))
    assert page.client.post(page.url + "profile/", {"base": "{}", "do": f"show:{HUGE}"}).status_code == 200


@pytest.mark.parametrize("path", ["", "explain/", "fabric/", "fabric/picture/", "selection/", "workload/"])
def test_looking_is_limited_too(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    monkeypatch.setattr(limits, "take", lambda scope, *_others: used.append(scope))
    page = Page(make_revision([make_node("n1"), make_pod("p1")]))
    used.clear()
    page.client.get(page.url + path)
    assert used == ["lab.look:address", "lab.look:participant"]


def test_a_solution_in_which_too_much_happens_is_not_waited_for() -> None:
    revision = retrying()
    spec = {**revision.spec, "goals": [{"kind": "allBound"}], "solution": [{"command": "advance", "seconds": 10**7}]}
    asked = iter([True] * 30)
    with pytest.raises(TooLong):
        prove(spec, revision.objects_json, lambda: next(asked, False))

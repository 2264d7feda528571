"""A lab that calls a real extender: its replies are stored with the command, and replaying it needs no server."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from simulator.extenders.gpushare.qgpu import CORE, MEMORY
from simulator.extenders.gpushare.service import PREFIX, GpuShare
from simulator.models import LabCommand
from simulator.selectors.histories import histories, open_history
from tests.factories.accounts import be, make_participant
from tests.factories.labs import make_lab, make_revision, run
from tests.simulator.extenders.servers import LOOPBACK, serving

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    """As the embedded mode has it; in class mode nothing may be called until it is listed."""
    settings.EXTENDER_ADDRESSES = LOOPBACK


def node(name: str) -> dict[str, Any]:
    amounts = {"cpu": "32", "memory": "64Gi", "pods": "110", CORE: "200", MEMORY: "48"}
    status = {"capacity": amounts, "allocatable": amounts}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": status}


def pod(name: str) -> dict[str, Any]:
    amounts = {CORE: "30", MEMORY: "4"}
    container = {"name": "main", "image": "x", "resources": {"requests": amounts, "limits": amounts}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container]}}


def scenario(url: str) -> Any:
    extender = {
        "urlPrefix": f"{url}{PREFIX}", "filterVerb": "filter", "prioritizeVerb": "prioritize",
        "bindVerb": "bind", "weight": 1,
        "managedResources": [{"name": name, "ignoredByScheduler": True} for name in (CORE, MEMORY)],
    }  # fmt: skip
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "extenders": [extender],
    }  # fmt: skip
    profile = {"name": "default", "title": {"zh-hans": "默认", "en": "Default"}, "configuration": config}
    return make_revision([node("g1"), node("g2"), pod("infer")], profiles=[profile])


def test_replies_are_stored_and_a_replay_needs_no_server() -> None:
    with serving(GpuShare().routes()) as url:
        lab = make_lab(make_participant(), scenario(url))
        run(lab, turns=3)
    replies = [reply for row in LabCommand.objects.filter(lab=lab) for reply in row.replies]
    assert len(replies) == 3
    assert {reply["status"] for reply in replies} == {200}
    histories.clear()
    with open_history(lab) as history:
        assert history.history.head.digest == lab.head_digest
        assert history.history.head.world.pod("default/infer").node_name in {"g1", "g2"}  # type: ignore[union-attr]


def test_lab_shows_the_calls_of_a_turn_even_after_a_replay() -> None:
    with serving(GpuShare().routes()) as url:
        lab = make_lab(make_participant(), scenario(url))
        run(lab, turns=3)
    histories.clear()
    client = Client(headers={"Accept-Language": "en"})
    be(client, lab.owner)
    page = f"/labs/{lab.revision.scenario.slug}/{lab.pk}/"
    text = client.get(page, {"tab": "scheduler", "at": "1.end"}).content.decode()
    assert "Of 2 nodes it drops 0." in text
    assert f"POST {PREFIX}/filter HTTP/1.1" in text


def test_extender_that_may_not_be_called_fails_the_cycle(settings: Any) -> None:
    settings.EXTENDER_ADDRESSES = []
    with serving(GpuShare().routes()) as url:
        lab = make_lab(make_participant(), scenario(url))
        run(lab, turns=1)
    with open_history(lab) as history:
        assert not history.history.head.world.pod("default/infer").node_name  # type: ignore[union-attr]

"""The stand-in answers for the shipped extender where nobody listens, and for nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from simulator.engine.framework.extenders import Reply, Request
from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders
from simulator.extenders.gpushare.gpu_memory import MEMORY
from simulator.extenders.stand_in import Reached, StandIn
from simulator.models import LabCommand
from tests.factories.accounts import be, make_participant
from tests.factories.labs import load_exercise, make_lab, run
from tests.simulator.extenders.test_gpu_memory import node, pod

SHIPPED = "http://gpushare:8888/gpushare-scheduler/filter"


def asked(url: str, memory: int | str = 8) -> Request:
    wanted = pod("a", 8)
    wanted["spec"]["containers"][0]["resources"]["requests"][MEMORY] = str(memory)
    body = {"Pod": wanted, "Nodes": {"items": [node("g1", 2, 32)]}, "NodeNames": None}
    return Request(0, "filter", url, 1_000_000, body, ())


def reached(*entries: str) -> Reached:
    return Reached(HttpExtenders(Addresses(read_entries(entries), {"gpushare": "127.0.0.1"})), StandIn(""))


def test_it_answers_as_the_extender_does() -> None:
    reply = StandIn("").call(asked(SHIPPED))
    assert reply.local
    assert [item["metadata"]["name"] for item in reply.body["Nodes"]["items"]] == ["g1"]


def test_bad_request_fails_as_over_http() -> None:
    assert StandIn("").call(asked(SHIPPED, "half")) == Reply(status=400, local=True)


@pytest.mark.parametrize(
    "url",
    [
        "http://gpushare:8889/gpushare-scheduler/filter",
        "http://elsewhere:8888/gpushare-scheduler/filter",
        "http://gpushare:8888/other/filter",
    ],
)
def test_it_answers_for_nobody_else(url: str) -> None:
    assert StandIn("").call(asked(url)).error


@pytest.mark.parametrize("reply", [Reply(body={"NodeNames": []}), Reply(status=500), Reply(garbled="no JSON")])
def test_whoever_listens_is_not_covered_up(reply: Reply) -> None:
    class Answering(HttpExtenders):
        def call(self, request: Request) -> Reply:
            return reply

    assert Reached(Answering(Addresses([])), StandIn("")).call(asked(SHIPPED)) == reply


@pytest.mark.parametrize("entries", [(), ("10.0.0.0/8",)])
def test_it_stands_in_where_the_address_is_closed(entries: tuple[str, ...]) -> None:
    assert reached(*entries).call(asked(SHIPPED)).local


@pytest.mark.django_db
def test_scenario_works_with_no_server_and_says_so(settings: Any) -> None:
    settings.EXTENDER_ADDRESSES = []
    lab = make_lab(make_participant(), load_exercise("extender-gpushare"))
    run(lab, turns=2)
    replies = [reply for row in LabCommand.objects.filter(lab=lab) for reply in row.replies]
    assert [reply["local"] for reply in replies[:2]] == [True, True]
    client = Client(headers={"Accept-Language": "en"})
    be(client, lab.owner)
    page = f"/labs/{lab.revision.scenario.slug}/{lab.pk}/"
    text = client.get(page, {"tab": "scheduler", "at": "1.end"}).content.decode()
    assert "Insufficient GPU Memory in one device" in text
    assert "Nobody listens at this address" in text

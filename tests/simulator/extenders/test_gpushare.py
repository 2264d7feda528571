"""The GPU-sharing extender: qGPU's semantics card by card, its answers, and a lab that calls it over HTTP."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from simulator.extenders.addresses import Addresses, read_entries
from simulator.extenders.client import HttpExtenders
from simulator.extenders.gpushare.cards import BINPACK, SPREAD, BadShare, Card, Share, choose, put, score
from simulator.extenders.gpushare.qgpu import CORE, MEMORY, QGpu, checked
from simulator.extenders.gpushare.service import GpuShare
from tests.simulator.extenders.servers import LOOPBACK, serving

FULL = Card(100, 24)


def pod(name: str, core: int | str | None, memory: int | str | None = None, **spec: Any) -> dict[str, Any]:
    amounts = {key: str(value) for key, value in ((CORE, core), (MEMORY, memory)) if value is not None}
    resources = {"requests": amounts, "limits": amounts} if amounts else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "uid": f"uid-{name}"},
        "spec": {"containers": [{"name": "main", "image": "infer", "resources": resources}], **spec},
    }


def node(name: str, cards: int, memory: int = 24) -> dict[str, Any]:
    allocatable = {"cpu": "32", "memory": "128Gi", "pods": "110"}
    if cards:
        allocatable |= {CORE: str(100 * cards), MEMORY: str(memory * cards)}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": allocatable}}


# cards: expected values are the worked examples of the vendor's semantics


@pytest.mark.parametrize(
    ("core", "memory", "good"),
    [
        (5, 1, True),
        (30, 4, True),
        (100, 24, True),
        (200, 0, True),
        (7, 1, False),
        (0, 4, False),
        (3, 1, False),
        (30, 0, False),
        (150, 4, False),
        (105, 1, False),
    ],
)
def test_share_is_checked(core: int, memory: int, good: bool) -> None:
    if good:
        checked(Share(core, memory))
    else:
        with pytest.raises(BadShare):
            checked(Share(core, memory))


def test_binpack_takes_the_fullest_card_that_fits() -> None:
    cards = (Card(40, 4, 1), FULL)
    assert choose(cards, Share(30, 4), BINPACK) == (0,)
    assert put(cards, Share(30, 4), (0,))[0] == Card(10, 0, 2)
    assert choose(cards, Share(30, 5), BINPACK) == (1,)


def test_spread_takes_the_emptiest() -> None:
    assert choose((Card(40, 4, 1), FULL, Card(60, 20, 1)), Share(30, 4), SPREAD) == (1,)


def test_free_parts_of_two_cards_are_no_free_card() -> None:
    assert choose((Card(50, 12, 1), Card(50, 12, 1)), Share(60, 4), BINPACK) is None


def test_whole_cards_must_be_empty() -> None:
    cards = (Card(95, 23, 1), FULL, FULL)
    assert choose(cards, Share(200, 0), BINPACK) == (1, 2)
    assert put(cards, Share(200, 0), (1, 2))[1:] == (Card(0, 0, 1), Card(0, 0, 1))
    assert choose(cards, Share(300, 0), BINPACK) is None


def test_card_takes_sixteen_pods_at_most() -> None:
    assert choose((Card(20, 8, 16),), Share(5, 1), BINPACK) is None
    assert choose((Card(25, 9, 15),), Share(5, 1), BINPACK) == (0,)


@pytest.mark.parametrize(("policy", "wanted"), [(BINPACK, 9), (SPREAD, 1)])
def test_score_tells_how_full_the_chosen_card_becomes(policy: str, wanted: int) -> None:
    assert score((Card(40, 10, 1),), Share(30, 4), policy) == wanted


@pytest.mark.parametrize("amount", ["1.5", "30m", "-5", "x", "9" * 20])
def test_amount_that_is_no_whole_number_is_refused(amount: str) -> None:
    with pytest.raises(BadShare):
        QGpu().share_of(pod("p", amount, 1))


# over HTTP, from a lab


@pytest.fixture
def extender() -> Iterator[str]:
    with serving(GpuShare().routes()) as url:
        yield f"{url}/gpushare"


def config(url: str, *, cache: bool = False, **extra: Any) -> dict[str, Any]:
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "extenders": [
            {
                "urlPrefix": url,
                "filterVerb": "filter",
                "prioritizeVerb": "prioritize",
                "bindVerb": "bind",
                "weight": 1,
                "nodeCacheCapable": cache,
                "managedResources": [{"name": CORE, "ignoredByScheduler": False}],
                **extra,
            }
        ],
    }


def lab(url: str, *objects: dict[str, Any], cluster: str = "lab-1", **extra: Any) -> History:
    port = HttpExtenders(Addresses(read_entries(LOOPBACK)), cluster)
    made = History.begin(Setup(config=config(url, **extra)), port=port)
    made.apply({"type": "apply", "objects": list(objects)})
    made.apply({"type": "run", "turns": 100})
    return made


def placed(made: History) -> dict[str, str]:
    return {item.name: item.node_name for item in made.head.world.list("Pod")}


def inspect(url: str, cluster: str = "lab-1") -> dict[str, Any]:
    with urllib.request.urlopen(f"{url}/inspect?cluster={cluster}", timeout=5) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def test_shares_are_packed_card_by_card(extender: str) -> None:
    made = lab(extender, node("g1", 2), node("g2", 2), node("c1", 0), *(pod(f"p{index}", 50, 8) for index in range(5)))
    names = [placed(made)[f"p{index}"] for index in range(5)]
    assert names[:2] == ["g1", "g1"]
    cards = inspect(extender)["nodes"]["g1"]
    assert cards[0] == {"freeCore": 0, "freeMemory": 8, "pods": 2}
    assert sum(card["pods"] for found in inspect(extender)["nodes"].values() for card in found) == 5


def test_pod_that_fits_no_single_card_waits_though_there_is_room_in_total(extender: str) -> None:
    """40 + 40 are free on two cards: NodeResourcesFit, which counts the node as a whole, lets 60 pass."""
    made = lab(extender, node("g1", 2), pod("a", 60, 4), pod("b", 60, 4), pod("c", 60, 4))
    assert placed(made) == {"a": "g1", "b": "g1", "c": ""}
    assert any("no card has core 60 and memory 4 GiB free" in event.message for event in made.head.world.events)


def test_request_that_makes_no_sense_fails_the_cycle(extender: str) -> None:
    made = lab(extender, node("g1", 1), pod("odd", 7, 1))
    assert placed(made) == {"odd": ""}
    assert any(
        "failed filter with extender at URL" in event.message and "code 400" in event.message
        for event in made.head.world.events
    )


def test_pod_without_a_share_does_not_reach_the_extender(extender: str) -> None:
    made = lab(extender, node("g1", 1), pod("web", None))
    assert placed(made) == {"web": "g1"}
    assert made.replies == []


def test_deleted_and_undone_pods_are_forgotten(extender: str) -> None:
    made = lab(extender, node("g1", 1), pod("a", 100, 24))
    made.apply({"type": "delete", "kind": "Pod", "name": "a"})
    made.apply({"type": "advance", "seconds": 60})
    made.apply({"type": "apply", "objects": [pod("b", 100, 24)]})
    made.apply({"type": "advance", "seconds": 60})
    assert placed(made) == {"b": "g1"}


def test_labs_do_not_see_each_other(extender: str) -> None:
    first = lab(extender, node("g1", 1), pod("a", 100, 24))
    second = lab(extender, node("g1", 1), pod("a", 100, 24), cluster="lab-2")
    assert placed(first) == placed(second) == {"a": "g1"}


def test_memory_is_made_anew_from_what_is_bound(extender: str) -> None:
    made = lab(extender, node("g1", 2), pod("a", 60, 4), pod("b", 60, 4))
    with serving(GpuShare().routes()) as other:
        made.apply({"type": "configure", "config": config(f"{other}/gpushare")})
        made.apply({"type": "apply", "objects": [pod("c", 60, 4), pod("d", 40, 4)]})
        made.apply({"type": "advance", "seconds": 5})
        assert placed(made)["c"] == ""
        assert placed(made)["d"] == "g1"


def test_names_alone_are_enough_once_the_nodes_were_seen(extender: str) -> None:
    made = lab(extender, node("g1", 1), pod("a", 50, 4))
    made.apply({"type": "configure", "config": config(extender, cache=True)})
    made.apply({"type": "apply", "objects": [pod("b", 50, 4)]})
    made.apply({"type": "run", "turns": 20})
    assert placed(made) == {"a": "g1", "b": "g1"}
    unseen = lab(extender, node("g9", 1), pod("a", 50, 4), cluster="lab-9", cache=True)
    assert placed(unseen) == {"a": ""}


def test_replay_needs_no_extender(extender: str) -> None:
    made = lab(extender, node("g1", 2), pod("a", 60, 4), pod("b", 60, 4))
    again = History.begin(made.setup, known=made.replies)
    for applied in made.applied:
        again.apply(applied.command)
    assert again.head.digest == made.head.digest
    assert placed(again) == placed(made)


def test_calls_stand_in_the_record_as_they_went_over_the_wire(extender: str) -> None:
    made = lab(extender, node("g1", 1), node("g2", 1), pod("a", 60, 4))
    record = next(action.record for action in made.actions if action.actor == "kube-scheduler" and action.record.calls)
    verbs = [call.verb for call in record.calls]
    assert verbs == ["filter", "prioritize", "bind"]
    assert set(record.calls[0].body) == {"Pod", "Nodes", "NodeNames"}
    assert record.calls[0].body["NodeNames"] is None
    assert record.calls[2].body == {
        "PodName": "a",
        "PodNamespace": "default",
        "PodUID": record.calls[2].body["PodUID"],
        "Node": record.calls[2].body["Node"],
    }
    assert record.calls[1].reply.body == [{"Host": "g1", "Score": 6}, {"Host": "g2", "Score": 6}]


# hostile callers


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"Pod": 1}',
        b'{"Pod": {}, "Nodes": 5}',
        b'{"Pod": {}, "NodeNames": 3}',
        b"[" * 10000,
    ],
)
def test_bad_request_is_told(extender: str, body: bytes) -> None:
    made = urllib.request.Request(f"{extender}/filter", body, {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(made, timeout=5)
    with caught.value as error:
        assert error.code in {400, 500}


def test_command_serves_until_it_is_stopped() -> None:
    process = subprocess.Popen(
        [sys.executable, "manage.py", "gpushare_extender", "--port", "0", "--policy", "spread"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"GPU-sharing extender \(spread\) on (\S+/gpushare) and (\S+)\n", line)
        assert found, line
        assert inspect(found[1])["policy"] == inspect(found[2])["policy"] == "spread"
    finally:
        process.terminate()
        process.wait(10)
        if process.stdout:
            process.stdout.close()

"""Sharing by memory alone: names, texts and choices of gpushare-scheduler-extender."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from simulator.extenders.gpushare.cards import BINPACK, BadShare, Card, Share, choose
from simulator.extenders.gpushare.gpu_memory import COUNT, MEMORY, GpuMemory
from simulator.extenders.gpushare.service import MEMORY_PREFIX
from simulator.extenders.stand_in import StandIn


def node(name: str, cards: int, memory: int) -> dict[str, Any]:
    amounts = {"cpu": "32", "memory": "128Gi", "pods": "110"}
    shared = {MEMORY: str(memory), COUNT: str(cards)} if cards else {}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts | shared}}


def pod(name: str, memory: int, on: str = "") -> dict[str, Any]:
    amounts = {MEMORY: str(memory)}
    container = {"name": "main", "image": "x", "resources": {"requests": amounts, "limits": amounts}}
    spec = {"containers": [container]} | ({"nodeName": on} if on else {})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def lab(*objects: dict[str, Any], ignored: bool = False) -> History:
    extender = {
        "urlPrefix": f"http://gpushare:8888{MEMORY_PREFIX}", "filterVerb": "filter", "bindVerb": "bind",
        "managedResources": [{"name": MEMORY, "ignoredByScheduler": ignored}],
    }  # fmt: skip
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    made = History.begin(Setup(config={**config, "extenders": [extender]}), port=StandIn("lab"))
    made.apply({"type": "apply", "objects": list(objects)})
    made.apply({"type": "run", "turns": 50})
    return made


def node_of(made: History, name: str) -> str:
    return next(item.node_name for item in made.head.world.list("Pod") if item.name == name)


@pytest.mark.parametrize(("asked", "card"), [(5, 0), (8, 1), (12, None)])
def test_smallest_free_memory_that_is_enough_is_chosen(asked: int, card: int | None) -> None:
    """6 and 10 GiB are free: 16 in total, and still no 12."""
    cards = (Card(0, 6, 1), Card(0, 10, 1))
    assert choose(cards, Share(0, asked), BINPACK) == (None if card is None else (card,))


def test_of_equal_cards_the_first_is_chosen() -> None:
    assert choose((Card(0, 16), Card(0, 16)), Share(0, 4), BINPACK) == (0,)


def test_seventeen_pods_may_share_a_card() -> None:
    made = lab(node("g1", 1, 17), *(pod(f"p{number}", 1) for number in range(17)))
    assert {item.node_name for item in made.head.world.list("Pod")} == {"g1"}


@pytest.mark.parametrize("amount", ["0", "1.5", "2Gi"])
def test_amount_that_is_no_whole_number_of_gib_is_refused(amount: str) -> None:
    with pytest.raises(BadShare):
        GpuMemory().share({MEMORY: amount})


def test_total_is_enough_and_no_card_is() -> None:
    made = lab(node("g1", 2, 32), pod("a", 10, "g1"), pod("b", 10, "g1"), pod("c", 8))
    assert node_of(made, "c") == ""
    assert any("1 Insufficient GPU Memory in one device" in event.message for event in made.head.world.events)


def test_node_without_the_resource_is_skipped() -> None:
    made = lab(node("c1", 0, 0), pod("a", 8), ignored=True)
    assert node_of(made, "a") == ""
    assert any("The node c1 is not for GPU share, need skip" in event.message for event in made.head.world.events)


def test_what_is_bound_fills_cards_in_its_order() -> None:
    """16 fill a card, 8 half of the other; 8 more fit there and nowhere else."""
    made = lab(node("g1", 2, 32), pod("a", 16, "g1"), pod("b", 8, "g1"), pod("c", 8), pod("d", 1))
    assert node_of(made, "c") == "g1"
    assert node_of(made, "d") == ""

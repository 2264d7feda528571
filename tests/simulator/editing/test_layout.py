"""Places: everything has one, nothing overlaps, and what has one keeps it."""

from __future__ import annotations

from itertools import combinations

import pytest

from simulator.presenters.graph.layout import HEIGHT, WIDTH, places_of, switch_key
from simulator.selectors.refs import node_ref
from simulator.services.plans.network import build_network
from simulator.services.plans.nodes import RACK_LABEL, NodeOrder, add_nodes, remove
from tests.factories.labs import make_node
from tests.simulator.editing.frames import Cluster

Places = dict[str, tuple[float, float]]


def overlapping(places: Places) -> list[tuple[str, str]]:
    nodes = {name: place for name, place in places.items() if "/" not in name}
    return [
        (one, other)
        for (one, (x1, y1)), (other, (x2, y2)) in combinations(nodes.items(), 2)
        if abs(x1 - x2) < WIDTH and abs(y1 - y2) < HEIGHT
    ]


def stored(places: Places) -> dict[str, list[float]]:
    return {name: list(place) for name, place in places.items()}


def racks(count: int, each: int) -> Cluster:
    labels = [{RACK_LABEL: f"r{rack}"} for rack in range(count) for _ in range(each)]
    return Cluster(*(make_node(f"n{number}", labels=own) for number, own in enumerate(labels)))


@pytest.mark.parametrize(("count", "each"), [(0, 0), (1, 1), (1, 9), (3, 4), (12, 2), (2, 40)])
def test_nothing_overlaps(count: int, each: int) -> None:
    places = places_of(racks(count, each).frame, {})
    assert len(places) == count * each
    assert overlapping(places) == []


def test_drawing_is_about_as_wide_as_the_window() -> None:
    places = places_of(racks(16, 2).frame, {})
    xs, ys = zip(*places.values(), strict=True)
    assert 0.5 < (max(xs) - min(xs) + WIDTH) / (max(ys) - min(ys) + HEIGHT) < 5


def test_what_has_a_place_keeps_it_when_nodes_come_and_go() -> None:
    cluster = racks(2, 3)
    before = places_of(cluster.frame, {})
    cluster.do(add_nodes(NodeOrder("t4-2", 5, "t4-{n}", rack="r0")))
    cluster.do(add_nodes(NodeOrder("t4-2", 2, "x-{n}")))
    after = places_of(cluster.frame, stored(before))
    assert {name: after[name] for name in before} == before
    assert overlapping(after) == []
    cluster.do(remove([node_ref("n1")]))
    assert places_of(cluster.frame, stored(after)) == {name: place for name, place in after.items() if name != "n1"}


def test_new_node_of_a_rack_stands_near_its_own() -> None:
    cluster = racks(2, 2)
    before = places_of(cluster.frame, {})
    cluster.do(add_nodes(NodeOrder("t4-2", 1, "t4-{n}", rack="r1")))
    x, y = places_of(cluster.frame, stored(before))["t4-1"]
    own = [before["n2"], before["n3"]]
    others = [before["n0"], before["n1"]]
    assert min(abs(x - a) + abs(y - b) for a, b in own) < min(abs(x - a) + abs(y - b) for a, b in others)


def test_switches_stand_above_what_is_below_them_and_apart() -> None:
    cluster = Cluster(*(make_node(f"n{number}", gpus=1) for number in range(6)))
    cluster.do(build_network((), 2, rails=False, oversubscription=1.0))
    places = places_of(cluster.frame, {})
    leaves = [places[switch_key(f"leaf-{number}")] for number in range(3)]
    _, spine = places[switch_key("spine")]
    top = min(y for name, (_, y) in places.items() if "/" not in name)
    assert all(spine < y < top - HEIGHT / 2 for _, y in leaves)
    assert len({round(x) for x, _ in leaves}) == 3


def test_switch_that_was_moved_stays() -> None:
    cluster = Cluster(make_node("n1", gpus=1))
    cluster.do(build_network((), 2, rails=False, oversubscription=1.0))
    assert places_of(cluster.frame, {switch_key("spine"): [5.0, 7.0]})[switch_key("spine")] == (5.0, 7.0)

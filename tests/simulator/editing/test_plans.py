"""What edits mean as commands."""

from __future__ import annotations

from typing import Any

import pytest

from gpuschedlab.web.errors import BadInput
from simulator.engine.fabric.presets import PRESETS
from simulator.selectors.refs import Ref, node_ref
from simulator.services.plans.copies import copied_of, duplicate, paste
from simulator.services.plans.names import free_name, names_by_pattern
from simulator.services.plans.network import build_network, connect, put_switch
from simulator.services.plans.nodes import RACK_LABEL, NodeOrder, add_nodes, remove, resize
from tests.factories.labs import make_node, make_pod
from tests.simulator.editing.frames import Cluster

# names


@pytest.mark.parametrize(
    ("pattern", "count", "taken", "names"),
    [
        ("h100-{n}", 3, set(), ["h100-1", "h100-2", "h100-3"]),
        ("h100-{n}", 2, {"h100-1", "h100-3"}, ["h100-2", "h100-4"]),
        ("r{n}-a", 1, {"r1-a"}, ["r2-a"]),
        ("alone", 1, {"other"}, ["alone"]),
    ],
)
def test_names_by_pattern(pattern: str, count: int, taken: set[str], names: list[str]) -> None:
    assert names_by_pattern(pattern, count, taken) == names


def test_several_nodes_need_a_number_in_their_name() -> None:
    with pytest.raises(BadInput):
        names_by_pattern("alone", 2, set())


@pytest.mark.parametrize(
    ("name", "taken", "free"),
    [
        ("a", set(), "a"),
        ("a", {"a"}, "a-2"),
        ("a-1", {"a-1", "a-2"}, "a-3"),
        ("node9", {"node9"}, "node10"),
        ("7", {"7"}, "7-2"),
        ("train-a", {"train-a", "train-a-2"}, "train-a-3"),
    ],
)
def test_free_name(name: str, taken: set[str], free: str) -> None:
    assert free_name(name, taken) == free


# nodes from the palette


@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS.values() if not preset.rack_of])
def test_every_machine_can_be_added(preset: str) -> None:
    cluster = Cluster()
    command = cluster.do(add_nodes(NodeOrder(preset, 2, "m-{n}")))
    assert command["type"] == "apply"
    assert cluster.names("Node") == ["m-1", "m-2"]
    gpus = [amount for name, amount in cluster.get("Node", "m-1")["status"]["allocatable"].items() if "/" in name]
    assert gpus == ([str(len(PRESETS[preset].shape.gpus))] if PRESETS[preset].shape.gpus else [])


def test_rack_of_trays_is_added_as_a_whole() -> None:
    cluster = Cluster()
    cluster.do(add_nodes(NodeOrder("gb200-tray-4", 2, "gb200-r{n}")))
    assert len(cluster.names("Node")) == 36
    first, other = cluster.get("Node", "gb200-r1-0"), cluster.get("Node", "gb200-r2-0")
    assert first["metadata"]["labels"][RACK_LABEL] == "gb200-r1"
    cliques = {item["metadata"]["labels"]["nvidia.com/gpu.clique"] for item in (first, other)}
    assert len(cliques) == 2


def test_nodes_into_a_rack_and_a_leaf_that_is_made_below_the_spine() -> None:
    cluster = Cluster()
    cluster.do(put_switch("spine", 2, "", 1.0))
    cluster.do(
        add_nodes(NodeOrder("hgx-h100-8", 2, "h-{n}", rack="r1", leaf="leaf-1", provider="gke", labels={"team": "a"}))
    )
    labels = cluster.get("Node", "h-1")["metadata"]["labels"]
    assert (labels[RACK_LABEL], labels["team"]) == ("r1", "a")
    assert cluster.get("Node", "h-1")["spec"]["taints"] == [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
    ]
    assert cluster.get("NodeFabric", "h-2")["spec"] == {"machine": "hgx-h100-8", "leaves": ["leaf-1"]}
    assert cluster.get("NetworkSwitch", "leaf-1")["spec"] == {"tier": 1, "parent": "spine"}


# other amounts


def test_amount_counts_for_both_unless_both_are_given() -> None:
    cluster = Cluster(make_node("n1", cpu="8"), make_node("n2", cpu="8"))
    cluster.do(resize([node_ref("n1"), node_ref("n2")], {}, {"cpu": "2"}))
    assert [cluster.get("Node", name)["status"]["capacity"]["cpu"] for name in ("n1", "n2")] == ["2", "2"]
    cluster.do(resize([node_ref("n1")], {"cpu": "4"}, {"cpu": "3"}))
    status = cluster.get("Node", "n1")["status"]
    assert (status["capacity"]["cpu"], status["allocatable"]["cpu"]) == ("4", "3")
    assert status["allocatable"]["memory"] == "16Gi"


# what goes


def test_node_takes_its_pods_and_its_fabric_with_it() -> None:
    cluster = Cluster(make_pod("p1", nodeName="h-1"), make_pod("p2"))
    cluster.do(add_nodes(NodeOrder("t4-2", 1, "h-{n}", leaf="leaf-1")))
    command = cluster.do(remove([node_ref("h-1")]))
    assert [part["type"] for part in command["commands"]] == ["delete", "delete", "delete"]
    assert cluster.names("Node") == cluster.names("NodeFabric") == []
    assert cluster.world.pod("default/p1").terminating
    assert not cluster.world.pod("default/p2").terminating


def test_single_object_goes_by_a_plain_deletion() -> None:
    cluster = Cluster(make_node("n1"))
    assert cluster.do(remove([node_ref("n1")])) == {"type": "delete", "kind": "Node", "namespace": "", "name": "n1"}


def test_what_is_gone_already_is_told() -> None:
    cluster = Cluster(make_node("n1"))
    with pytest.raises(BadInput, match="n2"):
        remove([node_ref("n1"), node_ref("n2")])(cluster.frame)
    with pytest.raises(BadInput):
        remove([])(cluster.frame)


# the network


def test_connecting_makes_the_leaf_and_keeps_what_the_fabric_says() -> None:
    cluster = Cluster()
    cluster.do(add_nodes(NodeOrder("hgx-h100-8", 1, "h-{n}")))
    cluster.simulation.apply({"type": "failGpu", "name": "h-1", "gpu": 3})
    cluster.do(connect([node_ref("h-1")], "leaf-1"))
    spec = cluster.get("NodeFabric", "h-1")["spec"]
    assert (spec["leaves"], spec["faults"]) == (["leaf-1"], {"gpus": [3]})
    assert cluster.names("NetworkSwitch") == ["leaf-1"]
    cluster.do(connect([node_ref("h-1")], ""))
    assert "leaves" not in cluster.get("NodeFabric", "h-1")["spec"]


def test_switch_is_moved_and_never_below_itself() -> None:
    cluster = Cluster()
    cluster.do(put_switch("spine", 2, "", 1.0))
    cluster.do(put_switch("leaf-1", 1, "", 1.0))
    cluster.do(put_switch("leaf-1", 1, "spine", 2.0))
    assert cluster.get("NetworkSwitch", "leaf-1")["spec"] == {"tier": 1, "parent": "spine", "oversubscription": 2.0}
    for parent in ("leaf-1", "nowhere"):
        with pytest.raises(BadInput):
            put_switch("leaf-1", 1, parent, 1.0)(cluster.frame)


@pytest.mark.parametrize(("rails", "leaves", "each"), [(False, 2, 1), (True, 16, 8)])
def test_network_for_all_nodes(rails: bool, leaves: int, each: int) -> None:
    cluster = Cluster()
    cluster.do(add_nodes(NodeOrder("hgx-h100-8", 4, "h-{n}")))
    cluster.do(build_network((), 2, rails=rails, oversubscription=2.0))
    tiers = [cluster.get("NetworkSwitch", name)["spec"]["tier"] for name in cluster.names("NetworkSwitch")]
    assert (tiers.count(1), tiers.count(2)) == (leaves, 1)
    plugged = [cluster.get("NodeFabric", f"h-{number}")["spec"]["leaves"] for number in (1, 2, 3, 4)]
    assert [len(found) for found in plugged] == [each] * 4
    assert plugged[0] == plugged[1] != plugged[2] == plugged[3]


# copies


def test_copies_are_fresh_and_have_names_of_their_own() -> None:
    cluster = Cluster(make_node("n-1"), make_node("n-2"), make_pod("p", nodeName="n-1"))
    cluster.do(duplicate([node_ref("n-1"), Ref("Pod", "default", "p")]))
    assert cluster.names("Node") == ["n-1", "n-2", "n-3"]
    copy = cluster.world.pod("default/p-2")
    assert (copy.node_name, copy.phase) == ("", "Pending")
    assert copy.uid != cluster.world.pod("default/p").uid


def test_copied_node_brings_its_fabric_without_faults() -> None:
    cluster = Cluster()
    cluster.do(add_nodes(NodeOrder("hgx-h100-8", 1, "h-{n}", leaf="leaf-1")))
    cluster.simulation.apply({"type": "failGpu", "name": "h-1", "gpu": 0})
    cluster.simulation.apply({"type": "run", "turns": 5})
    cluster.do(duplicate([node_ref("h-1")]))
    assert cluster.names("NodeFabric") == ["h-1", "h-2"]
    assert cluster.get("NodeFabric", "h-2")["spec"] == {"machine": "hgx-h100-8", "leaves": ["leaf-1"]}
    assert cluster.get("Node", "h-2")["metadata"]["labels"]["kubernetes.io/hostname"] == "h-2"
    cluster.simulation.apply({"type": "run", "turns": 5})
    assert cluster.get("Node", "h-2")["status"]["allocatable"]["nvidia.com/gpu"] == "8"


def test_paste_elsewhere_keeps_names_that_are_free() -> None:
    here = Cluster(make_node("n-1"), make_pod("p", nodeName="n-1"))
    texts = copied_of(here.frame, [node_ref("n-1"), Ref("Pod", "default", "p")])
    there = Cluster(make_node("n-1"))
    there.do(paste(texts))
    assert (there.names("Node"), there.names("Pod")) == (["n-1", "n-2"], ["p"])


def test_copies_in_another_namespace_do_not_meet() -> None:
    other: dict[str, Any] = make_pod("p")
    other["metadata"]["namespace"] = "team"
    cluster = Cluster(make_pod("p"), other)
    cluster.do(duplicate([Ref("Pod", "team", "p")]))
    assert cluster.world.pod("team/p-2") is not None
    assert cluster.world.pod("default/p-2") is None

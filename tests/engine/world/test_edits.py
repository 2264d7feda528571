"""Commands by which people change a cluster: several as one, another name for a node, drain with its options."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.world.commands import CommandError
from simulator.engine.world.handlers import try_out, types_of
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.engine.world.world import World, manifest_of


def node(name: str, **labels: str) -> dict[str, Any]:
    amounts = {"cpu": "16", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": "4"}
    labels = {"kubernetes.io/hostname": name, **labels}
    status = {"capacity": amounts, "allocatable": amounts}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": status}


def pod(name: str, on: str = "", **fields: Any) -> dict[str, Any]:
    container = {"name": "main", "image": "example/main:1", "resources": {"requests": {"cpu": "1"}}}
    spec = {"containers": [container], **({"nodeName": on} if on else {})}
    metadata = {"name": name, "labels": {"app": "web"}, **fields}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def begun(*objects: dict[str, Any]) -> Simulation:
    simulation = Simulation(Setup())
    simulation.apply({"type": "apply", "objects": list(objects)})
    return simulation


def state(world: World) -> dict[tuple[str, str, str], Any]:
    """Every object, whatever its order."""
    return {
        (kind, namespace, manifest_of(item)["metadata"]["name"]): manifest_of(item)
        for kind, namespace, item in world.objects()
    }


def names(simulation: Simulation) -> list[str]:
    return [item.name for item in simulation.world.list("Node")]


# several at once


def test_batch_does_all_its_commands_as_one_action() -> None:
    simulation = begun(node("a"), node("b"))
    before = simulation.count
    effect = simulation.apply(
        {
            "type": "batch",
            "commands": [
                {"type": "cordon", "name": "a", "on": True},
                {"type": "label", "name": "b", "labels": {"team": "red"}},
            ],
        }
    )
    assert simulation.count == before + 1
    assert [(item.name, item.result) for item in effect.outcomes] == [("a", "configured"), ("b", "configured")]
    assert simulation.world.get("Node", "", "a").unschedulable
    assert simulation.world.get("Node", "", "b").labels["team"] == "red"


def test_batch_is_undone_as_a_whole_and_done_again() -> None:
    simulation = begun(node("a"), pod("p", on="a"))
    start = state(simulation.world)
    command = {
        "type": "batch",
        "commands": [
            {"type": "label", "name": "a", "labels": {"team": "red"}},
            {"type": "label", "name": "a", "labels": {"team": "blue"}},
            {"type": "delete", "kind": "Pod", "name": "p"},
            {"type": "delete", "kind": "Node", "name": "a"},
        ],
    }
    undo = simulation.apply(command).inverse
    done = state(simulation.world)
    assert undo is not None
    redo = simulation.apply(undo).inverse
    assert state(simulation.world) == start
    assert redo is not None
    simulation.apply(redo)
    assert state(simulation.world) == done


def test_batch_with_one_command_that_is_refused_changes_nothing() -> None:
    simulation = begun(node("a"))
    before, digest = state(simulation.world), simulation.digest
    command = {
        "type": "batch",
        "commands": [
            {"type": "cordon", "name": "a", "on": True},
            {"type": "apply", "objects": [{**node("b"), "spec": {"taints": [{"key": "x", "effect": "Never"}]}}]},
        ],
    }
    with pytest.raises(CommandError) as refused:
        simulation.apply(command)
    assert refused.value.problems[0].path[:4] == ("commands", 1, "objects", 0)
    assert (state(simulation.world), simulation.digest) == (before, digest)


def test_later_commands_of_a_batch_see_what_earlier_ones_did() -> None:
    simulation = begun(node("a"))
    commands = [{"type": "apply", "objects": [node("b")]}, {"type": "cordon", "name": "b", "on": True}]
    simulation.apply({"type": "batch", "commands": commands})
    assert simulation.world.get("Node", "", "b").unschedulable


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"type": "batch"}, "command.field"),
        ({"type": "batch", "commands": ["cordon"]}, "command.field"),
        ({"type": "batch", "commands": [{"type": "batch", "commands": []}]}, "command.unknown"),
        ({"type": "batch", "commands": [{"type": "run", "turns": 1}]}, "command.unknown"),
        ({"type": "batch", "commands": [{"type": "cordon", "name": "a"}] * 5001}, "command.too_many"),
    ],
)
def test_batch_refuses_what_is_no_list_of_single_commands(command: dict[str, Any], code: str) -> None:
    simulation = begun(node("a"))
    with pytest.raises(CommandError) as refused:
        simulation.apply(command)
    assert refused.value.problems[0].code == code


def test_action_of_equal_commands_is_told_as_that_command() -> None:
    simulation = begun(node("a"), node("b"))
    cordons = [{"type": "cordon", "name": name, "on": True} for name in "ab"]
    simulation.apply({"type": "batch", "commands": cordons})
    assert simulation.actions[-1].record["command"] == "cordon"
    simulation.apply({"type": "batch", "commands": [*cordons, {"type": "delete", "kind": "Node", "name": "a"}]})
    assert simulation.actions[-1].record["command"] == "batch"


def test_types_are_those_of_the_parts() -> None:
    assert types_of({"type": "batch", "commands": [{"type": "label"}, {"type": "taint"}, {"type": "label"}]}) == [
        "label",
        "taint",
    ]
    assert types_of({"type": "batch", "commands": []}) == ["batch"]
    assert types_of({"type": "drain", "commands": [{"type": "label"}]}) == ["drain"]


def test_trying_out_changes_nothing_and_says_what_would_happen() -> None:
    simulation = begun(node("a"), pod("p", on="a"))
    before, digest, created = state(simulation.world), simulation.digest, simulation.world.created
    tried = try_out(simulation.world, {"type": "apply", "objects": [node("b"), pod("p", on="a"), node("a", x="y")]})
    assert [item.result for item in tried.outcomes] == ["created", "unchanged", "configured"]
    assert (state(simulation.world), simulation.digest, simulation.world.created) == (before, digest, created)
    done = simulation.apply({"type": "apply", "objects": [node("b"), pod("p", on="a"), node("a", x="y")]})
    assert done.outcomes == tried.outcomes


# inverses

SOME = st.sampled_from(
    [
        {"type": "cordon", "name": "a", "on": True},
        {"type": "cordon", "name": "a", "on": False},
        {"type": "label", "name": "b", "labels": {"team": "red", "zone": None}},
        {"type": "annotate", "kind": "Pod", "name": "p", "annotations": {"x": "y"}},
        {"type": "taint", "name": "a", "add": [{"key": "gpu", "effect": "NoSchedule"}]},
        {"type": "taint", "name": "a", "remove": [{"key": "gpu"}]},
        {"type": "patch", "kind": "Node", "name": "b", "patch": {"status": {"allocatable": {"cpu": "2"}}}},
        {"type": "rename", "name": "b", "to": "c"},
        {"type": "rename", "name": "c", "to": "b"},
        {"type": "delete", "kind": "Pod", "name": "q"},
        {"type": "delete", "kind": "Node", "name": "a"},
        {"type": "drain", "name": "a", "disableEviction": True, "gracePeriod": 0},
        {"type": "apply", "objects": [node("c"), node("b", team="blue"), pod("r")]},
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(SOME, max_size=6))
def test_whatever_a_batch_does_its_inverse_takes_back(parts: list[dict[str, Any]]) -> None:
    simulation = begun(node("a"), node("b", zone="z1"), pod("p", on="a"), pod("q"))
    before = state(simulation.world)
    try:
        effect = simulation.apply({"type": "batch", "commands": parts})
    except CommandError:
        assert state(simulation.world) == before
        return
    if effect.inverse is None:
        assert state(simulation.world) == before
        return
    simulation.apply(effect.inverse)
    assert state(simulation.world) == before


# another name


def test_renamed_node_keeps_everything_but_its_name() -> None:
    simulation = begun(node("a", zone="z1"), node("b"))
    simulation.apply({"type": "taint", "name": "a", "add": [{"key": "gpu", "effect": "NoSchedule"}]})
    old = simulation.world.get("Node", "", "a")
    effect = simulation.apply({"type": "rename", "name": "a", "to": "c"})
    new = simulation.world.get("Node", "", "c")
    assert [(item.name, item.result) for item in effect.outcomes] == [("a", "deleted"), ("c", "created")]
    assert names(simulation) == ["b", "c"]
    assert new.labels == {"kubernetes.io/hostname": "c", "zone": "z1"}
    assert (new.taints, new.allocatable) == (old.taints, old.allocatable)
    assert new.manifest["metadata"]["uid"] != old.manifest["metadata"]["uid"]


def test_renaming_takes_the_nodes_fabric_along_and_is_undone_with_it() -> None:
    fabric = {
        "apiVersion": "gpuschedlab.io/v1alpha1",
        "kind": "NodeFabric",
        "metadata": {"name": "a"},
        "spec": {"machine": "t4-2"},
    }
    simulation = begun(node("a"), fabric)
    before = state(simulation.world)
    effect = simulation.apply({"type": "rename", "name": "a", "to": "c"})
    assert simulation.world.get("NodeFabric", "", "a") is None
    assert simulation.world.get("NodeFabric", "", "c")["spec"] == {"machine": "t4-2"}
    assert effect.inverse is not None
    simulation.apply(effect.inverse)
    assert state(simulation.world) == before


def test_label_of_another_host_name_stays() -> None:
    odd = node("a")
    odd["metadata"]["labels"] = {"kubernetes.io/hostname": "ip-10-0-0-1"}
    simulation = begun(odd)
    simulation.apply({"type": "rename", "name": "a", "to": "c"})
    assert simulation.world.get("Node", "", "c").labels == {"kubernetes.io/hostname": "ip-10-0-0-1"}


@pytest.mark.parametrize(
    ("to", "code"),
    [
        ("b", "command.exists"),
        ("a", "command.exists"),
        ("Not a name", "name.subdomain"),
        ("", "metadata.name_required"),
    ],
)
def test_name_that_is_taken_or_none_is_refused(to: str, code: str) -> None:
    simulation = begun(node("a"), node("b"))
    before = state(simulation.world)
    with pytest.raises(CommandError) as refused:
        simulation.apply({"type": "rename", "name": "a", "to": to})
    assert code in [problem.code for problem in refused.value.problems]
    assert state(simulation.world) == before


def test_node_with_pods_keeps_its_name() -> None:
    simulation = begun(node("a"), pod("p", on="a"), pod("q", on="a"))
    with pytest.raises(CommandError) as refused:
        simulation.apply({"type": "rename", "name": "a", "to": "c"})
    [problem] = refused.value.problems
    assert problem.code == "command.pods_on_node"
    assert problem.params == {"node": "a", "count": 2, "pods": ["p", "q"]}


# drain


def owned(name: str, on: str) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "u", "controller": True}
    return pod(name, on, ownerReferences=[owner])


def budget() -> dict[str, Any]:
    spec = {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}}
    return {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"}, "spec": spec}


def drained(simulation: Simulation, **options: Any) -> dict[str, str]:
    effect = simulation.apply({"type": "drain", "name": "a", **options})
    return {item.name: item.result for item in effect.outcomes if item.kind == "Pod"}


def test_drain_leaves_pods_their_own_grace_unless_told_otherwise() -> None:
    simulation = begun(node("a"), pod("p", on="a"))
    drained(simulation)
    simulation.apply({"type": "advance", "seconds": 29})
    assert simulation.world.pod("default/p") is not None
    simulation.apply({"type": "advance", "seconds": 1})
    assert simulation.world.pod("default/p") is None


@pytest.mark.parametrize("seconds", [0, 5])
def test_drain_with_a_grace_period(seconds: int) -> None:
    simulation = begun(node("a"), pod("p", on="a"))
    drained(simulation, gracePeriod=seconds)
    if seconds:
        simulation.apply({"type": "advance", "seconds": seconds - 1})
        assert simulation.world.pod("default/p") is not None
        simulation.apply({"type": "advance", "seconds": 1})
    assert simulation.world.pod("default/p") is None


def test_drain_without_force_refuses_where_pods_would_be_lost() -> None:
    simulation = begun(node("a"), pod("p", on="a"), owned("q", "a"))
    with pytest.raises(CommandError) as refused:
        drained(simulation, force=False)
    [problem] = refused.value.problems
    assert problem.text == "cannot delete Pods that declare no controller (use --force to override): default/p"
    assert not simulation.world.get("Node", "", "a").unschedulable
    simulation.apply({"type": "delete", "kind": "Pod", "name": "p"})
    assert drained(simulation, force=False) == {"q": "evicted"}


def test_drain_that_disables_eviction_asks_no_budget() -> None:
    simulation = begun(node("a"), pod("p", on="a"), budget())
    simulation.apply({"type": "run", "turns": 5})
    assert drained(simulation) == {"p": "kept"}
    assert drained(simulation, disableEviction=True) == {"p": "deleted"}


def test_drain_takes_the_pods_of_a_selector() -> None:
    simulation = begun(node("a"), pod("p", on="a"), pod("q", on="a", labels={"app": "db"}))
    assert drained(simulation, podSelector={"app": "db"}) == {"q": "evicted"}


def test_drain_refuses_a_grace_period_that_is_none() -> None:
    simulation = begun(node("a"))
    for wrong in ("5", -2, True, 1.5):
        with pytest.raises(CommandError):
            drained(simulation, gracePeriod=wrong)


# gates


def test_gates_that_are_switched_on_count_for_the_api_server_too() -> None:
    spec = {"schedulingPolicy": {"gang": {"minCount": 2}}}
    group = {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "metadata": {"name": "g"}, "spec": spec}
    simulation = begun(node("a"))
    with pytest.raises(CommandError):
        simulation.apply({"type": "apply", "objects": [group]})
    back = simulation.apply({"type": "configure", "gates": {"GenericWorkload": True, "GangScheduling": True}}).inverse
    tried = try_out(simulation.world, {"type": "apply", "objects": [group]})
    assert [item.result for item in tried.outcomes] == ["created"]
    assert back is not None
    simulation.apply(back)
    with pytest.raises(CommandError):
        simulation.apply({"type": "apply", "objects": [group]})

"""GPUFabricScore: jobs stay together where the default profile scatters them; the chapter's order only breaks ties."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.fabric.device_plugin import device_labels
from simulator.engine.fabric.presets import clique_label, preset_host
from simulator.engine.framework.facts import Formula
from simulator.engine.plugins.fabric_view import FabricView
from simulator.engine.trace.explain import explain_node
from tests.engine.actors.machines import Lab, machine, pod
from tests.engine.plugins.test_node_resource_topology_match import config
from tests.engine.trace.labs import Manifest

NAME = "GPUFabricScore"
OURS = {"config": config(NAME, weight=20, groupLabel="job")}


def switch(name: str, tier: int = 1, **spec: Any) -> Manifest:
    api = "gpuschedlab.io/v1alpha1"
    return {"apiVersion": api, "kind": "NetworkSwitch", "metadata": {"name": name}, "spec": {"tier": tier, **spec}}


def cluster(preset: str, count: int, **fabric: Any) -> list[Manifest]:
    nodes = [machine(f"n{number}", preset=preset, **{"leaves": ["leaf-0"], **fabric}) for number in range(1, count + 1)]
    return [item for objects in nodes for item in objects] + [switch("leaf-0")]


def team(count: int, gpus: int = 1, cpu: str = "8") -> list[Manifest]:
    return [pod(f"t{number}", gpus, cpu=cpu, labels={"job": "train"}) for number in range(count)]


def nodes_of(lab: Lab) -> list[str]:
    return [item.node_name for item in lab.history.head.world.list("Pod") if item.labels.get("job") == "train"]


def formula(lab: Lab, cycle: int, node: str) -> Formula:
    turns = [action.index for action in lab.history.actions if action.actor == "kube-scheduler"]
    found = lab.history.probe(turns[cycle], 0, lambda framework, tried: explain_node(framework, tried, node))
    return next(part.raw for part in found.scores.parts if part.plugin == NAME)


def test_eight_gpus_scatter_by_default_and_come_together_with_our_plugin() -> None:
    scattered, together = Lab(*cluster("hgx-h100-8", 9)), Lab(*cluster("hgx-h100-8", 9), **OURS)
    for lab in (scattered, together):
        lab.apply(*team(8))

    assert nodes_of(scattered) == [f"n{number}" for number in range(1, 9)]
    assert nodes_of(together) == ["n1"] * 8
    assert sorted(together.gpus(f"t{number}") for number in range(8)) == list("01234567")


def test_the_formula_tells_both_orders() -> None:
    lab = Lab(*cluster("hgx-h100-8", 3), **OURS)
    lab.apply(*team(8))
    first, other = formula(lab, 3, "n1"), formula(lab, 3, "n2")

    assert (first.value, first.params["bandwidth"], first.params["same_node"]) == (100, 370.8, 3)
    assert (other.value, other.params["bandwidth"], other.params["same_node"]) == (0, 142.5, 0)
    assert first.params["first_by_bandwidth"] == first.params["first_by_chapter"] == "n1"
    for found in (first, other):
        ranks = found.params["ranks"]
        assert found.value == ((ranks - found.params["rank"]) * 100 // (ranks - 1) if ranks > 1 else 100)


def test_a_whole_job_prefers_the_nvswitch_box_to_pcie() -> None:
    objects = [*machine("a-l40s", preset="l40s-8"), *machine("b-h100", preset="hgx-h100-8")]
    default, ours = Lab(*objects), Lab(*objects, **OURS)
    for lab in (default, ours):
        lab.apply(pod("busy", 1, cpu="100", nodeName="b-h100"))
        lab.apply(*team(1, gpus=4, cpu="16"))

    assert nodes_of(default) == ["a-l40s"]
    assert nodes_of(ours) == ["b-h100"]
    assert formula(ours, 0, "b-h100").params["bandwidth"] == 370.8
    assert formula(ours, 0, "a-l40s").params["bandwidth"] == 24.0


def test_a_rack_wide_domain_counts_as_much_as_the_node() -> None:
    """NVL72: two trays of one rack are as fast as one, so the orders tie and the rack is kept together."""
    objects: list[Manifest] = []
    for rack in ("rack-1", "rack-2"):
        for number in range(3):
            node = machine(f"{rack}-{number}", preset="gb200-tray-4")[0]
            domain = clique_label(rack)
            host = preset_host("gb200-tray-4", node["metadata"]["name"], nvlink_domain=domain)
            node["metadata"]["labels"] |= device_labels(host)
            objects.append(node)
    lab = Lab(*objects, **OURS)
    lab.apply(*team(2, gpus=4, cpu="32"))

    assert len({name.rpartition("-")[0] for name in nodes_of(lab)}) == 1
    same, far = formula(lab, 1, "rack-1-1"), formula(lab, 1, "rack-2-0")
    assert round(same.params["bandwidth"], 1) == 721.8
    assert far.params["bandwidth"] == 190.0
    assert (same.params["same_node"], same.params["same_domain"]) == (0, 4)


def test_the_nearer_leaf_wins() -> None:
    objects = [item for n in (1, 2) for item in machine(f"n{n}", leaves=["leaf-1"])]
    objects += [item for n in (3, 4) for item in machine(f"n{n}", leaves=["leaf-2"])]
    objects += [switch("spine", 2), *(switch(f"leaf-{n}", parent="spine", oversubscription=4) for n in (1, 2))]
    objects += [pod("prep-x", cpu="48", nodeName="n1"), pod("prep-y", cpu="48", nodeName="n4")]
    default, ours = Lab(*objects), Lab(*objects, **OURS)
    for lab in (default, ours):
        lab.apply(*team(2, gpus=8, cpu="64"))

    assert nodes_of(default) == ["n2", "n3"]
    assert set(nodes_of(ours)) in ({"n1", "n2"}, {"n3", "n4"})


def test_teams_are_jobs_and_pod_groups_too() -> None:
    template = {"metadata": {}, "spec": {**pod("x", 1, cpu="8")["spec"], "restartPolicy": "Never"}}
    spec = {"parallelism": 8, "completions": 8, "template": template}
    job = Lab(*cluster("hgx-h100-8", 3), **OURS)
    job.apply({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec})
    assert {item.node_name for item in job.history.head.world.list("Pod")} == {"n1"}

    gates = {"GenericWorkload": True, "GangScheduling": True}
    gang = Lab(*cluster("hgx-h100-8", 3), gates=gates, **OURS)
    policy = {"schedulingPolicy": {"gang": {"minCount": 8}}}
    group = {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup", "metadata": {"name": "g"}, "spec": policy}
    members = [pod(f"g{number}", 1, cpu="8", schedulingGroup={"podGroupName": "g"}) for number in range(8)]
    gang.apply(group, *members)
    assert {item.node_name for item in gang.history.head.world.list("Pod")} == {"n1"}


def test_a_pod_on_its_own_with_one_gpu_is_none_of_our_business() -> None:
    lab = Lab(*cluster("hgx-h100-8", 2), **OURS)
    lab.apply(pod("alone", 1))
    index = next(action.index for action in lab.history.actions if action.actor == "kube-scheduler")
    found = lab.history.probe(index, 0, lambda framework, tried: explain_node(framework, tried, "n1"))

    assert NAME not in [part.plugin for part in found.scores.parts]


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.booleans()), min_size=1, max_size=10),
    st.sampled_from(["dgx1-v100-8", "l40s-8"]),
)
def test_what_the_scheduler_foresees_is_what_the_kubelet_gives(wishes: list[tuple[int, bool]], preset: str) -> None:
    lab = Lab(*cluster(preset, 2))
    for number, (gpus, removed) in enumerate(wishes):
        lab.apply(pod(f"p{number}", gpus))
        if removed:
            lab.do("delete", kind="Pod", name=f"p{number}")
            lab.do("advance", seconds=60)
    simulation = lab.history.head
    view = FabricView(simulation.scheduler.cluster, simulation.world)
    view.refresh()

    for node in ("n1", "n2"):
        taken = [int(gpu) for item in simulation.devices.pods(node) for gpu in lab.gpus(item.name).split(",")]
        assert view.free[node] == tuple(gpu for gpu in range(8) if gpu not in taken)


@pytest.mark.parametrize("preset", ["dgx1-v100-8", "a100-pcie-4"])
def test_an_assumed_pod_gets_the_same_gpus_from_both(preset: str) -> None:
    lab = Lab(*cluster(preset, 1))
    lab.do("apply", objects=[pod("a", 2)])
    lab.history.head.step()
    simulation = lab.history.head
    assert lab.gpus("a") == ""
    view = FabricView(simulation.scheduler.cluster, simulation.world)
    view.refresh()
    foreseen = view.gpus_of(lab.pod("a"), "n1")
    lab.history.head.step()

    assert ",".join(map(str, foreseen)) == lab.gpus("a")


def test_switches_that_labels_tell_are_known_too() -> None:
    """Block labels of topograph instead of NodeFabric and NetworkSwitch objects."""
    objects = []
    for number, leaf in ((1, "a"), (2, "b"), (3, "b")):
        node = machine(f"n{number}")[0]
        node["metadata"]["labels"] |= {"fabric.topograph.run/tier-0": leaf, "fabric.topograph.run/tier-1": "spine"}
        objects.append(node)
    lab = Lab(*objects, **OURS)
    simulation = lab.history.head
    view = FabricView(simulation.scheduler.cluster, simulation.world)
    view.refresh()

    assert [host.leaves for host in view.index.fabric.hosts] == [("1:a",), ("1:b",), ("1:b",)]
    assert {switch.name: switch.parent for switch in view.index.fabric.switches} == {
        "1:a": "2:spine",
        "2:spine": None,
        "1:b": "2:spine",
    }

"""Objects that ask for more than any machine gives: refused with their place, or done in parts."""

from __future__ import annotations

import time
from typing import Any

import pytest

from simulator.engine.actors.owners import BURST
from simulator.engine.fabric.numa_zones import MAX_NUMA_NODES, zones_from_object
from simulator.engine.objects.patch import LAST_APPLIED
from simulator.engine.objects.pod_devices import DEVICES, NUMA, devices_held, numa_held
from simulator.engine.world.commands import CommandError
from simulator.engine.world.simulation import Action
from tests.engine.build import Manifest, node_manifest, pod_manifest, settle, simulation

TEMPLATE: Manifest = {
    "metadata": {"labels": {"app": "web"}},
    "spec": {"containers": [{"name": "c", "image": "i"}], "restartPolicy": "Never"},
}
VERY_MANY = 2_000_000_000


def replica_set(replicas: int) -> Manifest:
    template = {**TEMPLATE, "spec": {"containers": TEMPLATE["spec"]["containers"]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "web"}, "spec": spec}


def job(pods: int, **spec: Any) -> Manifest:
    spec = {"parallelism": pods, "completions": pods, "template": TEMPLATE, **spec}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "web"}, "spec": spec}


@pytest.mark.parametrize(
    "owner",
    [replica_set(VERY_MANY), job(VERY_MANY), job(90_000, completionMode="Indexed")],
    ids=["set", "job", "indexed"],
)
def test_a_controller_makes_so_many_pods_in_one_turn_and_no_more(owner: Manifest) -> None:
    made = simulation(owner)
    began = time.monotonic()

    made.apply({"type": "run", "turns": 1})

    assert len(made.world.list("Pod")) == BURST == 500
    assert time.monotonic() - began < 5


def test_the_rest_of_the_pods_comes_in_the_next_turns() -> None:
    made = simulation(replica_set(BURST + 3))

    made.apply({"type": "run", "turns": 1})
    assert len(made.world.list("Pod")) == BURST

    while made.next_time() is not None and len(made.world.list("Pod")) == BURST:
        made.step()
    assert len(made.world.list("Pod")) == BURST + 3


def test_the_overseer_breaks_a_long_time_off() -> None:
    made = simulation(replica_set(50), node_manifest())
    seen: list[int] = []

    def watch(action: Action) -> None:
        seen.append(action.index)
        if len(seen) == 20:
            raise TimeoutError

    made.overseer = watch
    with pytest.raises(TimeoutError):
        made.apply({"type": "advance", "seconds": 10**7})
    assert len(seen) == 20


def topology(zones: int = 2, **changes: Any) -> Manifest:
    resource = {"name": "cpu", "capacity": "4", "allocatable": "4", "available": "4", **changes.pop("resource", {})}
    named = [{"name": f"node-{index}", "type": "Node", "resources": [resource]} for index in range(zones)]
    named[0] |= changes
    return {
        "apiVersion": "topology.node.k8s.io/v1alpha2",
        "kind": "NodeResourceTopology",
        "metadata": {"name": "n1"},
        "zones": named,
    }


def test_more_numa_nodes_than_the_kubelet_takes_are_refused() -> None:
    simulation(topology(MAX_NUMA_NODES))

    with pytest.raises(CommandError) as caught:
        simulation(topology(MAX_NUMA_NODES + 1))
    assert caught.value.problems[0].path == ("objects", 0, "zones")


@pytest.mark.parametrize("resource", [{"capacity": "much"}, {"allocatable": "1e"}, {"available": "²"}])
def test_an_amount_of_a_zone_that_is_none_is_refused(resource: dict[str, str]) -> None:
    with pytest.raises(CommandError) as caught:
        simulation(topology(resource=resource))
    assert caught.value.problems[0].path == ("objects", 0, "zones", 0, "resources", 0, next(iter(resource)))


@pytest.mark.parametrize("name", ["node-²", "node-٣", "node-" + "9" * 5000, "node--1", "node-"])
def test_zones_with_odd_names_are_no_numa_nodes(name: str) -> None:
    assert [zone.id for zone in zones_from_object(topology(name=name)).zones] == [1]


@pytest.mark.parametrize("limit", ["²", "9" * 5000, "0", "-1", ""])
def test_an_odd_number_of_numa_nodes_is_the_kubelets_own(limit: str) -> None:
    made = topology()
    made["attributes"] = [
        {"name": "nodeMaxNUMANodes", "value": limit},
        {"name": "topologyManagerMaxNUMANodes", "value": limit},
    ]

    assert zones_from_object(made).max_numa_nodes == MAX_NUMA_NODES


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"0": {"cpu": 1e999}}', '{"²": {}}', "{" * 5000, '{"0": {"cpu": [1]}}', "NaN"]
)
@pytest.mark.parametrize("key", [NUMA, LAST_APPLIED])
def test_annotations_that_say_nothing_are_as_if_they_were_not_there(key: str, text: str) -> None:
    pod = {**pod_manifest("p"), "metadata": {"name": "p", "annotations": {key: text}}}
    made = simulation(node_manifest(), pod)
    made.apply({"type": "apply", "objects": [{**pod, "metadata": {**pod["metadata"], "labels": {"new": "yes"}}}]})

    settle(made)

    [found] = made.world.list("Pod")
    assert (found.node_name, found.labels["new"]) == ("n1", "yes")
    assert numa_held(found) == {}


@pytest.mark.parametrize("text", ["²", "9" * 5000, "٣:1", "0x1", ","])
def test_device_ids_that_are_none_are_held_by_nobody(text: str) -> None:
    pod = {**pod_manifest("p", on="n1"), "metadata": {"name": "p", "annotations": {DEVICES: f"1,{text}"}}}

    [found] = simulation(node_manifest(), pod).world.list("Pod")
    assert devices_held(found) == ("1",)

"""NodeResourceTopologyMatch in a profile: Pods that the kubelet would turn away stay Pending instead."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.plugins.node_resource_topology_match import NodeResourceTopologyMatch
from simulator.engine.trace.explain import explain_node
from tests.engine.actors.machines import Lab, machine, pod
from tests.engine.trace.labs import Manifest, node

NAME = "NodeResourceTopologyMatch"
SINGLE = {"topologyManager": {"policy": "single-numa-node", "scope": "pod"}}


def config(name: str = NAME, weight: int = 1, **args: Any) -> Manifest:
    profile = {
        "schedulerName": "default-scheduler",
        "plugins": {"multiPoint": {"enabled": [{"name": name, "weight": weight}]}},
        "pluginConfig": [{"name": name, "args": args}] if args else [],
    }
    return {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": [profile]}


def topology(name: str, *zones: dict[str, str], policy: str = "single-numa-node", scope: str = "container") -> Manifest:
    return {
        "apiVersion": "topology.node.k8s.io/v1alpha2",
        "kind": "NodeResourceTopology",
        "metadata": {"name": name},
        "attributes": [
            {"name": "topologyManagerPolicy", "value": policy},
            {"name": "topologyManagerScope", "value": scope},
        ],
        "zones": [
            {
                "name": f"node-{number}",
                "type": "Node",
                "resources": [
                    {"name": resource, "capacity": amount, "allocatable": amount, "available": amount}
                    for resource, amount in zone.items()
                ],
            }
            for number, zone in enumerate(zones)
        ],
    }


def two_containers(name: str, cpu: str) -> Manifest:
    manifest = pod(name, cpu=cpu)
    manifest["spec"]["containers"].append({**manifest["spec"]["containers"][0], "name": "second"})
    return manifest


@pytest.mark.parametrize(("second", "placed"), [("1", False), ("2", True)])
def test_second_container_needs_a_zone_too(second: str, placed: bool) -> None:
    """scheduler-plugins 366 (J08): zones of 2 and 1 CPUs, two containers of 2."""
    zones = [{"cpu": amount, "memory": "8Gi"} for amount in ("2", second)]
    lab = Lab(node("n", cpu=8), topology("n", *zones), config=config())
    lab.apply(two_containers("p", "2"))

    assert (lab.pod("p").node_name == "n") is placed
    if not placed:
        message = lab.pod("p").condition("PodScheduled").message
        assert message.startswith("0/1 nodes are available: 1 cannot align container.")


def test_the_third_pod_waits_instead_of_failing_and_is_woken() -> None:
    """scheduler-plugins 452 (J10) with the plugin: 3 + 3 GPUs leave 1 + 1, a Pod of 2 waits until one ends."""
    lab = Lab(*machine("n", **SINGLE), config=config())
    lab.apply(pod("a", 3), pod("b", 3), pod("c", 2))
    assert (lab.gpus("a"), lab.gpus("b"), lab.pod("c").phase) == ("0,1,2", "4,5,6", "Pending")
    assert "1 cannot align pod" in lab.pod("c").condition("PodScheduled").message

    lab.do("delete", kind="Pod", name="b")
    lab.do("advance", seconds=60)
    lab.run()
    assert lab.gpus("c") == "4,5"


def test_one_pending_pod_instead_of_a_runaway_of_failed_ones() -> None:
    """kubernetes 84869 (J07), with a NUMA-aware Filter."""
    lab = Lab(*machine("n", **SINGLE), config=config())
    lab.apply(pod("a", 3), pod("b", 3))
    template = pod("x", 2, labels={"app": "x"})
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "x"}}}
    spec["template"] = {"metadata": {"labels": {"app": "x"}}, "spec": template["spec"]}
    lab.apply({"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "rs"}, "spec": spec})

    owned = [item for item in lab.history.head.world.list("Pod") if item.shape.controller]
    assert [item.phase for item in owned] == ["Pending"]


def test_scores_and_facts_come_from_the_same_steps() -> None:
    """score_test.go: 2 CPUs and 20Mi on a zone of 4 CPUs and 500M leave LeastAllocated 73."""
    zones = [{"cpu": "4", "memory": f"{500 * 1024**2}"}] * 2
    objects = [item for name in ("m", "n") for item in (node(name, cpu=8), topology(name, *zones))]
    lab = Lab(*objects, config=config())
    manifest = pod("p", cpu="2")
    for which in ("requests", "limits"):
        manifest["spec"]["containers"][0]["resources"][which]["memory"] = "20Mi"
    lab.apply(manifest)
    index = next(action.index for action in lab.history.actions if action.actor == "kube-scheduler")
    found = lab.history.probe(index, 0, lambda framework, tried: explain_node(framework, tried, "m"))

    part = next(part for part in found.scores.parts if part.plugin == NAME)
    assert part.raw.value == 73
    assert [zone["score"] for zone in part.raw.params["units"][0]["zones"]] == [73, 73]
    fact = next(check.facts for check in found.checks if check.plugin == NAME)[0]
    assert (fact.code, fact.holds, fact.params["zone"]) == ("node_resource_topology_match.container", True, 0)


def test_nodes_without_data_pass_and_score_nothing() -> None:
    lab = Lab(node("n", cpu=8), node("m", cpu=8), config=config())
    lab.apply(pod("p", cpu="2"))

    assert lab.pod("p").node_name


@pytest.mark.parametrize(
    ("args", "path"),
    [
        ({"scoringStrategy": {"type": "Nearest"}}, ("scoringStrategy", "type")),
        ({"scoringStrategy": 5}, ("scoringStrategy",)),
        ({"other": 1}, ("other",)),
    ],
)
def test_wrong_arguments_are_refused_at_their_place(args: dict[str, Any], path: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as error:
        NodeResourceTopologyMatch.read_args(args)

    assert error.value.problems[0].path == path

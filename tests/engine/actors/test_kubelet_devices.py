"""Which devices a Pod gets on its node, and which Pods the kubelet turns away."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.actors.machines import GPU, Lab, machine, pod

MILLI, MEMORY = "alibabacloud.com/gpu-milli", "aliyun.com/gpu-mem"
LOCALITY = "Resources cannot be allocated with Topology locality"


def shares(name: str, milli: int, memory: int = 0) -> dict[str, Any]:
    return pod(name, resources={MILLI: str(milli), MEMORY: str(memory)} if memory else {MILLI: str(milli)})


def topology(policy: str, scope: str = "container") -> dict[str, Any]:
    return {"topologyManager": {"policy": policy, "scope": scope}}


def test_gpus_of_a_machine_that_nobody_named_are_only_counted() -> None:
    node, _ = machine("n", leaves=["leaf-0"])
    node["metadata"]["labels"] = {}
    lab = Lab(node)
    lab.apply(pod("a", 2))

    assert lab.pod("a").phase == "Running"
    assert lab.gpus("a") == ""


def test_a_label_is_enough_to_know_the_machine() -> None:
    lab = Lab(*machine("n", preset="a100-pcie-4"))
    lab.apply(pod("a", 1), pod("b", 2))

    assert lab.gpus("a") == "0"
    assert lab.gpus("b") == "2,3"


@pytest.mark.parametrize(
    ("policy", "expected"), [("device-order", "1,2"), ("best-effort", "2,3"), ("widest-ring", "2,3")]
)
def test_the_policy_decides_between_a_bridged_pair_and_the_first_two(policy: str, expected: str) -> None:
    """Four PCIe cards in bridge pairs 0-1 and 2-3, GPU 0 taken."""
    lab = Lab(*machine("n", preset="a100-pcie-4", devicePolicy=policy))
    lab.apply(pod("first", 1))
    lab.apply(pod("two", 2))

    assert (lab.gpus("first"), lab.gpus("two")) == ("0", expected)


def test_containers_get_devices_one_after_another_and_the_end_frees_them() -> None:
    lab = Lab(*machine("n"))
    manifest = pod("p", 2)
    manifest["spec"]["containers"].append({**manifest["spec"]["containers"][0], "name": "second"})
    lab.apply(manifest)
    record = next(
        action.record for action in lab.history.actions if getattr(action.record, "code", "") == "kubelet.allocated"
    )
    params = dict(record.params)
    assert {name: len(ids) for name, ids in params["containers"].items()} == {"main": 2, "second": 2}
    assert params["devices"] == [*params["containers"]["main"], *params["containers"]["second"]]

    lab.apply(pod("rest", 4))
    taken = {*lab.gpus("p").split(","), *lab.gpus("rest").split(",")}
    assert taken == set("01234567")
    freed = lab.gpus("p")
    lab.do("delete", kind="Pod", name="p")
    lab.apply(pod("next", 4))
    lab.do("advance", seconds=60)
    lab.run()
    assert lab.gpus("next") == freed


def test_an_init_container_that_wants_more_widens_the_pods_share() -> None:
    lab = Lab(*machine("n"))
    manifest = pod("p", 1)
    manifest["spec"]["initContainers"] = [pod("x", 3)["spec"]["containers"][0] | {"name": "init"}]
    lab.apply(manifest)

    assert len(lab.gpus("p").split(",")) == 3


def test_pods_that_run_already_get_their_devices_when_the_machine_becomes_known() -> None:
    node, fabric = machine("n", preset="a100-pcie-4", leaves=["leaf-0"])
    node["metadata"]["labels"] = {}
    lab = Lab(node)
    lab.apply(pod("a", 1))
    lab.apply(fabric)

    assert lab.gpus("a") == "0"


def test_a_dumped_pod_keeps_what_it_has() -> None:
    lab = Lab(*machine("n"))
    dumped = pod("a", 2, nodeName="n")
    dumped["metadata"]["annotations"] = {"gpuschedlab.io/gpus": "6,7"}
    lab.apply(dumped)
    lab.apply(pod("b", 6))

    assert lab.gpus("a") == "6,7"
    assert lab.gpus("b") == "0,1,2,3,4,5"


def test_a_device_that_fails_between_scheduling_and_start_is_an_admission_error() -> None:
    lab = Lab(*machine("n"))
    lab.do("apply", objects=[pod("a", 8)])
    while not lab.pod("a").node_name:
        lab.history.head.step()
    lab.do("failGpu", name="n", gpu=0)
    lab.run()

    text = (
        "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. "
        "Requested: 8, Available: 7, which is unexpected"
    )
    assert lab.events("UnexpectedAdmissionError") == [("default/a", text)]
    assert lab.pod("a").to_manifest()["status"] | {"conditions": None, "startTime": None} == {
        "phase": "Failed",
        "reason": "UnexpectedAdmissionError",
        "message": f"Pod was rejected: {text}",
        "conditions": None,
        "startTime": None,
    }


# NUMA


def test_three_and_three_leave_one_and_one() -> None:
    """scheduler-plugins 452 (J10): zones 4 + 4, Pod scope; the third Pod is bound and turned away."""
    lab = Lab(*machine("n", **topology("single-numa-node", "pod")))
    lab.apply(pod("a", 3), pod("b", 3), pod("c", 2))

    assert (lab.gpus("a"), lab.gpus("b")) == ("0,1,2", "4,5,6")
    assert lab.pod("c").phase == "Failed"
    assert lab.pod("c").reason == "TopologyAffinityError"
    assert lab.events("TopologyAffinityError") == [("default/c", LOCALITY)]
    zones = lab.history.head.world.get("NodeResourceTopology", "", "n")["zones"]
    assert [{item["name"]: item["available"] for item in zone["resources"]}[GPU] for zone in zones] == ["1", "1"]


@pytest.mark.parametrize(
    ("policy", "phase"),
    [("restricted", "Failed"), ("single-numa-node", "Failed"), ("best-effort", "Running"), ("none", "Running")],
)
def test_four_cpus_over_three_zones_with_two_left_in_each(policy: str, phase: str) -> None:
    """kubernetes 84597 (J11), here with whole machines: four NUMA nodes of 24 CPUs, 22 of each taken."""
    lab = Lab(*machine("n", preset="a100-pcie-4", **topology(policy)))
    for zone in range(4):
        lab.apply(pod(f"filler-{zone}", cpu="22"))
    lab.apply(pod("four", cpu="4"))

    assert lab.pod("four").phase == phase


def test_a_runaway_replica_set_fills_with_failed_pods() -> None:
    """kubernetes 84869 (J07): the scheduler knows nothing of zones, so every replacement is turned away again."""
    lab = Lab(*machine("n", **topology("single-numa-node", "pod")))
    lab.apply(pod("a", 3), pod("b", 3))
    template = pod("x", 2, labels={"app": "x"})
    replica_set = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "rs"},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": {"app": "x"}},
            "template": {"metadata": template["metadata"], "spec": template["spec"]},
        },
    }
    del replica_set["spec"]["template"]["metadata"]["name"], replica_set["spec"]["template"]["metadata"]["namespace"]
    lab.do("apply", objects=[replica_set])
    lab.run(60)

    failed = [item for item in lab.history.head.world.list("Pod") if item.phase == "Failed"]
    assert len(failed) >= 10
    assert {item.reason for item in failed} == {"TopologyAffinityError"}


def test_devices_come_from_the_hinted_zone_even_where_fewer_links_are() -> None:
    lab = Lab(*machine("n", preset="a100-pcie-4", **topology("restricted")))
    lab.apply(pod("a", 1, cpu="20"))
    lab.apply(pod("b", 2, cpu="40", resources={"memory": "200Gi"}))

    assert lab.gpus("a") == "0"
    assert lab.gpus("b") == "1,2"
    assert lab.pod("b").annotations["gpuschedlab.io/numa"].startswith('{"1": {"cpu": 24000')


# sharing


def test_gpu_memory_is_never_oversold() -> None:
    """J01: one GPU, three Pods that want half of its memory each; the node's total would fit two GPUs' worth."""
    lab = Lab(*machine("n", preset="t4-2", sharing={"strategy": "shares"}))
    lab.apply(*[shares(f"p{number}", 100, 9000) for number in range(3)])

    assert [lab.pod(f"p{number}").phase for number in range(3)] == ["Running", "Running", "Failed"]
    assert lab.pod("p2").reason == "UnexpectedAdmissionError"


@pytest.mark.parametrize(("cards", "expected"), [("binpack", ["0", "0", "0"]), ("spread", ["0", "1", "0"])])
def test_binpack_and_spread_over_cards(cards: str, expected: list[str]) -> None:
    """J02: the fullest card that fits, or the emptiest."""
    lab = Lab(*machine("n", preset="t4-2", sharing={"strategy": "shares", "cards": cards}))
    for number in range(3):
        lab.apply(shares(f"p{number}", 300))

    assert [lab.gpus(f"p{number}") for number in range(3)] == expected


def test_free_halves_of_two_cards_are_no_free_card() -> None:
    lab = Lab(*machine("n", preset="t4-2", sharing={"strategy": "shares", "cards": "spread"}))
    lab.apply(shares("a", 500), shares("b", 500), shares("c", 600))

    assert lab.pod("c").node_name == "n"
    assert lab.pod("c").phase == "Failed"
    assert "no GPU with 600 thousandths" in lab.pod("c").message


def test_replicas_go_to_the_least_used_gpu() -> None:
    lab = Lab(*machine("n", preset="t4-2", sharing={"strategy": "time-slicing", "replicas": 2}))
    for name in "abcd":
        lab.apply(pod(name, 1))

    assert [lab.gpus(name) for name in "abcd"] == ["0::0", "1::0", "0::1", "1::1"]


def test_mig_instances_are_given_by_profile() -> None:
    instances = [{"gpu": 2, "profiles": ["3g.40gb", "2g.20gb", "1g.10gb"]}]
    lab = Lab(*machine("n", mig={"strategy": "mixed", "instances": instances}))
    lab.apply(
        pod("small", resources={"nvidia.com/mig-1g.10gb": "1"}), pod("large", resources={"nvidia.com/mig-3g.40gb": "1"})
    )
    lab.apply(pod("again", resources={"nvidia.com/mig-3g.40gb": "1"}), pod("whole", 2))

    assert lab.gpus("small").startswith("2:1g.10gb@")
    assert lab.gpus("large") in ("2:3g.40gb@0", "2:3g.40gb@4")
    assert lab.pod("again").node_name == ""
    assert "2" not in lab.gpus("whole").split(",")

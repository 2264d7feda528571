"""Amounts, labels and health of Nodes follow what is inside them."""

from __future__ import annotations

import pytest

from simulator.engine.world.commands import CommandError
from tests.engine.actors.machines import GPU, Lab, machine, pod


def test_a_node_from_the_palette_needs_no_correction() -> None:
    lab = Lab(*machine("n", leaves=["leaf-0"]))

    assert lab.codes() == []
    assert lab.amounts("n") == ("8", "8")


def test_a_plain_node_gets_amounts_and_labels_of_its_machine() -> None:
    node, fabric = machine("n", preset="a100-pcie-4", leaves=["leaf-0"])
    node["metadata"]["labels"] = {"kubernetes.io/hostname": "n"}
    for which in ("capacity", "allocatable"):
        del node["status"][which][GPU]
    lab = Lab(node, fabric)

    assert lab.amounts("n") == ("4", "4")
    labels = lab.history.head.world.get("Node", "", "n").labels
    assert labels["nvidia.com/gpu.product"] == "NVIDIA-A100-80GB-PCIe"
    assert labels["nvidia.com/gpu.count"] == "4"


def test_a_failed_gpu_leaves_the_allocatable_amount_and_comes_back_by_undo() -> None:
    lab = Lab(*machine("n"))
    failed = lab.do("failGpu", name="n", gpu=3)
    lab.run()
    assert lab.amounts("n") == ("7", "8")

    lab.undo(failed)
    assert lab.amounts("n") == ("8", "8")


def test_a_failed_gpu_blocks_and_a_repaired_one_wakes() -> None:
    lab = Lab(*machine("n"))
    lab.do("failGpu", name="n", gpu=0)
    lab.run()
    lab.apply(pod("all", 8))
    assert lab.pod("all").node_name == ""
    assert (
        lab.pod("all")
        .condition("PodScheduled")
        .message.startswith("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.")
    )

    lab.do("repairGpu", name="n", gpu=0)
    lab.do("advance", seconds=20)
    lab.run()
    assert lab.gpus("all") == "0,1,2,3,4,5,6,7"


def test_a_pod_on_a_failed_gpu_runs_on_and_is_told() -> None:
    lab = Lab(*machine("n"))
    lab.apply(pod("a", 2), pod("b", 2))
    held = lab.gpus("a")
    lab.do("failGpu", name="n", gpu=int(held[0]))
    lab.run()

    assert lab.pod("a").phase == "Running"
    assert lab.gpus("a") == held
    assert lab.events("DeviceUnhealthy") == [("default/a", f"Device of the Pod is unhealthy: GPU{held[0]} on node n")]

    lab.do("repairGpu", name="n", gpu=int(held[0]))
    lab.do("failGpu", name="n", gpu=int(held[0]))
    lab.run()
    assert len(lab.events("DeviceUnhealthy")) == 1


def test_a_second_failure_tells_only_of_what_is_new() -> None:
    lab = Lab(*machine("n"))
    lab.apply(pod("a", 8))
    for gpu in (2, 5):
        lab.do("failGpu", name="n", gpu=gpu)
        lab.run()

    assert [text.split(": ")[1] for _, text in lab.events("DeviceUnhealthy")] == ["GPU2 on node n", "GPU5 on node n"]


def test_a_node_without_labels_can_lose_a_gpu_too() -> None:
    node, _ = machine("n", preset="l40s-8", leaves=["leaf-0"])
    node["metadata"]["labels"] = {}
    lab = Lab(node)
    lab.do("failGpu", name="n", gpu=7)
    lab.run()

    assert lab.amounts("n") == ("7", "8")
    assert lab.history.head.world.get("Node", "", "n").labels == {}


def test_replicas_and_shares_are_advertised() -> None:
    sliced = Lab(*machine("n", preset="l40s-8", sharing={"strategy": "time-slicing", "replicas": 4}))
    assert sliced.amounts("n") == ("32", "32")
    sliced.do("failGpu", name="n", gpu=1)
    sliced.run()
    assert sliced.amounts("n") == ("28", "32")

    shared = Lab(*machine("n", preset="t4-2", sharing={"strategy": "shares"}))
    assert shared.amounts("n") == ("", "")
    assert shared.amounts("n", "alibabacloud.com/gpu-milli") == ("2000", "2000")
    assert shared.amounts("n", "aliyun.com/gpu-mem") == ("30720", "30720")


def test_mig_instances_are_resources_of_their_own() -> None:
    instances = [{"gpu": 0, "profiles": ["3g.40gb", "3g.40gb"]}, {"gpu": 1, "profiles": ["1g.10gb"] * 7}]
    lab = Lab(*machine("n", mig={"strategy": "mixed", "instances": instances}))

    assert lab.amounts("n") == ("6", "6")
    assert lab.amounts("n", "nvidia.com/mig-3g.40gb") == ("2", "2")
    assert lab.amounts("n", "nvidia.com/mig-1g.10gb") == ("7", "7")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"type": "failGpu", "name": "n", "gpu": 8}, "command.no_gpu"),
        ({"type": "failGpu", "name": "n", "gpu": -1}, "command.field"),
        ({"type": "failGpu", "name": "other", "gpu": 0}, "command.not_found"),
        ({"type": "failNic", "name": "n", "nic": 8}, "command.no_nic"),
        ({"type": "failNic", "name": "n", "nic": 0, "link": "nvlink-4"}, "fabric.unknown"),
        ({"type": "setLink", "name": "n", "gpu": 0, "links": 19}, "command.no_links"),
        ({"type": "setLink", "name": "n", "gpu": 0, "other": 1, "links": 1}, "command.no_links"),
    ],
)
def test_what_cannot_fail_is_refused(command: dict[str, object], code: str) -> None:
    lab = Lab(*machine("n"))
    before = lab.history.head.digest
    with pytest.raises(CommandError) as error:
        lab.history.apply(command)

    assert error.value.problems[0].code == code
    assert lab.history.head.digest == before


def test_links_and_cards_fail_and_are_repaired() -> None:
    lab = Lab(*machine("n"))
    lab.do("setLink", name="n", gpu=2, links=17)
    lab.do("failNic", name="n", nic=5)
    lab.do("failNic", name="n", nic=6, link="ib-hdr")
    shape = lab.history.head.devices.machine("n").host.shape
    assert shape.links_between(0, 2) == 17
    assert [nic.index for nic in shape.nics] == [0, 1, 2, 3, 4, 6, 7]
    assert [nic.link for nic in shape.nics if nic.index == 6] == ["ib-hdr"]

    lab.do("setLink", name="n", gpu=2)
    lab.do("repairNic", name="n", nic=5)
    lab.do("repairNic", name="n", nic=6)
    assert lab.history.head.devices.machine("n").host.shape == lab.history.head.devices.machine("n").whole
    assert "faults" not in lab.history.head.world.get("NodeFabric", "", "n")["spec"]

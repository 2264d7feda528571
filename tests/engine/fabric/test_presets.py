"""The palette: what its machines look like, and the Nodes they become."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.changes import with_failed_gpus, with_nvlinks
from simulator.engine.fabric.device_plugin import MigConfig, Sharing
from simulator.engine.fabric.distance import device_cell
from simulator.engine.fabric.presets import PRESETS, clique_label, node_manifest, preset_host, preset_rack

WANTED = {
    "hgx-h100-8": (8, "nvidia.com/gpu"),
    "hgx-h200-8": (8, "nvidia.com/gpu"),
    "hgx-b200-8": (8, "nvidia.com/gpu"),
    "dgx-a100-8": (8, "nvidia.com/gpu"),
    "a800-8": (8, "nvidia.com/gpu"),
    "h20-8": (8, "nvidia.com/gpu"),
    "a100-pcie-4": (4, "nvidia.com/gpu"),
    "l40s-8": (8, "nvidia.com/gpu"),
    "rtx4090-8": (8, "nvidia.com/gpu"),
    "t4-2": (2, "nvidia.com/gpu"),
    "dgx1-v100-8": (8, "nvidia.com/gpu"),
    "mi300x-8": (8, "amd.com/gpu"),
    "ascend-910b-8": (8, "huawei.com/Ascend910"),
    "gb200-tray-4": (4, "nvidia.com/gpu"),
    "cpu-64": (0, ""),
}


def cells(preset: str, *pairs: tuple[str, str]) -> list[str]:
    shape = PRESETS[preset].shape
    return [device_cell(shape, first, second) for first, second in pairs]


def test_palette_has_every_machine() -> None:
    found = {
        name: (len(preset.shape.gpus), preset.shape.model(0).resource if preset.shape.gpus else "")
        for name, preset in PRESETS.items()
    }
    assert found == WANTED


@pytest.mark.parametrize("name", PRESETS)
def test_nvlinks_stay_within_what_a_gpu_has(name: str) -> None:
    shape = PRESETS[name].shape
    for gpu in shape.gpus:
        budget = shape.model(gpu.index).links
        on_switch = [group.links[group.gpus.index(gpu.index)] for group in shape.switched if gpu.index in group.gpus]
        direct = sum(pair.links for pair in shape.pairs if gpu.index in (pair.first, pair.second))
        assert sum(on_switch) + direct in (0, budget)


def test_matrices_follow_real_machines() -> None:
    assert cells("hgx-h100-8", ("GPU0", "GPU7"), ("GPU3", "NIC3"), ("GPU3", "NIC0"), ("GPU3", "NIC4")) == [
        "NV18",
        "PIX",
        "NODE",
        "SYS",
    ]
    assert cells("dgx-a100-8", ("GPU0", "GPU2"), ("GPU0", "NIC1"), ("NIC8", "NIC9"), ("GPU0", "NIC8")) == [
        "NV12",
        "PXB",
        "PIX",
        "SYS",
    ]
    assert cells("rtx4090-8", ("GPU0", "GPU1"), ("GPU0", "GPU2"), ("GPU0", "GPU4"), ("GPU0", "NIC0")) == [
        "PIX",
        "PXB",
        "SYS",
        "PXB",
    ]
    assert cells("a100-pcie-4", ("GPU0", "GPU1"), ("GPU1", "GPU2"), ("GPU0", "NIC0")) == ["NV12", "SYS", "NODE"]
    assert cells("t4-2", ("GPU0", "GPU1"), ("GPU0", "NIC0")) == ["PHB", "PHB"]
    assert cells("ascend-910b-8", ("GPU0", "GPU7")) == ["HCCS"]


def test_device_order_is_not_numa_order_everywhere() -> None:
    a100 = PRESETS["dgx-a100-8"].shape
    npu = PRESETS["ascend-910b-8"].shape

    assert [a100.numa_of(gpu.name) for gpu in a100.gpus] == [3, 3, 1, 1, 7, 7, 5, 5]
    assert [npu.numa[npu.numa_of(gpu.name)].cpus for gpu in npu.gpus] == [
        *("144-167", "0-23", "144-167", "0-23"),
        *("96-119", "48-71", "96-119", "48-71"),
    ]


def test_node_of_the_cloud_machine_is_as_recorded() -> None:
    node = node_manifest(preset_host("t4-2", "gpu-worker-t4"))

    assert node["status"]["capacity"] == {
        "cpu": "32",
        "ephemeral-storage": "101445540Ki",
        "hugepages-1Gi": "0",
        "hugepages-2Mi": "0",
        "memory": "123662920Ki",
        "nvidia.com/gpu": "2",
        "pods": "110",
    }
    assert node["status"]["allocatable"]["ephemeral-storage"] == "93492209510"
    assert node["status"]["allocatable"]["memory"] == "123560520Ki"
    labels = node["metadata"]["labels"]
    assert labels["nvidia.com/gpu.product"] == "Tesla-T4"
    assert labels["nvidia.com/gpu.count"] == "2"
    assert labels["nvidia.com/gpu.memory"] == "15360"
    assert labels["nvidia.com/gpu.family"] == "turing"
    assert labels["nvidia.com/gpu.compute.major"] + labels["nvidia.com/gpu.compute.minor"] == "75"
    assert labels["nvidia.com/mig.capable"] == "false"
    assert "taints" not in node["spec"]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_becomes_a_node(name: str) -> None:
    node = node_manifest(preset_host(name, "n1"))
    count, resource = WANTED[name]

    assert node["metadata"]["labels"]["kubernetes.io/hostname"] == "n1"
    assert node["status"]["allocatable"].get(resource, "0") == str(count)
    assert int(node["status"]["capacity"]["cpu"]) >= 32
    assert all(isinstance(value, str) for value in node["metadata"]["labels"].values())


def test_failed_gpu_lowers_allocatable_and_not_capacity() -> None:
    host = with_failed_gpus(preset_host("hgx-h100-8", "n1"), 5)
    status = node_manifest(host)["status"]

    assert (status["capacity"]["nvidia.com/gpu"], status["allocatable"]["nvidia.com/gpu"]) == ("8", "7")
    assert node_manifest(host)["metadata"]["labels"]["nvidia.com/gpu.count"] == "8"


@pytest.mark.parametrize(
    ("provider", "taint"),
    [
        ("gke", {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}),
        ("oke", {"key": "nvidia.com/gpu", "effect": "NoSchedule"}),
        ("karpenter", {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}),
    ],
)
def test_providers_taint_gpu_nodes(provider: str, taint: dict[str, str]) -> None:
    assert node_manifest(preset_host("t4-2", "n1"), provider=provider)["spec"] == {"taints": [taint]}
    assert node_manifest(preset_host("cpu-64", "n2"), provider=provider)["spec"] == {}


def test_time_slicing_multiplies_the_resource() -> None:
    host = preset_host("t4-2", "n1")
    shared = node_manifest(host, sharing=Sharing(replicas=4))
    renamed = node_manifest(host, sharing=Sharing(replicas=4, renamed=True))

    assert shared["status"]["allocatable"]["nvidia.com/gpu"] == "8"
    assert shared["metadata"]["labels"]["nvidia.com/gpu.product"] == "Tesla-T4-SHARED"
    assert shared["metadata"]["labels"]["nvidia.com/gpu.replicas"] == "4"
    assert shared["metadata"]["labels"]["nvidia.com/gpu.sharing-strategy"] == "time-slicing"
    assert renamed["status"]["allocatable"]["nvidia.com/gpu.shared"] == "8"
    assert renamed["metadata"]["labels"]["nvidia.com/gpu.product"] == "Tesla-T4"


def test_mig_mixed_has_a_resource_per_profile() -> None:
    host = with_failed_gpus(preset_host("dgx-a100-8", "n1"), 1)
    mig = MigConfig("mixed", {0: ["3g.40gb", "1g.10gb"], 1: ["1g.10gb"] * 7})
    node = node_manifest(host, mig=mig)
    allocatable, capacity = node["status"]["allocatable"], node["status"]["capacity"]
    assert (capacity["nvidia.com/gpu"], allocatable["nvidia.com/gpu"]) == ("6", "6")
    assert (capacity["nvidia.com/mig-3g.40gb"], allocatable["nvidia.com/mig-3g.40gb"]) == ("1", "1")
    assert (capacity["nvidia.com/mig-1g.10gb"], allocatable["nvidia.com/mig-1g.10gb"]) == ("8", "1")
    assert node["metadata"]["labels"]["nvidia.com/mig-1g.10gb.count"] == "8"
    assert node["metadata"]["labels"]["nvidia.com/mig.strategy"] == "mixed"


def test_profile_of_another_model_is_refused() -> None:
    with pytest.raises(KeyError):
        node_manifest(preset_host("dgx-a100-8", "n1"), mig=MigConfig("mixed", {0: ["3g.20gb"]}))


def test_mig_single_speaks_of_the_profile() -> None:
    mig = MigConfig("single", {gpu: ["1g.10gb"] * 7 for gpu in range(8)})
    node = node_manifest(preset_host("hgx-h100-8", "n1"), mig=mig)

    assert node["status"]["allocatable"]["nvidia.com/gpu"] == "56"
    assert node["metadata"]["labels"]["nvidia.com/gpu.product"] == "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb"
    assert node["metadata"]["labels"]["nvidia.com/gpu.count"] == "56"


def test_rack_is_one_nvlink_domain_of_72_gpus() -> None:
    rack = preset_rack("gb200-tray-4", "rack-a")

    assert sum(len(host.shape.gpus) for host in rack) == 72
    assert {host.nvlink_domain for host in rack} == {clique_label("rack-a")}
    assert node_manifest(rack[3])["metadata"]["labels"]["nvidia.com/gpu.clique"] == clique_label("rack-a")
    assert "nvidia.com/gpu.clique" not in node_manifest(preset_host("hgx-b200-8", "n"))["metadata"]["labels"]


def test_degraded_machine_keeps_its_node() -> None:
    host = preset_host("hgx-h100-8", "n1")
    degraded = type(host)("n1", with_nvlinks(host.shape, 2, 17))

    assert device_cell(degraded.shape, "GPU2", "GPU5") == "NV17"
    assert device_cell(degraded.shape, "GPU1", "GPU5") == "NV18"
    assert node_manifest(degraded)["status"] == node_manifest(host)["status"]

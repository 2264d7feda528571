"""Labels without an object become Nodes; what they have to give is guessed and said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulator.manifests.accelerators import guess_accelerators
from simulator.manifests.reading import Reading, TextKind, read

NVIDIA = {
    "nvidia.com/gpu.count": "8",
    "nvidia.com/gpu.replicas": "1",
    "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3",
}


def allocatable(reading: Reading) -> dict[str, str]:
    (node,) = reading.objects
    amounts: dict[str, str] = node["status"]["allocatable"]
    assert node["status"]["capacity"] == amounts
    return amounts


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(NVIDIA, indent=2),
        json.dumps(NVIDIA),
        "\n".join(f"{key}={value}" for key, value in NVIDIA.items()),
        "\n".join(f"      {key}={value}" for key, value in NVIDIA.items()) + "\n",
        ",".join(f"{key}={value}" for key, value in NVIDIA.items()),
        "\n".join(f"{key}: {value}" for key, value in NVIDIA.items()),
    ],
)
def test_label_maps_of_every_form(text: str) -> None:
    reading = read(text)
    assert reading.kind is TextKind.LABELS
    assert reading.errors == ()
    (node,) = reading.objects
    assert node["metadata"] == {"name": "nvidia-h100-80gb-hbm3-1", "labels": NVIDIA}
    assert allocatable(reading) == {"nvidia.com/gpu": "8", "cpu": "128", "memory": "1024Gi", "pods": "110"}
    assert [notice.code for notice in reading.assumptions] == [
        "assumed.name",
        "assumed.accelerators",
        "assumed.machine",
    ]


@pytest.mark.parametrize(
    ("labels", "resources"),
    [
        (
            "nvidia.com/gpu.count=4 nvidia.com/gpu.replicas=10 nvidia.com/gpu.product=Tesla-T4-SHARED",
            {"nvidia.com/gpu": 40},
        ),
        (
            "nvidia.com/gpu.count=4 nvidia.com/gpu.replicas=2 nvidia.com/gpu.product=Tesla-T4",
            {"nvidia.com/gpu.shared": 8},
        ),
        (
            "nvidia.com/gpu.count=7 nvidia.com/gpu.replicas=1 nvidia.com/mig.strategy=single",
            {"nvidia.com/gpu": 7},
        ),
        (
            "nvidia.com/gpu.count=1 nvidia.com/gpu.replicas=0 nvidia.com/mig-1g.5gb.count=3 nvidia.com/mig-2g.10gb.count=1",  # noqa: E501
            {"nvidia.com/gpu": 0, "nvidia.com/mig-1g.5gb": 3, "nvidia.com/mig-2g.10gb": 1},
        ),
        (
            "cloud.google.com/gke-accelerator=nvidia-l4 cloud.google.com/gke-accelerator-count=2",
            {"nvidia.com/gpu": 2},
        ),
        ("amd.com/gpu.product-name=AMD_Instinct_MI300X_OAM", {"amd.com/gpu": 8}),
        ("beta.amd.com/gpu.vram.16G=1", {"amd.com/gpu": 1}),
        ("gpu.intel.com/device.count=2 gpu.intel.com/product=Max_1550", {"gpu.intel.com/i915": 2}),
        ("accelerator=huawei-Ascend910", {"huawei.com/Ascend910": 8}),
        (
            "alibabacloud.com/gpu-card-model=P100",
            {"alibabacloud.com/gpu-count": 1, "alibabacloud.com/gpu-milli": 1000},
        ),
        ("node.kubernetes.io/instance-type=p5.48xlarge", {"nvidia.com/gpu": 8}),
        ("node.kubernetes.io/instance-type=k3s nvidia.com/gpu.count=many", None),
        ("", None),
    ],
)
def test_accelerators_of_labels(labels: str, resources: dict[str, int] | None) -> None:
    found = guess_accelerators(dict(label.split("=") for label in labels.split()), {})
    assert (None if found is None else dict(found.resources)) == resources


def test_cloud_machine_gives_its_size() -> None:
    reading = read("node.kubernetes.io/instance-type=g5.12xlarge\nkubernetes.io/hostname=n1")
    assert allocatable(reading) == {"nvidia.com/gpu": "4", "cpu": "48", "memory": "192Gi", "pods": "110"}
    assert reading.objects[0]["metadata"]["name"] == "n1"
    assert reading.objects[0]["metadata"]["annotations"] == {"gpuschedlab.io/gpu-model": "NVIDIA-A10G"}


def test_plain_node_gets_a_plain_size() -> None:
    assert allocatable(read("kubernetes.io/os=linux")) == {"cpu": "8", "memory": "32Gi", "pods": "110"}


def test_names_do_not_clash() -> None:
    reading = read("\n---\n".join(json.dumps(NVIDIA) for _ in range(3)))
    assert [node["metadata"]["name"] for node in reading.objects] == [
        f"nvidia-h100-80gb-hbm3-{number}" for number in (1, 2, 3)
    ]


TABLE = """\
$ kubectl get nodes --show-labels -o wide
NAME    STATUS                        ROLES           AGE   VERSION        INTERNAL-IP   OS-IMAGE             LABELS
cp-1    Ready                         control-plane   10d   v1.33.1        10.0.0.1      Ubuntu 22.04.4 LTS   kubernetes.io/hostname=cp-1,node-role.kubernetes.io/control-plane=
gpu-1   Ready,SchedulingDisabled      <none>          10d   v1.33.1+k3s1   10.0.0.2      Ubuntu 22.04.4 LTS   nvidia.com/gpu.count=2
gpu-2   NotReady                      <none>          10d   v1.33.1        10.0.0.3      Ubuntu 22.04.4 LTS   <none>
"""  # fmt: skip  # noqa: E501


def test_node_table() -> None:
    reading = read(TABLE)
    assert reading.kind is TextKind.NODE_TABLE
    assert reading.errors == ()
    first, second, third = reading.objects
    assert first["metadata"] == {
        "name": "cp-1",
        "labels": {"kubernetes.io/hostname": "cp-1", "node-role.kubernetes.io/control-plane": ""},
    }
    assert second["spec"] == {"unschedulable": True}
    assert second["status"]["nodeInfo"] == {"kubeletVersion": "v1.33.1+k3s1"}
    assert second["status"]["allocatable"]["nvidia.com/gpu"] == "2"
    assert third["status"]["conditions"] == [{"type": "Ready", "status": "False"}]
    assert third["spec"] == {"taints": [{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]}
    assert "assumed.taint" in [notice.code for notice in reading.assumptions]
    place = reading.documents[1].marks.value(("metadata", "labels", "nvidia.com/gpu.count"))
    assert place is not None
    assert TABLE.splitlines()[place.line - 1][place.column - 1 :] == "nvidia.com/gpu.count=2"


def test_node_table_with_a_broken_row() -> None:
    reading = read(TABLE.replace("<none>\n", "oops\n"))
    assert [(error.code, error.line) for error in reading.errors] == [("labels.row", 5)]


@pytest.mark.parametrize(
    "value", [{"a/b": "c", "kind": "x"}, {"a": "b"}, {"a/b": {"c": 1}}, {"a b/c": "d"}, {"a/b": None}]
)
def test_what_is_no_label_map(value: dict[str, Any]) -> None:
    assert read(json.dumps(value)).kind is TextKind.MANIFESTS

"""`kubectl describe` texts give back the objects they were printed from, as far as they tell."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulator.manifests.reading import Reading, TextKind, read
from tests.simulator.manifests.recorded import recorded, text

OBJECTS = {(item["kind"], item["metadata"]["name"]): item for item in recorded("described-objects.json")}


def by_name(reading: Reading) -> dict[tuple[str, str], dict[str, Any]]:
    return {(item["kind"], item["metadata"]["name"]): item for item in reading.objects}


def in_any_order(items: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(item, sort_keys=True) for item in items)


def said(reading: Reading) -> list[tuple[str, dict[str, Any]]]:
    return [(notice.code, dict(notice.params)) for notice in reading.warnings + reading.assumptions]


def test_recorded_nodes() -> None:
    reading = read(text("describe-nodes.txt"))
    assert reading.kind is TextKind.DESCRIBE
    assert reading.errors == ()
    found = by_name(reading)
    for name in ("gpu-a", "cpu-b"):
        node, printed = OBJECTS["Node", name], found["Node", name]
        assert printed["metadata"]["labels"] == node["metadata"]["labels"]
        assert printed["metadata"]["creationTimestamp"] == node["metadata"]["creationTimestamp"]
        assert printed["status"]["capacity"] == node["status"]["capacity"]
        assert printed["status"]["allocatable"] == node["status"]["allocatable"]
        assert printed.get("spec", {}).get("unschedulable") == node["spec"].get("unschedulable")
    gpu = found["Node", "gpu-a"]
    taints = OBJECTS["Node", "gpu-a"]["spec"]["taints"]
    assert in_any_order(gpu["spec"]["taints"]) == in_any_order(taints)
    assert gpu["metadata"]["annotations"]["a/b"] == "c: d"
    assert gpu["metadata"]["annotations"]["empty"] == ""
    assert gpu["metadata"]["annotations"]["multi"] == "x: 1\ny: 2"
    assert gpu["status"]["conditions"] == [{"type": "Ready", "status": "True"}]
    assert gpu["status"]["nodeInfo"]["osImage"] == "Debian GNU/Linux 12"
    assert found["Node", "cpu-b"]["status"]["conditions"] == [{"type": "Ready", "status": "Unknown"}]


def test_recorded_nodes_tell_of_their_pods() -> None:
    reading = read(text("describe-nodes.txt"))
    found = by_name(reading)
    pod = found["Pod", "train-0"]
    assert pod["metadata"]["namespace"] == "team-a"
    assert pod["spec"]["nodeName"] == "gpu-a"
    assert pod["spec"]["containers"][0]["resources"] == {
        "requests": {"cpu": "8", "memory": "64Gi"},
        "limits": {"cpu": "16", "memory": "64Gi"},
    }
    assert ("Pod", "wait-1") not in found
    rest = found["Pod", "gpu-a-allocated"]
    assert rest["spec"]["containers"][0]["resources"]["requests"] == {"nvidia.com/gpu": "2"}
    assert ("assumed.allocated", {"node": "gpu-a", "resource": "nvidia.com/gpu", "amount": "2"}) in said(reading)
    assert ("assumed.pods_of_table", {"node": "gpu-a", "count": 1}) in said(reading)
    assert ("describe.annotation_cut", {"key": "long"}) in said(reading)


def test_recorded_pods() -> None:
    reading = read(text("describe-pods.txt"))
    assert reading.errors == ()
    found = by_name(reading)
    assert list(found) == [("PriorityClass", "high-pri"), ("Pod", "train-0"), ("Pod", "wait-1")]
    assert found["PriorityClass", "high-pri"]["value"] == 1000
    original, pod = OBJECTS["Pod", "train-0"], found["Pod", "train-0"]
    assert pod["metadata"]["labels"] == original["metadata"]["labels"]
    assert pod["metadata"]["annotations"] == original["metadata"]["annotations"]
    owner = pod["metadata"]["ownerReferences"][0]
    assert (owner["apiVersion"], owner["kind"], owner["name"], owner["controller"]) == (
        "batch/v1",
        "Job",
        "train",
        True,
    )
    for field in (
        "nodeName",
        "nodeSelector",
        "priority",
        "priorityClassName",
        "runtimeClassName",
        "serviceAccountName",
    ):
        assert pod["spec"][field] == original["spec"][field]
    for toleration in original["spec"]["tolerations"]:
        if toleration.get("operator") == "Equal":
            del toleration["operator"]  # the default, which kubectl does not print
    assert in_any_order(pod["spec"]["tolerations"]) == in_any_order(original["spec"]["tolerations"])
    assert [container["name"] for container in pod["spec"]["containers"]] == ["main", "side"]
    assert pod["spec"]["containers"][0]["resources"] == original["spec"]["containers"][0]["resources"]
    assert pod["spec"]["containers"][0]["args"] == ["--a=b"]
    assert pod["spec"]["initContainers"][0]["command"] == original["spec"]["initContainers"][0]["command"]
    ports = [{"containerPort": 80, "protocol": "TCP"}, {"containerPort": 443, "hostPort": 443, "protocol": "TCP"}]
    assert pod["spec"]["containers"][0]["ports"] == ports
    assert pod["status"] == {"phase": "Running", "startTime": original["status"]["startTime"]}
    waiting = found["Pod", "wait-1"]
    assert waiting["status"] == {"phase": "Pending", "nominatedNodeName": "gpu-a"}
    assert "nodeName" not in waiting["spec"]
    assert ("describe.pod_incomplete", {"pod": "train-0"}) in said(reading)


def test_pods_described_beside_their_node_are_not_counted_twice() -> None:
    reading = read(text("describe-nodes.txt") + "\n\n" + text("describe-pods.txt"))
    assert sorted(by_name(reading)) == sorted([*OBJECTS, ("PriorityClass", "high-pri")])


def test_marks_lead_to_the_lines() -> None:
    value = text("describe-nodes.txt")
    document = read(value).documents[0]
    place = document.marks.value(("status", "allocatable", "nvidia.com/gpu"))
    assert place is not None
    assert value.splitlines()[place.line - 1].strip() == "nvidia.com/gpu:     7"
    assert document.marks.nearest(("metadata", "labels", "z")).line == value.splitlines().index(" " * 20 + "z=") + 1


DEVICE = "10,40960,100,NVIDIA-NVIDIA A100-PCIE-40GB,0,true"
HEAD = f"""\
    Name:               worker-1
    Roles:              gpu,spot
    Annotations:        hami.io/node-nvidia-register:
                          GPU-00000000-0000-0000-0000-1,{DEVICE}:GPU-00000000-0000-0000-0000-2,{DEVICE}:GPU-3,10,4...
    Taints:             gpu=yes:NoSchedule
                        broken line
    Unschedulable:      false
"""


def test_indented_head_of_a_description() -> None:
    reading = read(HEAD)
    (node,) = reading.objects
    assert node["metadata"]["name"] == "worker-1"
    assert node["metadata"]["labels"] == {"node-role.kubernetes.io/gpu": "", "node-role.kubernetes.io/spot": ""}
    assert node["spec"] == {"taints": [{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]}
    assert node["status"]["allocatable"]["nvidia.com/gpu"] == "3"
    assert node["metadata"]["annotations"]["gpuschedlab.io/gpu-model"] == "NVIDIA-A100-PCIE-40GB"
    assert [(notice.code, notice.line) for notice in reading.warnings] == [
        ("describe.annotation_cut", 3),
        ("describe.line_ignored", 6),
    ]


def test_fragment_that_begins_within_the_labels() -> None:
    reading = read("                    a/b=c\n                    d=\nTaints:             <none>\n")
    (node,) = reading.objects
    assert node["metadata"]["labels"] == {"a/b": "c", "d": ""}


def test_capacity_alone_is_a_node() -> None:
    reading = read("Capacity:\n  cpu:     4\n  pods:    10\n")
    (node,) = reading.objects
    assert node["kind"] == "Node"
    assert node["status"] == {"capacity": {"cpu": "4", "pods": "10"}}
    assert said(reading) == [("assumed.name", {"node": "node-1"})]


def test_other_kinds_are_told() -> None:
    reading = read("Name:  web\nNamespace:  default\nLabels:  app=web\nReplicas:  3 desired\n")
    assert [(error.code, error.line) for error in reading.errors] == [("describe.other_kind", 1)]


@pytest.mark.parametrize(
    "value",
    [
        "Labels:\n",
        "Name:\n",
        "Taints: x\n",
        "Containers:\n  a:\n    Ports: /TCP\n",
        "Priority:  9999999999999\nContainers:\n",
    ],
)
def test_scraps_raise_nothing(value: str) -> None:
    assert read(value).kind is TextKind.DESCRIBE

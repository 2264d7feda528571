"""Lists are taken apart; what the server wrote into dumps goes, what a lab needs stays."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.manifests.dumps import without_server_fields
from simulator.manifests.reading import TextKind, read
from tests.simulator.manifests.recorded import recorded, text

POD = "{apiVersion: v1, kind: Pod, metadata: {name: a}}"


def names(value: str) -> list[str]:
    return [manifest["metadata"]["name"] for manifest in read(value).objects]


@pytest.mark.parametrize("name", ["get-list.yaml", "get-list.json"])
def test_a_recorded_list_gives_its_objects_in_order(name: str) -> None:
    reading = read(text(name))
    assert reading.kind is TextKind.LIST
    assert reading.errors == ()
    expected = {(item["kind"], item["metadata"]["name"]): item for item in recorded("described-objects.json")}
    assumed, *objects = reading.objects
    assert assumed == {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high-pri"},
        "value": 1000,
    }
    assert len(objects) == len(expected)
    for item in objects:
        whole = expected[item["kind"], item["metadata"]["name"]]
        assert item["metadata"] == whole["metadata"]
        assert item["spec"] == whole["spec"]
        for field in ("capacity", "allocatable", "phase", "startTime", "nominatedNodeName"):
            assert item["status"].get(field) == whole["status"].get(field)


def test_marks_of_items_lead_into_the_list() -> None:
    document = read(f"apiVersion: v1\nkind: List\nitems:\n- {POD}\n").documents[0]
    assert document.marks.value(("metadata", "name")) == (4, 48)


def test_typed_list_gives_its_kind_to_its_items() -> None:
    reading = read("apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a}\n- {kind: Node, apiVersion: v1}\n")
    assert [(item["apiVersion"], item["kind"]) for item in reading.objects] == [("v1", "Pod"), ("v1", "Node")]


def test_lists_within_lists_and_arrays_keep_the_order() -> None:
    a, b, c, d = (POD.replace("name: a", f"name: {name}") for name in "abcd")
    inner = f"{{apiVersion: v1, kind: List, items: [{b}, {c}]}}"
    assert names(f"- {a}\n- {inner}\n- {d}\n") == ["a", "b", "c", "d"]


def test_a_kind_that_only_ends_in_list_is_an_object() -> None:
    reading = read("apiVersion: example.org/v1\nkind: AllowList\nmetadata: {name: a}\n")
    assert reading.kind is TextKind.MANIFESTS
    assert [item["kind"] for item in reading.objects] == ["AllowList"]


@pytest.mark.parametrize(
    ("value", "errors"),
    [
        ("hello\n", [("object.not_mapping", 1)]),
        ("kind: Pod\n", [("object.no_api_version", 1)]),
        ("apiVersion: v1\nkind: 5\n", [("object.no_kind", 2)]),
        ("metadata: x\n", [("object.no_api_version", 1), ("object.no_kind", 1), ("object.metadata_not_mapping", 1)]),
        (
            "apiVersion: v1\nkind: List\nitems:\n- 5\n- kind: Pod\n",
            [("object.not_mapping", 4), ("object.no_api_version", 5)],
        ),
        ("", [("text.empty", 0)]),
        ("# nothing\n---\n", [("text.empty", 0)]),
        ("apiVersion: v1\nkind: List\nitems: []\n", [("text.empty", 0)]),
    ],
)
def test_what_is_no_object_is_told(value: str, errors: list[tuple[str, int]]) -> None:
    assert [(error.code, error.line) for error in read(value).errors] == errors


def test_server_fields_go_and_the_rest_stays() -> None:
    token = {"name": "kube-api-access-abcde", "projected": {"sources": []}}
    mount = {"name": "kube-api-access-abcde", "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}
    pod: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "a",
            "uid": "u",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "resourceVersion": "5",
            "generation": 1,
            "managedFields": [{}],
            "labels": {"app": "a"},
            "annotations": {"keep": "1", "kubectl.kubernetes.io/last-applied-configuration": "{}"},
            "ownerReferences": [{"uid": "r", "kind": "ReplicaSet", "name": "r", "apiVersion": "apps/v1"}],
        },
        "spec": {
            "nodeName": "n",
            "containers": [
                {"name": "c", "volumeMounts": [mount, {"name": "v", "mountPath": "/v"}]},
                {"name": "d", "volumeMounts": [mount]},
            ],
            "volumes": [{"name": "v", "emptyDir": {}}, token],
        },
        "status": {
            "phase": "Running",
            "podIP": "10.0.0.1",
            "conditions": [{"type": "Ready"}, {"type": "PodScheduled", "status": "True"}],
            "containerStatuses": [{}],
        },
    }
    before = repr(pod)
    cleaned, dropped = without_server_fields(pod)
    assert repr(pod) == before
    assert cleaned == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "a",
            "uid": "u",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": {"app": "a"},
            "annotations": {"keep": "1"},
            "ownerReferences": [{"uid": "r", "kind": "ReplicaSet", "name": "r", "apiVersion": "apps/v1"}],
        },
        "spec": {
            "nodeName": "n",
            "containers": [{"name": "c", "volumeMounts": [{"name": "v", "mountPath": "/v"}]}, {"name": "d"}],
            "volumes": [{"name": "v", "emptyDir": {}}],
        },
        "status": {"phase": "Running", "conditions": [{"type": "PodScheduled", "status": "True"}]},
    }
    assert dropped == [
        "managedFields",
        "resourceVersion",
        "generation",
        "kubectl.kubernetes.io/last-applied-configuration",
        "podIP",
        "containerStatuses",
        "kube-api-access",
    ]


def test_a_manifest_without_server_fields_is_left_alone_and_nothing_is_said() -> None:
    reading = read("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: c, image: i}]}\n")
    assert reading.warnings == ()
    assert reading.objects == (
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "a"},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        },
    )


def test_fields_of_wrong_types_pass_for_validation_to_tell() -> None:
    for wrong in (
        {"metadata": {"annotations": 5}},
        {"spec": {"volumes": 5}},
        {"status": {"conditions": 5}},
        {"spec": {"volumes": [{"name": "kube-api-access-x"}], "containers": [5, {"volumeMounts": 5}]}},
    ):
        cleaned, _ = without_server_fields({"apiVersion": "v1", "kind": "Pod", **wrong})
        assert cleaned["kind"] == "Pod"


DUMPED = """\
apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {priorityClassName: CLASS, priority: 5, preemptionPolicy: Never, containers: [{name: c, image: i}]}
status: {phase: Running}
"""


def test_priority_class_of_dumped_pods_is_assumed_once() -> None:
    reading = read(DUMPED + "---\n" + DUMPED.replace("name: a", "name: b"))
    assert [item["kind"] for item in reading.objects] == ["PriorityClass", "Pod", "Pod"]
    assert reading.objects[0]["preemptionPolicy"] == "Never"
    (notice,) = reading.assumptions
    assert (notice.code, notice.params, notice.line) == ("assumed.priority_class", {"name": "CLASS", "value": 5}, 4)


@pytest.mark.parametrize(
    "value",
    [
        DUMPED.replace("CLASS", "system-node-critical"),
        DUMPED.replace("status: {phase: Running}\n", ""),
        DUMPED.replace("priority: 5, ", ""),
        DUMPED + "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: CLASS}\nvalue: 5\n",
    ],
)
def test_priority_class_is_not_assumed(value: str) -> None:
    assert read(value).assumptions == ()

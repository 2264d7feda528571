"""Volumes of every binding mode, from the claim to the Pod on its node."""

from typing import Any

import pytest

from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup

Manifest = dict[str, Any]
SIZE = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "5Gi"}}}


def node(name: str) -> Manifest:
    status = {"capacity": {"cpu": "4", "memory": "16Gi", "pods": "110"}}
    labels = {"kubernetes.io/hostname": name}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": status}


def storage_class(name: str, provisioner: str, **fields: str) -> Manifest:
    head = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name}}
    return {**head, "provisioner": provisioner, **fields}


def local_volume(name: str, host: str, storage: str) -> Manifest:
    expression = {"key": "kubernetes.io/hostname", "operator": "In", "values": [host]}
    spec = {
        "capacity": {"storage": storage},
        "accessModes": ["ReadWriteOnce"],
        "storageClassName": "local",
        "local": {"path": "/data"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}},
    }
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec}


def claim(name: str, storage_class_name: str) -> Manifest:
    spec = {"storageClassName": storage_class_name, **SIZE}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec}


def pod(name: str, volume: Manifest) -> Manifest:
    spec = {"containers": [{"name": "main", "image": "app"}], "volumes": [{"name": "data", **volume}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def uses(name: str) -> Manifest:
    return {"persistentVolumeClaim": {"claimName": name}}


LATE = {"volumeBindingMode": "WaitForFirstConsumer"}
NODES = [node("a"), node("b")]
CLASSES = [
    storage_class("late", "csi.example.com", **LATE),
    storage_class("now", "csi.example.com"),
    storage_class("local", "kubernetes.io/no-provisioner", **LATE),
]


def ran(*objects: Manifest) -> History:
    """The simulation after everything that happens by itself."""
    history = History.begin(Setup())
    history.apply({"type": "apply", "objects": [*NODES, *CLASSES, *objects]})
    while not history.head.is_idle:
        history.apply({"type": "run", "turns": 20})
        assert len(history.actions) < 200
    return history


def found(history: History, kind: str, name: str) -> Manifest:
    return next(o for k, _, o in history.head.world.objects() if k == kind and o["metadata"]["name"] == name)


def node_of(history: History, name: str) -> str:
    placed = history.head.world.pod(f"default/{name}")
    assert placed is not None
    return placed.node_name


def codes(history: History) -> list[str]:
    return [action.record.code for action in history.actions if action.actor == "persistent-volume-controller"]


@pytest.mark.parametrize(("class_name", "order"), [("late", "after"), ("now", "before")])
def test_a_claim_is_provisioned_before_or_after_its_pod_has_a_node(class_name: str, order: str) -> None:
    history = ran(claim("c", class_name), pod("p", uses("c")))

    assert found(history, "PersistentVolumeClaim", "c")["status"]["phase"] == "Bound"
    assert found(history, "PersistentVolume", "pvc-default-c")["spec"]["claimRef"]["name"] == "c"
    assert node_of(history, "p") in ("a", "b")
    actors = [action.actor for action in history.actions]
    scheduled = actors.index("kube-scheduler")
    provisioned = actors.index("persistent-volume-controller")
    assert (scheduled < provisioned) is (order == "after")


def test_a_local_volume_pulls_the_pod_to_its_node() -> None:
    history = ran(local_volume("disk", "b", "10Gi"), claim("c", "local"), pod("p", uses("c")))

    assert node_of(history, "p") == "b"
    assert found(history, "PersistentVolumeClaim", "c")["spec"]["volumeName"] == "disk"
    assert found(history, "PersistentVolume", "disk")["status"]["phase"] == "Bound"


def test_a_volume_that_is_too_small_leaves_the_pod_pending() -> None:
    history = ran(local_volume("disk", "b", "4Gi"), claim("c", "local"), pod("p", uses("c")))

    assert node_of(history, "p") == ""
    assert found(history, "PersistentVolume", "disk")["status"]["phase"] == "Available"


def test_the_smallest_volume_that_fits_is_bound() -> None:
    volumes = [local_volume("large", "a", "50Gi"), local_volume("small", "b", "6Gi")]
    history = ran(*volumes, {**claim("c", "local"), "spec": {"storageClassName": "local", **SIZE}}, pod("p", uses("c")))

    bound = found(history, "PersistentVolumeClaim", "c")["spec"]["volumeName"]
    assert (bound, node_of(history, "p")) in {("small", "b"), ("large", "a")}
    assert codes(history).count("volumes.bound") == 1


def test_an_ephemeral_volume_gets_a_claim_of_its_own() -> None:
    template = {"spec": {"storageClassName": "late", **SIZE}}
    history = ran(pod("p", {"ephemeral": {"volumeClaimTemplate": template}}))

    made = found(history, "PersistentVolumeClaim", "p-data")
    assert made["metadata"]["ownerReferences"][0]["kind"] == "Pod"
    assert made["status"]["phase"] == "Bound"
    assert node_of(history, "p") in ("a", "b")


def test_a_claim_of_an_unknown_class_is_left_alone() -> None:
    history = ran(claim("c", "missing"))

    assert found(history, "PersistentVolumeClaim", "c").get("status", {}).get("phase", "Pending") == "Pending"
    assert codes(history) == []

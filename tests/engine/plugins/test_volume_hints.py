"""What wakes a Pod that a volume plugin rejected: the rows of kube-scheduler 1.36's table of queueing hints."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simulator.engine.framework.events import Action, ClusterEvent
from simulator.engine.framework.plugin import Hint

from .volume_world import (
    Manifest,
    World,
    allowed,
    attachment,
    claim,
    claim_volume,
    csi_driver,
    csi_node,
    ephemeral_volume,
    storage_class,
    storage_pool,
    volume,
)

CLAIM, VOLUME, CLASS = "PersistentVolumeClaim", "PersistentVolume", "StorageClass"
ZONE = "topology.kubernetes.io/zone"
MIGRATED = "kubernetes.io/gce-pd"
DISK = {"gcePersistentDisk": {"pdName": "d1"}}


def registered(name: str) -> list[tuple[str, int]]:
    interests = World().plugin(name).events()
    return [(interest.event.resource, int(interest.event.actions)) for interest in interests]


CHANGES = int(Action.ADD | Action.UPDATE)
NEW_OR_RELABELLED = int(Action.ADD | Action.UPDATE_NODE_LABEL)


@pytest.mark.parametrize(
    ("name", "events"),
    [
        ("VolumeRestrictions", [("Pod", Action.DELETE), ("Node", Action.ADD), (CLAIM, Action.ADD)]),
        (
            "NodeVolumeLimits",
            [
                ("CSINode", Action.ADD),
                ("CSINode", Action.UPDATE),
                ("Pod", Action.DELETE),
                (CLAIM, Action.ADD),
                ("VolumeAttachment", Action.DELETE),
            ],
        ),
        (
            "VolumeBinding",
            [
                (CLASS, CHANGES),
                (CLAIM, CHANGES),
                (VOLUME, CHANGES),
                ("Node", NEW_OR_RELABELLED),
                ("CSINode", CHANGES),
                ("CSIDriver", Action.UPDATE),
                ("CSIStorageCapacity", CHANGES),
            ],
        ),
        ("VolumeZone", [(CLASS, Action.ADD), ("Node", NEW_OR_RELABELLED), (CLAIM, CHANGES), (VOLUME, CHANGES)]),
    ],
)
def test_registered_events(name: str, events: list[tuple[str, int]]) -> None:
    assert registered(name) == [(resource, int(actions)) for resource, actions in events]


def wakes(name: str, event: ClusterEvent, pod: Any, old: Any, new: Any) -> bool:
    """Whether any registration for `event` says Queue."""
    interests = [each for each in World().plugin(name).events() if each.event.covers(event)]
    assert interests, f"{name} is not interested in {event.label}"
    return any(each.hint is None or each.hint(pod, old, new) is Hint.QUEUE for each in interests)


def added(name: str, new: Manifest, *volumes: Manifest) -> bool:
    pod = World().pod("web", *volumes)
    return wakes(name, ClusterEvent(new["kind"], Action.ADD), pod, None, new)


def updated(name: str, old: Manifest, new: Manifest, *volumes: Manifest) -> bool:
    pod = World().pod("web", *volumes)
    return wakes(name, ClusterEvent(new["kind"], Action.UPDATE), pod, old, new)


def pod_deleted(
    name: str, mine: list[Manifest], theirs: list[Manifest], *, namespace: str = "default", **fields: Any
) -> bool:
    pod = World().pod("web", *mine)
    other = replace(World().pod("other", *theirs, namespace=namespace), **({"node_name": "n1"} | fields))
    return wakes(name, ClusterEvent("Pod", Action.DELETE), pod, other, None)


def test_claims_that_are_added() -> None:
    for name in ("VolumeRestrictions", "NodeVolumeLimits", "VolumeBinding", "VolumeZone"):
        assert added(name, claim("c"), claim_volume("c"))
        assert not added(name, claim("d"), claim_volume("c"))
        assert not added(name, claim("c", namespace="team"), claim_volume("c"))
    for name in ("NodeVolumeLimits", "VolumeBinding"):
        assert added(name, claim("web-v0"), ephemeral_volume())
    for name in ("VolumeRestrictions", "VolumeZone"):
        assert not added(name, claim("web-v0"), ephemeral_volume())


def test_claims_that_change() -> None:
    for name in ("VolumeBinding", "VolumeZone"):
        assert updated(name, claim("c"), claim("c", volume="pv"), claim_volume("c"))
        assert not updated(name, claim("c"), claim("c", volume="pv"), claim_volume("d"))


def test_restrictions_and_deleted_pods() -> None:
    name = "VolumeRestrictions"
    assert pod_deleted(name, [DISK], [DISK])
    assert pod_deleted(name, [DISK], [DISK], node_name="")
    assert pod_deleted(name, [claim_volume("c")], [claim_volume("c")])
    assert not pod_deleted(name, [claim_volume("c")], [claim_volume("c")], namespace="team")
    assert not pod_deleted(name, [claim_volume("c")], [claim_volume("d")])
    assert not pod_deleted(name, [DISK], [{"gcePersistentDisk": {"pdName": "d2"}}])


def test_limits_and_deleted_pods() -> None:
    name = "NodeVolumeLimits"
    for theirs in (claim_volume("c"), ephemeral_volume(), DISK):
        assert pod_deleted(name, [claim_volume("mine")], [theirs])
    assert pod_deleted(name, [], [claim_volume("c")], node_name="", nominated_node_name="n1")
    assert not pod_deleted(name, [], [claim_volume("c")], node_name="")
    assert not pod_deleted(name, [claim_volume("c")], [{"emptyDir": {}}])


def test_limits_and_csi_nodes() -> None:
    name = "NodeVolumeLimits"
    assert added(name, csi_node("n1"))
    assert updated(name, csi_node("n1", d=1), csi_node("n1", d=2))
    assert updated(name, csi_node("n1", d=None), csi_node("n1", d=1))
    assert updated(name, csi_node("n1", d=1), csi_node("n1", d=1, e=1))
    assert not updated(name, csi_node("n1", d=2), csi_node("n1", d=1))
    assert not updated(name, csi_node("n1", d=2), csi_node("n1", d=None))
    assert not updated(name, csi_node("n1"), csi_node("n1", d=0))


@pytest.mark.parametrize(
    ("volumes", "queued"),
    [
        ([claim_volume("c")], True),
        ([DISK], True),
        ([ephemeral_volume()], False),
        ([{"cinder": {"volumeID": "x"}}], False),
    ],
)
def test_limits_and_detached_volumes(volumes: list[Manifest], queued: bool) -> None:
    gone = attachment("a", "pd.csi.storage.gke.io", "pv", "n1")
    pod = World().pod("web", *volumes)
    assert wakes("NodeVolumeLimits", ClusterEvent("VolumeAttachment", Action.DELETE), pod, gone, None) is queued


def test_binding_and_storage_classes() -> None:
    name = "VolumeBinding"
    assert added(name, storage_class(mode="Immediate"))
    assert updated(name, storage_class(), storage_class(allowedTopologies=allowed(ZONE, "a")))
    assert not updated(name, storage_class(), storage_class(allowedTopologies=[]))
    assert not updated(name, storage_class(), storage_class(provisioner="other"))


def test_binding_and_volumes_nodes_pools() -> None:
    name = "VolumeBinding"
    assert added(name, volume("pv"))
    assert updated(name, volume("pv"), volume("pv"))
    assert wakes(name, ClusterEvent("Node", Action.UPDATE_NODE_LABEL), World().pod("web"), None, None)
    assert added(name, storage_pool("p", "wait", {}))
    assert updated(name, storage_pool("p", "wait", {}), storage_pool("p", "wait", {}, capacity="1Gi"))
    assert updated(
        name,
        storage_pool("p", "wait", {}, capacity="9Gi", maximumVolumeSize="1Gi"),
        storage_pool("p", "wait", {}, capacity="8Gi"),
    )
    assert not updated(
        name, storage_pool("p", "wait", {}, capacity="2Gi"), storage_pool("p", "wait", {}, capacity="1Gi")
    )
    assert not updated(name, storage_pool("p", "wait", {}, capacity="1Gi"), storage_pool("p", "wait", {}))


def test_binding_and_csi_nodes() -> None:
    name = "VolumeBinding"
    assert added(name, csi_node("n1"))
    assert updated(name, csi_node("n1"), csi_node("n1", MIGRATED))
    assert not updated(name, csi_node("n1", MIGRATED, d=1), csi_node("n1", MIGRATED, d=2))


def test_binding_and_csi_drivers() -> None:
    name, mine = "VolumeBinding", {"csi": {"driver": "d"}}
    on, off, unset = csi_driver("d", storageCapacity=True), csi_driver("d", storageCapacity=False), csi_driver("d")
    assert updated(name, on, off, mine)
    assert updated(name, on, unset, mine)
    assert not updated(name, off, on, mine)
    assert not updated(name, on, off, {"csi": {"driver": "e"}})
    assert not updated(name, on, off, claim_volume("c"))


def test_zone_and_storage_classes() -> None:
    assert added("VolumeZone", storage_class())
    assert not added("VolumeZone", storage_class(mode="Immediate"))


def test_zone_and_volumes() -> None:
    name = "VolumeZone"
    assert added(name, volume("pv"))
    assert updated(name, volume("pv"), volume("pv", labels={ZONE: "a"}))
    assert updated(name, volume("pv", labels={ZONE: "a"}), volume("pv", labels={ZONE: "a__b"}))
    assert not updated(name, volume("pv", labels={ZONE: "a__b"}), volume("pv", labels={ZONE: "b__a", "x": "y"}))
    assert not updated(name, volume("pv", phase="Available"), volume("pv", phase="Bound"))

"""VolumeBinding: bound, waiting and provisioned claims. Expected answers: kube-scheduler 1.36.3's rules by hand."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework import messages
from simulator.engine.plugins.volume_binding import VolumeBinding

from .volume_world import (
    Manifest,
    World,
    affinity,
    allowed,
    claim,
    claim_volume,
    configured,
    csi_driver,
    csi_node,
    ephemeral_volume,
    node,
    owned,
    storage_class,
    storage_pool,
    told,
    volume,
)

NAME = "VolumeBinding"
NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity"
NO_VOLUME = "node(s) didn't find available persistent volumes to bind"
NO_SPACE = "node(s) did not have enough free storage"
NOT_FOUND = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
LATE = "UU: pod has unbound immediate PersistentVolumeClaims"
ZONE = "topology.kubernetes.io/zone"
SELECTED = "volume.kubernetes.io/selected-node"


def uu(*texts: str) -> str:
    return "UU: " + ", ".join(texts)


def pre_filter(world: World, *volumes: Manifest) -> str:
    return world.pre_filter(NAME, world.pod("web", *volumes))[1]


def test_pod_without_claims_skips() -> None:
    assert pre_filter(World("n1"), {"emptyDir": {}}) == "Skip"


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (claim("x"), 'UU: persistentvolumeclaim "c" not found'),
        (
            claim("c", volume="pv") | {"status": {"phase": "Lost"}},
            'UU: persistentvolumeclaim "c" bound to non-existent persistentvolume "pv"',
        ),
        (
            claim("c") | {"status": {"phase": "Lost"}},
            'UU: persistentvolumeclaim "c" bound to non-existent persistentvolume ""',
        ),
        (claim("c", "now"), LATE),
        (claim("c", "unknown"), LATE),
        (claim("c", None), LATE),
        (claim("c", "", annotations={"volume.beta.kubernetes.io/storage-class": "wait"}), "Success"),
        (claim("c", "wait", volumeName="pv"), LATE),
        (claim("c", "now", volume="pv"), "Success"),
        (claim("c"), "Success"),
        (claim("c", "nomode"), 'Error: VolumeBindingMode not set for StorageClass "nomode"'),
    ],
)
def test_what_becomes_of_a_claim(manifest: Manifest, said: str) -> None:
    world = World("n1")
    world.store.put(
        manifest, storage_class(), storage_class("now", mode="Immediate"), storage_class("nomode", mode=None)
    )
    assert pre_filter(world, claim_volume("c")) == said


def test_claim_that_is_being_deleted() -> None:
    world = World("n1")
    manifest = claim("c", volume="pv")
    manifest["metadata"]["deletionTimestamp"] = "2030-01-01T00:00:00Z"
    world.store.put(manifest)
    assert pre_filter(world, claim_volume("c")) == 'UU: persistentvolumeclaim "c" is being deleted'


def test_first_claim_in_trouble_is_told() -> None:
    world = World("n1")
    world.store.put(claim("c1", "now"))
    said = pre_filter(world, claim_volume("c1"), claim_volume("c2"), claim_volume("c3"))
    assert said == 'UU: persistentvolumeclaim "c2" not found'


def test_ephemeral_claim_is_named_after_the_pod_and_its_own() -> None:
    world = World("n1")
    world.store.put(storage_class())
    waiting = 'UU: waiting for ephemeral volume controller to create the persistentvolumeclaim "web-v0"'
    assert pre_filter(world, ephemeral_volume()) == waiting
    world.store.put(claim("web-v0"))
    assert pre_filter(world, ephemeral_volume()) == (
        "UU: PVC default/web-v0 was not created for pod default/web (pod is not owner)"
    )
    world.store.put(owned(claim("web-v0"), world.pod("web", ephemeral_volume())))
    assert pre_filter(world, ephemeral_volume()) == "Success"


def bound_world(*volumes: Manifest) -> World:
    """Nodes a and b in zones of their names; claims c0, c1 ... bound to `volumes`."""
    world = World(node("a", zone="a"), node("b", zone="b"))
    for index, manifest in enumerate(volumes):
        world.store.put(claim(f"c{index}", volume=manifest["metadata"]["name"]), manifest)
    return world


def test_bound_volume_out_of_reach() -> None:
    world = bound_world(volume("pv", on=["a"]))
    assert world.filter(NAME, world.pod("web", claim_volume("c0"))) == {"b": uu(NODE_CONFLICT)}


def limits_by(field: str, key: str, operator: str) -> Manifest:
    """A node affinity with one wish for the value `a`."""
    return {"required": {"nodeSelectorTerms": [{field: [{"key": key, "operator": operator, "values": ["a"]}]}]}}


@pytest.mark.parametrize(
    ("limits", "refused"),
    [
        (None, set()),
        ({}, set()),
        ({"required": {"nodeSelectorTerms": []}}, {"a", "b"}),
        ({"required": {"nodeSelectorTerms": [{}]}}, {"a", "b"}),
        (limits_by("matchExpressions", ZONE, "In"), {"b"}),
        (limits_by("matchExpressions", ZONE, "NotIn"), {"a"}),
        # Terms know no node name: In meets nobody, NotIn everybody.
        (limits_by("matchFields", "metadata.name", "In"), {"a", "b"}),
        (limits_by("matchFields", "metadata.name", "NotIn"), set()),
    ],
)
def test_node_affinity_of_a_bound_volume(limits: Manifest | None, refused: set[str]) -> None:
    world = bound_world(volume("pv", nodeAffinity=limits))
    found = world.filter(NAME, world.pod("web", claim_volume("c0")))
    assert found == dict.fromkeys(sorted(refused), uu(NODE_CONFLICT))


def test_bound_volume_that_is_gone() -> None:
    world = bound_world()
    world.store.put(claim("c0", volume="gone"))
    assert world.filter(NAME, world.pod("web", claim_volume("c0"))) == dict.fromkeys(["a", "b"], uu(NOT_FOUND))


def test_first_bound_claim_in_trouble_decides() -> None:
    """On b the first volume is out of reach, so that the second one is not even looked for."""
    world = bound_world(volume("pv0", on=["a"]))
    world.store.put(claim("c1", volume="gone"))
    found = world.filter(NAME, world.pod("web", claim_volume("c0"), claim_volume("c1")))
    assert found == {"a": uu(NOT_FOUND), "b": uu(NODE_CONFLICT)}


def test_several_reasons_in_order() -> None:
    world = bound_world(volume("pv0", on=["a"], phase="Bound"))
    world.store.put(storage_class(), claim("c1"), storage_class("csi", "csi.example.com"), claim("c2", "csi"))
    world.store.put(csi_driver("csi.example.com", storageCapacity=True), claim("c3", volume="gone"))
    lost = world.pod("lost", claim_volume("c3"), claim_volume("c1"))
    assert world.filter(NAME, lost) == dict.fromkeys(["a", "b"], uu(NO_VOLUME, NOT_FOUND))
    full = world.pod("full", claim_volume("c0"), claim_volume("c2"))
    assert world.filter(NAME, full) == {"a": uu(NO_SPACE), "b": uu(NODE_CONFLICT, NO_SPACE)}
    static = world.pod("static", claim_volume("c0"), claim_volume("c1"))
    assert world.filter(NAME, static) == {"a": uu(NO_VOLUME), "b": uu(NODE_CONFLICT, NO_VOLUME)}


def waiting_world(**fields: Any) -> World:
    """Nodes a and b in zones of their names, class `wait` with `fields`, a claim c0 of 10Gi that waits."""
    world = World(node("a", zone="a"), node("b", zone="b"))
    world.store.put(storage_class(**fields), claim("c0"))
    return world


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({}, {"a": NO_VOLUME, "b": NO_VOLUME}),
        ({"provisioner": ""}, {"a": NO_VOLUME, "b": NO_VOLUME}),
        ({"provisioner": "csi.example.com"}, {}),
        ({"provisioner": "csi.example.com", "allowedTopologies": []}, {}),
        ({"provisioner": "csi.example.com", "allowedTopologies": [{}]}, {"a": NO_VOLUME, "b": NO_VOLUME}),
        ({"provisioner": "csi.example.com", "allowedTopologies": allowed(ZONE, "b", "c")}, {"a": NO_VOLUME}),
        ({"provisioner": "csi.example.com", "allowedTopologies": allowed(ZONE, "a") + allowed(ZONE, "b")}, {}),
    ],
)
def test_provisioner_and_topologies(fields: dict[str, Any], refused: dict[str, str]) -> None:
    world = waiting_world(**fields)
    expected = {name: uu(text) for name, text in refused.items()}
    assert world.filter(NAME, world.pod("web", claim_volume("c0"))) == expected


def test_claim_sent_to_another_node() -> None:
    world = waiting_world(provisioner="csi.example.com")
    world.store.put(claim("c0", annotations={SELECTED: "b"}))
    assert world.filter(NAME, world.pod("web", claim_volume("c0"))) == {"a": uu(NO_VOLUME)}
    world.store.put(claim("c0", annotations={SELECTED: "gone"}))
    assert world.filter(NAME, world.pod("web", claim_volume("c0"))) == dict.fromkeys(["a", "b"], uu(NO_VOLUME))


def test_claim_sent_to_a_node_takes_no_free_volume() -> None:
    """Its volume is to be made; without a provisioner nothing can be, though a free volume lies there."""
    world = waiting_world()
    world.store.put(volume("pv"), claim("c0", annotations={SELECTED: "a"}))
    assert world.filter(NAME, world.pod("web", claim_volume("c0"))) == dict.fromkeys(["a", "b"], uu(NO_VOLUME))


@pytest.mark.parametrize(
    ("pool", "refused"),
    [
        (None, {"a", "b"}),
        (storage_pool("p", "wait", {}, capacity="10Gi"), set()),
        (storage_pool("p", "wait", {}, capacity="9Gi"), {"a", "b"}),
        (storage_pool("p", "wait", {}, capacity="100Gi", maximumVolumeSize="5Gi"), {"a", "b"}),
        (storage_pool("p", "wait", {}, capacity="1Gi", maximumVolumeSize="10Gi"), set()),
        (storage_pool("p", "wait", {}), {"a", "b"}),
        (storage_pool("p", "wait", None, capacity="100Gi"), {"a", "b"}),
        (storage_pool("p", "wait", {ZONE: "b"}, capacity="100Gi"), {"a"}),
        (storage_pool("p", "other", {}, capacity="100Gi"), {"a", "b"}),
    ],
)
def test_storage_capacity(pool: Manifest | None, refused: set[str]) -> None:
    world = waiting_world(provisioner="csi.example.com")
    world.store.put(csi_driver("csi.example.com", storageCapacity=True), *([pool] if pool else []))
    found = world.filter(NAME, world.pod("web", claim_volume("c0")))
    assert found == dict.fromkeys(sorted(refused), uu(NO_SPACE))


def test_capacity_is_asked_only_of_drivers_that_tell_it() -> None:
    world = waiting_world(provisioner="csi.example.com")
    pod = world.pod("web", claim_volume("c0"))
    world.store.put(csi_driver("csi.example.com"))
    assert world.filter(NAME, pod) == {}
    world.store.put(csi_driver("csi.example.com", storageCapacity=True), claim("c0", size=None))
    assert world.filter(NAME, pod) == {}


def test_unmatched_claim_is_provisioned_although_another_found_a_volume() -> None:
    world = waiting_world(provisioner="csi.example.com")
    world.store.put(claim("c1", size="20Gi"), volume("pv", on=["a"]))
    state = world.bind(world.pod("web", claim_volume("c1"), claim_volume("c0")), "a")
    assert VolumeBinding.name in state.data
    written = world.plugin(NAME).pending_writes(world.pod("web", claim_volume("c1"), claim_volume("c0")))
    assert [(each["kind"], each["metadata"]["name"]) for each in written] == [
        ("PersistentVolume", "pv"),
        ("PersistentVolumeClaim", "c1"),
    ]


def test_in_tree_volume_is_seen_through_csi_where_the_node_migrated() -> None:
    world = World(node("old", zone="a"), node("new", zone="a"), node("topo", **{"topology.ebs.csi.aws.com/zone": "a"}))
    disk = {"awsElasticBlockStore": {"volumeID": "vol-1"}}
    world.store.put(claim("c", volume="pv"), volume("pv", nodeAffinity=affinity(ZONE, "a"), **disk))
    world.store.put(csi_node("new", "kubernetes.io/aws-ebs"), csi_node("topo", "kubernetes.io/aws-ebs"))
    pod = world.pod("web", claim_volume("c"))
    assert world.filter(NAME, pod) == {"new": uu(NODE_CONFLICT)}


def test_in_tree_volume_that_cannot_be_translated_is_an_error() -> None:
    world = World("n1", "n2")
    disk = {"awsElasticBlockStore": {"volumeID": "aws://a/disk"}}
    world.store.put(claim("c", volume="pv"), volume("pv", **disk), csi_node("n1", "kubernetes.io/aws-ebs"))
    expected = (
        "Error: could not translate pv: failed to translate Kubernetes ID to EBS Volume ID "
        "invalid format for AWS volume (aws://a/disk)"
    )
    assert world.filter(NAME, world.pod("web", claim_volume("c"))) == {"n1": expected}


def test_reserved_volume_is_gone_for_the_next_pod() -> None:
    world = waiting_world()
    world.store.put(claim("c1"), volume("pv", on=["a"]))
    world.bind(world.pod("first", claim_volume("c0")), "a")
    second = world.pod("second", claim_volume("c1"))
    assert world.filter(NAME, second) == dict.fromkeys(["a", "b"], uu(NO_VOLUME))


def test_pods_that_share_a_claim_share_its_reserved_volume() -> None:
    world = waiting_world()
    world.store.put(volume("pv-a", on=["a"]), volume("pv-b", on=["b"]))
    world.bind(world.pod("first", claim_volume("c0")), "b")
    assert world.filter(NAME, world.pod("second", claim_volume("c0"))) == {"a": uu(NO_VOLUME)}


def test_provisioned_claim_keeps_its_node_for_the_next_pod() -> None:
    world = waiting_world(provisioner="csi.example.com")
    world.bind(world.pod("first", claim_volume("c0")), "b")
    assert world.filter(NAME, world.pod("second", claim_volume("c0"))) == {"a": uu(NO_VOLUME)}


def test_unreserve_gives_back() -> None:
    world = waiting_world()
    world.store.put(claim("c1"), volume("pv", on=["a"]))
    first = world.pod("first", claim_volume("c0"))
    state = world.bind(first, "a")
    world.framework.run_unreserve(state, first, "a")
    assert world.filter(NAME, world.pod("second", claim_volume("c1"))) == {"b": uu(NO_VOLUME)}
    assert world.plugin(NAME).pending_writes(first) == []


def test_store_overrules_what_was_assumed() -> None:
    world = waiting_world()
    world.store.put(claim("c1"), volume("pv", on=["a"]))
    first = world.pod("first", claim_volume("c0"))
    world.bind(first, "a")
    world.store.put(volume("pv", on=["b"]))
    assert world.filter(NAME, world.pod("second", claim_volume("c1"))) == {"a": uu(NO_VOLUME)}
    assert world.plugin(NAME).pending_writes(first) == []
    world.store.delete("PersistentVolume", "", "pv")
    assert world.filter(NAME, first) == dict.fromkeys(["a", "b"], uu(NO_VOLUME))


def test_pending_writes_of_a_free_volume() -> None:
    world = waiting_world()
    world.store.put(volume("pv"))
    pod = world.pod("web", claim_volume("c0"))
    world.bind(pod, "a")
    (written,) = world.plugin(NAME).pending_writes(pod)
    assert written["spec"]["claimRef"] == {
        "kind": "PersistentVolumeClaim",
        "apiVersion": "v1",
        "namespace": "default",
        "name": "c0",
        "uid": "uid-claim-c0",
    }
    assert written["metadata"]["annotations"] == {"pv.kubernetes.io/bound-by-controller": "yes"}
    assert "claimRef" not in (world.store.get("PersistentVolume", "", "pv") or {})["spec"]


def test_pending_writes_of_a_volume_reserved_by_name() -> None:
    """Whoever set the claimRef by hand bound it: only the uid is missing, and no controller claims the binding."""
    world = waiting_world()
    world.store.put(volume("pv", claimRef={"namespace": "default", "name": "c0"}))
    pod = world.pod("web", claim_volume("c0"))
    world.bind(pod, "a")
    (written,) = world.plugin(NAME).pending_writes(pod)
    assert written["spec"]["claimRef"]["uid"] == "uid-claim-c0"
    assert "annotations" not in written["metadata"]


def test_pending_writes_of_a_claim_to_be_provisioned() -> None:
    world = waiting_world(provisioner="csi.example.com")
    pod = world.pod("web", claim_volume("c0"))
    world.bind(pod, "b")
    (written,) = world.plugin(NAME).pending_writes(pod)
    assert written["metadata"]["annotations"] == {SELECTED: "b"}
    world.store.put(written)
    assert world.plugin(NAME).pending_writes(pod) == []


@pytest.mark.parametrize(("manifest", "said"), [(claim("c0"), "Success"), (claim("c0", volume="pv"), "Skip")])
def test_pre_bind_has_work_only_for_waiting_claims(manifest: Manifest, said: str) -> None:
    world = waiting_world(provisioner="csi.example.com")
    world.store.put(manifest, volume("pv"))
    pod = world.pod("web", claim_volume("c0"))
    state = world.bind(pod, "a")
    plugin = world.plugin(NAME)
    assert told(plugin.pre_bind_pre_flight(state, pod, "a")) == said
    assert told(plugin.pre_bind(state, pod, "a")) == "Success"


def test_pod_without_claims_has_nothing_to_reserve_or_bind() -> None:
    world = World("n1")
    pod = world.pod("web")
    state = world.bind(pod, "n1")
    assert told(world.plugin(NAME).pre_bind_pre_flight(state, pod, "n1")) == "Skip"
    assert world.plugin(NAME).pending_writes(pod) == []


def test_without_pre_filter_filter_and_reserve_are_errors() -> None:
    config = configured(NAME, {})
    config["profiles"][0]["plugins"] = {"preFilter": {"disabled": [{"name": NAME}]}}
    world = World("n1", config=config)
    tried = world.attempt(world.pod("web"))
    assert tried.message == 'running "VolumeBinding" filter plugin: not found'
    status = world.framework.run_reserve(tried.state, tried.pod, "n1")
    assert messages.status_text(status) == 'running Reserve plugin "VolumeBinding": not found'

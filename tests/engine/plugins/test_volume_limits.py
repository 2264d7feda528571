"""NodeVolumeLimits: CSI volumes per driver and node. Expected answers follow kube-scheduler 1.36.3's rules by hand."""

from __future__ import annotations

import pytest

from simulator.engine.cluster.rows import Delta

from .volume_world import (
    Manifest,
    World,
    attachment,
    claim,
    claim_volume,
    csi,
    csi_driver,
    csi_node,
    ephemeral_volume,
    owned,
    storage_class,
    volume,
)

NAME = "NodeVolumeLimits"
FULL = "U: node(s) exceed max volume count"
EBS, GCE = "ebs.csi.aws.com", "pd.csi.storage.gke.io"
MAYBE_EBS = {"awsElasticBlockStore": {"volumeID": "vol-9"}}


def bound(world: World, *names: str, driver: str = EBS) -> None:
    """Claims of these names, each bound to its own volume with the handle `h-<name>`."""
    for name in names:
        world.store.put(
            claim(name, volume=f"pv-{name}"), volume(f"pv-{name}", phase="Bound", csi=csi(driver, f"h-{name}"))
        )


def limited(count: int | None) -> World:
    world = World("n1")
    world.store.put(csi_node("n1", ebs_csi_aws_com=count))
    return world


def test_pod_without_attachable_volumes_skips() -> None:
    world = limited(0)
    assert world.pre_filter(NAME, world.pod("plain", {"emptyDir": {}}, {"csi": {"driver": EBS}}))[1] == "Skip"
    assert world.pre_filter(NAME, world.pod("claim", claim_volume("c")))[1] == "Success"
    assert world.pre_filter(NAME, world.pod("eph", ephemeral_volume()))[1] == "Success"
    for source in ("awsElasticBlockStore", "azureDisk", "azureFile", "cinder", "vsphereVolume", "portworxVolume"):
        assert world.pre_filter(NAME, world.pod(source, {source: {}}))[1] == "Success"
    assert world.pre_filter(NAME, world.pod("rbd", {"rbd": {}}))[1] == "Skip"


@pytest.mark.parametrize(("wants", "fits"), [(("v2", "v3"), True), (("v3", "v4"), False), (("v1", "v2"), True)])
def test_worked_example(wants: tuple[str, ...], fits: bool) -> None:
    """Limit 3, Pods use v1 and v2: v2 and v3 fit (2 + 1 = 3), v3 and v4 do not (4 > 3)."""
    world = limited(3)
    bound(world, "v1", "v2", "v3", "v4")
    world.pod("a", claim_volume("v1"), on="n1")
    world.pod("b", claim_volume("v2"), claim_volume("v1"), on="n1")
    found = world.filter(NAME, world.pod("new", *(claim_volume(name) for name in wants)))
    assert found == ({} if fits else {"n1": FULL})


def test_no_limit_or_no_csi_node_passes() -> None:
    world = limited(None)
    world.cluster.add_node(World("n2").cluster.nodes.objects[0])
    bound(world, "v1")
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {}


def test_limit_of_another_driver_does_not_matter() -> None:
    world = limited(0)
    bound(world, "v1", driver="other.example.com")
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {}


def test_drivers_are_counted_apart() -> None:
    world = World("n1")
    world.store.put(csi_node("n1", ebs_csi_aws_com=1, pd_csi_storage_gke_io=1))
    bound(world, "e1", "e2")
    bound(world, "g1", driver=GCE)
    world.pod("a", claim_volume("e1"), on="n1")
    assert world.filter(NAME, world.pod("gce", claim_volume("g1"))) == {}
    assert world.filter(NAME, world.pod("ebs", claim_volume("e2"))) == {"n1": FULL}


def test_claim_without_volume_counts_for_its_class_driver() -> None:
    world = limited(1)
    world.store.put(storage_class("wait", EBS), claim("c1"), claim("c2"))
    world.pod("a", claim_volume("c1"), on="n1")
    assert world.filter(NAME, world.pod("same", claim_volume("c1"))) == {}
    assert world.filter(NAME, world.pod("other", claim_volume("c2"))) == {"n1": FULL}


def test_claim_counts_by_class_where_its_volume_is_gone() -> None:
    world = limited(0)
    world.store.put(storage_class("wait", EBS), claim("c1", volume="gone"))
    assert world.filter(NAME, world.pod("new", claim_volume("c1"))) == {"n1": FULL}


@pytest.mark.parametrize("missing", [claim("c1", None), claim("c1", "unknown")])
def test_claim_without_class_is_not_counted(missing: Manifest) -> None:
    world = limited(0)
    world.store.put(missing)
    assert world.filter(NAME, world.pod("new", claim_volume("c1"))) == {}


def test_same_volume_through_two_claims_counts_once() -> None:
    world = limited(1)
    for name in ("c1", "c2"):
        world.store.put(claim(name, volume=f"pv-{name}"), volume(f"pv-{name}", csi=csi(EBS, "same")))
    assert world.filter(NAME, world.pod("new", claim_volume("c1"), claim_volume("c2"))) == {}


def test_missing_claim_of_the_incoming_pod() -> None:
    world = limited(1)
    expected = 'UU: looking up PVC default/c1: persistentvolumeclaim "c1" not found'
    assert world.filter(NAME, world.pod("new", claim_volume("c1"))) == {"n1": expected}


def test_missing_claim_of_a_pod_on_the_node_is_not_counted() -> None:
    world = limited(1)
    bound(world, "v1")
    world.pod("a", claim_volume("gone"), on="n1")
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {}


def test_ephemeral_claim_counts_and_must_be_the_pods_own() -> None:
    world = limited(0)
    world.store.put(storage_class("wait", EBS))
    pod = world.pod("web", ephemeral_volume())
    mine = claim("web-v0")
    world.store.put(mine)
    expected = "Error: PVC default/web-v0 was not created for pod default/web (pod is not owner)"
    assert world.filter(NAME, pod) == {"n1": expected}
    world.store.put(owned(mine, pod))
    assert world.filter(NAME, pod) == {"n1": FULL}


def test_volume_attachments_count_unless_a_pod_uses_the_volume() -> None:
    world = limited(2)
    bound(world, "v1", "v2", "v3")
    world.store.put(attachment("a1", EBS, "pv-v1", "n1"), attachment("a2", EBS, "pv-v2", "n2"))
    world.pod("a", claim_volume("v1"), on="n1")
    assert world.filter(NAME, world.pod("new", claim_volume("v3"))) == {}
    world.store.put(attachment("a2", EBS, "pv-v2", "n1"))
    assert world.filter(NAME, world.pod("new", claim_volume("v3"))) == {"n1": FULL}


def test_volume_only_an_attachment_names_counts_again_for_its_pod() -> None:
    """As in 1.36.3: what is attached but used by no Pod on the node is not taken off what the Pod adds."""
    world = limited(1)
    bound(world, "v1")
    world.store.put(attachment("a1", EBS, "pv-v1", "n1"))
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {"n1": FULL}


def test_attachments_without_driver_volume_or_csi_source_do_not_count() -> None:
    world = limited(1)
    bound(world, "v1", "v2")
    world.store.put(
        attachment("a1", "", "pv-v2", "n1"),
        attachment("a2", EBS, "gone", "n1"),
        attachment("a3", EBS, "local", "n1"),
        volume("local", local={"path": "/x"}),
    )
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {}


@pytest.mark.parametrize(
    ("source", "node_limits"),
    [
        ({"awsElasticBlockStore": {"volumeID": "aws://eu-1a/vol-1"}}, {"ebs_csi_aws_com": 0}),
        ({"gcePersistentDisk": {"pdName": "d"}}, {"pd_csi_storage_gke_io": 0}),
        ({"azureDisk": {"diskName": "d", "diskURI": "u"}}, {"disk_csi_azure_com": 0}),
        ({"cinder": {"volumeID": "c"}}, {"cinder_csi_openstack_org": 0}),
        ({"portworxVolume": {"volumeID": "p"}}, {"pxd_portworx_com": 0}),
    ],
)
def test_inline_volumes_of_migrated_drivers_count(source: Manifest, node_limits: dict[str, int]) -> None:
    world = World("n1", "n2")
    world.store.put(csi_node("n1", **node_limits))
    assert world.filter(NAME, world.pod("new", source)) == {"n1": FULL}


@pytest.mark.parametrize(
    ("source", "plugin", "driver"),
    [
        ("azureFile", "kubernetes.io/azure-file", "file_csi_azure_com"),
        ("vsphereVolume", "kubernetes.io/vsphere-volume", "csi_vsphere_vmware_com"),
    ],
)
def test_drivers_without_migration_do_not_count(source: str, plugin: str, driver: str) -> None:
    world = World("n1")
    world.store.put(csi_node("n1", plugin, **{driver: 0}))
    assert world.filter(NAME, world.pod("new", {source: {"shareName": "s", "volumePath": "p"}})) == {}


def test_inline_volume_and_volume_of_a_claim_are_the_same_disk() -> None:
    world = limited(1)
    world.store.put(claim("c1", volume="pv1"), volume("pv1", csi=csi(EBS, "vol-9")))
    world.pod("a", claim_volume("c1"), on="n1")
    assert world.filter(NAME, world.pod("new", MAYBE_EBS)) == {}
    assert world.filter(NAME, world.pod("else", {"awsElasticBlockStore": {"volumeID": "vol-8"}})) == {"n1": FULL}


def test_inline_disks_and_ephemeral_volumes_on_the_node_count() -> None:
    world = limited(1)
    world.store.put(storage_class("wait", EBS), claim("c1"))
    disk = world.pod("disk", MAYBE_EBS, on="n1")
    new = world.pod("new", claim_volume("c1"))
    assert world.filter(NAME, new) == {"n1": FULL}
    world.cluster.remove_pod(disk.key)
    assert world.filter(NAME, new) == {}
    scratch = world.pod("scratch", ephemeral_volume(), on="n1")
    world.store.put(owned(claim("scratch-v0"), scratch))
    assert world.filter(NAME, new) == {"n1": FULL}


def test_ephemeral_claim_of_a_pod_on_the_node_that_is_not_its_own_is_an_error() -> None:
    world = limited(9)
    world.store.put(storage_class("wait", EBS), claim("c1"), claim("scratch-v0"))
    world.pod("scratch", ephemeral_volume(), on="n1")
    expected = "Error: PVC default/scratch-v0 was not created for pod default/scratch (pod is not owner)"
    assert world.filter(NAME, world.pod("new", claim_volume("c1"))) == {"n1": expected}


def test_in_tree_volume_of_a_claim_counts_for_the_csi_driver() -> None:
    world = limited(0)
    world.store.put(claim("c1", volume="pv1"), volume("pv1", awsElasticBlockStore={"volumeID": "vol-9"}))
    assert world.filter(NAME, world.pod("new", claim_volume("c1"))) == {"n1": FULL}


def test_in_tree_class_counts_for_the_csi_driver() -> None:
    world = World("n1", "n2")
    world.store.put(csi_node("n1", ebs_csi_aws_com=0), claim("c1"), storage_class("wait", "kubernetes.io/aws-ebs"))
    assert world.filter(NAME, world.pod("new", claim_volume("c1"))) == {"n1": FULL}


def test_inline_volume_that_cannot_be_translated_is_an_error() -> None:
    world = limited(1)
    pod = world.pod("new", {"awsElasticBlockStore": {"volumeID": "aws://eu-1a/disk-1"}})
    expected = (
        "Error: converting volume(v0) from inline to csi: failed to translate Kubernetes ID to EBS Volume ID "
        "invalid format for AWS volume (aws://eu-1a/disk-1)"
    )
    assert world.filter(NAME, pod) == {"n1": expected}


def test_error_ends_the_attempt_even_where_other_nodes_fit() -> None:
    world = World("n1", "n2")
    world.store.put(csi_node("n1", ebs_csi_aws_com=5))
    tried = world.attempt(world.pod("new", {"awsElasticBlockStore": {"volumeID": "aws://eu-1a/disk-1"}}))
    assert not tried.found
    assert tried.message.startswith('running "NodeVolumeLimits" filter plugin: converting volume(v0)')


def test_volume_limit_scaling_refuses_nodes_without_a_required_driver() -> None:
    required = csi_driver(EBS, preventPodSchedulingIfMissing=True)
    refusal = f"U: {EBS} CSI driver is not installed on the node"
    for gate, found in ((False, {}), (True, {"n2": refusal, "n3": refusal})):
        world = World("n1", "n2", "n3", gates={"VolumeLimitScaling": gate})
        world.store.put(required, csi_node("n1", ebs_csi_aws_com=None), csi_node("n2", other=3))
        bound(world, "v1")
        assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == found


def test_volume_limit_scaling_leaves_other_drivers_alone() -> None:
    world = World("n1", gates={"VolumeLimitScaling": True})
    bound(world, "v1")
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {}
    world.store.put(csi_driver(EBS))
    assert world.filter(NAME, world.pod("new", claim_volume("v1"))) == {}


def test_pods_taken_away_or_added_in_thought_count() -> None:
    world = World("n1", "n2")
    world.store.put(csi_node("n1", ebs_csi_aws_com=1), csi_node("n2", ebs_csi_aws_com=1))
    bound(world, "v1", "v2", "v3")
    there = world.pod("there", claim_volume("v1"), on="n1")
    nominee = world.pod("nominee", claim_volume("v2"))
    new = world.pod("new", claim_volume("v3"))
    assert world.filter(NAME, new) == {"n1": FULL}
    numbers = world.cluster.pods.number_of
    delta = Delta.of([(0, numbers[there.key], -1), (1, world.cluster.loose_number(nominee), 1)])
    assert world.filter(NAME, new, world.cluster.all_rows().with_delta(delta)) == {"n2": FULL}

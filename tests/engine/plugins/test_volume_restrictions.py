"""VolumeRestrictions: disks and ReadWriteOncePod claims. Expected answers: kube-scheduler 1.36.3's rules by hand."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.cluster.rows import Delta

from .volume_world import World, claim, claim_volume

NAME = "VolumeRestrictions"
DISK = "U: node(s) had no available disk"
IN_USE = (
    "U: node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode "
    "already in-use by another pod"
)


def gce(name: str, *, read_only: bool = False) -> dict[str, Any]:
    return {"gcePersistentDisk": {"pdName": name, "readOnly": read_only}}


def ebs(name: str, *, read_only: bool = False) -> dict[str, Any]:
    return {"awsElasticBlockStore": {"volumeID": name, "readOnly": read_only}}


def iscsi(iqn: str, *, read_only: bool = False) -> dict[str, Any]:
    return {"iscsi": {"targetPortal": "10.0.0.1", "iqn": iqn, "lun": 0, "readOnly": read_only}}


def rbd(image: str, *monitors: str, pool: str = "rbd", read_only: bool = False) -> dict[str, Any]:
    return {"rbd": {"monitors": list(monitors), "image": image, "pool": pool, "readOnly": read_only}}


@pytest.mark.parametrize(
    ("there", "wanted", "clash"),
    [
        (gce("d1"), gce("d1"), True),
        (gce("d1"), gce("d2"), False),
        (gce("d1", read_only=True), gce("d1", read_only=True), False),
        (gce("d1"), gce("d1", read_only=True), True),
        (ebs("vol-1"), ebs("vol-1"), True),
        (ebs("vol-1", read_only=True), ebs("vol-1", read_only=True), True),
        (ebs("vol-1"), ebs("vol-2"), False),
        (iscsi("iqn.1"), iscsi("iqn.1"), True),
        (iscsi("iqn.1", read_only=True), iscsi("iqn.1", read_only=True), False),
        (iscsi("iqn.1"), iscsi("iqn.2"), False),
        (rbd("i", "m1", "m2"), rbd("i", "m2", "m3"), True),
        (rbd("i", "m1"), rbd("i", "m2"), False),
        (rbd("i", "m1"), rbd("i", "m1", pool="other"), False),
        (rbd("i", "m1"), rbd("other", "m1"), False),
        (rbd("i", "m1", read_only=True), rbd("i", "m1", read_only=True), False),
        (gce("vol-1"), ebs("vol-1"), False),
    ],
)
def test_disk_of_a_pod_on_the_node(there: dict[str, Any], wanted: dict[str, Any], clash: bool) -> None:
    world = World("n1", "n2")
    world.pod("there", there, on="n1")
    assert world.filter(NAME, world.pod("new", wanted)) == ({"n1": DISK} if clash else {})


def test_pod_without_disks_or_exclusive_claims_skips() -> None:
    world = World("n1")
    world.store.put(claim("c0"), claim("c1", modes=["ReadWriteOncePod"]))
    assert world.pre_filter(NAME, world.pod("plain"))[1] == "Skip"
    assert world.pre_filter(NAME, world.pod("empty", {"emptyDir": {}}))[1] == "Skip"
    assert world.pre_filter(NAME, world.pod("shared", claim_volume("c0")))[1] == "Skip"
    assert world.pre_filter(NAME, world.pod("first", claim_volume("c1")))[1] == "Skip"
    assert world.pre_filter(NAME, world.pod("disk", gce("d1")))[1] == "Success"


def test_first_missing_claim_is_told() -> None:
    world = World("n1")
    world.store.put(claim("c0"))
    pod = world.pod("new", claim_volume("c0"), claim_volume("c7"), claim_volume("c8"))
    assert world.pre_filter(NAME, pod)[1] == 'UU: persistentvolumeclaim "c7" not found'


def test_exclusive_claim_in_use_refuses_every_node() -> None:
    world = World("n1", "n2")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    world.pod("user", claim_volume("c0"), on="n2")
    assert world.filter(NAME, world.pod("new", claim_volume("c0"))) == {"n1": IN_USE, "n2": IN_USE}


def test_exclusive_claim_of_another_namespace_is_another_claim() -> None:
    world = World("n1")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    world.pod("user", claim_volume("c0"), on="n1", namespace="team")
    assert world.pre_filter(NAME, world.pod("new", claim_volume("c0")))[1] == "Skip"


def test_claim_that_others_may_share_is_no_matter() -> None:
    world = World("n1")
    world.store.put(claim("c0", modes=["ReadWriteOnce"]))
    world.pod("user", claim_volume("c0"), on="n1")
    assert world.pre_filter(NAME, world.pod("new", claim_volume("c0")))[1] == "Skip"


def test_exclusive_claim_is_free_again_when_its_pod_goes() -> None:
    world = World("n1")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    user = world.pod("user", claim_volume("c0"), on="n1")
    new = world.pod("new", claim_volume("c0"))
    assert world.filter(NAME, new) == {"n1": IN_USE}
    world.cluster.remove_pod(user.key)
    assert world.pre_filter(NAME, new)[1] == "Skip"


def test_disk_is_told_before_the_claim() -> None:
    world = World("n1", "n2")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    world.pod("user", claim_volume("c0"), gce("d1"), on="n1")
    assert world.filter(NAME, world.pod("new", claim_volume("c0"), gce("d1"))) == {"n1": DISK, "n2": IN_USE}


def test_taking_the_user_away_in_thought_frees_claim_and_disk_there_only() -> None:
    """The example of preemption: on n2, and only there, evicting the user makes room."""
    world = World("n1", "n2")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    user = world.pod("user", claim_volume("c0"), gce("d1"), on="n2")
    new = world.pod("new", claim_volume("c0"), gce("d1"), priority=10)
    delta = Delta.of([(1, world.cluster.pods.number_of[user.key], -1)])
    assert world.filter(NAME, new, world.cluster.all_rows().with_delta(delta)) == {"n1": IN_USE}


def test_pod_added_in_thought_takes_disk_and_claim() -> None:
    world = World("n1", "n2")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    new = world.pod("new", claim_volume("c0"), gce("d1"))
    nominee = world.pod("nominee", claim_volume("c0"))
    delta = Delta.of([(0, world.cluster.loose_number(nominee), 1)])
    assert world.filter(NAME, new, world.cluster.all_rows().with_delta(delta)) == {"n1": IN_USE}


def test_uses_in_thought_go_by_name_whatever_the_namespace() -> None:
    """As in 1.36.3: a Pod of another namespace with a claim of the same name lowers the count as well."""
    world = World("n1", "n2")
    world.store.put(claim("c0", modes=["ReadWriteOncePod"]))
    world.pod("user", claim_volume("c0"), on="n2")
    stranger = world.pod("stranger", claim_volume("c0"), on="n1", namespace="team")
    delta = Delta.of([(0, world.cluster.pods.number_of[stranger.key], -1)])
    new = world.pod("new", claim_volume("c0"))
    assert world.filter(NAME, new, world.cluster.all_rows().with_delta(delta)) == {"n2": IN_USE}


def test_filter_without_pre_filter_is_an_error() -> None:
    profile = {"plugins": {"preFilter": {"disabled": [{"name": NAME}]}}}
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    world = World("n1", config=config | {"profiles": [profile]})
    expected = 'running "VolumeRestrictions" filter plugin: cannot read "PreFilterVolumeRestrictions" from cycleState'
    assert world.attempt(world.pod("new")).message == expected


def test_exclusive_claim_preempts_its_user() -> None:
    """End to end: the only node that helps is the user's, and evicting it helps."""
    world = World("n1", "n2")
    world.store.put(
        claim("c0", modes=["ReadWriteOncePod"], volume="pv0"),
        {"kind": "PersistentVolume", "metadata": {"name": "pv0"}, "spec": {}},
    )
    world.pod("user", claim_volume("c0"), on="n2")
    tried = world.attempt(world.pod("new", claim_volume("c0"), priority=10))
    assert not tried.found
    assert tried.search is not None
    result = world.plugin("DefaultPreemption").post_filter(tried.state, tried.pod, tried.search.diagnosis)
    assert result.nominated == "n2"
    assert [victim.name for victim in result.victims] == ["user"]

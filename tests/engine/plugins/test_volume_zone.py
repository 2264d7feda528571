"""VolumeZone: zone and region labels of volumes. Expected answers follow kube-scheduler 1.36.3's rules by hand."""

from __future__ import annotations

import pytest

from .volume_world import Manifest, World, claim, claim_volume, ephemeral_volume, node, storage_class, volume

NAME = "VolumeZone"
CONFLICT = "UU: node(s) had no available volume zone"
ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
BETA_ZONE, BETA_REGION = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"


def world_with(labels: dict[str, str]) -> World:
    """Nodes in zones a, b, c, one without any label; a claim `c` bound to a volume with `labels`."""
    world = World(node("a", zone="a"), node("b", zone="b"), node("c", zone="c"), node("bare"))
    world.store.put(claim("c", volume="pv"), volume("pv", labels=labels))
    return world


@pytest.mark.parametrize(
    ("value", "refused"), [("a__b", {"c"}), ("a", {"b", "c"}), (" a __ c ", {"b"}), ("nowhere", {"a", "b", "c"})]
)
def test_worked_example(value: str, refused: set[str]) -> None:
    world = world_with({ZONE: value})
    found = world.filter(NAME, world.pod("new", claim_volume("c")))
    assert found == dict.fromkeys(sorted(refused), CONFLICT)


@pytest.mark.parametrize("labels", [{}, {ZONE: ""}, {ZONE: "a____b"}, {"other": "a"}])
def test_no_usable_label_skips(labels: dict[str, str]) -> None:
    world = world_with(labels)
    assert world.pre_filter(NAME, world.pod("new", claim_volume("c")))[1] == "Skip"


def test_beta_label_of_a_volume_falls_back_to_the_ga_label_of_a_node() -> None:
    world = world_with({BETA_ZONE: "a"})
    world.cluster.add_node(World(node("beta", **{BETA_ZONE: "a", "zone": "b"})).cluster.nodes.objects[0])
    assert world.filter(NAME, world.pod("new", claim_volume("c"))) == dict.fromkeys(["b", "c"], CONFLICT)


def test_ga_label_of_a_volume_does_not_fall_back() -> None:
    world = World(node("beta", **{BETA_ZONE: "a"}))
    world.store.put(claim("c", volume="pv"), volume("pv", labels={ZONE: "a"}))
    assert world.filter(NAME, world.pod("new", claim_volume("c"))) == {"beta": CONFLICT}


def test_node_with_only_a_region_is_labelled() -> None:
    world = World(node("r", region="eu"), node("s", region="eu", zone="a"))
    world.store.put(claim("c", volume="pv"), volume("pv", labels={ZONE: "a", REGION: "eu"}))
    assert world.filter(NAME, world.pod("new", claim_volume("c"))) == {"r": CONFLICT}


def test_all_claims_must_agree() -> None:
    world = world_with({ZONE: "a__b"})
    world.store.put(claim("d", volume="pv2"), volume("pv2", labels={BETA_ZONE: "b__c"}))
    found = world.filter(NAME, world.pod("new", claim_volume("c"), claim_volume("d")))
    assert found == dict.fromkeys(["a", "c"], CONFLICT)


@pytest.mark.parametrize(
    ("manifest", "classes", "said"),
    [
        (claim("x"), [], 'UU: persistentvolumeclaim "c" not found'),
        (claim("c", volume="gone"), [], 'UU: persistentvolume "gone" not found'),
        (claim("c", None), [], "UU: PersistentVolumeClaim had no pv name and storageClass name"),
        (claim("c", "lost"), [], 'UU: storageclass.storage.k8s.io "lost" not found'),
        (claim("c"), [storage_class(mode=None)], 'UU: VolumeBindingMode not set for StorageClass "wait"'),
        (claim("c"), [storage_class(mode="Immediate")], "UU: PersistentVolume had no name"),
        (claim("c"), [storage_class()], "Skip"),
        (claim("c", None, annotations={"volume.beta.kubernetes.io/storage-class": "wait"}), [storage_class()], "Skip"),
    ],
)
def test_claims_that_are_not_bound(manifest: Manifest, classes: list[Manifest], said: str) -> None:
    world = World("n1")
    world.store.put(manifest, *classes)
    assert world.pre_filter(NAME, world.pod("new", claim_volume("c")))[1] == said


def test_claim_without_a_name() -> None:
    world = World("n1")
    said = world.pre_filter(NAME, world.pod("new", {"persistentVolumeClaim": {}}))[1]
    assert said == "UU: PersistentVolumeClaim had no name"


def test_ephemeral_volumes_are_not_looked_at() -> None:
    world = World("n1")
    assert world.pre_filter(NAME, world.pod("new", ephemeral_volume()))[1] == "Skip"


def test_filter_works_it_out_where_pre_filter_is_off() -> None:
    world = world_with({ZONE: "a"})
    pod = world.pod("new", claim_volume("c"))
    state, _ = world.pre_filter("NodePorts", pod)
    verdicts = world.plugin(NAME).filter(state, pod, world.cluster.all_rows())
    assert (verdicts.codes != 0).tolist() == [False, True, True, False]

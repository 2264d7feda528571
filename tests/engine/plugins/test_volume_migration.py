"""In-tree volumes as their CSI drivers see them. Expected values follow csi-translation-lib by hand."""

from __future__ import annotations

import pytest

from simulator.engine.plugins.csi_migration import (
    TranslationError,
    in_tree_driver,
    inline_handle,
    migrated_affinity,
    volume_handle,
)

from .volume_world import Manifest, affinity, volume

ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
BETA_ZONE, BETA_REGION = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"
GKE_ZONE = "topology.gke.io/zone"
GCE = {"gcePersistentDisk": {"pdName": "d"}}


@pytest.mark.parametrize(
    ("source", "handle"),
    [
        ({"awsElasticBlockStore": {"volumeID": "vol-1"}}, "vol-1"),
        ({"awsElasticBlockStore": {"volumeID": "anything"}}, "anything"),
        ({"awsElasticBlockStore": {"volumeID": "aws://eu-1a/vol-1"}}, "vol-1"),
        ({"awsElasticBlockStore": {"volumeID": "aws:///vol-1/"}}, "vol-1"),
        (GCE, "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d"),
        ({"azureDisk": {"diskName": "n", "diskURI": "/subscriptions/1/disks/n"}}, "/subscriptions/1/disks/n"),
        ({"cinder": {"volumeID": "c-1"}}, "c-1"),
        ({"portworxVolume": {"volumeID": "p-1"}}, "p-1"),
    ],
)
def test_inline_handle(source: Manifest, handle: str) -> None:
    driver = in_tree_driver(source)
    assert driver is not None
    assert inline_handle(driver, {"name": "v", **source}) == handle


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        ({}, "zones/UNSPECIFIED"),
        ({ZONE: "eu-west1-b"}, "zones/eu-west1-b"),
        ({BETA_ZONE: "eu-west1-c", ZONE: "eu-west1-b"}, "zones/eu-west1-c"),
        ({ZONE: "eu-west1-b__eu-west1-c"}, "regions/eu-west1"),
    ],
)
def test_handle_of_a_gce_volume_names_its_place(labels: dict[str, str], place: str) -> None:
    manifest = volume("pv", labels=labels, **GCE)
    driver = in_tree_driver(manifest["spec"])
    assert driver is not None
    assert volume_handle(driver, manifest) == f"projects/UNSPECIFIED/{place}/disks/d"


@pytest.mark.parametrize(
    ("zones", "text"),
    [
        ("a__b", "zone in unexpected format, expected: {locale}-{region}-{zone}, got: a"),
        ("eu-west1-b__us-east1-c", "multiple or no regions gotten from zones, got: map[eu-west1:{} us-east1:{}]"),
    ],
)
def test_gce_volume_without_one_region_has_no_csi_form(zones: str, text: str) -> None:
    manifest = volume("pv", labels={ZONE: zones}, **GCE)
    driver = in_tree_driver(manifest["spec"])
    assert driver is not None
    with pytest.raises(TranslationError) as caught:
        migrated_affinity(driver, manifest)
    assert str(caught.value) == f"failed to get region from zones: {text}"


@pytest.mark.parametrize(
    "source", [{"rbd": {}}, {"iscsi": {}}, {"csi": {"driver": "ebs.csi.aws.com"}}, {"emptyDir": {}}]
)
def test_other_volumes_have_no_in_tree_driver(source: Manifest) -> None:
    assert in_tree_driver(source) is None


def wishes(manifest: Manifest) -> list[dict[str, object]] | None:
    """(key -> values) of every term of the migrated affinity."""
    driver = in_tree_driver(manifest["spec"])
    assert driver is not None
    found = migrated_affinity(driver, manifest)
    if found is None:
        return None
    terms = found["required"]["nodeSelectorTerms"]
    return [{wish["key"]: wish["values"] for wish in term["matchExpressions"]} for term in terms]


def test_zone_of_the_affinity_gets_the_drivers_name() -> None:
    assert wishes(volume("pv", nodeAffinity=affinity(ZONE, "a", "b"), **GCE)) == [{GKE_ZONE: ["a", "b"]}]
    assert wishes(volume("pv", nodeAffinity=affinity(BETA_ZONE, "a"), **GCE)) == [{GKE_ZONE: ["a"]}]


def test_zone_of_the_labels_joins_every_term() -> None:
    two = {"required": {"nodeSelectorTerms": [*affinity("x", "1")["required"]["nodeSelectorTerms"]] * 2}}
    found = wishes(volume("pv", labels={ZONE: "eu-west1-c__eu-west1-b"}, nodeAffinity=two, **GCE))
    assert found == [{"x": ["1"], GKE_ZONE: ["eu-west1-b", "eu-west1-c"]}] * 2
    assert wishes(volume("pv", labels={ZONE: "eu-west1-b"}, **GCE)) == [{GKE_ZONE: ["eu-west1-b"]}]


def test_affinity_goes_before_labels() -> None:
    found = wishes(volume("pv", labels={ZONE: "eu-west1-b"}, nodeAffinity=affinity(ZONE, "eu-west1-c"), **GCE))
    assert found == [{GKE_ZONE: ["eu-west1-c"]}]


def test_beta_region_gets_its_ga_name() -> None:
    limits = affinity(BETA_ZONE, "a")
    limits["required"]["nodeSelectorTerms"][0]["matchExpressions"].append(
        {"key": BETA_REGION, "operator": "In", "values": ["eu"]}
    )
    assert wishes(volume("pv", nodeAffinity=limits, **GCE)) == [{GKE_ZONE: ["a"], REGION: ["eu"]}]


def test_drivers_without_an_own_name_for_zones_change_nothing() -> None:
    azure = {"azureDisk": {"diskURI": "u"}}
    assert wishes(volume("pv", nodeAffinity=affinity(ZONE, "a"), **azure)) == [{ZONE: ["a"]}]
    assert wishes(volume("pv", labels={ZONE: "a"}, **azure)) is None
    assert wishes(volume("pv", **GCE)) is None

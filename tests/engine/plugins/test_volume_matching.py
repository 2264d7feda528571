"""Which free volume a claim takes. Expected answers follow FindMatchingVolume of Kubernetes 1.36 by hand."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.plugins.volume_matching import NO_VOLUME, Affinities, VolumeSet

from .volume_world import Manifest, World, claim, volume


def chosen(claims: list[Manifest], volumes: list[Manifest], *nodes: str) -> list[dict[str, str]]:
    """Per node, claim -> volume taken (`-` for none), claims in the order in which they chose."""
    world = World(*(nodes or ("n1",)))
    rows = world.cluster.all_rows()
    found: list[dict[str, str]] = [{} for _ in range(len(rows))]
    for choice in VolumeSet(volumes, Affinities()).choose(claims, rows):
        for position, index in enumerate(choice.volumes.tolist()):
            taken = "-" if index == NO_VOLUME else volumes[index]["metadata"]["name"]
            found[position][choice.claim["metadata"]["name"]] = taken
    return found


def sized(*sizes: int, **fields: Any) -> list[Manifest]:
    """Volumes named after their sizes in Gi; the second of a size gets a prime."""
    names = [f"{size}{'x' * sizes[:index].count(size)}" for index, size in enumerate(sizes)]
    return [volume(name, size=f"{size}Gi", **fields) for name, size in zip(names, sizes, strict=True)]


def test_smallest_that_is_large_enough() -> None:
    """The worked example: 10Gi among 5, 20 and 50Gi takes 20Gi."""
    assert chosen([claim("c")], sized(50, 5, 20)) == [{"c": "20"}]
    assert chosen([claim("c")], sized(5, 9)) == [{"c": "-"}]
    assert chosen([claim("c")], sized(20, 10, 20)) == [{"c": "10"}]


def test_two_claims_take_two_volumes() -> None:
    """The worked examples: 10, 10 with 20, 20 both fit; with one volume one is left."""
    both = [claim("c1"), claim("c2")]
    assert chosen(both, sized(20, 20)) == [{"c1": "20", "c2": "20x"}]
    assert chosen(both, sized(20)) == [{"c1": "20", "c2": "-"}]


def test_small_claims_choose_first_and_large_ones_find_room() -> None:
    claims = [claim("large", size="30Gi"), claim("small", size="5Gi")]
    (found,) = chosen(claims, sized(40, 6))
    assert list(found.items()) == [("small", "6"), ("large", "40")]


def test_small_claim_can_take_the_only_large_volume() -> None:
    claims = [claim("large", size="30Gi"), claim("small", size="5Gi")]
    assert chosen(claims, sized(40)) == [{"small": "40", "large": "-"}]


def test_equal_sizes_go_by_order_and_exact_amounts_count() -> None:
    assert chosen([claim("c", size="1Gi")], [volume("b", size="2Gi"), volume("a", size="2048Mi")]) == [{"c": "b"}]
    assert chosen([claim("c", size="1G")], [volume("v", size="999999999")]) == [{"c": "-"}]
    assert chosen([claim("c", size="1G")], [volume("v", size="1000M")]) == [{"c": "v"}]


def test_claim_that_asks_for_nothing_takes_the_smallest() -> None:
    assert chosen([claim("c", size=None)], sized(3, 1)) == [{"c": "1"}]


def with_deletion(manifest: Manifest) -> Manifest:
    return {**manifest, "metadata": {**manifest["metadata"], "deletionTimestamp": "2030-01-01T00:00:00Z"}}


@pytest.mark.parametrize(
    "unfit",
    [
        volume("v", "other"),
        volume("v", phase="Bound"),
        volume("v", phase="Released"),
        volume("v", phase=""),
        volume("v", volumeMode="Block"),
        volume("v", modes=["ReadOnlyMany"]),
        volume("v", volumeAttributesClassName="gold"),
        volume("v", claimRef={"namespace": "default", "name": "other"}),
        volume("v", claimRef={"namespace": "team", "name": "c"}),
        volume("v", claimRef={"namespace": "default", "name": "c", "uid": "other"}),
        with_deletion(volume("v")),
    ],
)
def test_volumes_that_cannot_be_taken(unfit: Manifest) -> None:
    assert chosen([claim("c")], [unfit]) == [{"c": "-"}]


@pytest.mark.parametrize(
    ("manifest", "fit"),
    [
        (claim("c", volumeMode="Block"), volume("v", volumeMode="Block")),
        (claim("c"), volume("v", modes=["ReadOnlyMany", "ReadWriteOnce"])),
        (claim("c", modes=["ReadWriteOnce", "ReadOnlyMany"]), volume("v", modes=["ReadOnlyMany", "ReadWriteOnce"])),
        (claim("c", volumeAttributesClassName="gold"), volume("v", volumeAttributesClassName="gold")),
        (claim("c", volumeMode="Filesystem", volumeAttributesClassName=""), volume("v")),
        (claim("c", "ignored", annotations={"volume.beta.kubernetes.io/storage-class": "wait"}), volume("v")),
    ],
)
def test_volumes_that_can_be_taken(manifest: Manifest, fit: Manifest) -> None:
    assert chosen([manifest], [fit]) == [{"c": "v"}]


@pytest.mark.parametrize(
    ("selector", "taken"),
    [
        ({}, "ssd"),
        ({"matchLabels": {"disk": "hdd"}}, "hdd"),
        ({"matchExpressions": [{"key": "disk", "operator": "NotIn", "values": ["ssd"]}]}, "hdd"),
        ({"matchLabels": {"disk": "tape"}}, "-"),
    ],
)
def test_selector(selector: Manifest, taken: str) -> None:
    volumes = [volume("ssd", labels={"disk": "ssd"}), volume("hdd", size="90Gi", labels={"disk": "hdd"})]
    assert chosen([claim("c", selector=selector)], volumes) == [{"c": taken}]


def test_each_node_has_its_own_choice() -> None:
    volumes = [volume("far", size="30Gi"), volume("a", size="20Gi", on=["n1"]), volume("b", size="10Gi", on=["n2"])]
    assert chosen([claim("c")], volumes, "n1", "n2", "n3") == [{"c": "a"}, {"c": "b"}, {"c": "far"}]


def test_each_node_counts_what_is_taken_there() -> None:
    volumes = [volume("a", on=["n1"]), volume("any", size="20Gi")]
    found = chosen([claim("c1"), claim("c2")], volumes, "n1", "n2")
    assert found == [{"c1": "a", "c2": "any"}, {"c1": "any", "c2": "-"}]


RESERVED = {"namespace": "default", "name": "c"}


def test_volume_reserved_for_the_claim_goes_before_smaller_ones() -> None:
    assert chosen([claim("c")], [*sized(10), volume("mine", size="90Gi", claimRef=RESERVED)]) == [{"c": "mine"}]
    bound = RESERVED | {"uid": "uid-claim-c"}
    assert chosen([claim("c")], [*sized(10), volume("mine", phase="Bound", claimRef=bound)]) == [{"c": "mine"}]


def test_reserved_volume_out_of_reach_leaves_nothing_else() -> None:
    volumes = [*sized(10), volume("mine", on=["n2"], claimRef=RESERVED)]
    assert chosen([claim("c")], volumes, "n1", "n2") == [{"c": "-"}, {"c": "mine"}]


def test_reserved_volume_need_not_match_selector_modes_or_phase() -> None:
    picky = claim("c", modes=["ReadWriteMany"], selector={"matchLabels": {"x": "y"}})
    assert chosen([picky], [volume("mine", phase="Pending", claimRef=RESERVED)]) == [{"c": "mine"}]


def test_reserved_volume_that_is_too_small_does_not_count() -> None:
    volumes = [volume("mine", size="5Gi", claimRef=RESERVED), *sized(10)]
    assert chosen([claim("c")], volumes) == [{"c": "10"}]


def test_volume_reserved_for_another_claim_is_not_free() -> None:
    other = volume("theirs", claimRef={"namespace": "default", "name": "other"})
    assert chosen([claim("c")], [other, *sized(20)]) == [{"c": "20"}]

"""VolumeBinding's score by storage capacity (an alpha gate) and its arguments. Expected values by hand."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework.shape_check import ConfigError

from .volume_world import (
    Manifest,
    World,
    claim,
    claim_volume,
    configured,
    csi_driver,
    node,
    storage_class,
    storage_pool,
    told,
    volume,
)

NAME = "VolumeBinding"


def test_scoring_is_skipped_without_its_gate() -> None:
    world = World("a", "b")
    world.store.put(storage_class(provisioner="csi.example.com"), claim("c0"))
    scoring = world.attempt(world.pod("web", claim_volume("c0"))).scoring
    assert scoring is not None
    assert NAME in [status.plugin for status in scoring.pre_score if status.is_skip]


def scores(world: World, pod: Any) -> list[int]:
    state, said = world.pre_filter(NAME, pod)
    assert said in ("Success", "Skip")
    rows = world.cluster.all_rows()
    assert told(world.plugin(NAME).pre_score(state, pod, rows)) == "Success"
    return world.plugin(NAME).score(state, pod, rows).tolist()  # type: ignore[no-any-return]


def scoring_world(config: Manifest | None = None, **fields: Any) -> World:
    world = World(node("a", zone="a"), node("b", zone="b"), gates={"StorageCapacityScoring": True}, config=config)
    world.store.put(storage_class(**fields), claim("c0"))
    return world


def test_score_of_static_volumes() -> None:
    """10Gi of 20Gi used is 50 %, of 40Gi 25 %; the default shape falls from 100 to 0."""
    world = scoring_world()
    world.store.put(volume("pv-a", size="20Gi", on=["a"]), volume("pv-b", size="40Gi", on=["b"]))
    assert scores(world, world.pod("web", claim_volume("c0"))) == [50, 75]


def test_score_is_the_rounded_mean_over_classes() -> None:
    """a: (50 + 75) / 2 = 62.5, rounded up to 63; b has 10+10 of 20+30 of one class: 40 %, so 60."""
    world = scoring_world()
    world.store.put(storage_class("other"), claim("c1", "other"))
    world.store.put(volume("pv-a", size="20Gi", on=["a"]), volume("pv-a2", "other", size="40Gi", on=["a"]))
    assert scores(world, world.pod("web", claim_volume("c0"), claim_volume("c1")))[0] == 63
    world.store.put(claim("c2"), volume("pv-b", size="20Gi", on=["b"]), volume("pv-b2", size="30Gi", on=["b"]))
    assert scores(world, world.pod("two", claim_volume("c0"), claim_volume("c2")))[1] == 60


def test_score_of_provisioned_claims_uses_the_pool_once() -> None:
    """Two claims of 10Gi from one pool of 80Gi: 25 %."""
    world = scoring_world(provisioner="csi.example.com")
    world.store.put(csi_driver("csi.example.com", storageCapacity=True), claim("c1"))
    world.store.put(storage_pool("p", "wait", {}, capacity="80Gi"))
    assert scores(world, world.pod("web", claim_volume("c0"), claim_volume("c1"))) == [75, 75]


def test_score_without_known_capacity_or_claims_is_zero() -> None:
    world = scoring_world(provisioner="csi.example.com")
    assert scores(world, world.pod("web", claim_volume("c0"))) == [0, 0]
    assert scores(world, world.pod("plain")) == [0, 0]


def test_score_along_a_given_shape() -> None:
    shape = [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]
    world = scoring_world(configured(NAME, {"shape": shape}))
    world.store.put(volume("pv-a", size="30Gi", on=["a"]), volume("pv-b", size="10Gi", on=["b"]))
    assert scores(world, world.pod("web", claim_volume("c0"))) == [33, 100]


@pytest.mark.parametrize(
    ("args", "gate", "text"),
    [
        (
            {"bindTimeoutSeconds": -1},
            False,
            "bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value",
        ),
        (
            {"shape": [{"utilization": 0, "score": 10}]},
            False,
            "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring",
        ),
        ({"shape": []}, True, "at least one point must be specified"),
    ],
)
def test_arguments_that_cannot_be(args: Manifest, gate: bool, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        World("n1", gates={"StorageCapacityScoring": gate}, config=configured(NAME, args))
    assert text in caught.value.problems[0].text


def test_bind_timeout_is_read() -> None:
    assert World("n1").plugin(NAME).args.bind_timeout == 600
    assert World("n1", config=configured(NAME, {"bindTimeoutSeconds": 0})).plugin(NAME).args.bind_timeout == 0

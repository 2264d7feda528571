"""A profile as the editor has it, written as a configuration, reads back as the same profile."""

from __future__ import annotations

import random
from typing import Any

import pytest

from simulator.engine.framework.plugin import Point
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.selectors.profiles.changes import changes
from simulator.selectors.profiles.model import (
    WEIGHED,
    EditedProfile,
    Parts,
    blank_config,
    read_profile,
    write_profile,
)
from simulator.selectors.profiles.own_rules import with_rule, without_rule
from simulator.selectors.profiles.presets import PRESETS
from simulator.selectors.profiles.preview import preview
from simulator.selectors.sample_cluster import sample_simulation

PARTS = Parts(Setup().registry(), Setup().read_gates())
RULE = {"name": "ByModel", "score": 'gpuModel(node).contains("H100") ? 100 : 0'}


def some_profile(rng: random.Random) -> EditedProfile:
    default = PARTS.default()
    points: dict[Point, tuple[str, ...]] = {}
    for point in Point:
        names = list(default.points[point])
        how = rng.randrange(4)
        if how == 1:
            names = [name for name in names if rng.random() < 0.7]
        elif how == 2:
            rng.shuffle(names)
        elif how == 3:
            names = [name for name in PARTS.able(point) if rng.random() < 0.5]
        points[point] = tuple(names)
    weights = {point: {name: rng.choice([1, 1, 2, 3, 5]) for name in points[point]} for point in WEIGHED}
    return EditedProfile("default-scheduler", points, weights, {})


@pytest.mark.parametrize("seed", range(150))
def test_any_profile_is_written_and_read_back(seed: int) -> None:
    wanted = some_profile(random.Random(seed))
    assert read_profile(write_profile(blank_config(), 0, wanted, PARTS), 0, PARTS) == wanted


def test_default_profile_is_written_as_nothing() -> None:
    assert write_profile(blank_config(), 0, PARTS.default(), PARTS) == blank_config()


def test_what_stands_beside_the_profile_is_kept() -> None:
    config = {**blank_config(), "podMaxBackoffSeconds": 20}
    config["profiles"] = [{"schedulerName": "first"}, {"schedulerName": "second", "percentageOfNodesToScore": 50}]
    wanted = read_profile(config, 1, PARTS)
    off = {point: tuple(name for name in names if name != "ImageLocality") for point, names in wanted.points.items()}
    weights = {point: {k: v for k, v in w.items() if k != "ImageLocality"} for point, w in wanted.weights.items()}
    made = write_profile(config, 1, EditedProfile("second", off, weights, {}), PARTS)
    assert made["profiles"][0] == {"schedulerName": "first"}
    assert made["podMaxBackoffSeconds"] == 20
    assert made["profiles"][1] == {
        "schedulerName": "second",
        "percentageOfNodesToScore": 50,
        "plugins": {"multiPoint": {"disabled": [{"name": "ImageLocality"}]}},
    }


def test_weight_of_a_default_plugin_stays_in_its_place() -> None:
    default = PARTS.default()
    weights = {
        point: {**found, "NodeAffinity": 7} if point is Point.SCORE else found
        for point, found in default.weights.items()
    }
    made = write_profile(blank_config(), 0, EditedProfile("default-scheduler", default.points, weights, {}), PARTS)
    assert made["profiles"][0]["plugins"] == {"multiPoint": {"enabled": [{"name": "NodeAffinity", "weight": 7}]}}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_preset_can_be_used_and_changes_something(preset: Any) -> None:
    Simulation(Setup(config=preset.config()))
    found = changes(PARTS.default(), read_profile(preset.config(), 0, PARTS))
    assert bool(found) == (preset.name != "default")


def test_preview_tells_where_a_pod_would_go_and_changes_nothing() -> None:
    """Bin-packing puts the 4-GPU Pod where GPUs are used already; spreading by default does not."""
    bin_pack = next(preset for preset in PRESETS if preset.name == "bin-pack").config()
    found = preview(sample_simulation, bin_pack, "default/train")
    assert found is not None
    assert found.before.winner
    assert found.after.winner
    assert found.before.winner != found.after.winner
    assert any(row.differs for row in found.rows)
    chosen = next(row for row in found.rows if row.node == found.after.winner)
    assert chosen.after.total == sum(chosen.after.parts.values()) == max(row.after.total or 0 for row in found.rows)


def test_rule_is_put_into_a_profile_and_taken_out_again() -> None:
    made = with_rule(blank_config(), (), RULE, 5, PARTS)
    assert made.config["profiles"][0]["plugins"] == {"multiPoint": {"enabled": [{"name": "ByModel", "weight": 5}]}}
    setup = Setup(config=made.config, plugins=made.rules)
    Simulation(setup)
    wider = Parts(setup.registry(), PARTS.gates)
    again = with_rule(made.config, made.rules, {**RULE, "score": "1"}, 2, wider)
    assert [rule["score"] for rule in again.rules] == ["1"]
    assert without_rule(again.config, again.rules, "ByModel", wider).config == blank_config()

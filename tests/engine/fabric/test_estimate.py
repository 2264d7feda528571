"""Collective times and training steps of placements."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.estimate import collective_group, collective_times, placement_step
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.network import leaf_spine
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.presets import preset_host, preset_rack
from simulator.engine.fabric.training import MODELS

ALL = tuple(range(8))
FABRIC = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(8)], 4, oversubscription=4)
TOGETHER = {"n0": ALL}
HALVES = {"n0": ALL, "n1": ALL}
SCATTERED = {f"n{index}": (0,) for index in range(8)}


def test_hierarchical_time_needs_several_equal_hosts() -> None:
    assert list(collective_times(FABRIC, TOGETHER, 1e9)) == ["ring", "tree"]
    assert list(collective_times(FABRIC, HALVES, 1e9)) == ["ring", "tree", "hierarchical"]
    assert list(collective_times(FABRIC, {"n0": ALL, "n1": (0,)}, 1e9)) == ["ring", "tree"]
    assert collective_times(FABRIC, {"n0": (3,)}, 1e9) == {}


def test_ring_time_of_one_machine_by_hand() -> None:
    time = collective_times(FABRIC, TOGETHER, 1e9)["ring"].result

    assert time == pytest.approx((8.4 + 14 * 3.4) / 1e6 + 1.75 / 370.8)


def test_hierarchical_time_by_hand() -> None:
    """Two nodes of eight: 1/8 of the buffer over each card, twice 7/8 inside."""
    time = collective_times(FABRIC, HALVES, 8e9)["hierarchical"].result

    assert time == pytest.approx(1.0 / 47.5 + 2 * 7 / 8 * 8 / 370.8)


def test_rack_wide_domain_has_no_network_steps() -> None:
    rack = Fabric(preset_rack("gb200-tray-4", "r"))
    placement = {f"r-{index}": (0, 1, 2, 3) for index in range(4)}
    group = collective_group(rack, placement, group_bandwidth(rack, placement))

    assert (group.gpus, group.nodes) == (16, 1)


def test_scattering_the_group_costs_mfu() -> None:
    model = MODELS["mpt-7b"]
    steps = {
        name: placement_step(FABRIC, placement, model, 12288)
        for name, placement in (("together", TOGETHER), ("scattered", SCATTERED))
    }

    assert steps["together"].step.mfu.result == pytest.approx(0.441, abs=0.001)
    assert steps["scattered"].bandwidth.tier == 2
    assert steps["scattered"].step.mfu.result < 0.2
    ratio = steps["scattered"].step.time.result / steps["together"].step.time.result
    assert ratio == pytest.approx(steps["together"].step.mfu.result / steps["scattered"].step.mfu.result)


def test_one_gpu_computes_alone() -> None:
    step = placement_step(FABRIC, {"n3": (0,)}, MODELS["mpt-7b"], 12288)

    assert step.all_reduce is None
    assert step.step.mfu.result == pytest.approx(0.465)


def test_slowest_gpu_sets_the_pace() -> None:
    mixed = leaf_spine([preset_host("hgx-h100-8", "fast"), preset_host("h20-8", "slow")], 2)
    step = placement_step(mixed, {"fast": (0,), "slow": (0,)}, MODELS["mpt-7b"], 1000)

    assert step.compute.value_of("rate") == pytest.approx(0.465 * 148e12)

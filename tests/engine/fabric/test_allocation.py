"""Which GPUs a Pod gets by the three device policies."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.allocation import BEST_EFFORT, DEVICE_ORDER, POLICIES, WIDEST_RING, choose_gpus
from simulator.engine.fabric.presets import PRESETS


def test_policies_differ_on_a_bridged_box() -> None:
    shape = PRESETS["a100-pcie-4"].shape
    free = [1, 2, 3]

    chosen = {policy: choose_gpus(shape, free, 2, policy) for policy in POLICIES}

    assert {policy: choice.gpus for policy, choice in chosen.items() if choice} == {
        DEVICE_ORDER: (1, 2),
        BEST_EFFORT: (2, 3),
        WIDEST_RING: (2, 3),
    }
    in_order, best = chosen[DEVICE_ORDER], chosen[BEST_EFFORT]
    assert in_order is not None
    assert best is not None
    assert (in_order.pair_score, in_order.ring_bandwidth) == (10, 16)
    assert (best.pair_score, best.ring_bandwidth) == (1210, 240)
    assert best.partition == ((1,), (2, 3))


def test_switch_box_makes_no_difference_in_bandwidth() -> None:
    shape = PRESETS["hgx-h100-8"].shape
    choices = [choose_gpus(shape, [0, 3, 5, 6], 2, policy) for policy in POLICIES]

    assert all(choice and choice.ring_bandwidth == pytest.approx(18 * 20.6) for choice in choices)


def test_numa_decides_between_equal_nvlinks_for_the_pair_score() -> None:
    choice = choose_gpus(PRESETS["hgx-h100-8"].shape, [3, 4, 5], 2, BEST_EFFORT)

    assert choice is not None
    assert (choice.gpus, choice.pair_score) == ((4, 5), 1820)


@pytest.mark.parametrize("policy", [DEVICE_ORDER, BEST_EFFORT])
def test_required_gpus_are_among_the_chosen(policy: str) -> None:
    choice = choose_gpus(PRESETS["l40s-8"].shape, range(8), 3, policy, required=(6,))

    assert choice is not None
    assert 6 in choice.gpus


def test_too_few_gpus_and_unknown_policies() -> None:
    shape = PRESETS["t4-2"].shape

    assert choose_gpus(shape, [0], 2) is None
    assert choose_gpus(shape, [0, 1], 0) is None
    with pytest.raises(ValueError, match="unknown device policy"):
        choose_gpus(shape, [0, 1], 1, "random")

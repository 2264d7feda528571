"""Bandwidth of placements: inside a machine, in a rack-wide domain, over the network."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulator.engine.fabric.busbw import (
    card_bandwidth,
    intra_bandwidth,
    message_bandwidth,
    nvls_bandwidth,
    used_cards,
)
from simulator.engine.fabric.changes import with_nic_link, with_nvlinks, without_nic
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.network import leaf_spine, rail_aligned
from simulator.engine.fabric.placement import (
    NETWORK,
    SAME_DOMAIN,
    SAME_GPU,
    SAME_HOST,
    GroupBandwidth,
    group_bandwidth,
    network_tier,
)
from simulator.engine.fabric.presets import PRESETS, preset_host, preset_rack

ALL = tuple(range(8))


def intra(preset: str, *gpus: int) -> float:
    figure = intra_bandwidth(PRESETS[preset].shape, gpus or ALL)
    assert figure is not None
    return figure.result


def busbw(fabric: Fabric, placement: dict[str, tuple[int, ...]]) -> tuple[float, GroupBandwidth]:
    found = group_bandwidth(fabric, placement)
    assert found.busbw is not None
    return found.busbw.result, found


@pytest.mark.parametrize(
    ("preset", "gpus", "expected"),
    [
        ("hgx-h100-8", ALL, 370.8),
        ("hgx-h100-8", (0, 7), 370.8),
        ("hgx-b200-8", ALL, 721.8),
        ("dgx-a100-8", ALL, 240.0),
        ("a800-8", ALL, 160.0),
        ("dgx1-v100-8", ALL, 120.0),
        ("dgx1-v100-8", (0, 3), 40.0),
        ("dgx1-v100-8", (0, 1, 2), 20.0 * 2),
        ("mi300x-8", ALL, 313.0),
        ("mi300x-8", (0, 1), 313 / 7),
        ("ascend-910b-8", (0, 1), 40.0),
        ("a100-pcie-4", (0, 1), 240.0),
        ("a100-pcie-4", (0, 1, 2, 3), 16.0),
        ("rtx4090-8", (0, 1), 24.0),
        ("rtx4090-8", ALL, 10.0),
        ("t4-2", (0, 1), 6.0),
    ],
)
def test_bandwidth_inside_machines(preset: str, gpus: tuple[int, ...], expected: float) -> None:
    assert intra(preset, *gpus) == pytest.approx(expected)


def test_single_gpu_sends_nothing() -> None:
    assert intra_bandwidth(PRESETS["hgx-h100-8"].shape, (3,)) is None


def test_sharp_adds_a_third() -> None:
    ring = intra_bandwidth(PRESETS["hgx-h100-8"].shape, ALL)
    assert ring is not None
    assert nvls_bandwidth(ring).result == pytest.approx(482.04)


def test_one_link_down_slows_everybody() -> None:
    shape = with_nvlinks(PRESETS["hgx-h100-8"].shape, 2, 17)
    figure = intra_bandwidth(shape, ALL)
    others = intra_bandwidth(shape, (0, 1, 3, 4))

    assert figure is not None
    assert others is not None
    assert figure.result == pytest.approx(17 * 20.6)
    assert others.result == pytest.approx(18 * 20.6)


def test_gpu_off_the_fabric_drags_the_group_down_to_pcie() -> None:
    figure = intra_bandwidth(with_nvlinks(PRESETS["hgx-b200-8"].shape, 2, 0), ALL)

    assert figure is not None
    assert figure.formula == "bandwidth.ring"
    assert figure.result <= 48


@pytest.mark.parametrize(
    ("preset", "gpus", "expected", "cards"),
    [
        ("hgx-h100-8", ALL, 380.0, 8),
        ("hgx-h100-8", (0,), 47.5, 1),
        ("dgx-a100-8", ALL, 190.0, 8),
        ("dgx-a100-8", (0,), 24.0, 2),
        ("a800-8", ALL, 95.0, 4),
        ("dgx1-v100-8", ALL, 47.5, 4),
        ("a100-pcie-4", (0,), 23.75, 1),
        ("a100-pcie-4", (3,), 0.95 * 16, 1),
        ("t4-2", (0, 1), 0.6 * 3.125, 1),
        ("rtx4090-8", (4, 5, 6, 7), 0.95 * 20, 2),
    ],
)
def test_bandwidth_of_the_cards(preset: str, gpus: tuple[int, ...], expected: float, cards: int) -> None:
    shape = PRESETS[preset].shape

    assert card_bandwidth(shape, gpus).result == pytest.approx(expected)
    assert len(used_cards(shape, gpus)) == cards


def test_lost_and_slow_cards_count() -> None:
    shape = PRESETS["hgx-h100-8"].shape

    assert card_bandwidth(with_nic_link(shape, 0, "ib-edr"), ALL).result == pytest.approx(0.95 * 362.5)
    lost = card_bandwidth(without_nic(shape, 0), (0,))
    assert lost.value_of("cards") == 150


def test_small_messages_are_slower() -> None:
    assert message_bandwidth(740.6, 0.05, 0.05).result == pytest.approx(370.3)


def test_same_host_beats_two_hosts_beats_eight() -> None:
    fabric = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(8)], 8)
    together, one = busbw(fabric, {"n0": ALL})
    halves, two = busbw(fabric, {"n0": (0, 1, 2, 3), "n1": (0, 1, 2, 3)})
    scattered, eight = busbw(fabric, {f"n{index}": (0,) for index in range(8)})

    assert (one.scope, two.scope, eight.scope) == (SAME_HOST, NETWORK, NETWORK)
    assert together == pytest.approx(370.8)
    assert halves == pytest.approx(190.0)
    assert scattered == pytest.approx(47.5)
    assert eight.busbw is not None
    assert eight.busbw.part("cards") is not None


def test_leaf_is_better_than_an_oversubscribed_spine() -> None:
    fabric = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(4)], 2, oversubscription=4)
    near, same = busbw(fabric, {"n0": ALL, "n1": ALL})
    far, across = busbw(fabric, {"n0": ALL, "n2": ALL})

    assert (same.tier, across.tier) == (1, 2)
    assert near == pytest.approx(370.8)
    assert far == pytest.approx(95.0)


def test_rails_of_a_pod_meet_at_the_leaf() -> None:
    fabric = rail_aligned([preset_host("hgx-h100-8", f"n{index}") for index in range(4)], 2, oversubscription=2)

    assert network_tier(fabric, [fabric.host("n0"), fabric.host("n1")]) == (1, 1.0)
    assert network_tier(fabric, [fabric.host("n0"), fabric.host("n3")]) == (2, 2.0)


def test_rack_wide_domain_is_as_good_as_one_host() -> None:
    fabric = Fabric(preset_rack("gb200-tray-4", "r"))
    one, _ = busbw(fabric, {"r-0": (0, 1, 2, 3)})
    many, found = busbw(fabric, {f"r-{index}": (0, 1, 2, 3) for index in range(18)})

    assert (one, many) == (pytest.approx(721.8), pytest.approx(721.8))
    assert (found.scope, found.gpus, found.hosts) == (SAME_DOMAIN, 72, 18)


def test_two_racks_add_up_their_cards() -> None:
    racks = (*preset_rack("gb200-tray-4", "r"), *preset_rack("gb200-tray-4", "s"))
    placement = {f"{rack}-{index}": (0, 1, 2, 3) for rack in "rs" for index in range(3)}

    both, found = busbw(Fabric(racks), placement)
    assert found.scope == NETWORK
    assert both == pytest.approx(0.95 * 12 * 50)


def test_slowest_machine_decides() -> None:
    hosts = [preset_host("hgx-h100-8", "a"), preset_host("a800-8", "b")]
    slow, found = busbw(leaf_spine(hosts, 2), {"a": ALL, "b": ALL})

    assert (slow, found.narrowest) == (pytest.approx(95.0), "b")


def test_one_gpu_has_no_bandwidth_and_none_is_an_error() -> None:
    fabric = leaf_spine([preset_host("t4-2", "a")], 1)

    found = group_bandwidth(fabric, {"a": (1,)})
    assert (found.busbw, found.scope) == (None, SAME_GPU)
    with pytest.raises(ValueError, match="needs a GPU"):
        group_bandwidth(fabric, {"a": ()})
    with pytest.raises(KeyError):
        group_bandwidth(fabric, {"b": (0,)})


def test_unknown_network_is_not_held_against_a_group() -> None:
    hosts = [replace(preset_host("hgx-h100-8", name), leaves=()) for name in "ab"]
    found = group_bandwidth(Fabric(tuple(hosts)), {"a": ALL, "b": ALL})

    assert found.tier is None
    assert found.busbw is not None
    assert found.busbw.result == pytest.approx(370.8)

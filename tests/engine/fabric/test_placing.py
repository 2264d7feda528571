"""Groups placed in one go, by bandwidth, by the chapter's order and scattered: where they agree and where not."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.network import leaf_spine
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.placing import BY_BANDWIDTH, BY_CHAPTER, SCATTERED, place_group
from simulator.engine.fabric.presets import preset_host, preset_rack

ALL_FREE = tuple(range(8))


def busbw(fabric: Fabric, placed: dict[str, tuple[int, ...]] | None) -> float:
    assert placed is not None
    found = group_bandwidth(fabric, placed).busbw
    assert found is not None
    return round(found.result, 1)


def boxes() -> Fabric:
    return Fabric((preset_host("l40s-8", "pcie"), preset_host("hgx-h100-8", "hgx")))


@pytest.mark.parametrize(
    ("order", "placed"),
    [
        (BY_BANDWIDTH, {"hgx": (0, 1, 2, 3)}),
        (BY_CHAPTER, {"pcie": (0, 1, 2, 3)}),
        (SCATTERED, {"pcie": (0, 1), "hgx": (0, 1)}),
    ],
)
def test_the_chapter_does_not_care_which_node(order: str, placed: dict[str, tuple[int, ...]]) -> None:
    """Four on one node and one NUMA node is as good as any to the chapter; by bandwidth NVSwitch wins."""
    assert place_group(boxes(), {"pcie": ALL_FREE, "hgx": ALL_FREE}, 4, order) == placed


def test_a_bridge_is_nearer_than_a_numa_node() -> None:
    fabric = Fabric((preset_host("a100-pcie-4", "a"),))
    free = {"a": (0, 2, 3)}

    assert place_group(fabric, free, 2, BY_BANDWIDTH) == {"a": (2, 3)}
    assert busbw(fabric, place_group(fabric, free, 2, BY_BANDWIDTH)) == 240.0
    assert busbw(fabric, place_group(fabric, free, 2, BY_CHAPTER)) == 16.0


def test_a_rack_is_one_domain() -> None:
    fabric = Fabric((*preset_rack("gb200-tray-4", "rack-1")[:3], *preset_rack("gb200-tray-4", "rack-2")[:3]))
    free = {host.name: (0, 1, 2, 3) for host in fabric.hosts}

    for order in (BY_BANDWIDTH, BY_CHAPTER):
        placed = place_group(fabric, free, 8, order)
        assert len({name.rpartition("-")[0] for name in placed or ()}) == 1
        assert busbw(fabric, placed) == 721.8
    assert busbw(fabric, place_group(fabric, free, 8, SCATTERED)) == 142.5


def test_the_leaf_with_room_is_found() -> None:
    hosts = [preset_host("hgx-h100-8", f"n{number}") for number in range(4)]
    fabric = leaf_spine(hosts, 2, oversubscription=4.0)
    free = {"n0": ALL_FREE, "n1": (), "n2": ALL_FREE, "n3": ALL_FREE}

    assert sorted(place_group(fabric, free, 16, BY_BANDWIDTH) or ()) == ["n2", "n3"]


@pytest.mark.parametrize("order", [BY_BANDWIDTH, BY_CHAPTER, SCATTERED])
@pytest.mark.parametrize("count", [1, 3, 8, 11, 16])
def test_every_order_gives_as_many_free_gpus_as_asked(order: str, count: int) -> None:
    free = {"pcie": (1, 2, 4, 5, 6, 7, 0, 3), "hgx": ALL_FREE}
    placed = place_group(boxes(), free, count, order)

    assert placed is not None
    assert sum(map(len, placed.values())) == count
    assert all(len(set(gpus)) == len(gpus) and set(gpus) <= set(free[name]) for name, gpus in placed.items())


@pytest.mark.parametrize("order", [BY_BANDWIDTH, BY_CHAPTER, SCATTERED])
def test_too_few_free_gpus_are_no_placement(order: str) -> None:
    assert place_group(boxes(), {"hgx": (0, 1)}, 3, order) is None
    assert place_group(boxes(), {}, 0, order) is None


def test_by_bandwidth_is_never_slower() -> None:
    hosts = [preset_host("dgx1-v100-8", "v"), preset_host("l40s-8", "l"), preset_host("a100-pcie-4", "a")]
    fabric = Fabric(tuple(hosts))
    free = {"v": (0, 2, 3, 5, 6, 7), "l": (0, 1, 4, 5, 6), "a": (0, 1, 2, 3)}
    for count in range(2, 9):
        best = busbw(fabric, place_group(fabric, free, count, BY_BANDWIDTH))
        assert best >= busbw(fabric, place_group(fabric, free, count, BY_CHAPTER))
        assert best >= busbw(fabric, place_group(fabric, free, count, SCATTERED))

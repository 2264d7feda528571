"""The set with the widest ring: equal to trying every order of every set."""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random

import pytest

from simulator.engine.fabric.distance import bandwidth_matrix
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.widest_ring import ring_bandwidth, widest_ring


def narrowest(table: list[list[float]], ring: tuple[int, ...]) -> float:
    return min(table[ring[i]][ring[(i + 1) % len(ring)]] for i in range(len(ring)))


def every_ring(table: list[list[float]], free: list[int], size: int) -> tuple[float, tuple[int, ...]]:
    """The widest ring, of equally wide sets the one with most bandwidth, then the first."""
    best: tuple[float, float, tuple[int, ...]] | None = None
    for members in combinations(free, size):
        width = max(narrowest(table, (members[0], *rest)) for rest in permutations(members[1:]))
        total = sum(table[i][j] for i, j in combinations(members, 2))
        if best is None or (width, total) > best[:2]:
            best = width, total, members
    assert best is not None
    return best[0], best[2]


@pytest.mark.parametrize("seed", range(40))
def test_choice_equals_trying_every_ring(seed: int) -> None:
    random = Random(seed)
    count = random.randint(3, 7)
    values = random.choice([[10.0, 24.0, 48.0], [5.0, 20.6, 370.8], [float(v) for v in range(1, 60)], [12.0]])
    table = [[0.0] * count for _ in range(count)]
    for first, second in combinations(range(count), 2):
        table[first][second] = table[second][first] = random.choice(values)
    free = sorted(random.sample(range(count), random.randint(2, count)))
    size = random.randint(2, len(free))

    choice = widest_ring(table, free, size)

    assert choice is not None
    width, members = every_ring(table, free, size)
    assert choice.bandwidth == width
    assert tuple(sorted(choice.gpus)) == members
    assert narrowest(table, choice.gpus) == width


def test_four_cards_in_two_bridge_pairs_run_at_the_way_between_the_pairs() -> None:
    table = bandwidth_matrix(PRESETS["a100-pcie-4"].shape)

    assert ring_bandwidth(table, (0, 1)) == 240
    assert ring_bandwidth(table, (0, 1, 2, 3)) == 16
    choice = widest_ring(table, [1, 2, 3], 2)
    assert choice is not None
    assert choice.gpus == (2, 3)


def test_pcie_box_prefers_one_socket() -> None:
    choice = widest_ring(bandwidth_matrix(PRESETS["rtx4090-8"].shape), [2, 3, 4, 5, 6, 7], 4)

    assert choice is not None
    assert sorted(choice.gpus) == [4, 5, 6, 7]
    assert choice.bandwidth == 24


def test_cube_mesh_has_a_ring_of_double_links() -> None:
    table = bandwidth_matrix(PRESETS["dgx1-v100-8"].shape)

    assert ring_bandwidth(table, range(8)) == 40


def test_one_gpu_has_no_ring() -> None:
    choice = widest_ring([[0.0, 1.0], [1.0, 0.0]], [1], 1)

    assert choice is not None
    assert (choice.gpus, choice.bandwidth) == ((1,), None)


def test_too_few_and_too_many_gpus() -> None:
    assert widest_ring([[0.0]], [0], 2) is None
    with pytest.raises(ValueError, match="at most 16"):
        widest_ring([[0.0] * 17 for _ in range(17)], range(17), 2)


@pytest.mark.parametrize("size", range(2, 17))
def test_ring_of_sixteen(size: int) -> None:
    """A cycle of sixteen wide links: only all of them close a wide ring, two have a wide link."""
    table = [[0.0 if i == j else 100.0 if abs(i - j) in (1, 15) else 10.0 for j in range(16)] for i in range(16)]

    choice = widest_ring(table, range(16), size)

    assert choice is not None
    assert choice.bandwidth == (100.0 if size in (2, 16) else 10.0)

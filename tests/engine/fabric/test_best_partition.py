"""The device plugin's choice: equal to trying every division, as the original does."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from simulator.engine.fabric.best_partition import best_partition
from simulator.engine.fabric.pair_score import cell_score, pair_scores, set_score
from simulator.engine.fabric.presets import PRESETS

Scores = list[list[int]]


def random_scores(random: Random, size: int, values: list[int]) -> Scores:
    scores = [[0] * size for _ in range(size)]
    for first, second in combinations(range(size), 2):
        scores[first][second] = scores[second][first] = random.choice(values)
    return scores


def every_division(scores: Scores, free: list[int], size: int, required: tuple[int, ...]) -> tuple[list[int], int]:
    """All divisions in the order of nested loops, holes behind all GPUs and together in one set."""
    holes = (-len(free)) % size
    best: tuple[int, list[tuple[int, ...]]] | None = None

    def is_valid(part: tuple[int, ...]) -> bool:
        return all(place >= 0 for place in part) and set(required) <= set(part)

    def divide(rest: list[int], parts: list[tuple[int, ...]]) -> None:
        nonlocal best
        if len(rest) == size:
            found = [*parts, tuple(rest)]
            if any(is_valid(part) for part in found):
                total = sum(set_score(scores, [gpu for gpu in part if gpu >= 0]) for part in found)
                if best is None or total > best[0]:
                    best = total, found
            return
        for others in combinations(rest[1:], size - 1):
            part = (rest[0], *others)
            if sum(place < 0 for place in part) in (0, holes):
                divide([place for place in rest if place not in part], [*parts, part])

    divide([*free, *range(-holes, 0)], [])
    assert best is not None
    valid = [part for part in best[1] if is_valid(part)]
    return list(max(valid, key=lambda part: set_score(scores, part))), best[0]


@pytest.mark.parametrize("seed", range(40))
def test_choice_equals_trying_every_division(seed: int) -> None:
    random = Random(seed)
    count = random.randint(3, 8)
    values = random.choice([[10, 20, 50, 1810], [10], [100, 200], [10, 20, 30, 40, 50]])
    scores = random_scores(random, count, values)
    free = sorted(random.sample(range(count), random.randint(2, count)))
    size = random.randint(2, len(free))
    required = tuple(random.sample(free, random.choice([0, 0, 1, min(2, size)])))

    choice = best_partition(scores, free, size, required)

    assert choice is not None
    wanted, total = every_division(scores, free, size, required)
    assert (list(choice.gpus), choice.partition_score) == (wanted, total)
    assert choice.set_score == set_score(scores, choice.gpus)


def test_partition_is_better_than_the_best_single_set() -> None:
    """Greedy would take the pair (1, 2) with 300 and leave 10; the division gives 200 + 200."""
    links = {(0, 1): 200, (1, 2): 300, (2, 3): 200}
    scores = [[0 if i == j else links.get((min(i, j), max(i, j)), 10) for j in range(4)] for i in range(4)]

    choice = best_partition(scores, range(4), 2)

    assert choice is not None
    assert choice.partition == ((0, 1), (2, 3))
    assert choice.gpus == (0, 1)


def test_bridged_pairs_stay_together() -> None:
    scores = pair_scores(PRESETS["a100-pcie-4"].shape)

    assert scores[0][1] == 10 + 1200
    choice = best_partition(scores, [0, 1, 2, 3], 2)
    assert choice is not None
    assert choice.gpus == (0, 1)
    left = best_partition(scores, [1, 2, 3], 2)
    assert left is not None
    assert left.gpus == (2, 3)


def test_scores_follow_the_published_table() -> None:
    assert [cell_score(cell) for cell in ("SYS", "NODE", "PHB", "PXB", "PIX", "NV1", "NV18", "X")] == [
        *(10, 20, 30, 40, 50, 100, 1800, 0),
    ]


def test_impossible_requests_have_no_choice() -> None:
    scores = random_scores(Random(1), 4, [10])

    assert best_partition(scores, [0, 1], 3) is None
    assert best_partition(scores, [0, 1, 2], 0) is None
    assert best_partition(scores, [0, 1, 2], 1, required=(0, 1)) is None
    assert best_partition(scores, [0, 1, 2], 2, required=(3,)) is None


def test_one_gpu_is_the_first_one_or_the_required_one() -> None:
    scores = random_scores(Random(2), 4, [10, 50])

    first, required = best_partition(scores, [2, 3], 1), best_partition(scores, [2, 3], 1, required=(3,))
    assert first is not None
    assert required is not None
    assert (first.gpus, required.gpus) == ((2,), (3,))


def test_more_than_sixteen_gpus_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 16"):
        best_partition([[0] * 17 for _ in range(17)], range(17), 2)


@pytest.mark.parametrize("size", range(1, 17))
def test_sixteen_equal_gpus_are_taken_in_order(size: int) -> None:
    scores = [[0 if i == j else 610 for j in range(16)] for i in range(16)]

    choice = best_partition(scores, range(16), size)

    assert choice is not None
    assert choice.gpus == tuple(range(size))

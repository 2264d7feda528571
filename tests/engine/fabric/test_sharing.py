"""Shares of GPUs, fragmentation, moves that make room."""

from __future__ import annotations

from random import Random

import pytest

from simulator.engine.fabric.defragmentation import Move, fewest_moves
from simulator.engine.fabric.fragmentation import (
    Fragmentation,
    TypicalPod,
    node_fragmentation,
    stranded_devices,
    typical_pods,
)
from simulator.engine.fabric.sharing import BINPACK, SPREAD, SharedGpus, ShareRequest, choose_devices

TYPICAL = (
    TypicalPod(4000, 1000, 1, share=0.5),
    TypicalPod(2000, 500, 1, share=0.3),
    TypicalPod(8000, 1000, 2, share=0.1),
    TypicalPod(6000, 0, 0, share=0.1),
)


def test_memory_is_never_oversold() -> None:
    """volcano 3616: one GPU of 24 GiB takes two Pods of 12 GiB, not three."""
    gpus = SharedGpus.idle(1, 24 * 1024)
    request = ShareRequest(100, 12 * 1024)
    for _ in range(2):
        devices = choose_devices(gpus, request)
        assert devices == (0,)
        gpus = gpus.taken(devices, request)

    assert choose_devices(gpus, request) is None
    with pytest.raises(ValueError, match="does not fit"):
        gpus.taken((0,), request)


def test_binpack_takes_the_fuller_card_and_spread_the_empty_one() -> None:
    """HAMi 1589."""
    gpus = SharedGpus((700, 1000), (40000, 40000))

    assert choose_devices(gpus, ShareRequest(300), BINPACK) == (0,)
    assert choose_devices(gpus, ShareRequest(300), SPREAD) == (1,)
    assert choose_devices(gpus, ShareRequest(800), BINPACK) == (1,)


def test_whole_gpus_need_idle_devices() -> None:
    gpus = SharedGpus((1000, 999, 1000), (10, 10, 10))

    assert choose_devices(gpus, ShareRequest(1000, count=2)) == (0, 2)
    assert choose_devices(gpus, ShareRequest(1000, count=3)) is None
    assert gpus.idle_devices == 2


def test_what_is_taken_can_be_given_back() -> None:
    gpus = SharedGpus.idle(3, 100)
    request = ShareRequest(250, 10)

    assert gpus.taken((1,), request).given_back((1,), request) == gpus


@pytest.mark.parametrize("arguments", [(1001,), (-1,), (500, 0, 2), (1000, 0, 0), (500, -5)])
def test_impossible_requests_are_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"request|devices"):
        ShareRequest(*arguments)


def test_unknown_card_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown card policy"):
        choose_devices(SharedGpus.idle(1, 1), ShareRequest(1), "best")


@pytest.mark.parametrize(
    ("cpu", "gpus", "amount"),
    [
        (16000, (1000, 1000, 400, 0), 600),
        (16000, (1000, 1000, 0, 0), 200),
        (16000, (600, 1000, 400, 0), 1020),
        (1000, (1000, 1000, 400, 0), 2400),
    ],
)
def test_fragmentation_of_the_worked_example(cpu: int, gpus: tuple[int, ...], amount: float) -> None:
    assert node_fragmentation(cpu, gpus, TYPICAL).amount == pytest.approx(amount)


def test_classes_of_fragmentation_add_up_to_what_is_idle() -> None:
    random = Random(5)
    for _ in range(200):
        gpus = [random.choice([0, 100, 400, 1000]) for _ in range(random.randint(0, 8))]
        found = node_fragmentation(random.randint(0, 20) * 1000, gpus, TYPICAL, random.choice(["", "A"]))
        assert found.idle == pytest.approx(sum(gpus))
        assert 0 <= found.amount <= found.idle + 1e-9


def test_a_model_that_is_not_allowed_counts_wholly() -> None:
    pods = (TypicalPod(0, 500, 1, models=("V100",)),)

    assert node_fragmentation(1000, (1000,), pods, "T4") == Fragmentation(na=1000.0)
    assert node_fragmentation(1000, (1000,), pods, "V100").ratio == 0


def test_typical_pods_cover_most_of_all_pods() -> None:
    kinds = {"A": (4000, 500, 1, ()), "B": (3000, 500, 1, ()), "C": (2000, 500, 1, ()), "D": (1000, 500, 1, ())}
    pods = [kinds["A"]] * 4 + [kinds["B"]] * 3 + [kinds["C"]] * 2 + [kinds["D"]]

    assert len(typical_pods(pods)) == 4
    kept = typical_pods(pods, cover=0.6)
    assert [(pod.cpu, pod.share) for pod in kept] == [(4000, 4 / 7), (3000, 3 / 7)]


def test_stranded_devices_are_too_few_for_the_pod() -> None:
    assert stranded_devices((1000, 1000, 300), 4) == 2
    assert stranded_devices((1000, 1000, 300), 2) == 0


def test_enough_gpus_but_no_node() -> None:
    """volcano 3948: 1 + 2 + 1 free GPUs; no single move makes room for four, two moves do."""
    free = [1, 2, 1]
    pods = [[1, 6], [2, 4], [7]]

    assert fewest_moves(free, pods, 4, max_moves=1) is None
    moves = fewest_moves(free, pods, 4, max_moves=2)
    assert moves == (Move(1, 0, 2), Move(2, 1, 0))


def test_no_move_is_needed_when_a_node_has_room() -> None:
    assert fewest_moves([4, 0], [[], [8]], 4) == ()
    assert fewest_moves([1, 1], [[7], [7]], 4) is None

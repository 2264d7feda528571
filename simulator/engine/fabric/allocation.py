"""Which GPUs of a machine a Pod gets: in device order, as NVIDIA's device plugin picks, or by ring bandwidth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from simulator.engine.fabric.best_partition import best_partition
from simulator.engine.fabric.distance import bandwidth_matrix
from simulator.engine.fabric.pair_score import pair_scores, set_score
from simulator.engine.fabric.shape import HostShape
from simulator.engine.fabric.subsets import MAX_DEVICES
from simulator.engine.fabric.widest_ring import ring_bandwidth, widest_ring

DEVICE_ORDER: Final = "device-order"
BEST_EFFORT: Final = "best-effort"
WIDEST_RING: Final = "widest-ring"
POLICIES: Final = (DEVICE_ORDER, BEST_EFFORT, WIDEST_RING)


@dataclass(frozen=True, slots=True)
class GpuChoice:
    """Chosen GPU numbers, ascending, with what both criteria say of them.

    `partition` is the division of the free GPUs that best-effort compared (empty for the other policies);
    `ring_bandwidth` is GB/s per direction of their widest ring, None for one GPU.
    """

    gpus: tuple[int, ...]
    policy: str
    pair_score: int
    ring_bandwidth: float | None
    partition: tuple[tuple[int, ...], ...] = ()


def choose_gpus(
    shape: HostShape, free: Sequence[int], size: int, policy: str = BEST_EFFORT, required: Sequence[int] = ()
) -> GpuChoice | None:
    """`size` of the free GPUs; None if there are too few. Raises ValueError for an unknown policy.

    `required` (GPUs that must be among them) counts for device order and best-effort. Machines with more than 16 free
    GPUs are searched by their first 16.
    """
    candidates = sorted(dict.fromkeys(free))
    if size <= 0 or len(candidates) < size:
        return None
    partition: tuple[tuple[int, ...], ...] = ()
    if policy == DEVICE_ORDER:
        others = [gpu for gpu in candidates if gpu not in required]
        chosen = tuple(sorted([*required, *others][:size]))
    elif policy == BEST_EFFORT:
        best = best_partition(_scores(shape), _searched(candidates, size), size, required)
        if best is None:
            return None
        chosen, partition = best.gpus, best.partition
    elif policy == WIDEST_RING:
        ring = widest_ring(_bandwidths(shape), _searched(candidates, size), size)
        if ring is None:
            return None
        chosen = tuple(sorted(ring.gpus))
    else:
        raise ValueError(f"unknown device policy: {policy}")
    return GpuChoice(chosen, policy, set_score(_scores(shape), chosen), ring_of(shape, chosen), partition)


def ring_of(shape: HostShape, gpus: Sequence[int]) -> float | None:
    """GB/s per direction of the widest ring through exactly these GPUs; None for one GPU and for more than 16."""
    return ring_bandwidth(_bandwidths(shape), gpus) if len(gpus) <= MAX_DEVICES else None


def _searched(candidates: list[int], size: int) -> list[int]:
    return candidates[: max(MAX_DEVICES, size)]


@lru_cache(maxsize=256)
def _scores(shape: HostShape) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in pair_scores(shape))


@lru_cache(maxsize=256)
def _bandwidths(shape: HostShape) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in bandwidth_matrix(shape))

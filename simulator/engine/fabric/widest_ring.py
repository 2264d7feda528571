"""The set of k GPUs with the widest ring: the ring through all of them whose narrowest link is widest.

A collective in a ring runs at the speed of its narrowest link. Exact: the widest threshold at which the GPUs that are
linked at least that well have a cycle over k of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from simulator.engine.fabric.subsets import (
    MAX_DEVICES,
    Masks,
    ShortMasks,
    member_positions,
    members_of,
    subset_sums,
    subsets_by_size,
)

_PER_GIGABYTE: Final = 1000
_MIN_RING: Final = 3
_BLOCK: Final = 1 << 15
"""Paths that are looked at together: their numbers stay in the processor's cache."""

Ends = ShortMasks


@dataclass(frozen=True, slots=True)
class RingChoice:
    """The chosen GPUs in ring order (the lowest first) and GB/s per direction of the narrowest link.

    One GPU has no ring: its bandwidth is None.
    """

    gpus: tuple[int, ...]
    bandwidth: float | None


def widest_ring(bandwidth: Sequence[Sequence[float]], available: Sequence[int], size: int) -> RingChoice | None:
    """The best set of `size` of the available GPUs by ring bandwidth; None if there are too few.

    Of equally wide sets the one with most bandwidth over all its pairs, then the lowest numbers. `bandwidth` is
    indexed by GPU number, symmetric. Raises ValueError for more than 16 available GPUs.
    """
    free = sorted(dict.fromkeys(available))
    if len(free) > MAX_DEVICES:
        raise ValueError(f"at most {MAX_DEVICES} GPUs can be searched, not {len(free)}")
    if size <= 0 or len(free) < size:
        return None
    if size == 1:
        return RingChoice((free[0],), None)
    table = [[bandwidth[first][second] for second in free] for first in free]
    rings = _widest_rings(table, size)
    ring = rings.ring(_preferred(rings.sets, table, size))
    return RingChoice(tuple(free[position] for position in ring), rings.width)


def ring_bandwidth(bandwidth: Sequence[Sequence[float]], gpus: Sequence[int]) -> float | None:
    """GB/s per direction of the widest ring through exactly these GPUs; None for fewer than two."""
    choice = widest_ring(bandwidth, gpus, len(gpus)) if len(gpus) > 1 else None
    return choice.bandwidth if choice else None


@dataclass(frozen=True, slots=True)
class _Rings:
    """All sets with a ring at a width; `near` are the neighbours of each GPU there, `ends` where paths can end."""

    width: float
    sets: Masks
    near: list[int]
    ends: Ends

    def ring(self, chosen: int) -> tuple[int, ...]:
        """A ring over a set, from its lowest member: walked back along the paths, the lowest GPU first."""
        first = members_of(chosen)[0]
        back: list[int] = []
        rest, allowed = chosen, self.near[first]
        while rest != 1 << first:
            here = members_of(int(self.ends[rest]) & allowed)[0]
            back.append(here)
            rest ^= 1 << here
            allowed = self.near[here]
        return (first, *reversed(back))


def _widest_rings(table: list[list[float]], size: int) -> _Rings:
    """At the widest threshold that has a ring over `size` GPUs.

    Thresholds are tried from the widest one that leaves enough GPUs with two links; there is nearly always a ring.
    """
    count = len(table)
    widths = sorted({table[i][j] for i in range(count) for j in range(i)}, reverse=True)
    low = bisect_left(widths, True, key=lambda width: _may_have_ring(_near(table, width), size))
    step = 1
    found = _rings(table, widths[low], size)
    while not found.sets.size:
        low, step = low + 1, 2 * step
        high = min(low + step, len(widths) - 1)
        found = _rings(table, widths[high], size)
        if found.sets.size:
            return _between(table, widths[low : high + 1], size, found)
        low = high
    return found


def _between(table: list[list[float]], widths: list[float], size: int, found: _Rings) -> _Rings:
    """The widest of these thresholds with a ring, where `found` is the one at the last."""
    low, high = 0, len(widths) - 1
    while low < high:
        middle = (low + high) // 2
        rings = _rings(table, widths[middle], size)
        if rings.sets.size:
            found, high = rings, middle
        else:
            low = middle + 1
    return found


def _near(table: list[list[float]], width: float) -> list[int]:
    count = len(table)
    return [sum(1 << j for j in range(count) if j != i and table[i][j] >= width) for i in range(count)]


def _rings(table: list[list[float]], width: float, size: int) -> _Rings:
    count = len(table)
    near = _near(table, width)
    adjacent: Ends = np.array(near, dtype=np.uint16)
    ends: Ends = np.zeros(1 << count, dtype=np.uint16)
    for device in range(count):
        ends[1 << device] = 1 << device
    layers = _ring_layers(count)
    for layer in layers[2 : size + 1]:
        rows = _BLOCK // layer.bit.shape[1]
        for start in range(0, len(layer.masks), rows):
            part = slice(start, start + rows)
            reached = (ends.take(layer.before[part]) & adjacent.take(layer.member[part])) != 0
            ends[layer.masks[part]] = (reached * layer.bit[part]).sum(axis=1, dtype=np.uint16)
    last = layers[size]
    closed = (ends.take(last.masks) & adjacent.take(last.lowest)) != 0
    return _Rings(width, last.masks[closed], near, ends)


@dataclass(frozen=True, slots=True)
class _RingLayer:
    """Subsets of one size; for each member but the lowest: itself, its bit, the subset without it."""

    masks: Masks
    lowest: Masks
    member: ShortMasks
    bit: ShortMasks
    before: ShortMasks


@lru_cache(maxsize=MAX_DEVICES + 1)
def _ring_layers(count: int) -> tuple[_RingLayer, ...]:
    layers: list[_RingLayer] = []
    for size, masks in enumerate(subsets_by_size(count)):
        positions = member_positions(masks, size)
        member = positions[:, 1:]
        bit = np.left_shift(np.intp(1), member)
        lowest = positions[:, 0] if size else masks
        short = [table.astype(np.uint16) for table in (member, bit, masks[:, None] ^ bit)]
        layers.append(_RingLayer(masks, lowest, *short))
    return tuple(layers)


def _may_have_ring(near: list[int], size: int) -> bool:
    """Whether enough GPUs remain when those with too few links are removed again and again."""
    alive = (1 << len(near)) - 1
    fewest = 1 if size < _MIN_RING else 2
    while True:
        weak = [i for i in members_of(alive) if (near[i] & alive).bit_count() < fewest]
        if not weak:
            return alive.bit_count() >= size
        for device in weak:
            alive ^= 1 << device


def _preferred(sets: Masks, table: list[list[float]], size: int) -> int:
    """Of the sets the one with most bandwidth over all pairs (in whole MB/s), then with the lowest numbers."""
    sums = subset_sums([[round(value * _PER_GIGABYTE) for value in row] for row in table]).take(sets)
    equal = sets[sums == sums.max()]
    return int(equal[np.lexsort(member_positions(equal, size).T[::-1])[0]])

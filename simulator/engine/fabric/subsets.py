"""Tables over all subsets of up to 16 devices, for exact searches.

A subset is a bit mask. The tables depend on sizes alone and are made once per process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

MAX_DEVICES: Final = 16
MAX_SUM: Final = 1 << 29

Masks = NDArray[np.intp]
ShortMasks = NDArray[np.uint16]
"""Masks of up to 16 devices in little memory, for large tables."""

Sums = NDArray[np.int32]


def subset_sums(pairs: Sequence[Sequence[int]]) -> Sums:
    """Sum over the pairs inside each subset: (n, n) symmetric integers -> (2^n,).

    Raises ValueError when the sum over all pairs may pass MAX_SUM.
    """
    size = len(pairs)
    if sum(abs(value) for row in pairs for value in row) > 2 * MAX_SUM:
        raise ValueError(f"the sum over all pairs must not pass {MAX_SUM}")
    sums = np.zeros(1 << size, dtype=np.int32)
    for device in range(size):
        low = 1 << device
        to_device = np.zeros(low, dtype=np.int32)
        for other in range(device):
            to_device[1 << other : 2 << other] = to_device[: 1 << other] + pairs[device][other]
        sums[low : 2 * low] = sums[:low] + to_device
    return sums


def parts_with_first(size: int, part: int) -> Masks:
    """Subsets of `part` of `size` positions with the first among them, in the order of nested loops."""
    if not 0 < part <= size:
        return np.array([], dtype=np.intp)
    masks = subsets_by_size(size)[part]
    return in_loop_order(masks[(masks & 1) == 1], size)


def in_loop_order(masks: Masks, size: int) -> Masks:
    """Subsets with equally many members in the order in which nested ascending loops meet them."""
    mirrored = np.zeros_like(masks)
    for position in range(size):
        mirrored |= (masks >> position & 1) << (size - 1 - position)
    return masks[np.argsort(-mirrored, kind="stable")]


def ways_table(size: int, ways: Masks) -> NDArray[np.float32]:
    """Subsets of positions as a 0/1 table: (size, ways)."""
    return (ways >> np.arange(size)[:, None] & 1).astype(np.float32)


def take_ways(masks: Masks, size: int, table: NDArray[np.float32]) -> ShortMasks:
    """For each subset of `size` devices the parts at the positions of a table: (m,) -> (m, ways) masks.

    Bits are added up as whole numbers below 2^24, so neither rounding nor the order of the additions matters.
    """
    weights = np.left_shift(1, member_positions(masks, size)).astype(np.float32)
    return (weights @ table).astype(np.uint16)


def member_positions(masks: Masks, size: int) -> Masks:
    """The members of subsets that all have `size` of them, ascending: (m,) -> (m, size)."""
    positions = np.empty((len(masks), size), dtype=np.intp)
    rest = masks.copy()
    for column in range(size):
        lowest = rest & -rest
        positions[:, column] = _BIT_OF[lowest % 37]
        rest ^= lowest
    return positions


_BIT_OF: Final = np.zeros(37, dtype=np.intp)
"""Position of a single bit below 2^16 by its value modulo 37, where all of them differ."""
for _position in range(MAX_DEVICES):
    _BIT_OF[(1 << _position) % 37] = _position


@lru_cache(maxsize=MAX_DEVICES + 1)
def subsets_by_size(size: int) -> tuple[Masks, ...]:
    """All subsets by number of members, each ascending as numbers."""
    counts = np.zeros(1 << size, dtype=np.int8)
    for device in range(size):
        counts[1 << device : 2 << device] = counts[: 1 << device] + 1
    return tuple(np.flatnonzero(counts == members).astype(np.intp) for members in range(size + 1))


def members_of(mask: int) -> tuple[int, ...]:
    """The devices in a subset, ascending."""
    return tuple(device for device in range(mask.bit_length()) if mask >> device & 1)

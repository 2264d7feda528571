"""The set of k GPUs that NVIDIA's device plugin picks: the best set of the best partition of all free GPUs.

Source: go-gpuallocator `bestEffortPolicy` (NVIDIA/go-gpuallocator besteffort_policy.go): all free GPUs are divided into
sets of k (one set may be smaller), the division with the highest total score wins, and of it the set with the highest
score. So a good set is not taken when that would leave bad leftovers. Ties: the first in the order of its nested loops.
Differs here: a set that is smaller than k is never returned (the original may return one with a hole).

The original tries every division (2.6 million for 4 of 16); here a table over subsets gives the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulator.engine.fabric.pair_score import Scores
from simulator.engine.fabric.subsets import (
    MAX_DEVICES,
    Masks,
    ShortMasks,
    Sums,
    in_loop_order,
    members_of,
    parts_with_first,
    subset_sums,
    subsets_by_size,
    take_ways,
    ways_table,
)

_FORBIDDEN: Final = -(1 << 30)
_BLOCK: Final = 1 << 15
"""Ways that are looked at together: their numbers stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class PartitionChoice:
    """The chosen GPUs, the whole division in the order it was found, and both scores."""

    gpus: tuple[int, ...]
    partition: tuple[tuple[int, ...], ...]
    set_score: int
    partition_score: int


@dataclass(frozen=True, slots=True)
class _Layer:
    """Subsets of one size that can be left over, with their ways to take a full set and the smaller set."""

    masks: Masks
    full: ShortMasks
    smaller: ShortMasks


def best_partition(
    scores: Scores, available: Sequence[int], size: int, required: Sequence[int] = ()
) -> PartitionChoice | None:
    """The best set of `size` of the available GPUs; `required` must all be in it. None if there is none.

    `scores` is indexed by GPU number, symmetric, not negative. Raises ValueError for more than 16 available GPUs.
    """
    free = sorted(dict.fromkeys(available))
    if len(free) > MAX_DEVICES:
        raise ValueError(f"at most {MAX_DEVICES} GPUs can be searched, not {len(free)}")
    if size <= 0 or len(free) < size or len(required) > size or any(gpu not in free for gpu in required):
        return None
    if size == 1:
        only = required[0] if required else free[0]
        return PartitionChoice((only,), ((only,),), 0, 0)
    pairs = [[0 if first == second else scores[first][second] for second in free] for first in free]
    wanted = sum(1 << free.index(gpu) for gpu in required)
    search = _Search(pairs, size, wanted)
    partition = search.partition()
    if partition is None:
        return None
    choices = [part for part in partition if len(part) == size and wanted & ~_mask(part) == 0]
    chosen = max(choices, key=search.score_of)
    return PartitionChoice(
        gpus=tuple(free[position] for position in chosen),
        partition=tuple(tuple(free[position] for position in part) for part in partition),
        set_score=search.score_of(chosen),
        partition_score=sum(search.score_of(part) for part in partition),
    )


class _Search:
    """Best totals of every subset that can be left over, from small to large, then the first division that has them."""

    def __init__(self, pairs: Sequence[Sequence[int]], size: int, wanted: int) -> None:
        self._count, self._size = len(pairs), size
        self._smaller, self._wanted = self._count % size, wanted
        self._sums = subset_sums(pairs)
        masks = np.arange(1 << self._count)
        held = masks & wanted
        forbidden = np.int32(_FORBIDDEN)
        self._full_scores: Sums = np.where((held == 0) | (held == wanted), self._sums, forbidden)
        self._smaller_scores: Sums = np.where(held == 0, self._sums, forbidden)
        self._best: Sums = np.zeros(1 << self._count, dtype=np.int32)
        for members, scores in ((self._smaller, self._smaller_scores), (size, self._full_scores)):
            last = subsets_by_size(self._count)[members]
            self._best[last] = scores[last]
        for layer in _layers(self._count, size):
            self._best[layer.masks] = self._totals(layer)

    def score_of(self, part: tuple[int, ...]) -> int:
        return int(self._sums[_mask(part)])

    def _totals(self, layer: _Layer) -> Sums:
        totals = np.full(len(layer.masks), _FORBIDDEN, dtype=np.int32)
        for ways, scores in ((layer.full, self._full_scores), (layer.smaller, self._smaller_scores)):
            rows = max(1, _BLOCK // max(1, ways.shape[1]))
            for start in range(0, len(ways) if ways.size else 0, rows):
                part = slice(start, start + rows)
                found = self._reached(layer.masks[part, None], ways[part].astype(np.intp), scores)
                np.maximum(totals[part], found.max(axis=1), out=totals[part])
        return totals

    def _reached(self, masks: Masks, ways: Masks, scores: Sums) -> Sums:
        """Total of taking a part and the best division of the rest; forbidden totals do not add up below int32."""
        found: Sums = scores.take(ways)
        found += self._best.take(masks ^ ways)
        if self._wanted:
            np.maximum(found, np.int32(_FORBIDDEN), out=found)
        return found

    def partition(self) -> tuple[tuple[int, ...], ...] | None:
        rest = (1 << self._count) - 1
        if self._best[rest] < 0:
            return None
        parts: list[tuple[int, ...]] = []
        while rest:
            part = self._first_part(rest)
            parts.append(part)
            rest ^= _mask(part)
        return tuple(parts)

    def _first_part(self, rest: int) -> tuple[int, ...]:
        """The first set in the order of the nested loops with which the best total can still be reached."""
        members = members_of(rest)
        ways = _ordered_ways(len(members), self._size, self._smaller if len(members) % self._size else 0)
        parts = take_ways(np.array([rest]), len(members), ways.table)[0].astype(np.intp)
        scores = np.where(ways.is_full, self._full_scores.take(parts), self._smaller_scores.take(parts))
        return members_of(int(parts[np.argmax(scores + self._best.take(rest ^ parts))]))


def _mask(part: Sequence[int]) -> int:
    return sum(1 << device for device in part)


@dataclass(frozen=True, slots=True)
class _Ways:
    """Positions of the sets that hold the first of some devices, as columns of a 0/1 table."""

    table: NDArray[np.float32]
    is_full: NDArray[np.bool_]


@lru_cache(maxsize=256)
def _ordered_ways(count: int, size: int, smaller: int) -> _Ways:
    """Full and smaller sets in the order of the nested loops; places that stay empty come behind all devices."""
    width = count + size
    empty = ((1 << (size - smaller)) - 1) << count
    short = parts_with_first(count, smaller) | empty
    ordered = in_loop_order(np.concatenate([parts_with_first(count, size), short]), width)
    return _Ways(ways_table(count, ordered), ordered < 1 << count)


@lru_cache(maxsize=64)
def _layers(count: int, size: int) -> tuple[_Layer, ...]:
    """Every subset of more than one set that can be left over when sets with the lowest device are taken away,
    smallest first.
    """
    smaller = count % size
    pending = {count: np.zeros(1 << count, dtype=np.bool_)}
    pending[count][-1] = True
    layers: list[_Layer] = []
    while pending and max(pending) > size:
        left = max(pending)
        masks = np.flatnonzero(pending.pop(left))
        takes_smaller = smaller if left % size else 0
        full = take_ways(masks, left, ways_table(left, parts_with_first(left, size)))
        short = take_ways(masks, left, ways_table(left, parts_with_first(left, takes_smaller)))
        layers.append(_Layer(masks, full, short))
        for ways, taken in ((full, size), (short, takes_smaller)):
            if ways.size and left - taken > size:
                following = pending.setdefault(left - taken, np.zeros(1 << count, dtype=np.bool_))
                following[masks[:, None] ^ ways] = True
    return tuple(reversed(layers))

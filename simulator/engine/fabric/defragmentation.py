"""Moving Pods to make room: the fewest moves after which some node has enough free GPUs for one Pod."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """A Pod of that many GPUs goes from one node to another."""

    gpus: int
    source: int
    target: int


def fewest_moves(
    free: Sequence[int], pods: Sequence[Sequence[int]], wanted: int, max_moves: int = 3
) -> tuple[Move, ...] | None:
    """Moves that free `wanted` GPUs on one node; () if one has them already, None if `max_moves` do not suffice.

    `free` are free GPUs per node, `pods` the sizes of the Pods that may move. Breadth first, nodes in their order.
    """
    start = (tuple(free), tuple(tuple(sorted(sizes)) for sizes in pods))
    level: dict[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], tuple[Move, ...]] = {start: ()}
    seen = dict.fromkeys(level)
    for _ in range(max_moves + 1):
        for (left, _), moves in level.items():
            if max(left, default=0) >= wanted:
                return moves
        following: dict[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], tuple[Move, ...]] = {}
        for (left, sizes), moves in level.items():
            for move in _possible(left, sizes):
                state = _moved(left, sizes, move)
                if state not in seen:
                    seen[state] = None
                    following[state] = (*moves, move)
        level = following
    return None


def _possible(free: tuple[int, ...], pods: tuple[tuple[int, ...], ...]) -> list[Move]:
    return [
        Move(size, source, target)
        for source, sizes in enumerate(pods)
        for size in dict.fromkeys(sizes)
        for target in range(len(free))
        if target != source and free[target] >= size
    ]


def _moved(
    free: tuple[int, ...], pods: tuple[tuple[int, ...], ...], move: Move
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    left, sizes = list(free), [list(node) for node in pods]
    left[move.source] += move.gpus
    left[move.target] -= move.gpus
    sizes[move.source].remove(move.gpus)
    sizes[move.target].append(move.gpus)
    return tuple(left), tuple(tuple(sorted(node)) for node in sizes)

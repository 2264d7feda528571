"""From rocm-smi's tables to a machine: XGMI links, NUMA nodes.

Weight is the distance (15 per physical XGMI hop); hops are 1 for every pair of a hive, direct or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simulator.engine.fabric.accelerators import accelerator
from simulator.engine.fabric.layouts import Board
from simulator.engine.fabric.shape import HostShape, NumaNode, Pair

DIRECT_WEIGHT: Final = 15


def shape_from_rocm(
    name: str,
    types: Sequence[Sequence[str | None]],
    weights: Sequence[Sequence[int | None]] | None,
    numa: Sequence[int | None] | None,
    *,
    model: str = "mi300x",
) -> HostShape:
    """The machine of the tables; unknown NUMA nodes (None, -1) count as node 0. No cards: rocm-smi prints none."""
    size = len(types)
    places = [max(0, place or 0) for place in (numa or [0] * size)]
    board = Board()
    for place in places:
        board.gpu(model, board.host_bridge(place))
    link = accelerator(model).chip.link
    pairs = tuple(
        Pair(first, second, 1, link)
        for first in range(size)
        for second in range(first + 1, size)
        if types[first][second] == "XGMI" and _is_direct(weights, first, second)
    )
    nodes = tuple(NumaNode(node, "", index) for index, node in enumerate(sorted(dict.fromkeys(places)) or [0]))
    pcie = accelerator(model).chip.pcie
    return HostShape(name, nodes, tuple(board.bridges), tuple(board.gpus), (), pairs, pcie=pcie)


def _is_direct(weights: Sequence[Sequence[int | None]] | None, first: int, second: int) -> bool:
    weight = weights[first][second] if weights else None
    return weight is None or weight <= DIRECT_WEIGHT

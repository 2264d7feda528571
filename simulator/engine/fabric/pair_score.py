"""Link scores of GPU pairs as NVIDIA's device plugin counts them.

PCIe: across CPUs 10, same CPU 20, host bridge 30, several switches 40, one switch 50; plus 100 per NVLink.
Source: go-gpuallocator `calculateGPUPairScore`. The score of a set is the sum over its pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simulator.engine.fabric.cells import NODE, PHB, PIX, PXB, SOC, SYS, nvlink_count
from simulator.engine.fabric.distance import pcie_cell
from simulator.engine.fabric.shape import HostShape

PCIE_SCORES: Final = {SYS: 10, SOC: 10, NODE: 20, PHB: 30, PXB: 40, PIX: 50}
NVLINK_SCORE: Final = 100

Scores = Sequence[Sequence[int]]


def pair_scores(shape: HostShape) -> list[list[int]]:
    """Score of every GPU pair of a machine: its PCIe distance and its NVLinks (or XGMI, HCCS links) added."""
    return [
        [0 if first.index == second.index else _score(shape, first.index, second.index) for second in shape.gpus]
        for first in shape.gpus
    ]


def cell_score(cell: str) -> int:
    """Score of a printed matrix cell alone: NV# hides the PCIe distance, so NV18 is 1800; 0 for X and others."""
    return NVLINK_SCORE * nvlink_count(cell) or PCIE_SCORES.get(cell, 0)


def set_score(scores: Scores, gpus: Sequence[int]) -> int:
    """Sum over the pairs of a set."""
    return sum(scores[first][second] for index, first in enumerate(gpus) for second in gpus[index + 1 :])


def _score(shape: HostShape, first: int, second: int) -> int:
    cell = pcie_cell(shape, shape.gpus[first].name, shape.gpus[second].name)
    return PCIE_SCORES[cell] + NVLINK_SCORE * shape.links_between(first, second)

"""The cells of a device matrix: how near two devices of a machine are.

Near to far: X < SIO < NV# (more links are better) < HCCS < HCCS_SW < PIX < PXB < PHB < NODE < SYS = SOC (the old
spelling). Sources: the legends that nvidia-smi and npu-smi print below their matrices.
"""

from __future__ import annotations

import re
from typing import Final

SELF: Final = "X"
PIX: Final = "PIX"
PXB: Final = "PXB"
PHB: Final = "PHB"
NODE: Final = "NODE"
SYS: Final = "SYS"
SOC: Final = "SOC"
HCCS: Final = "HCCS"

_NVLINKS: Final = re.compile(r"NV([1-9]\d?)")
_MAX_NVLINKS: Final = 100
_RANKS: Final = {
    SELF: 0,
    "SIO": 1,
    HCCS: _MAX_NVLINKS + 2,
    "HCCS_SW": _MAX_NVLINKS + 3,
    PIX: _MAX_NVLINKS + 4,
    PXB: _MAX_NVLINKS + 5,
    PHB: _MAX_NVLINKS + 6,
    NODE: _MAX_NVLINKS + 7,
    SYS: _MAX_NVLINKS + 8,
    SOC: _MAX_NVLINKS + 8,
}
_ISLAND_CELLS: Final = (HCCS, "HCCS_SW", "SIO")


def nvlink_count(cell: str) -> int:
    """NVLinks bonded between the two devices: 18 for `NV18`, 0 for every other cell."""
    match = _NVLINKS.fullmatch(cell)
    return int(match[1]) if match else 0


def is_known_cell(cell: str) -> bool:
    """Whether the text is a cell of a matrix, X included."""
    return cell in _RANKS or nvlink_count(cell) > 0


def cell_rank(cell: str) -> int:
    """Distance of a known cell, smaller is nearer; raises ValueError for any other text."""
    links = nvlink_count(cell)
    if links:
        return _MAX_NVLINKS + 1 - links
    try:
        return _RANKS[cell]
    except KeyError:
        raise ValueError(f"no cell of a device matrix: {cell!r}") from None


def worse_cell(first: str, second: str) -> str:
    """The farther of two known cells, the first one when they are equally far."""
    return second if cell_rank(second) > cell_rank(first) else first


def joins_island(cell: str) -> bool:
    """Whether the cell is a direct device link (NVLink, HCCS) and not a way over PCIe."""
    return nvlink_count(cell) > 0 or cell in _ISLAND_CELLS


def crosses_sockets(cell: str) -> bool:
    """Whether the way leaves the NUMA node (SYS, SOC)."""
    return cell in (SYS, SOC)


def is_pcie(cell: str) -> bool:
    """Whether the cell tells the PCIe distance (NV# and HCCS hide it)."""
    return cell in (PIX, PXB, PHB, NODE, SYS, SOC)

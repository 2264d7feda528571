"""A machine's matrix as a table, with its legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.cells import HCCS, NODE, PHB, PIX, PXB, SELF, SYS
from simulator.engine.fabric.distance import XGMI_CELL, gpu_bandwidth
from simulator.engine.fabric.matrix import matrix_of
from simulator.engine.fabric.shape import HostShape
from simulator.presenters.fabric.looks import width_text
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say

CELL_MEANINGS: Final[Mapping[str, Both]] = {
    SELF: Both("自己", "itself"),
    "NV": Both("有 # 条 NVLink 相连，越多越好", "# NVLinks between them, more is better"),
    XGMI_CELL: Both("有 xGMI 链路相连", "xGMI links between them"),
    HCCS: Both("有 HCCS 链路相连", "HCCS links between them"),
    PIX: Both("最多过一个 PCIe 桥", "one PCIe bridge at most"),
    PXB: Both("过几个 PCIe 桥，不过 CPU", "several PCIe bridges, not through the CPU"),
    PHB: Both("过 CPU 里的 PCIe 主桥", "through a PCIe host bridge of the CPU"),
    NODE: Both("同一个 NUMA 节点内，跨主桥", "between host bridges of one NUMA node"),
    SYS: Both("跨 NUMA 节点，过 CPU 之间的互连", "across NUMA nodes, over the link between the CPUs"),
}
"""The legend, from near to far."""

_CELL: Final = Both("{first} 与 {second}：{cell}，{bandwidth}", "{first} and {second}: {cell}, {bandwidth}")
_CARD_CELL: Final = Both("{first} 与 {second}：{cell}", "{first} and {second}: {cell}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the matrix; `pair` names it in the address ("0-2"), "" where there is nothing to show."""

    text: str
    title: str
    kind: str
    pair: str
    current: bool


@dataclass(frozen=True, slots=True)
class MatrixRow:
    name: str
    cells: tuple[Cell, ...]
    cpus: str
    numa: str


def column_names(shape: HostShape) -> list[str]:
    return [gpu.name for gpu in shape.gpus] + [nic.label for nic in shape.nics]


def matrix_rows(shape: HostShape, ends: tuple[int, int] | None) -> tuple[MatrixRow, ...]:
    facts, names = matrix_of(shape), column_names(shape)
    rows: list[MatrixRow] = []
    for row, name in enumerate(names):
        is_gpu = row < len(shape.gpus)
        cells = tuple(
            _cell(shape, names, row, column, str(facts.cells[row][column]), ends) for column in range(len(names))
        )
        cpus = (facts.cpus[row] or "") if is_gpu else ""
        rows.append(MatrixRow(name, cells, cpus, (facts.numa[row] or "") if is_gpu else ""))
    return tuple(rows)


def _cell(
    shape: HostShape, names: Sequence[str], row: int, column: int, text: str, ends: tuple[int, int] | None
) -> Cell:
    if row == column:
        return Cell("X", "", "self", "", current=False)
    params = {"first": names[row], "second": names[column], "cell": text}
    kind = "link" if text[:2] == "NV" or text in (HCCS, XGMI_CELL) else text.lower()
    if max(row, column) >= len(shape.gpus):
        return Cell(text, say(_CARD_CELL, params).text, kind, "", current=False)
    pair = (min(row, column), max(row, column))
    width = gpu_bandwidth(shape, row, column).per_direction
    title = say(_CELL, {**params, "bandwidth": width_text(width)}).text
    return Cell(text, title, kind, f"{pair[0]}-{pair[1]}", current=pair == ends)


def matrix_legend(shape: HostShape) -> tuple[tuple[str, str], ...]:
    """What stands in this matrix, from near to far."""
    texts = {str(cell) for row in matrix_of(shape).cells for cell in row}
    found: list[tuple[str, str]] = []
    for code, meaning in CELL_MEANINGS.items():
        shown = code in texts or (code == "NV" and any(text.startswith("NV") for text in texts))
        if shown:
            found.append(("NV#" if code == "NV" else code, say(meaning, {}).text))
    return tuple(found)

"""`nvidia-smi topo -m` and `npu-smi info -t topo`: the device matrix in a text, with everything odd about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from simulator.engine.fabric.cells import SELF, cell_rank, nvlink_count
from simulator.manifests.topology import errors
from simulator.manifests.topology.affinity import Affinity, matching_split, read_affinity, split_every
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.header import Header, is_accelerator, read_header
from simulator.manifests.topology.reading import TopologyWarning
from simulator.manifests.topology.rows import SplitRow, looks_like_row, place_cells, split_row
from simulator.manifests.topology.text import MAX_DEVICES

_ROW_NAME: Final = re.compile(r"(?:GPU|NPU|Phy-ID|NIC)\d+|[A-Za-z][\w.\-]*\d")
_NO_ROW: Final = frozenset(":=,[(")
_MAX_MATRICES: Final = 16


@dataclass(slots=True)
class DeviceMatrix:
    """A square matrix over `names`; `cells[i][j]` is None where neither text tells it.

    `affinity` has one entry per row that the text has; `warnings` are those about the text itself.
    """

    names: list[str]
    titles: tuple[str, ...]
    cells: list[list[str | None]]
    affinity: dict[str, Affinity] = field(default_factory=dict)
    warnings: list[TopologyWarning] = field(default_factory=list)
    rows_found: int = 0

    @property
    def accelerators(self) -> list[int]:
        """Columns that are GPUs or NPUs."""
        return [index for index, name in enumerate(self.names) if is_accelerator(name)]

    @property
    def network_cards(self) -> list[int]:
        """Columns that are network cards, whatever their name."""
        return [index for index, name in enumerate(self.names) if not is_accelerator(name)]

    def pair(self, first: int, second: int) -> str | None:
        """The cell of a pair: the one text that is known, the worse one where both are."""
        here, there = self.cells[first][second], self.cells[second][first]
        if here is None or there is None:
            return here if there is None else there
        return here if cell_rank(here) >= cell_rank(there) else there


def find_matrix(lines: Sequence[str]) -> DeviceMatrix | None:
    """The most complete device matrix of a text (the first one of equals), None if there is none."""
    blocks = _blocks(lines)
    best: DeviceMatrix | None = None
    for header, block in blocks[:_MAX_MATRICES]:
        matrix = _read_block(header, block)
        if matrix is not None and (best is None or _completeness(matrix) > _completeness(best)):
            best = matrix
    return best


def _blocks(lines: Sequence[str]) -> list[tuple[Header | None, dict[str, str]]]:
    """Headers with the rows below them; a header that a terminal drew again among the rows does not divide them."""
    blocks: list[tuple[Header | None, dict[str, str]]] = []
    header: Header | None = None
    start = 0
    for index in range(len(lines) + 1):
        following = read_header(lines[index]) if index < len(lines) else None
        if index < len(lines) and (following is None or _is_bare_row(following, header)):
            continue
        rows = _row_texts(header, lines[start:index])
        last = blocks[-1] if blocks else None
        if last is not None and _continues(last, header, rows):
            last[1].update(rows)
        else:
            blocks.append((header, rows))
        header, start = following, index + 1
    return blocks


def _continues(last: tuple[Header | None, dict[str, str]], header: Header | None, rows: dict[str, str]) -> bool:
    same = last[0] is not None and header is not None and last[0].devices == header.devices
    return same and last[1].keys().isdisjoint(rows)


def _is_bare_row(line: Header, header: Header | None) -> bool:
    """A row that was cut right behind its name looks like a header of one device."""
    return header is not None and len(line.devices) == 1 and not line.titles and line.devices[0] in header.devices


def _completeness(matrix: DeviceMatrix) -> tuple[int, int]:
    return matrix.rows_found, -len(matrix.warnings)


def _read_block(header: Header | None, texts: dict[str, str]) -> DeviceMatrix | None:
    names = _columns(header, texts)
    if not names or not texts or not is_accelerator(names[0]):
        return None
    if len(names) > MAX_DEVICES:
        raise TopologyError(errors.TOO_MANY_DEVICES, limit=MAX_DEVICES, found=len(names))
    titles = header.titles if header else ()
    rows = {
        name: split_row(texts[name], own, len(names), len(titles) or 3)
        for own, name in enumerate(names)
        if name in texts
    }
    if not any(row.cells for row in rows.values()):
        return None
    matrix = DeviceMatrix(list(names), titles, [[None] * len(names) for _ in names], rows_found=len(rows))
    matrix.warnings += [TopologyWarning("glued_header", None, name) for name in (header.glued if header else ())]
    _fill_cells(matrix, rows)
    _read_tails(matrix, rows)
    _check_pairs(matrix)
    return matrix


def _row_texts(header: Header | None, lines: Sequence[str]) -> dict[str, str]:
    """What stands behind each device's name; of a row printed twice the one with more cells."""
    names = sorted(header.devices if header else (), key=len, reverse=True)
    found: dict[str, str] = {}
    for line in lines:
        row = _row_in(line, names)
        if row is None:
            continue
        name, text = row
        if name not in found or len(text.split()) > len(found[name].split()):
            found[name] = text
    return found


def _row_in(line: str, names: Sequence[str]) -> tuple[str, str] | None:
    stripped = line.strip()
    for name in names:
        position = stripped.find(name)
        if position < 0 or (position > 0 and not stripped[position - 1].isspace()):
            continue
        rest = stripped[position + len(name) :]
        if rest[:1].isdigit() or rest[:1] in _NO_ROW or not looks_like_row(rest, may_be_empty=position == 0):
            continue
        return name, rest
    match = _ROW_NAME.match(stripped)
    if match is None:
        return None
    rest = stripped[match.end() :]
    is_row = rest[:1].isspace() and looks_like_row(rest, may_be_empty=False) and SELF in rest.split()
    return (match[0], rest) if is_row else None


def _columns(header: Header | None, texts: dict[str, str]) -> list[str]:
    """The header's names; the rows' names where the header lost some that the rows have cells for."""
    columns = list(header.devices) if header else []
    extra = [name for name in texts if name not in columns]
    if not extra:
        return columns
    rows = list(texts)
    widths = [len(split_row(text, own, len(rows), 3).cells) for own, text in enumerate(texts.values())]
    is_square = all(name in texts for name in columns) and min(widths) == len(rows)
    return rows if is_square else columns


def _fill_cells(matrix: DeviceMatrix, rows: dict[str, SplitRow]) -> None:
    width = len(matrix.names)
    short: list[int] = []
    for own, name in enumerate(matrix.names):
        row = rows.get(name)
        if row is None:
            matrix.warnings.append(TopologyWarning("missing_row", name))
        elif len(row.cells) == width:
            matrix.cells[own] = list(row.cells)
        else:
            short.append(own)
    for own in range(width):
        row = rows.get(matrix.names[own])
        if row is None:
            continue
        mirror = [matrix.cells[other][own] for other in range(width)]
        if own in short:
            placed, lost = place_cells(row, own, width, mirror)
            matrix.cells[own] = placed
            lost = _cut_number(matrix, own, lost, mirror)
            matrix.warnings.append(TopologyWarning("truncated_row", matrix.names[own], matrix.names[lost]))
        else:
            _check_last_cell(matrix, own, row, mirror)
        _check_texts(matrix, own, row)


def _cut_number(matrix: DeviceMatrix, own: int, lost: int | None, mirror: Sequence[str | None]) -> int:
    """First incomplete column of a short row; the one before when its NV# is the beginning of a longer number.

    That longer number stands in the other row of the pair, or anywhere in the matrix when that row is missing.
    """
    column = len(matrix.names) - 1 if lost is None else lost
    if column == 0:
        return column
    if _number_is_cut(matrix, own, column - 1, mirror):
        matrix.cells[own][column - 1] = None
        return column - 1
    return column


def _check_last_cell(matrix: DeviceMatrix, own: int, row: SplitRow, mirror: Sequence[str | None]) -> None:
    last = len(matrix.names) - 1
    if not row.tail and _number_is_cut(matrix, own, last, mirror):
        matrix.cells[own][last] = None
        matrix.warnings.append(TopologyWarning("truncated_row", matrix.names[own], matrix.names[last]))


def _number_is_cut(matrix: DeviceMatrix, own: int, column: int, mirror: Sequence[str | None]) -> bool:
    cell, other = matrix.cells[own][column], mirror[column]
    longer = [other] if other is not None else [text for row in matrix.cells for text in row]
    return any(_is_cut_number(cell, text) for text in longer)


def _is_cut_number(cell: str | None, other: str | None) -> bool:
    if cell is None or other is None or cell == other:
        return False
    return nvlink_count(cell) > 0 and other.startswith(cell)


def _check_texts(matrix: DeviceMatrix, own: int, row: SplitRow) -> None:
    name, last = matrix.names[own], len(matrix.names) - 1
    for index in row.glued:
        matrix.warnings.append(TopologyWarning("glued_cell", name, matrix.names[index]))
    if row.tail_glued and len(row.cells) == len(matrix.names):
        matrix.warnings.append(TopologyWarning("glued_cell", name, matrix.names[last]))
    for index in row.noise:
        matrix.warnings.append(TopologyWarning("unknown_cell", name, matrix.names[index]))
    for index, cell in enumerate(matrix.cells[own]):
        printed = index < len(row.cells) and row.cells[index] is None
        misplaced = cell is not None and (cell == SELF) != (index == own)
        if misplaced or (printed and len(row.cells) == len(matrix.names)):
            matrix.cells[own][index] = SELF if index == own else None
            matrix.warnings.append(TopologyWarning("unknown_cell", name, matrix.names[index]))


def _read_tails(matrix: DeviceMatrix, rows: dict[str, SplitRow]) -> None:
    read: dict[str, Affinity] = {}
    for name, row in rows.items():
        if is_accelerator(name):
            read[name] = read_affinity(row.tail, matrix.titles)
    intact = [affinity.texts for affinity in read.values() if not affinity.blank and not affinity.glued]
    whole = [matching_split(affinity, intact) for affinity in read.values()]
    for name, affinity in zip(read, split_every(whole), strict=True):
        matrix.affinity[name] = affinity
        _warn_affinity(matrix, name, affinity, ends_early=_ends_early(rows[name], len(matrix.names)))


def _ends_early(row: SplitRow, width: int) -> bool:
    return len(row.cells) < width and not row.tail


def _warn_affinity(matrix: DeviceMatrix, name: str, affinity: Affinity, *, ends_early: bool) -> None:
    matrix.warnings += [TopologyWarning("glued_affinity", name, title) for title in affinity.glued]
    if affinity.cut:
        matrix.warnings.append(TopologyWarning("truncated_row", name, affinity.cut))
    if not ends_early:
        matrix.warnings += [TopologyWarning("missing_affinity", name, title) for title in affinity.blank]


def _check_pairs(matrix: DeviceMatrix) -> None:
    for first in range(len(matrix.names)):
        for second in range(first + 1, len(matrix.names)):
            here, there = matrix.cells[first][second], matrix.cells[second][first]
            if here is not None and there is not None and cell_rank(here) != cell_rank(there):
                matrix.warnings.append(TopologyWarning("asymmetric", matrix.names[first], matrix.names[second]))

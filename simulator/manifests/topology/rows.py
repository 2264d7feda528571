"""One row of a device matrix: split into its cells and what stands behind them, however they are glued."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.cells import SELF

_CELL: Final = r"(?:NV[1-9]\d?|HCCS_SW|HCCS|SIO|NODE|SYS|SOC|PHB|PXB|PIX|X)"
_AFFINITY: Final = r"(?:\d(?:[\d,\-]*\d)?(?:N/A)*|(?:N/A)+)"
_CHUNK: Final = re.compile(rf"((?:{_CELL})+)({_AFFINITY})?")
_ONE_CELL: Final = re.compile(_CELL)
_AFFINITY_TEXT: Final = re.compile(rf"{_AFFINITY}|[\d,\-]+")
_CELLS: Final = ("NV1", "HCCS", "NODE", "SYS", "SOC", "PHB", "PXB", "PIX")
_CELL_BEGINNINGS: Final = frozenset(cell[:length] for cell in _CELLS for length in range(1, len(cell)))


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a row: a known cell or any other text; `glued` = no blank between it and the piece before."""

    text: str
    is_cell: bool
    glued: bool


@dataclass(frozen=True, slots=True)
class SplitRow:
    """The cells of a row in order (None = text that is no known cell), and what follows them.

    `cut_inside` is true when the line ends with the beginning of a cell. `noise` holds the positions of cells before
    which a text stood that is neither a cell nor a place for one.
    """

    cells: tuple[str | None, ...]
    glued: tuple[int, ...]
    noise: tuple[int, ...]
    cut_inside: bool
    tail: tuple[str, ...]
    tail_glued: bool


def items_of(text: str) -> list[Item]:
    """The row's pieces; glued cells are separate pieces."""
    items: list[Item] = []
    for chunk in text.split():
        match = _CHUNK.fullmatch(chunk)
        if match is None:
            items.append(Item(chunk, is_cell=False, glued=False))
            continue
        cells = _ONE_CELL.findall(match[1])
        items += [Item(cell, is_cell=True, glued=index > 0) for index, cell in enumerate(cells)]
        if match[2]:
            items.append(Item(match[2], is_cell=False, glued=True))
    return items


def looks_like_row(text: str, *, may_be_empty: bool) -> bool:
    """Whether what follows a device name can be the rest of a matrix row."""
    return any(item.is_cell for item in items_of(text)) or (may_be_empty and not text.strip())


def split_row(text: str, own: int, width: int, affinity_columns: int) -> SplitRow:
    """Divide a row into at most `width` cells and the affinity texts behind them; `own` is the row's own column."""
    items = items_of(text)
    known = sum(item.is_cell for item in items)
    if known >= width:
        return _complete(items, own, width)
    last_known = max((index for index, item in enumerate(items) if item.is_cell), default=-1)
    body, rest = items[: last_known + 1], items[last_known + 1 :]
    body = _join_broken(body, len(body) - width)
    missing = width - len(body)
    cut_inside = len(rest) == 1 and rest[0].text in _CELL_BEGINNINGS
    unknown = 0 if cut_inside else _unknown_cells(rest, missing, affinity_columns)
    body, rest = body + rest[:unknown], [] if cut_inside else rest[unknown:]
    return SplitRow(
        cells=tuple(item.text if item.is_cell else None for item in body[:width]),
        glued=_glued(body[:width]),
        noise=(),
        cut_inside=cut_inside,
        tail=tuple(item.text for item in rest),
        tail_glued=bool(rest) and rest[0].glued,
    )


def _join_broken(items: list[Item], surplus: int) -> list[Item]:
    """Neighbouring unknown texts are the halves of one broken cell while there are too many pieces."""
    joined: list[Item] = []
    for item in items:
        if surplus > 0 and joined and not item.is_cell and not joined[-1].is_cell:
            surplus -= 1
        else:
            joined.append(item)
    return joined


def _complete(items: list[Item], own: int, width: int) -> SplitRow:
    """A row with all its cells: other texts among them are noise, as is an X too many that is not the row's own."""
    cells: list[Item] = []
    noise: list[int] = []
    surplus = sum(item.is_cell for item in items) - width
    position = 0
    while len(cells) < width:
        item = items[position]
        position += 1
        stray = surplus > 0 and item.text == SELF and len(cells) != own
        if item.is_cell and not stray:
            cells.append(item)
        else:
            noise.append(len(cells))
            surplus -= stray
    rest = [item for item in items[position:] if not item.is_cell]
    return SplitRow(
        cells=tuple(item.text for item in cells),
        glued=_glued(cells),
        noise=tuple(noise),
        cut_inside=False,
        tail=tuple(item.text for item in rest),
        tail_glued=bool(rest) and rest[0].glued,
    )


def _unknown_cells(rest: list[Item], missing: int, affinity_columns: int) -> int:
    """How many texts behind the last known cell stand where cells are missing."""
    odd = 0
    while odd < len(rest) and not _AFFINITY_TEXT.fullmatch(rest[odd].text):
        odd += 1
    return max(0, min(missing, max(odd, len(rest) - affinity_columns)))


def _glued(cells: list[Item]) -> tuple[int, ...]:
    return tuple(index - 1 for index, item in enumerate(cells) if index > 0 and item.glued)


def place_cells(
    row: SplitRow, own: int, width: int, mirror: Sequence[str | None]
) -> tuple[list[str | None], int | None]:
    """The row's cells by column, and the first column that is not complete (None for a whole row).

    `own` is the row's own column: its X tells on which side cells were lost. `mirror` are the same pairs as other
    rows print them: cells of a side that lost some are put where they agree with it, unless the line just ends early.
    """
    cells = list(row.cells)
    if len(cells) == width:
        return cells, None
    known = [SELF if column == own else cell for column, cell in enumerate(mirror)]
    ends_line = not row.tail
    at = cells.index(SELF) if SELF in cells else None
    if at is None or at > own:
        return _side(cells, range(width), known, ends_line=ends_line)
    before, first_lost = _side(cells[:at], range(own), known, ends_line=False)
    after, second_lost = _side(cells[at + 1 :], range(own + 1, width), known, ends_line=ends_line)
    return [*before, SELF, *after], first_lost if first_lost is not None else second_lost


def _side(
    cells: list[str | None], columns: range, mirror: Sequence[str | None], *, ends_line: bool
) -> tuple[list[str | None], int | None]:
    if len(cells) >= len(columns):
        return cells[: len(columns)], None
    cut = cells + [None] * (len(columns) - len(cells))
    if ends_line and not _disagreements(cut, columns, mirror):
        return cut, columns[len(cells)]
    aligned, lost = _align(cells, columns, mirror)
    if ends_line and _disagreements(cut, columns, mirror) <= _disagreements(aligned, columns, mirror):
        return cut, columns[len(cells)]
    return aligned, lost


def _align(
    cells: Sequence[str | None], columns: range, mirror: Sequence[str | None]
) -> tuple[list[str | None], int | None]:
    placed: list[str | None] = []
    lost: int | None = None
    waiting = list(cells)
    for index, column in enumerate(columns):
        must_place = len(waiting) == len(columns) - index
        if waiting and (must_place or mirror[column] in (waiting[0], None)):
            placed.append(waiting.pop(0))
        else:
            placed.append(None)
            lost = column if lost is None else lost
    return placed, lost


def _disagreements(cells: Sequence[str | None], columns: range, mirror: Sequence[str | None]) -> int:
    pairs = zip(cells, (mirror[column] for column in columns), strict=True)
    return sum(cell is not None and other is not None and not other.startswith(cell) for cell, other in pairs)

"""`rocm-smi --showtopo` and its parts: weight, hops, link type and NUMA tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from simulator.engine.fabric.partition import connected_groups
from simulator.manifests.topology import errors
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.reading import ROCM_TOPO, NumaGroup, Reading, RocmTables, TopologyWarning, in_order
from simulator.manifests.topology.text import MAX_DEVICES

XGMI: Final = "XGMI"

_TITLES: Final = (
    ("weight", re.compile(r"Weight\s*between\s*two\s*GPUs", re.IGNORECASE)),
    ("hops", re.compile(r"Hops\s*between\s*two\s*GPUs", re.IGNORECASE)),
    ("type", re.compile(r"(?:Link\s*)?Type\s*between\s*two\s*GPUs", re.IGNORECASE)),
)
_NUMA: Final = re.compile(r"GPU\s*\[?(\d{1,4})\]?\s*:\s*\(Topology\)\s*Numa\s+(Node|Affinity)\s*:\s*(-?\d{1,4})?")
_HEADER: Final = re.compile(r"\s*GPU\d{1,4}(?:\s*GPU\d{1,4})*\s*")
_NAME: Final = re.compile(r"GPU\d{1,4}")
_ROW: Final = re.compile(r"\s*(GPU\d{1,4})(?!\d)\s*(.*)")
_TYPE_CHUNK: Final = re.compile(r"(?:XGMI|PCIE|0)+")
_TYPE: Final = re.compile(r"XGMI|PCIE|0")
_NUMBER: Final = re.compile(r"\d{1,6}")
_TYPE_BEGINNINGS: Final = frozenset({"X", "XG", "XGM", "P", "PC", "PCI"})


@dataclass(slots=True)
class _Table:
    names: list[str] = field(default_factory=list)
    rows: dict[str, list[str]] = field(default_factory=dict)


def find_rocm(lines: Sequence[str]) -> Reading | None:
    """What the tables of rocm-smi tell, None if the text has none of them."""
    warnings: list[TopologyWarning] = []
    raw, numa_texts = _collect(lines, warnings)
    names = _device_names(raw, numa_texts)
    if not names:
        return None
    if len(names) > MAX_DEVICES:
        raise TopologyError(errors.TOO_MANY_DEVICES, limit=MAX_DEVICES, found=len(names))
    tables: dict[str, Any] = {"weight": None, "hops": None, "type": None}
    for kind, table in raw.items():
        if table.names:
            tables[kind] = _square(kind, table, names, warnings)
    nodes, affinities = (_numa_list(numa_texts, what, len(names)) for what in ("Node", "Affinity"))
    rocm = RocmTables(tables["weight"], tables["hops"], tables["type"], nodes, affinities)
    hives = connected_groups(len(names), _xgmi_pairs(rocm.type))
    return Reading(
        kind=ROCM_TOPO,
        gpus=len(names),
        nvlink_islands=tuple(tuple(hive) for hive in hives if len(hive) > 1),
        numa=_numa_groups(nodes),
        rocm=rocm,
        warnings=in_order(warnings),
    )


def _collect(
    lines: Sequence[str], warnings: list[TopologyWarning]
) -> tuple[dict[str, _Table], dict[tuple[str, int], int]]:
    raw: dict[str, _Table] = {}
    numa: dict[tuple[str, int], int] = {}
    current: _Table | None = None
    for line in lines:
        title = next((kind for kind, pattern in _TITLES if pattern.search(line)), None)
        if title:
            current = raw.setdefault(title, _Table())
            continue
        place = _NUMA.search(line)
        if place:
            if place[3] is None:
                warnings.append(TopologyWarning("truncated_row", f"GPU[{place[1]}]", f"Numa {place[2]}"))
            else:
                numa[place[2], int(place[1])] = int(place[3])
            continue
        if current is not None:
            _collect_line(line, current, warnings)
    return raw, numa


def _collect_line(line: str, table: _Table, warnings: list[TopologyWarning]) -> None:
    if _HEADER.fullmatch(line) and not table.rows:
        spans = list(_NAME.finditer(line))
        table.names = list(dict.fromkeys(match[0] for match in spans))
        warnings += [
            TopologyWarning("glued_header", None, left[0])
            for left, right in pairwise(spans)
            if left.end() == right.start()
        ]
        return
    row = _ROW.match(line)
    if row and table.names:
        texts = row[2].split()
        if row[1] not in table.rows or len(texts) > len(table.rows[row[1]]):
            table.rows[row[1]] = texts


def _device_names(raw: dict[str, _Table], numa: dict[tuple[str, int], int]) -> list[str]:
    names = max((table.names for table in raw.values()), key=len, default=[])
    if names:
        return names
    return [f"GPU{index}" for index in range(max((gpu for _, gpu in numa), default=-1) + 1)][: MAX_DEVICES + 1]


def _square(kind: str, table: _Table, names: list[str], warnings: list[TopologyWarning]) -> tuple[tuple[Any, ...], ...]:
    read = _read_types if kind == "type" else _read_numbers
    square: list[list[Any]] = []
    for name in names:
        if name in table.rows:
            square.append(_cells(name, table.rows[name], names, read, warnings))
        else:
            square.append([None] * len(names))
            warnings.append(TopologyWarning("missing_row", name))
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            here, there = square[first][second], square[second][first]
            if here is not None and there is not None and here != there:
                warnings.append(TopologyWarning("asymmetric", names[first], names[second]))
    return tuple(tuple(row) for row in square)


def _cells(
    name: str,
    texts: list[str],
    names: list[str],
    read: Callable[[str], list[Any] | None],
    warnings: list[TopologyWarning],
) -> list[Any]:
    cells: list[Any] = []
    for position, text in enumerate(texts):
        if len(cells) >= len(names):
            break
        values = read(text)
        if values is None and position == len(texts) - 1 and text in _TYPE_BEGINNINGS:
            break
        if values is None:
            warnings.append(TopologyWarning("unknown_cell", name, names[len(cells)]))
            values = [None]
        last = min(len(cells) + len(values), len(names)) - 1
        warnings += [TopologyWarning("glued_cell", name, names[index]) for index in range(len(cells), last)]
        cells += values
    if len(cells) < len(names):
        warnings.append(TopologyWarning("truncated_row", name, names[len(cells)]))
    return cells[: len(names)] + [None] * (len(names) - len(cells))


def _read_types(text: str) -> list[Any] | None:
    return list(_TYPE.findall(text)) if _TYPE_CHUNK.fullmatch(text) else None


def _read_numbers(text: str) -> list[Any] | None:
    return [int(text)] if _NUMBER.fullmatch(text) else None


def _xgmi_pairs(types: tuple[tuple[str | None, ...], ...] | None) -> list[tuple[int, int]]:
    """Pairs joined by XGMI; where the two cells differ PCIe counts, the worse of the two."""
    pairs: list[tuple[int, int]] = []
    for first, row in enumerate(types or ()):
        for second in range(first + 1, len(row)):
            known = [cell for cell in (row[second], (types or ())[second][first]) if cell is not None]
            if known and all(cell == XGMI for cell in known):
                pairs.append((first, second))
    return pairs


def _numa_list(numa: dict[tuple[str, int], int], what: str, size: int) -> tuple[int | None, ...] | None:
    if not any(kind == what for kind, _ in numa):
        return None
    return tuple(numa.get((what, gpu)) for gpu in range(size))


def _numa_groups(nodes: tuple[int | None, ...] | None) -> tuple[NumaGroup, ...]:
    groups: dict[int | None, list[int]] = {}
    for gpu, node in enumerate(nodes or ()):
        groups.setdefault(node, []).append(gpu)
    return tuple(NumaGroup(None if node is None else str(node), None, tuple(gpus)) for node, gpus in groups.items())

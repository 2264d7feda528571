"""From a device matrix to conclusions: pairs, islands, NUMA groups, nearest network cards."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.fabric.cells import cell_rank, joins_island, nvlink_count
from simulator.engine.fabric.partition import connected_groups
from simulator.manifests.topology.header import CPU_AFFINITY, GPU_NUMA_ID, NUMA_AFFINITY, is_npu
from simulator.manifests.topology.legend import read_legend
from simulator.manifests.topology.matrix import DeviceMatrix
from simulator.manifests.topology.reading import (
    NPU_TOPO,
    NVIDIA_TOPO,
    NearestNic,
    NumaGroup,
    Reading,
    TopologyWarning,
    in_order,
)

Link = tuple[int, int, str | None]


def conclude(matrix: DeviceMatrix, lines: Sequence[str]) -> Reading:
    """Everything a matrix tells; `lines` is the whole text, for the legend."""
    gpus = matrix.accelerators
    links = _links(matrix)
    nics = [matrix.names[index] for index in matrix.network_cards]
    nic_names, legend_warnings = read_legend(lines, nics)
    warnings = [*matrix.warnings, *_uneven_nvlink(matrix, links), *legend_warnings]
    return Reading(
        kind=NPU_TOPO if is_npu(matrix.names[0]) else NVIDIA_TOPO,
        gpus=len(gpus),
        nics=len(nics),
        links=links,
        nvlink_islands=islands(len(gpus), [(i, j) for i, j, cell in links if cell is not None and joins_island(cell)]),
        numa=_numa_groups(matrix),
        nearest_nic=_nearest_nics(matrix),
        gpu_numa_id=_gpu_numa_ids(matrix),
        nic_names=nic_names,
        warnings=in_order(warnings),
        names=tuple(matrix.names),
        cells=tuple(tuple(row) for row in matrix.cells),
    )


def islands(size: int, pairs: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Groups of at least two devices that the pairs connect."""
    return tuple(tuple(group) for group in connected_groups(size, pairs) if len(group) > 1)


def _links(matrix: DeviceMatrix) -> tuple[Link, ...]:
    columns = matrix.accelerators
    return tuple(
        (first, second, matrix.pair(columns[first], columns[second]))
        for first in range(len(columns))
        for second in range(first + 1, len(columns))
    )


def _numa_groups(matrix: DeviceMatrix) -> tuple[NumaGroup, ...]:
    """GPUs with equal texts; a text with several readings keeps its GPUs together without naming the affinity."""
    groups: dict[tuple[str | None, str | None, str | None], list[int]] = {}
    for gpu, column in enumerate(matrix.accelerators):
        affinity = matrix.affinity.get(matrix.names[column])
        key = (
            (None, None, None)
            if affinity is None
            else (affinity.known(NUMA_AFFINITY), affinity.known(CPU_AFFINITY), affinity.raw)
        )
        groups.setdefault(key, []).append(gpu)
    return tuple(NumaGroup(numa, cpu, tuple(gpus)) for (numa, cpu, _), gpus in groups.items())


def _gpu_numa_ids(matrix: DeviceMatrix) -> tuple[str | None, ...] | None:
    texts = [matrix.affinity.get(matrix.names[column]) for column in matrix.accelerators]
    printed = GPU_NUMA_ID in matrix.titles or any(text and GPU_NUMA_ID in text.texts for text in texts)
    return tuple(text.known(GPU_NUMA_ID) if text else None for text in texts) if printed else None


def _nearest_nics(matrix: DeviceMatrix) -> dict[int, NearestNic]:
    nearest: dict[int, NearestNic] = {}
    for gpu, row in enumerate(matrix.accelerators):
        cells = [(column, _to_nic(matrix, row, column)) for column in matrix.network_cards]
        known = [(column, cell) for column, cell in cells if cell is not None]
        if not known:
            continue
        best = min(cell_rank(cell) for _, cell in known)
        same = [(matrix.names[column], cell) for column, cell in known if cell_rank(cell) == best]
        nearest[gpu] = NearestNic(same[0][1], tuple(name for name, _ in same))
    return nearest


def _to_nic(matrix: DeviceMatrix, gpu: int, nic: int) -> str | None:
    """The cell in the GPU's own row; the card's row tells it where the GPU's row is damaged."""
    cell = matrix.cells[gpu][nic]
    return matrix.cells[nic][gpu] if cell is None else cell


def _uneven_nvlink(matrix: DeviceMatrix, links: Sequence[Link]) -> list[TopologyWarning]:
    totals = [0] * len(matrix.accelerators)
    for first, second, cell in links:
        count = nvlink_count(cell) if cell else 0
        totals[first] += count
        totals[second] += count
    most = max(totals, default=0)
    return [
        TopologyWarning("uneven_nvlink", matrix.names[column])
        for column, total in zip(matrix.accelerators, totals, strict=True)
        if 0 < total < most
    ]

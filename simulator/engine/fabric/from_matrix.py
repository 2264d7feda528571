"""From a device matrix to a machine: NUMA nodes, a PCIe tree that explains the cells, NVLink groups.

A matrix tells less than the machine has: NV# hides the PCIe distance, sockets are not printed. What no tree can
express is kept as printed cells, so that the matrix of the result is the one that was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from simulator.engine.fabric.accelerators import accelerator
from simulator.engine.fabric.cells import HCCS, PHB, PIX, PXB, SYS, crosses_sockets, is_pcie, joins_island, nvlink_count
from simulator.engine.fabric.cells import worse_cell as worse
from simulator.engine.fabric.distance import tree_cell
from simulator.engine.fabric.partition import connected_groups
from simulator.engine.fabric.shape import Bridge, Gpu, HostShape, Nic, NumaNode, Pair, Switched

_MAX_NVLINKS = 18


@dataclass(frozen=True, slots=True)
class MatrixFacts:
    """A device matrix: GPUs first, then cards; `numa` and `cpus` per GPU as printed, None where there is none."""

    gpus: int
    nics: tuple[str, ...]
    cells: tuple[tuple[str | None, ...], ...]
    numa: tuple[str | None, ...]
    cpus: tuple[str | None, ...]
    nic_devices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd about the machine itself: code and the devices it is about.

    unknown_pair (no cell, taken as SYS) · numa_from_cells (the affinity columns contradict the cells or are absent) ·
    gpu_off_fabric (no NVLink, all others are linked with each other) · uneven_links (fewer NVLinks than the others).
    """

    code: str
    devices: tuple[str, ...]


def shape_from_matrix(
    name: str, facts: MatrixFacts, *, model: str = "", nic_link: str = "ib-ndr", cpu_link: str = "cpu-skylake"
) -> tuple[HostShape, tuple[Finding, ...]]:
    """The machine of a matrix. `model` is the accelerator's id; without it only the link kind is guessed."""
    names = [f"GPU{index}" for index in range(facts.gpus)] + list(facts.nics)
    cells, findings = _symmetric(facts, names)
    places, nodes, numa_findings = _numa(facts, cells, names)
    bridges, device_bridges = _tree(cells, places)
    gpus = tuple(Gpu(index, model or "unknown", device_bridges[index]) for index in range(facts.gpus))
    devices = facts.nic_devices or ("",) * len(facts.nics)
    nics = tuple(
        Nic(index, nic_link, device_bridges[facts.gpus + index], device, name=_own_name(index, label))
        for index, (label, device) in enumerate(zip(facts.nics, devices, strict=True))
    )
    pairs, switched = _nvlinks(cells, facts.gpus, model)
    shape = HostShape(name, nodes, bridges, gpus, nics, pairs, switched, accelerator(model).chip.pcie, cpu_link)
    shape = replace(shape, printed=_not_in_tree(shape, cells, names))
    return shape, (*findings, *numa_findings, *_link_findings(cells, facts.gpus, names))


def _own_name(index: int, label: str) -> str:
    return "" if label == f"NIC{index}" else label


def _symmetric(facts: MatrixFacts, names: Sequence[str]) -> tuple[list[list[str]], list[Finding]]:
    size = len(names)
    cells = [["X"] * size for _ in range(size)]
    findings: list[Finding] = []
    for first in range(size):
        for second in range(first + 1, size):
            here, there = facts.cells[first][second], facts.cells[second][first]
            if here is None and there is None:
                findings.append(Finding("unknown_pair", (names[first], names[second])))
            known = worse(here or there or SYS, there or here or SYS)
            cells[first][second] = cells[second][first] = known
    return cells, findings


def _numa(
    facts: MatrixFacts, cells: list[list[str]], names: Sequence[str]
) -> tuple[list[int], tuple[NumaNode, ...], list[Finding]]:
    """NUMA node of every device, the nodes, and whether the cells had to tell them."""
    printed = [_plain_number(text) for text in facts.numa]
    findings: list[Finding] = []
    by_gpu: list[int]
    if facts.gpus and all(number is not None for number in printed):
        by_gpu = [number for number in printed if number is not None]
    else:
        groups = _gpu_groups(facts, cells)
        by_gpu = [0] * facts.gpus
        for index, group in enumerate(groups):
            for gpu in group:
                by_gpu[gpu] = index
        findings.append(Finding("numa_from_cells", tuple(names[: facts.gpus])))
    places = by_gpu + _nic_places(facts, cells, by_gpu)
    cpus: dict[int, str] = {}
    for gpu, place in enumerate(by_gpu):
        cpus.setdefault(place, facts.cpus[gpu] or "")
    ids = sorted(dict.fromkeys(places)) or [0]
    two_halves = len(ids) > 2
    nodes = tuple(
        NumaNode(node, cpus.get(node, ""), index * 2 // len(ids) if two_halves else index)
        for index, node in enumerate(ids)
    )
    return places, nodes, findings


def _plain_number(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\d{1,3}", text) else None


def _gpu_groups(facts: MatrixFacts, cells: list[list[str]]) -> list[list[int]]:
    """Without NUMA numbers: GPUs with the same CPUs, unless the cells say that such GPUs are on different sockets."""
    size = facts.gpus
    same_cpus = [
        (first, second)
        for first in range(size)
        for second in range(first + 1, size)
        if facts.cpus[first] == facts.cpus[second]
    ]
    if not any(crosses_sockets(cells[first][second]) for first, second in same_cpus):
        return connected_groups(size, same_cpus)
    near = [pair for pair in _pairs(len(cells)) if _is_near(cells[pair[0]][pair[1]])]
    return [[gpu for gpu in group if gpu < size] for group in connected_groups(len(cells), near) if group[0] < size]


def _pairs(size: int) -> Iterable[tuple[int, int]]:
    return ((first, second) for first in range(size) for second in range(first + 1, size))


def _is_near(cell: str) -> bool:
    return is_pcie(cell) and not crosses_sockets(cell)


def _nic_places(facts: MatrixFacts, cells: list[list[str]], by_gpu: list[int]) -> list[int]:
    """A card is on the node of a GPU it is near to; cards near to no GPU share nodes of their own."""
    first_nic, size = facts.gpus, len(cells)
    near = [
        (first - first_nic, second - first_nic)
        for first, second in _pairs(size)
        if first >= first_nic and _is_near(cells[first][second])
    ]
    places = [-1] * (size - first_nic)
    free = max(by_gpu, default=-1) + 1
    for group in connected_groups(size - first_nic, near):
        gpus = [gpu for nic in group for gpu in range(first_nic) if _is_near(cells[first_nic + nic][gpu])]
        for nic in group:
            own = [gpu for gpu in range(first_nic) if _is_near(cells[first_nic + nic][gpu])]
            places[nic] = by_gpu[(own or gpus)[0]] if gpus else free
        free += 0 if gpus else 1
    return places


def _tree(cells: list[list[str]], places: list[int]) -> tuple[tuple[Bridge, ...], list[str]]:
    """Host bridges from PHB groups, upper switches from PXB groups, switches from PIX groups (unions: "at least")."""
    bridges: list[Bridge] = []
    of_device = [""] * len(cells)

    def add(kind: str, numa: int, parent: str | None) -> str:
        bridges.append(Bridge(f"{kind}{len(bridges)}", numa, parent))
        return bridges[-1].id

    for root in _groups(cells, range(len(cells)), (PIX, PXB, PHB), places):
        bridge = add("bridge", places[root[0]], None)
        for upper in _groups(cells, root, (PIX, PXB), places):
            leaves = _groups(cells, upper, (PIX,), places)
            above = add("switch", places[root[0]], bridge) if len(leaves) > 1 else bridge
            for leaf in leaves:
                is_switch = len(leaf) > 1 or len(leaves) > 1
                slot = add("switch", places[root[0]], above) if is_switch else above
                for device in leaf:
                    of_device[device] = slot
    return tuple(bridges), of_device


def _groups(
    cells: list[list[str]], members: Sequence[int], near: tuple[str, ...], places: list[int]
) -> list[list[int]]:
    order = list(members)
    joined = [
        (first, second)
        for first, second in _pairs(len(order))
        if cells[order[first]][order[second]] in near and places[order[first]] == places[order[second]]
    ]
    return [[order[index] for index in group] for group in connected_groups(len(order), joined)]


def _nvlinks(cells: list[list[str]], gpus: int, model: str) -> tuple[tuple[Pair, ...], tuple[Switched, ...]]:
    linked = [(first, second) for first, second in _pairs(gpus) if joins_island(cells[first][second])]
    counts = {pair: nvlink_count(cells[pair[0]][pair[1]]) for pair in linked}
    most = _most_links(counts, gpus)
    kind = accelerator(model).chip.link if model and accelerator(model).links else _guessed_kind(most)
    budget = accelerator(model).links or _MAX_NVLINKS
    pairs: list[Pair] = []
    switched: list[Switched] = []
    for island in connected_groups(gpus, linked):
        group = _switch_group(island, counts, budget)
        if group is not None:
            switched.append(Switched(tuple(island), group, kind))
            continue
        for first, second in linked:
            if first in island:
                is_hccs = cells[first][second].startswith(HCCS)
                links, link = (1, "hccs") if is_hccs else (counts[first, second] or 1, kind)
                pairs.append(Pair(first, second, links, link))
    return tuple(pairs), tuple(switched)


def _switch_group(island: list[int], counts: dict[tuple[int, int], int], budget: int) -> tuple[int, ...] | None:
    """Links of every GPU into a switch if a switch explains the island: all-to-all, each pair the smaller of its two
    GPUs' links, and more links in sum than a GPU has.
    """
    if len(island) < 3:
        return None
    of_pair = {
        pair: counts.get(pair, 0)
        for index, first in enumerate(island)
        for pair in ((first, o) for o in island[index + 1 :])
    }
    links = tuple(max(count for pair, count in of_pair.items() if gpu in pair) for gpu in island)
    by_gpu = dict(zip(island, links, strict=True))
    explained = all(count and count == min(by_gpu[first], by_gpu[second]) for (first, second), count in of_pair.items())
    total = max(sum(count for pair, count in of_pair.items() if gpu in pair) for gpu in island)
    return links if explained and total > budget else None


def _most_links(counts: dict[tuple[int, int], int], gpus: int) -> int:
    largest = max(counts.values(), default=0)
    sums = [sum(count for pair, count in counts.items() if gpu in pair) for gpu in range(gpus)]
    return max([largest, *(total for total in sums if total <= _MAX_NVLINKS)], default=0)


def _guessed_kind(links: int) -> str:
    """18 links are NVLink 4, 7 to 17 NVLink 3, 5 or 6 NVLink 2, up to 4 a bridge of a workstation card."""
    if links >= _MAX_NVLINKS:
        return "nvlink-4"
    return "nvlink-3" if links > 6 else "nvlink-2" if links > 4 else "nvlink-3-ga102"


def _not_in_tree(shape: HostShape, cells: list[list[str]], names: Sequence[str]) -> dict[tuple[str, str], str]:
    """PCIe cells that the tree does not give."""
    return {
        (names[first], names[second]): cells[first][second]
        for first, second in _pairs(len(names))
        if is_pcie(cells[first][second]) and tree_cell(shape, names[first], names[second]) != cells[first][second]
    }


def _link_findings(cells: list[list[str]], gpus: int, names: Sequence[str]) -> list[Finding]:
    linked = [(first, second) for first, second in _pairs(gpus) if joins_island(cells[first][second])]
    totals = [sum(nvlink_count(cells[gpu][other]) for other in range(gpus) if other != gpu) for gpu in range(gpus)]
    alone = [gpu for gpu in range(gpus) if not any(gpu in pair for pair in linked)]
    findings: list[Finding] = []
    others = gpus - len(alone)
    if len(alone) == 1 and others >= 3 and len(linked) == others * (others - 1) // 2:
        findings.append(Finding("gpu_off_fabric", (names[alone[0]],)))
    fewer = [gpu for gpu in range(gpus) if 0 < totals[gpu] < max(totals, default=0)]
    if fewer:
        findings.append(Finding("uneven_links", tuple(names[gpu] for gpu in fewer)))
    return findings

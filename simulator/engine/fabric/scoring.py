"""Topology-aware scores for the next Pod of a group on many nodes at once.

For every candidate: the bus bandwidth of the group if the Pod went there and the rest came as near as the free GPUs
allow. The chapter's order (same node > same NVSwitch domain > same NUMA) breaks ties, and both orders are returned,
because they do not always agree. Not an upstream plugin: this course's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulator.engine.fabric.allocation import BEST_EFFORT
from simulator.engine.fabric.fabric import Fabric, unit_of
from simulator.engine.fabric.placement import network_path
from simulator.engine.fabric.scoring_host import HostFigures, host_figures, placed_figures
from simulator.engine.fabric.shape import HostShape

MAX_SCORE: Final = 100

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GroupPod:
    """The Pod to place: its GPUs, the GPUs of its whole group, and how its node picks devices."""

    gpus: int
    group: int
    policy: str = BEST_EFFORT


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two hosts that the orders rank differently: bandwidth prefers the first, the chapter's order the second."""

    by_bandwidth: str
    by_chapter: str


@dataclass(frozen=True)
class PlacementScores:
    """Scores of candidates, all in their order.

    `bandwidth` GB/s per direction of the group (inf = nothing is sent, -1 = the Pod does not fit); `chapter` the GPUs
    of the group on the same node, in the same NVSwitch domain, on the same NUMA node; `gpus` what the Pod would get;
    `scores` 0 to 100 by rank in the bandwidth order with the chapter's order as tie-break.
    """

    hosts: tuple[str, ...]
    bandwidth: Floats
    chapter: Ids
    gpus: tuple[tuple[int, ...] | None, ...]
    scores: Ids
    bandwidth_order: tuple[int, ...]
    chapter_order: tuple[int, ...]

    def disagreements(self, limit: int = 20) -> list[Disagreement]:
        """Pairs of hosts, one for each pair of distinct figures, that the two orders rank the other way round."""
        kinds: dict[tuple[float, tuple[int, ...]], int] = {}
        for index in self.bandwidth_order:
            if self.gpus[index] is not None:
                figures = float(self.bandwidth[index]), tuple(int(value) for value in self.chapter[index])
                kinds.setdefault(figures, index)
        found = [
            Disagreement(self.hosts[index], self.hosts[other])
            for (width, near), index in kinds.items()
            for (other_width, other_near), other in kinds.items()
            if width > other_width and near < other_near
        ]
        return found[:limit]


class FabricIndex:
    """A fabric as columns by host, made once and used for many scores.

    `policies`: how nodes pick devices, by name, where that is not what the Pod to place says.
    """

    def __init__(self, fabric: Fabric, policies: Mapping[str, str] | None = None) -> None:
        self.fabric = fabric
        self._policies = policies or {}
        self.hosts = tuple(host.name for host in fabric.hosts)
        self.row = {name: index for index, name in enumerate(self.hosts)}
        self.units = _numbered([unit_of(host) for host in fabric.hosts])
        self.spans_hosts = np.array([bool(host.nvlink_domain and host.shape.switched) for host in fabric.hosts])
        paths = [network_path(fabric, host) for host in fabric.hosts]
        self.depth = max(map(len, paths), default=0)
        self.tiers = np.full((self.depth, len(paths)), -1, dtype=np.int64)
        self.ratios = np.ones((self.depth, len(paths)))
        for level in range(self.depth):
            self.tiers[level] = _numbered([path[level][0] if level < len(path) else None for path in paths])
            self.ratios[level] = [path[level][1] if level < len(path) else 1.0 for path in paths]
        self._figures: dict[tuple[HostShape, tuple[int, ...], tuple[int, ...], GroupPod], HostFigures] = {}

    def figures(self, row: int, free: tuple[int, ...], held: tuple[int, ...], pod: GroupPod) -> HostFigures:
        """Figures of a host, computed once for all hosts that look the same."""
        shape = self.fabric.hosts[row].shape
        policy = self._policies.get(self.hosts[row], pod.policy)
        if policy != pod.policy:
            pod = replace(pod, policy=policy)
        key = (shape, free, held, pod)
        known = self._figures.get(key)
        if known is None:
            known = self._figures[key] = host_figures(shape, free, held, pod.gpus, group=pod.group, policy=pod.policy)
        return known


def score_placements(
    index: FabricIndex,
    candidates: Sequence[str],
    free: Mapping[str, Sequence[int]],
    placed: Mapping[str, Sequence[int]],
    pod: GroupPod,
) -> PlacementScores:
    """Scores of `candidates` for the next Pod of a group.

    `free` are healthy free GPUs by host (of all hosts, not only candidates), `placed` the group's GPUs so far.
    Raises KeyError for an unknown host.
    """
    held = {name: tuple(sorted(gpus)) for name, gpus in placed.items() if gpus}
    rows = np.array([index.row[name] for name in candidates], dtype=np.int64)
    figures = [
        index.figures(row, tuple(free.get(name, ())), held.get(name, ()), pod)
        for name, row in zip(candidates, rows.tolist(), strict=True)
    ]
    counts = np.array([len(free.get(name, ())) for name in index.hosts], dtype=np.int64)
    bandwidth = _Estimate(index, held, counts, pod).bandwidth(rows, figures)
    chapter = _chapter_keys(index, rows, held, figures)
    fits = np.array([figure.gpus is not None for figure in figures], dtype=np.bool_)
    bandwidth[~fits] = -1.0
    chapter[~fits] = -1
    near_keys = tuple(-chapter.T[::-1])
    by_bandwidth = np.lexsort((*near_keys, -bandwidth))
    by_chapter = np.lexsort((-bandwidth, *near_keys))
    return PlacementScores(
        hosts=tuple(candidates),
        bandwidth=bandwidth,
        chapter=chapter,
        gpus=tuple(figure.gpus for figure in figures),
        scores=_ranks(bandwidth, chapter, by_bandwidth),
        bandwidth_order=tuple(by_bandwidth.tolist()),
        chapter_order=tuple(by_chapter.tolist()),
    )


class _Estimate:
    """The group's bandwidth for each candidate: what is placed, the Pod, and the rest as near as free GPUs allow."""

    def __init__(self, index: FabricIndex, held: Mapping[str, tuple[int, ...]], free: Ids, pod: GroupPod) -> None:
        self._index, self._free, self._pod = index, free, pod
        self._rows = [index.row[name] for name in held]
        self._missing = max(0, pod.group - pod.gpus - sum(len(gpus) for gpus in held.values()))
        shapes = [index.fabric.hosts[row].shape for row in self._rows]
        self._placed = [placed_figures(shape, gpus) for shape, gpus in zip(shapes, held.values(), strict=True)]
        self._place = {row: position for position, row in enumerate(self._rows)}

    def bandwidth(self, rows: Ids, figures: Sequence[HostFigures]) -> Floats:
        """From near to far: the first reach that holds the whole group decides."""
        index, units = self._index, self._index.units
        best = np.full(len(rows), -1.0)
        on_host = self._joined(np.arange(len(units)), rows) & (self._free[rows] - self._pod.gpus >= self._missing)
        group_intra = np.array([figure.group_intra for figure in figures])
        _decide(best, on_host, group_intra)
        in_unit = self._joined(units, rows) & self._has_room(units, rows) & index.spans_hosts[rows]
        switch = min((figure.switch for figure in self._placed), default=float("inf"))
        _decide(best, in_unit, np.minimum(switch, np.array([figure.switch for figure in figures])))
        inside, cards = self._limits(rows, figures)
        for level in range(index.depth):
            tier = index.tiers[level]
            reached = self._joined(tier, rows) & (tier[rows] >= 0) & self._has_room(tier, rows)
            ratio = np.maximum(index.ratios[level][rows], max(index.ratios[level][self._rows], default=1.0))
            _decide(best, reached, np.minimum(inside, cards / ratio))
        _decide(best, np.ones(len(rows), dtype=np.bool_), np.minimum(inside, cards))
        return best

    def _joined(self, ids: Ids, rows: Ids) -> Flags:
        """Whether everything placed has the same id as the candidate."""
        placed = ids[self._rows]
        if len(placed) == 0:
            return np.ones(len(rows), dtype=np.bool_)
        together = bool((placed == placed[0]).all())
        same: Flags = ids[rows] == placed[0]
        return same & together

    def _has_room(self, ids: Ids, rows: Ids) -> Flags:
        """Whether the free GPUs with the candidate's id hold the rest of the group."""
        sums = np.zeros(int(ids.max(initial=-1)) + 2, dtype=np.int64)
        np.add.at(sums, ids + 1, self._free)
        enough: Flags = sums[ids[rows] + 1] - self._pod.gpus >= self._missing
        return enough

    def _limits(self, rows: Ids, figures: Sequence[HostFigures]) -> tuple[Floats, Floats]:
        """Bandwidth inside the NVLink units and of their cards, over everything placed and the candidate.

        Candidates that look the same and are in no unit of the group share one answer.
        """
        held_units = dict.fromkeys(self._index.units[self._rows].tolist())
        answers: dict[tuple[int, int | None, int | None], tuple[float, float]] = {}
        found: list[tuple[float, float]] = []
        for row, unit, figure in zip(rows.tolist(), self._index.units[rows].tolist(), figures, strict=True):
            key = (id(figure), row if row in self._place else None, unit if unit in held_units else None)
            if key not in answers:
                answers[key] = self._limit(row, unit, figure)
            found.append(answers[key])
        return np.array([inside for inside, _ in found]), np.array([cards for _, cards in found])

    def _limit(self, row: int, unit: int, figure: HostFigures) -> tuple[float, float]:
        members: dict[int, list[tuple[float, float, float]]] = {
            unit: [(figure.intra, figure.switch, figure.all_cards if self._missing else figure.cards)]
        }
        for position, place in enumerate(self._rows):
            if place != row:
                old = self._placed[position]
                members.setdefault(int(self._index.units[place]), []).append((old.intra, old.switch, old.cards))
        inside = min(_inside(hosts) for hosts in members.values())
        return inside, min(sum(cards for _, _, cards in hosts) for hosts in members.values())


def _inside(hosts: Sequence[tuple[float, float, float]]) -> float:
    """Of one NVLink unit: the host's own bandwidth, over several hosts that of their links into the switch."""
    return hosts[0][0] if len(hosts) == 1 else min(switch for _, switch, _ in hosts)


def _decide(best: Floats, reached: Flags, width: Floats) -> None:
    undecided = (best < 0) & reached
    best[undecided] = width[undecided]


def _chapter_keys(
    index: FabricIndex, rows: Ids, held: Mapping[str, tuple[int, ...]], figures: Sequence[HostFigures]
) -> Ids:
    per_host = np.zeros(len(index.hosts), dtype=np.int64)
    for name, gpus in held.items():
        per_host[index.row[name]] = len(gpus)
    per_unit = np.zeros(int(index.units.max(initial=0)) + 1, dtype=np.int64)
    np.add.at(per_unit, index.units, per_host)
    near = np.array([figure.near_numa for figure in figures], dtype=np.int64)
    return np.stack([per_host[rows], per_unit[index.units[rows]], near], axis=1)


def _ranks(bandwidth: Floats, chapter: Ids, order: Ids) -> Ids:
    """100 for the best, 0 for the worst distinct figures, in equal steps; equal figures get equal scores."""
    same_width = bandwidth[order][1:] == bandwidth[order][:-1]
    same_keys = (chapter[order][1:] == chapter[order][:-1]).all(axis=1)
    steps = np.cumsum(~(same_width & same_keys))
    ranks = np.zeros(len(order), dtype=np.int64)
    ranks[order[1:]] = steps
    last = int(ranks.max(initial=0))
    return (last - ranks) * MAX_SCORE // last if last else np.full(len(order), MAX_SCORE, dtype=np.int64)


def _numbered(values: Sequence[object]) -> Ids:
    """Small numbers for equal values in the order of their first appearance, -1 for None."""
    numbers: dict[object, int] = {}
    return np.array(
        [-1 if value is None else numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64
    )

"""GPUFabricScore: bring the GPUs of one job as near to each other as the fabric allows.

Decides: Score by the bus bandwidth the job would have if the Pod went there and the rest came as near as the free GPUs
allow; among equals by the chapter's order: GPUs of the job on the same node, in the same NVSwitch domain, on the same
NUMA node. 100 for the best, 0 for the worst of the different nodes, equal steps between.
Kubernetes counterpart: not upstream, this course's own; in no default profile, to be enabled by name. Args groupLabel
(the label that names a job's Pods without a pod group; scheduling.x-k8s.io/pod-group by default).
Simplified here: every Pod of a job asks for as many GPUs as this one; NUMA policies of kubelets are not foreseen.
Reads: NodeFabric and NetworkSwitch objects, node labels, devices of the Pods on all nodes. Writes: nothing.
Wakes on: nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.fabric.scoring import GroupPod, PlacementScores, score_placements
from simulator.engine.framework.facts import Formula
from simulator.engine.framework.plugin import CycleState, Handle, PreScorePlugin, ScorePlugin
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import SKIP, SUCCESS, Scores, Status
from simulator.engine.objects.pod import Pod
from simulator.engine.plugins.fabric_view import FabricView, gpus_wanted, placements
from simulator.engine.plugins.pod_teams import DEFAULT_LABEL, Teams

MOST_DISAGREEMENTS = 5


@dataclass(frozen=True, slots=True)
class _Scored:
    """`names` are the feasible nodes, `at` their places among the candidates of `scores` (-1: a node without GPUs)."""

    scores: PlacementScores
    at: tuple[int, ...]
    group: int
    placed: int


class GPUFabricScore(PreScorePlugin, ScorePlugin):
    name: ClassVar[str] = "GPUFabricScore"

    def __init__(self, args: Any, handle: Handle) -> None:
        super().__init__(args, handle)
        self._view = FabricView(handle.cluster, handle.objects)
        self._teams = Teams(handle, args)

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> str:
        """The label that names a job's Pods."""
        check = Checker(root)
        check.mapping((), args, {"groupLabel": str})
        check.raise_problems()
        return args.get("groupLabel") or DEFAULT_LABEL

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        wanted = gpus_wanted(pod.shape)
        team = self._teams.key(pod.shape)
        group = wanted * (self._teams.size(team) if team else 1)
        if group < 2:
            return SKIP
        self._view.refresh()
        names = [node.name for node in rows.nodes]
        candidates = [name for name in names if name in self._view.machines]
        if not candidates:
            return SKIP
        placed = placements(self._view, self._teams.placed(team)) if team else {}
        wish = GroupPod(wanted, max(group, wanted))
        scores = score_placements(self._view.index, candidates, self._view.free, placed, wish)
        place = {name: index for index, name in enumerate(candidates)}
        at = tuple(place.get(name, -1) for name in names)
        state.data[self.name] = _Scored(scores, at, wish.group, sum(map(len, placed.values())))
        return SUCCESS

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        found: _Scored = state.data[self.name]
        return np.array([found.scores.scores[index] if index >= 0 else 0 for index in found.at], dtype=np.int64)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        found: _Scored = state.data[self.name]
        index, node = found.at[position], rows.nodes[position].name
        if index < 0:
            return Formula.of("gpu_fabric_score.no_gpus", 0, node=node)
        return _formula(found, index, node)


def _formula(found: _Scored, index: int, node: str) -> Formula:
    scores = found.scores
    keys = [_key(scores, place) for place in range(len(scores.hosts))]
    ranks = sorted(dict.fromkeys(keys), reverse=True)
    by_chapter = sorted(dict.fromkeys((key[1], key[0]) for key in keys), reverse=True)
    width, near = keys[index]
    return Formula.of(
        "gpu_fabric_score.rank",
        scores.scores[index],
        node=node,
        gpus=None if scores.gpus[index] is None else list(scores.gpus[index] or ()),
        group=found.group,
        placed=found.placed,
        bandwidth=_number(width),
        same_node=near[0],
        same_domain=near[1],
        same_numa=near[2],
        rank=ranks.index((width, near)) + 1,
        ranks=len(ranks),
        chapter_rank=by_chapter.index((near, width)) + 1,
        first_by_bandwidth=scores.hosts[scores.bandwidth_order[0]],
        first_by_chapter=scores.hosts[scores.chapter_order[0]],
        disagreements=[[item.by_bandwidth, item.by_chapter] for item in scores.disagreements(MOST_DISAGREEMENTS)],
    )


def _key(scores: PlacementScores, index: int) -> tuple[float, tuple[int, ...]]:
    return float(scores.bandwidth[index]), tuple(int(value) for value in scores.chapter[index])


def _number(width: float) -> float | None:
    """GB/s, None for a job that sends nothing or a Pod that does not fit."""
    return width if 0 <= width < float("inf") else None

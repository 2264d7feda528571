"""NodeResourcesFit: the requested resources must be free; scoring prefers emptier, fuller or suitably filled nodes.

Decides: Filter by Pod slots, cpu, memory, ephemeral storage and extended resources; Score by the scoring strategy
(LeastAllocated, MostAllocated or RequestedToCapacityRatio).
Kubernetes counterpart: kube-scheduler 1.36 NodeResourcesFit, weight 1; args ignoredResources, ignoredResourceGroups,
scoringStrategy.
Simplified here: extended resources that a DeviceClass maps are not left to DynamicResources.
Reads: node allocatable, requests of the Pods on the node, pod requests. Writes: nothing.
Wakes on: an assigned Pod deleted or scaled down; node added or its allocatable changed so that the empty node would
fit.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import MOST_NAMES, Fact, Formula
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PlacementScorePlugin,
    PreFilterPlugin,
    PreFilterResult,
    PreScorePlugin,
    ProposedPlacement,
    Reads,
    ScorePlugin,
)
from simulator.engine.framework.shape_check import Path
from simulator.engine.framework.status import SUCCESS, Code, Reason, Scores, Status, Verdicts
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY, is_extended_resource, is_scalar_resource
from simulator.engine.plugins.resource_strategies import (
    FitArgs,
    read_fit_args,
    strategy_formula,
    strategy_score,
    used_for_scoring,
)

_NATIVE = (CPU, MEMORY, EPHEMERAL_STORAGE)
_TOO_MANY = Reason("node_resources_fit.too_many_pods")


class NodeResourcesFit(PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin, PlacementScorePlugin):
    name = "NodeResourcesFit"
    filter_reads = Reads.NODE | Reads.USAGE
    without_pre_filter = "node_resources_fit.no_state"
    score_reads = Reads.NODE | Reads.USAGE
    args: FitArgs

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> FitArgs:
        return read_fit_args(args, root)

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        return PreFilterResult()

    def wanted(self, shape: PodShape) -> dict[str, int]:
        """Positive requests that Filter checks, in the order of its reasons."""
        return {name: amount for name, amount in _positive(shape).items() if not self._is_ignored(name)}

    def _is_ignored(self, name: str) -> bool:
        if not is_extended_resource(name):
            return False
        return name in self.args.ignored_resources or name.partition("/")[0] in self.args.ignored_groups

    def filter_key(self, shape: PodShape) -> Hashable:
        return tuple(self.wanted(shape).items())

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        too_many = rows.pod_count + 1 > rows.pod_slots
        wanted = self.wanted(pod.shape)
        reasons = (_TOO_MANY, *(Reason.of("node_resources_fit.insufficient", resource=name) for name in wanted))
        if not wanted:
            return Verdicts.where(too_many, Code.UNSCHEDULABLE, _TOO_MANY)
        allocatable, requested = rows.resources(list(wanted))
        amounts = np.array(list(wanted.values()), dtype=np.int64)[:, None]
        short = amounts > allocatable - requested
        bits = too_many | (short << np.arange(1, len(wanted) + 1)[:, None]).sum(axis=0)
        codes = (bits != 0).astype(np.int8) * np.int8(Code.UNSCHEDULABLE)
        codes[(short & (amounts > allocatable)).any(axis=0)] = Code.UNRESOLVABLE
        return Verdicts(codes, bits, reasons)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        count, slots = int(row.pod_count[0]), int(row.pod_slots[0])
        found = [Fact.of("node_resources_fit.pod_slots", count + 1 <= slots, pods=count, slots=slots)]
        for name, amount in self.wanted(pod.shape).items():
            allocatable, used = int(row.allocatable(name)[0]), int(row.requested(name)[0])
            found.append(
                Fact.of(
                    "node_resources_fit.resource",
                    amount <= allocatable - used,
                    resource=name,
                    requested=amount,
                    used=used,
                    allocatable=allocatable,
                    free=allocatable - used,
                    hopeless=amount > allocatable,
                    users=_largest_users(name, row.pods_on(0)),
                )
            )
        return found

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        return SUCCESS

    def score_key(self, shape: PodShape) -> Hashable:
        scoring = shape.requests.scoring
        return tuple(scoring.get(resource.name, 0) for resource in self.args.strategy.resources)

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        return strategy_score(self.args.strategy, pod.shape.requests.scoring, rows)

    def score_placements(self, group: str, proposals: Sequence[ProposedPlacement]) -> list[int]:
        return [self._placement_score(proposal) for proposal in proposals]

    def _placement_score(self, proposal: ProposedPlacement) -> int:
        """MostAllocated over the placement as a whole, whatever strategy the profile has for nodes."""
        cluster = self.handle.cluster
        rows = cluster.rows(sorted(cluster.nodes.row_of[name] for name in proposal.placement.nodes))
        total = weights = 0
        for resource in self.args.strategy.resources:
            asked = sum(pod.shape.requests.scoring.get(resource.name, 0) for pod, _ in proposal.pods)
            capacity = int(rows.allocatable(resource.name).sum())
            if capacity == 0 or (asked == 0 and is_scalar_resource(resource.name)):
                continue
            used = int(used_for_scoring(resource.name, rows).sum())
            total += min(used + asked, capacity) * 100 // capacity * resource.weight
            weights += resource.weight
        return total // weights if weights else 0

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        row = rows.subset(np.array([position]))
        return strategy_formula(self.args.strategy, pod.shape.requests.scoring, row)

    def events(self) -> Sequence[EventInterest]:
        allocatable = Action.ADD | Action.UPDATE_NODE_ALLOCATABLE
        return (
            EventInterest(ClusterEvent(POD, Action.DELETE | Action.UPDATE_POD_SCALE_DOWN), self._freed_resources),
            EventInterest(ClusterEvent(NODE, allocatable), self._more_room),
        )

    def _freed_resources(self, pod: Pod, old: Pod | None, new: Pod | None) -> Hint:
        if new is None:
            return Hint.QUEUE if old is not None and (old.node_name or old.nominated_node_name) else Hint.SKIP
        if new.uid == pod.uid:
            return Hint.QUEUE
        if old is None or not old.node_name:
            return Hint.SKIP
        before, after = old.shape.requests.on_node, new.shape.requests.on_node
        wanted = pod.shape.requests.incoming
        reduced = any(before.get(name, 0) > after.get(name, 0) for name, amount in wanted.items() if amount > 0)
        return Hint.QUEUE if reduced else Hint.SKIP

    def _more_room(self, pod: Pod, old: Node | None, new: Node) -> Hint:
        if not _fits_empty(pod.shape, new):
            return Hint.SKIP
        if old is None or new.pod_slots > old.pod_slots:
            return Hint.QUEUE
        grew = any(new.allocatable.get(name, 0) > old.allocatable.get(name, 0) for name in _positive(pod.shape))
        return Hint.QUEUE if grew else Hint.SKIP


def _positive(shape: PodShape) -> dict[str, int]:
    """What the Pod requests: cpu, memory, ephemeral storage, then scalars by name."""
    requests = shape.requests.incoming
    scalars = sorted(name for name in requests if name not in _NATIVE and name != "pods")
    return {name: requests[name] for name in (*_NATIVE, *scalars) if requests.get(name)}


def _fits_empty(shape: PodShape, node: Node) -> bool:
    """Whether the Pod would fit on the node without any other Pod. Resources to be ignored count here too."""
    if node.pod_slots < 1:
        return False
    return all(amount <= node.allocatable.get(name, 0) for name, amount in _positive(shape).items())


def _largest_users(resource: str, pods: Sequence[Pod]) -> list[tuple[str, int]]:
    """(key, amount) of the Pods that use most of a resource, most first."""
    amounts = ((pod.key, pod.shape.requests.on_node.get(resource, 0)) for pod in pods)
    return sorted((pair for pair in amounts if pair[1]), key=lambda pair: (-pair[1], pair[0]))[:MOST_NAMES]

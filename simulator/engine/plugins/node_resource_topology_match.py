"""NodeResourceTopologyMatch: keep Pods off nodes whose kubelet would turn them away for NUMA reasons.

Decides: Filter on nodes whose NodeResourceTopology says single-numa-node: every container (or, with scope pod, the Pod)
must fit in one zone. Score by what the zones have left, or by how few zones are needed.
Kubernetes counterpart: kubernetes-sigs/scheduler-plugins NodeResourceTopologyMatch; not in any default profile, to be
enabled by name. Args scoringStrategy (type, resources); cacheResyncPeriodSeconds, cache and discardReservedNodes are
accepted.
Simplified here: no over-reserving cache. Zones are as the last NodeResourceTopology object says, as with the cache off.
Reads: NodeResourceTopology objects, node allocatable, pod containers. Writes: nothing.
Wakes on: a Pod deleted; node added or its allocatable changed; NodeResourceTopology added or changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.fabric.numa_match import (
    CANNOT_ALIGN_CONTAINER,
    CANNOT_ALIGN_INIT,
    CANNOT_ALIGN_POD,
    LEAST_ALLOCATED,
    STRATEGIES,
    NumaPod,
    NumaScore,
    Step,
    numa_filter,
    numa_score,
    numa_steps,
    scored,
)
from simulator.engine.fabric.numa_zones import NodeZones, zones_from_object
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.plugin import CycleState, EventInterest, FilterPlugin, Handle, Manifest, ScorePlugin
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import Code, Reason, Scores, Verdicts
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.requests import CPU, MEMORY, amounts, quantities
from simulator.engine.objects.strategy import qos_class
from simulator.engine.plugins.resource_strategies import read_resources

KIND = "NodeResourceTopology"
_CODES = {
    CANNOT_ALIGN_INIT: "node_resource_topology_match.init_container",
    CANNOT_ALIGN_CONTAINER: "node_resource_topology_match.container",
    CANNOT_ALIGN_POD: "node_resource_topology_match.pod",
}
_REASONS = tuple(Reason(code) for code in _CODES.values())
_BITS = {text: 1 << index for index, text in enumerate(_CODES)}


@dataclass(frozen=True, slots=True)
class NumaArgs:
    """`weights` are those of the scoring strategy's resources; others count 1."""

    strategy: str = LEAST_ALLOCATED
    weights: Mapping[str, int] = field(default_factory=lambda: {CPU: 1, MEMORY: 1})


class NodeResourceTopologyMatch(FilterPlugin, ScorePlugin):
    name: ClassVar[str] = "NodeResourceTopologyMatch"
    args: NumaArgs

    def __init__(self, args: Any, handle: Handle) -> None:
        super().__init__(args, handle)
        self._zones: dict[str, tuple[Manifest, NodeZones]] = {}
        self._pods: dict[PodShape, NumaPod] = {}

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> NumaArgs:
        check = Checker(root)
        fields = {"scoringStrategy": dict, "cacheResyncPeriodSeconds": int, "cache": dict, "discardReservedNodes": bool}
        check.mapping((), args, fields)
        check.raise_problems()
        strategy, path = args.get("scoringStrategy") or {}, ("scoringStrategy",)
        kind, weights = LEAST_ALLOCATED, {CPU: 1, MEMORY: 1}
        if check.mapping(path, strategy, {"type": str, "resources": list}):
            kind = strategy.get("type") or LEAST_ALLOCATED
            resources = read_resources(check, (*path, "resources"), strategy.get("resources") or ())
            weights = {resource.name: resource.weight for resource in resources} or weights
        if kind not in STRATEGIES:
            check.unsupported((*path, "type"), kind, STRATEGIES, "config.strategy_type")
        check.raise_problems()
        return NumaArgs(kind, weights)

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        numa_pod = self._numa_pod(pod.shape)
        bits = np.zeros(len(rows), dtype=np.int64)
        for position, node in enumerate(rows.nodes):
            zones = self._zones_of(node)
            if zones is not None:
                failure = numa_filter(numa_pod, zones, list(node.allocatable))
                bits[position] = _BITS[failure] if failure else 0
        return Verdicts((bits != 0).astype(np.int8) * np.int8(Code.UNSCHEDULABLE), bits, _REASONS)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        node = row.nodes[0]
        numa_pod, zones = self._numa_pod(pod.shape), self._zones_of(node)
        steps = numa_steps(numa_pod, zones, list(node.allocatable))
        return [_fact(step, numa_pod, zones) for step in steps] if zones else []

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        numa_pod = self._numa_pod(pod.shape)
        found = [
            numa_score(numa_pod, self._zones_of(node), self.args.strategy, self.args.weights) for node in rows.nodes
        ]
        return np.array(found, dtype=np.int64)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        zones = self._zones_of(rows.nodes[position])
        found = scored(self._numa_pod(pod.shape), zones, self.args.strategy, self.args.weights)
        return _formula(found, self.args, zones)

    def _zones_of(self, node: Node) -> NodeZones | None:
        manifest = self.handle.objects.get(KIND, "", node.name)
        if manifest is None:
            return None
        known = self._zones.get(node.name)
        if known is None or known[0] is not manifest:
            known = self._zones[node.name] = (manifest, zones_from_object(manifest))
        return known[1]

    def _numa_pod(self, shape: PodShape) -> NumaPod:
        found = self._pods.get(shape)
        if found is None:
            found = self._pods[shape] = numa_pod_of(shape)
        return found

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(POD, Action.DELETE)),
            EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_ALLOCATABLE)),
            EventInterest(ClusterEvent(KIND, Action.ADD | Action.UPDATE)),
        )


def numa_pod_of(shape: PodShape) -> NumaPod:
    """What the plugin reads of a Pod."""
    spec = shape.spec
    return NumaPod(
        qos_class(spec),
        [_requests(container) for container in spec.get("containers") or ()],
        [_requests(container) for container in spec.get("initContainers") or ()],
        {name: amount for name, amount in shape.requests.incoming.items() if amount},
    )


def _requests(container: Manifest) -> dict[str, int]:
    return amounts(quantities((container.get("resources") or {}).get("requests")))


def _fact(step: Step, pod: NumaPod, zones: NodeZones) -> Fact:
    return Fact.of(
        _CODES[step.failure],
        step.zone is not None,
        index=step.index,
        qos=pod.qos,
        scope=zones.scope,
        request={name: amount for name, amount in step.request.items() if amount},
        zones=[{"id": zone.id, "available": dict(zone.available)} for zone in step.zones],
        zone=step.zone,
    )


def _formula(found: NumaScore, args: NumaArgs, zones: NodeZones | None) -> Formula:
    available = {zone.id: dict(zone.available) for zone in zones.zones} if zones else {}
    units = [
        {
            "request": dict(unit.request),
            "score": unit.score,
            "zones": [{"id": number, "score": score} for number, score in unit.zones],
            "needed": None if unit.needed is None else list(unit.needed),
            "nearest": unit.nearest,
        }
        for unit in found.units
    ]
    return Formula.of(
        "node_resource_topology_match.score",
        found.score,
        strategy=args.strategy,
        weights=dict(args.weights),
        without=found.without,
        units=units,
        available=available,
    )

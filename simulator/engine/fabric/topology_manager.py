"""The kubelet's Topology Manager: which NUMA nodes a container (or Pod) is put on, and whether it is admitted.

Hint providers (CPU manager, memory manager, device manager) say for every resource which sets of NUMA nodes could
serve the request and which of these are preferred (as narrow as an empty machine would allow). The hints are merged;
the policy decides. Source: kubelet 1.36 pkg/kubelet/cm/topologymanager (policy.go, policy_*.go, scope_*.go) and
devicemanager/topology_hints.go.

Simplified: CPUs and memory are taken from the lowest zones of the chosen set first; reusable devices of init
containers are not modelled (an init container's request counts, what it takes is given back).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from simulator.engine.fabric.numa_zones import (
    BEST_EFFORT,
    NONE,
    POD,
    RESTRICTED,
    SINGLE_NUMA_NODE,
    Amounts,
    NodeZones,
    Zone,
)
from simulator.engine.objects.requests import CPU, MEMORY

REJECTED: Final = "Resources cannot be allocated with Topology locality"
"""The kubelet's message; the Pod becomes Failed with reason TopologyAffinityError."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A set of NUMA nodes (ascending ids; None = any) that can serve, and whether it is a preferred one."""

    nodes: tuple[int, ...] | None
    preferred: bool


@dataclass(frozen=True)
class ContainerRequest:
    """What a container asks for. CPU counts only in whole CPUs of a Guaranteed Pod (static CPU manager)."""

    name: str
    amounts: Amounts


@dataclass(frozen=True)
class Alignment:
    """The merged hint for a container or a whole Pod, the hints it was merged from, and what was taken where."""

    name: str
    hint: Hint
    hints: Mapping[str, tuple[Hint, ...]]
    admitted: bool
    taken: Mapping[int, Amounts]


@dataclass(frozen=True)
class Admission:
    """The decision for a Pod; `zones` are the zones afterwards (unchanged when it is rejected)."""

    admitted: bool
    alignments: tuple[Alignment, ...]
    zones: NodeZones


def admit(
    zones: NodeZones, containers: Sequence[ContainerRequest], init: Sequence[ContainerRequest] = (), *, guaranteed: bool
) -> Admission:
    """Whether the kubelet admits a Pod, and which zones its containers take.

    Scope container decides container by container, each on what the ones before left; scope pod decides once for the
    sum (or a larger init container). Policy none admits what fits.
    """
    if zones.scope == POD:
        whole = _effective(containers, init)
        requests = [(ContainerRequest("", whole), True)]
    else:
        requests = [(request, False) for request in init] + [(request, True) for request in containers]
    state, alignments = zones, []
    for request, stays in requests:
        alignment = _align(state, request, guaranteed=guaranteed)
        alignments.append(alignment)
        if not alignment.admitted:
            return Admission(admitted=False, alignments=tuple(alignments), zones=zones)
        if stays:
            state = _taken(state, alignment.taken)
    return Admission(admitted=True, alignments=tuple(alignments), zones=state)


def resource_hints(zones: Sequence[Zone], resource: str, request: int) -> tuple[Hint, ...]:
    """All sets of NUMA nodes with enough of a resource free, in kubelet's order; preferred are those as narrow as the
    whole resource (free or not) would allow. () = not possible.
    """
    narrowest = len(zones)
    possible: list[tuple[int, ...]] = []
    for members in _masks(zones):
        if sum(zone.capacity.get(resource, 0) for zone in members) >= request:
            narrowest = min(narrowest, len(members))
        if sum(zone.available.get(resource, 0) for zone in members) >= request:
            possible.append(tuple(zone.id for zone in members))
    return tuple(Hint(nodes, len(nodes) == narrowest) for nodes in possible)


def merge_hints(policy: str, nodes: Sequence[int], hints: Sequence[Sequence[Hint]]) -> Hint:
    """The best combination of one hint per resource: the NUMA nodes they have in common.

    It is preferred if all hints are preferred and name the same nodes; the narrowest such one wins (lowest numbers of
    equals). Otherwise the widest that is no wider than the widest of the resources' own narrowest hints, else the
    narrowest. The kubelet tries every combination one by one; the best one does not depend on the order.
    """
    everything = tuple(nodes)
    filtered = [list(options) or [Hint(None, preferred=False)] for options in hints]
    if policy == SINGLE_NUMA_NODE:
        filtered = [[hint for hint in options if _is_single(hint)] for options in filtered]
    preferred = _preferred_sets(everything, filtered)
    if preferred:
        best = min(preferred, key=_narrowness)
        return Hint(None if policy == SINGLE_NUMA_NODE and best == everything else best, preferred=True)
    common = _common_sets(everything, filtered)
    if not common:
        return Hint(everything, preferred=False)
    target = max(_narrowest(options) for options in filtered)
    not_wider = [found for found in common if len(found) <= target]
    widest = max(map(len, not_wider), default=0)
    candidates = [found for found in not_wider if len(found) == widest] or common
    return Hint(min(candidates, key=_narrowness), preferred=False)


def is_admitted(policy: str, hint: Hint) -> bool:
    """restricted and single-numa-node admit preferred hints only."""
    return hint.preferred or policy in (NONE, BEST_EFFORT)


def _align(zones: NodeZones, request: ContainerRequest, *, guaranteed: bool) -> Alignment:
    counted = {name: value for name, value in request.amounts.items() if value and _is_counted(name, value, guaranteed)}
    known = [name for name in counted if any(name in zone.capacity for zone in zones.zones)]
    hints = {name: resource_hints(zones.zones, name, counted[name]) for name in known}
    fits = all(hints.values())
    if zones.policy == NONE:
        hint = Hint(None, preferred=True)
    else:
        hint = merge_hints(zones.policy, [zone.id for zone in zones.zones], list(hints.values()))
    admitted = fits and is_admitted(zones.policy, hint)
    taken = _take(zones, {name: counted[name] for name in known}, hint) if admitted else {}
    return Alignment(request.name, hint, hints, admitted, taken)


def _is_counted(name: str, value: int, guaranteed: bool) -> bool:
    """Exclusive CPUs and memory are for Guaranteed Pods only, CPUs in whole numbers; devices always count."""
    if name == CPU:
        return guaranteed and value % 1000 == 0
    if name == MEMORY or name.startswith("hugepages-"):
        return guaranteed
    return True


def _masks(zones: Sequence[Zone]) -> Iterator[tuple[Zone, ...]]:
    for size in range(1, len(zones) + 1):
        yield from combinations(zones, size)


def _is_single(hint: Hint) -> bool:
    return hint.preferred and (hint.nodes is None or len(hint.nodes) == 1)


def _narrowest(options: Sequence[Hint]) -> int:
    return min((len(hint.nodes) for hint in options if hint.nodes is not None), default=0)


def _preferred_sets(everything: tuple[int, ...], filtered: Sequence[Sequence[Hint]]) -> list[tuple[int, ...]]:
    """Sets that every resource prefers; a resource that prefers any set agrees with all."""
    sets: list[tuple[int, ...]] | None = None
    for options in filtered:
        liked = [hint.nodes for hint in options if hint.preferred]
        if None in liked:
            continue
        named = [nodes for nodes in liked if nodes is not None]
        sets = named if sets is None else [nodes for nodes in sets if nodes in named]
    if sets is not None:
        return sets
    return [everything] if all(any(hint.preferred for hint in options) for options in filtered) else []


def _common_sets(everything: tuple[int, ...], filtered: Sequence[Sequence[Hint]]) -> list[tuple[int, ...]]:
    """Every non-empty set of nodes that one hint of each resource have in common."""
    bit = {node: 1 << position for position, node in enumerate(everything)}
    reached = [(1 << len(everything)) - 1]
    for options in filtered:
        masks = [sum(bit[node] for node in hint.nodes) if hint.nodes is not None else -1 for hint in options]
        reached = list(dict.fromkeys(old & mask for old in reached for mask in masks))
    return [tuple(node for node in everything if mask & bit[node]) for mask in reached if mask]


def _narrowness(nodes: tuple[int, ...]) -> tuple[int, int]:
    """Fewer nodes first, of equally many the smaller bit mask."""
    return len(nodes), sum(1 << node for node in nodes)


def _take(zones: NodeZones, request: Amounts, hint: Hint) -> dict[int, Amounts]:
    """From the hinted zones in their order, then from the others."""
    chosen = [zone for zone in zones.zones if hint.nodes is None or zone.id in hint.nodes]
    others = [zone for zone in zones.zones if zone not in chosen]
    taken: dict[int, dict[str, int]] = {}
    for name, wanted in request.items():
        left = wanted
        for zone in [*chosen, *others]:
            part = min(left, zone.available.get(name, 0))
            if part:
                taken.setdefault(zone.id, {})[name] = part
                left -= part
    return dict(taken)


def _taken(zones: NodeZones, taken: Mapping[int, Amounts]) -> NodeZones:
    left = tuple(zone.minus(taken.get(zone.id, {})) for zone in zones.zones)
    return NodeZones(zones.node, left, zones.policy, zones.scope, zones.max_numa_nodes)


def _effective(containers: Sequence[ContainerRequest], init: Sequence[ContainerRequest]) -> dict[str, int]:
    total: dict[str, int] = {}
    for request in containers:
        for name, value in request.amounts.items():
            total[name] = total.get(name, 0) + value
    for request in init:
        for name, value in request.amounts.items():
            total[name] = max(total.get(name, 0), value)
    return total


__all__ = [
    "BEST_EFFORT",
    "NONE",
    "REJECTED",
    "RESTRICTED",
    "SINGLE_NUMA_NODE",
    "Admission",
    "Alignment",
    "ContainerRequest",
    "Hint",
    "admit",
    "is_admitted",
    "merge_hints",
    "resource_hints",
]

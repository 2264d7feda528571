"""NodeResourceTopologyMatch: does a Pod fit into single NUMA nodes, and how well.

Source: kubernetes-sigs/scheduler-plugins pkg/noderesourcetopology (filter.go, score.go, least_numa.go,
balanced_allocation.go), with its exact status texts and integer arithmetic.
Differs here: BalancedAllocation of a single resource is 100 (the original's sample variance of one value is no number).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from simulator.engine.fabric.numa_zones import MAX_NUMA_NODES, POD, SINGLE_NUMA_NODE, Amounts, NodeZones, Zone
from simulator.engine.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY

CANNOT_ALIGN_INIT: Final = "cannot align init container"
CANNOT_ALIGN_CONTAINER: Final = "cannot align container"
CANNOT_ALIGN_POD: Final = "cannot align pod"
INVALID_DATA: Final = "invalid node topology data"

LEAST_ALLOCATED: Final = "LeastAllocated"
MOST_ALLOCATED: Final = "MostAllocated"
BALANCED_ALLOCATION: Final = "BalancedAllocation"
LEAST_NUMA_NODES: Final = "LeastNUMANodes"
STRATEGIES: Final = (LEAST_ALLOCATED, MOST_ALLOCATED, BALANCED_ALLOCATION, LEAST_NUMA_NODES)

GUARANTEED: Final = "Guaranteed"
BURSTABLE: Final = "Burstable"
BEST_EFFORT: Final = "BestEffort"

MAX_SCORE: Final = 100
NUMA_STEP: Final = MAX_SCORE // MAX_NUMA_NODES
"""What LeastNUMANodes takes off for every zone needed."""

_UNKNOWN_DISTANCE: Final = 255


@dataclass(frozen=True)
class NumaPod:
    """What the plugin reads of a Pod: its quality of service, requests per container, and the Pod's whole request."""

    qos: str
    containers: Sequence[Amounts]
    init: Sequence[Amounts] = ()
    effective: Amounts = field(default_factory=dict)

    @property
    def has_devices(self) -> bool:
        """Whether a container asks for something else than CPU, memory and storage."""
        return any(not _is_native(name) for request in (*self.init, *self.containers) for name in request)

    @property
    def whole(self) -> Amounts:
        """The effective request: given, or the containers' sum against the largest init container."""
        return self.effective or effective_request(self.containers, self.init)


def effective_request(containers: Sequence[Amounts], init: Sequence[Amounts] = ()) -> dict[str, int]:
    """Sum of the containers, at least the largest init container, per resource."""
    total: dict[str, int] = {}
    for request in containers:
        for name, value in request.items():
            total[name] = total.get(name, 0) + value
    for request in init:
        for name, value in request.items():
            total[name] = max(total.get(name, 0), value)
    return total


@dataclass(frozen=True)
class Step:
    """One thing that needs a zone: a Pod as a whole or one of its containers; `zone` is the one it gets, None for no
    zone. `zones` are those before it.
    """

    failure: str
    index: int
    request: Amounts
    zones: tuple[Zone, ...]
    zone: int | None


def numa_filter(pod: NumaPod, zones: NodeZones | None, node_resources: Sequence[str]) -> str:
    """ "" if the node passes, else the status text. None (no data for the node) passes.

    `node_resources` are the names in the Node's allocatable: what is asked for and not there fails at once.
    """
    steps = numa_steps(pod, zones, node_resources)
    return next((step.failure for step in steps if step.zone is None), "")


def numa_steps(pod: NumaPod, zones: NodeZones | None, node_resources: Sequence[str]) -> list[Step]:
    """What Filter looks at, one after another, up to the first that has no zone; [] where it does not act."""
    if zones is None or zones.policy != SINGLE_NUMA_NODE or (pod.qos == BEST_EFFORT and not pod.has_devices):
        return []
    if zones.scope == POD:
        wanted = [(CANNOT_ALIGN_POD, 0, pod.whole)]
    else:
        wanted = [(CANNOT_ALIGN_INIT, index, request) for index, request in enumerate(pod.init)]
        wanted += [(CANNOT_ALIGN_CONTAINER, index, request) for index, request in enumerate(pod.containers)]
    steps: list[Step] = []
    left = zones.zones
    for failure, index, request in wanted:
        number = suitable_zone(left, request, pod.qos, node_resources)
        steps.append(Step(failure, index, request, left, number))
        if number is None:
            break
        if failure == CANNOT_ALIGN_CONTAINER:
            left = tuple(zone.minus(request) if zone.id == number else zone for zone in left)
    return steps


def suitable_zone(zones: Sequence[Zone], request: Amounts, qos: str, node_resources: Sequence[str]) -> int | None:
    """The lowest zone that has everything asked for; None if no zone has."""
    fitting = [zone.id for zone in zones]
    for name, value in request.items():
        if value == 0:
            continue
        if name not in node_resources:
            return None
        reporting = [zone for zone in zones if name in zone.available]
        if not reporting and (not _is_native(name) or name == EPHEMERAL_STORAGE):
            continue
        enough = [zone.id for zone in reporting if _is_enough(name, value, zone.available[name], qos)]
        fitting = [number for number in fitting if number in enough]
    return min(fitting, default=None)


@dataclass(frozen=True)
class UnitScore:
    """The score of a Pod as a whole or of one container: the score of every zone (0 = does not count), or the zones
    it needs (LeastNUMANodes; None = no combination has it) and whether they are as near to each other as any.
    """

    request: Amounts
    score: int = 0
    zones: tuple[tuple[int, int], ...] = ()
    needed: tuple[int, ...] | None = ()
    nearest: bool = True


@dataclass(frozen=True)
class NumaScore:
    """A node's score, why there is nothing to compare (or ""), and the units it was made from."""

    score: int
    without: str = ""
    units: tuple[UnitScore, ...] = ()


NOT_GUARANTEED: Final = "not-guaranteed"
NO_DATA: Final = "no-data"
OTHER_POLICY: Final = "other-policy"


def numa_score(
    pod: NumaPod,
    zones: NodeZones | None,
    strategy: str = LEAST_ALLOCATED,
    weights: Mapping[str, int] | None = None,
) -> int:
    """0 to 100. Pods that are not Guaranteed get 100 everywhere; nodes without data 0.

    LeastNUMANodes looks at nodes of any policy, the others at single-numa-node only (0 elsewhere).
    """
    return scored(pod, zones, strategy, weights).score


def scored(
    pod: NumaPod,
    zones: NodeZones | None,
    strategy: str = LEAST_ALLOCATED,
    weights: Mapping[str, int] | None = None,
) -> NumaScore:
    """The score with what it was made from."""
    if pod.qos != GUARANTEED:
        return NumaScore(MAX_SCORE, NOT_GUARANTEED)
    if zones is None:
        return NumaScore(0, NO_DATA)
    requests = [pod.whole] if zones.scope == POD else [*pod.init, *pod.containers]
    if strategy == LEAST_NUMA_NODES:
        return _least_numa_nodes(requests, zones.zones)
    if zones.policy != SINGLE_NUMA_NODE:
        return NumaScore(0, OTHER_POLICY)
    units = tuple(_unit(request, zones.zones, _ZONE_SCORES[strategy], weights or {}) for request in requests)
    return NumaScore(sum(unit.score for unit in units) // len(units), units=units)


_ZoneScore = Callable[[Amounts, Amounts, Mapping[str, int]], int]


def _unit(request: Amounts, zones: Sequence[Zone], score_zone: _ZoneScore, weights: Mapping[str, int]) -> UnitScore:
    """The smallest score of a zone that is not 0 (the first zone counts as it is)."""
    scores = tuple((zone.id, score_zone(request, zone.available, weights)) for zone in zones)
    smallest = 0
    for _, score in scores:
        if smallest == 0 or 0 < score < smallest:
            smallest = score
    return UnitScore(request, smallest, scores)


def _least_allocated(request: Amounts, available: Amounts, weights: Mapping[str, int]) -> int:
    return _weighted(request, available, weights, lambda asked, free: (free - asked) * MAX_SCORE / free)


def _most_allocated(request: Amounts, available: Amounts, weights: Mapping[str, int]) -> int:
    return _weighted(request, available, weights, lambda asked, free: asked * MAX_SCORE / free)


def _weighted(
    request: Amounts, available: Amounts, weights: Mapping[str, int], share: Callable[[int, int], float]
) -> int:
    score = total = 0
    for name in request:
        asked, free = _whole(name, request[name]), _whole(name, available.get(name, 0))
        weight = max(1, weights.get(name, 1))
        score += weight * (0 if free == 0 or asked > free else int(share(asked, free)))
        total += weight
    return score // total if total else 0


def _balanced(request: Amounts, available: Amounts, _weights: Mapping[str, int]) -> int:
    fractions: list[float] = []
    for name in request:
        asked, free = _whole(name, request[name]), _whole(name, available.get(name, 0))
        fraction = asked / free if free else 1.0
        if fraction > 1:
            return 0
        fractions.append(fraction)
    if len(fractions) < 2:
        return MAX_SCORE
    mean = sum(fractions) / len(fractions)
    variance = sum((fraction - mean) ** 2 for fraction in fractions) / (len(fractions) - 1)
    return int((1 - variance) * MAX_SCORE)


_ZONE_SCORES: Final[dict[str, _ZoneScore]] = {
    LEAST_ALLOCATED: _least_allocated,
    MOST_ALLOCATED: _most_allocated,
    BALANCED_ALLOCATION: _balanced,
}


def _least_numa_nodes(requests: Sequence[Amounts], zones: Sequence[Zone]) -> NumaScore:
    left = list(zones)
    units: list[UnitScore] = []
    for request in requests:
        if not any(name in zone.available for zone in zones for name, value in request.items() if value):
            continue
        found = _fewest_zones(left, request)
        if found is None:
            return NumaScore(0, units=(*units, UnitScore(request, needed=None)))
        numbers, is_nearest = found
        units.append(UnitScore(request, needed=numbers, nearest=is_nearest))
        left = _subtracted(left, request, numbers)
    if not units:
        return NumaScore(MAX_SCORE)
    most = max(len(unit.needed or ()) for unit in units)
    bonus = NUMA_STEP // 2 if all(unit.nearest for unit in units) else 0
    return NumaScore(MAX_SCORE - most * NUMA_STEP + bonus, units=tuple(units))


def _fewest_zones(zones: Sequence[Zone], request: Amounts) -> tuple[tuple[int, ...], bool] | None:
    """The fewest zones that together have the request, of these the nearest to each other; whether no combination of
    that many zones is nearer.
    """
    for size in range(1, len(zones) + 1):
        choices = list(combinations(zones, size))
        least = min(_distance(choice) for choice in choices)
        fitting = [choice for choice in choices if _have_together(choice, request)]
        if fitting:
            best = min(fitting, key=_distance)
            return tuple(zone.id for zone in best), _distance(best) == least
    return None


def _have_together(zones: Sequence[Zone], request: Amounts) -> bool:
    return all(
        value == 0 or sum(zone.available.get(name, 0) for zone in zones) >= value for name, value in request.items()
    )


def _distance(zones: Sequence[Zone]) -> float:
    """Average distance between all zones of a combination, each to itself too."""
    total = sum(first.costs.get(second.id, _UNKNOWN_DISTANCE) for first in zones for second in zones)
    return total / len(zones) ** 2


def _subtracted(zones: Sequence[Zone], request: Amounts, numbers: Sequence[int]) -> list[Zone]:
    """The zones of a combination give what they have, in their order."""
    left = dict(request)
    after: list[Zone] = []
    for zone in zones:
        if zone.id not in numbers:
            after.append(zone)
            continue
        part = {name: min(left[name], zone.available.get(name, 0)) for name in left}
        left = {name: left[name] - part[name] for name in left}
        after.append(zone.minus(part))
    return after


def _is_enough(name: str, asked: int, free: int, qos: str) -> bool:
    """Only devices count for Pods that are not Guaranteed."""
    if qos != GUARANTEED and (name in (CPU, MEMORY) or name.startswith("hugepages-")):
        return True
    return free >= asked


def _is_native(name: str) -> bool:
    return "/" not in name or "kubernetes.io/" in name


def _whole(name: str, value: int) -> int:
    """`Quantity.Value()`: CPUs rounded up to whole ones."""
    return -(-value // 1000) if name == CPU else value

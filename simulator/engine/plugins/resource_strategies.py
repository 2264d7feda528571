"""How NodeResourcesFit scores a node by its resources: arguments and formulas.

Source: kube-scheduler 1.36
`noderesources/{least_allocated,most_allocated,requested_to_capacity_ratio,resource_allocation}.go`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.facts import Formula
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import Scores
from simulator.engine.objects.names import label_key_problems
from simulator.engine.objects.requests import CPU, MEMORY, is_scalar_resource

LEAST, MOST, RATIO = "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"
MAX_SHAPE_SCORE = 10
MAX_RESOURCE_WEIGHT = 100
_SHAPE_TO_NODE_SCORE = 10


@dataclass(frozen=True, slots=True)
class ResourceWeight:
    name: str
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Strategy:
    """`shape` is (utilization, score) with scores already in 0..100."""

    type: str = LEAST
    resources: tuple[ResourceWeight, ...] = (ResourceWeight(CPU), ResourceWeight(MEMORY))
    shape: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FitArgs:
    ignored_resources: frozenset[str] = frozenset()
    ignored_groups: frozenset[str] = frozenset()
    strategy: Strategy = Strategy()


def read_fit_args(args: Mapping[str, Any], root: Path = ()) -> FitArgs:
    """NodeResourcesFitArgs. Raises `ConfigError`."""
    check = Checker(root)
    fields = {"ignoredResources": list, "ignoredResourceGroups": list, "scoringStrategy": dict}
    check.mapping((), args, fields)
    check.raise_problems()
    ignored = _names(check, "ignoredResources", args.get("ignoredResources") or ())
    groups = _names(check, "ignoredResourceGroups", args.get("ignoredResourceGroups") or ())
    strategy = _strategy(check, args.get("scoringStrategy"))
    check.raise_problems()
    return FitArgs(ignored, groups, strategy)


def _names(check: Checker, field: str, items: Sequence[Any]) -> frozenset[str]:
    """Resources or groups of them that Filter ignores."""
    for index, name in enumerate(items):
        path = (field, index)
        if not isinstance(name, str):
            check.about(path, "must be of type string", "config.type", wanted="string")
        elif field == "ignoredResourceGroups" and "/" in name:
            check.invalid(path, name, "resource group name can't contain '/'", "config.resource_group")
        else:
            for problem in label_key_problems(name):
                check.invalid(path, name, problem.text, "config.resource_name")
    return frozenset(name for name in items if isinstance(name, str))


def _strategy(check: Checker, item: Mapping[str, Any] | None) -> Strategy:
    if item is None:
        return Strategy()
    path: Path = ("scoringStrategy",)
    if not check.mapping(path, item, {"type": str, "resources": list, "requestedToCapacityRatio": dict}):
        return Strategy()
    kind = item.get("type") or LEAST
    if kind not in (LEAST, MOST, RATIO):
        check.unsupported((*path, "type"), kind, (LEAST, MOST, RATIO), "config.strategy_type")
    resources = read_resources(check, (*path, "resources"), item.get("resources") or ())
    for index, resource in enumerate(resources):
        if not 0 < resource.weight <= MAX_RESOURCE_WEIGHT:
            text = f"resource weight of {resource.name} not in valid range (0, 100]"
            check.invalid((*path, "resources", index, "weight"), resource.weight, text, "config.resource_weight")
    shape = _ratio_shape(check, (*path, "requestedToCapacityRatio"), kind, item.get("requestedToCapacityRatio"))
    return Strategy(kind, resources or Strategy().resources, shape)


def _ratio_shape(check: Checker, path: Path, kind: str, ratio: Mapping[str, Any] | None) -> tuple[tuple[int, int], ...]:
    if kind != RATIO:
        if ratio is not None:
            text = "Forbidden: must be nil when type is not RequestedToCapacityRatio"
            check.about(path, text, "config.ratio_not_asked")
        return ()
    if ratio is None:
        check.required(path, "must be specified when type is RequestedToCapacityRatio", "config.ratio_missing")
        return ()
    if not check.mapping(path, ratio, {"shape": list}):
        return ()
    return read_shape(check, (*path, "shape"), ratio.get("shape") or ())


def read_resources(check: Checker, path: Path, items: Sequence[Any]) -> tuple[ResourceWeight, ...]:
    found = []
    for index, item in enumerate(items):
        here = (*path, index)
        if not check.mapping(here, item, {"name": str, "weight": int}):
            continue
        found.append(ResourceWeight(item.get("name") or "", item.get("weight") or 1))
    return tuple(found)


def read_shape(check: Checker, path: Path, items: Sequence[Any]) -> tuple[tuple[int, int], ...]:
    points = []
    for index, item in enumerate(items):
        if check.mapping((*path, index), item, {"utilization": int, "score": int}):
            points.append((item.get("utilization") or 0, item.get("score") or 0))
    if not points:
        check.required(path, "at least one point must be specified", "config.shape_empty")
    unsorted = next((i for i in range(1, len(points)) if points[i][0] <= points[i - 1][0]), None)
    if unsorted is not None:
        text = "values must be sorted in increasing order"
        check.invalid((*path, unsorted, "utilization"), points[unsorted][0], text, "config.shape_order")
    for index, (utilization, score) in enumerate(points):
        if not 0 <= utilization <= 100:
            text = "not in valid range [0-100]"
            check.invalid((*path, index, "utilization"), utilization, text, "config.shape_utilization")
        if not 0 <= score <= MAX_SHAPE_SCORE:
            check.invalid((*path, index, "score"), score, "not in valid range [0-10]", "config.shape_score")
    return tuple((utilization, score * _SHAPE_TO_NODE_SCORE) for utilization, score in points)


def strategy_score(strategy: Strategy, requests: Mapping[str, int], rows: Rows) -> Scores:
    """(k,) the weighted mean of the resources' scores, cut to an integer (rounded for RequestedToCapacityRatio)."""
    total = np.zeros(len(rows), dtype=np.int64)
    weights = np.zeros(len(rows), dtype=np.int64)
    for resource in strategy.resources:
        _, _, score, counted = resource_score(strategy, resource.name, requests, rows)
        if strategy.type == RATIO:
            counted = counted & (score != 0)
        total += np.where(counted, score * resource.weight, 0)
        weights += np.where(counted, resource.weight, 0)
    divisor = np.maximum(weights, 1)
    return (2 * total + divisor) // (2 * divisor) if strategy.type == RATIO else _cut(total, divisor)


def _cut(numerator: Scores, divisor: Scores) -> Scores:
    """Go's division, which cuts toward zero; numerators are negative where int64 overflowed, as in kube."""
    quotient: Scores = numerator // divisor
    if quotient.min(initial=0) < 0:
        quotient += (quotient < 0) & (quotient * divisor != numerator)
    return quotient


def resource_score(
    strategy: Strategy, name: str, requests: Mapping[str, int], rows: Rows
) -> tuple[Scores, Scores, Scores, Bools]:
    """(requested with the Pod, capacity, score, whether it counts) of one resource, each (k,)."""
    capacity = rows.allocatable(name)
    asked = requests.get(name, 0)
    counted = capacity > 0
    if asked == 0 and is_scalar_resource(name):
        counted = np.zeros(len(rows), dtype=np.bool_)
    requested = used_for_scoring(name, rows) + asked
    divisor = np.maximum(capacity, 1)
    if strategy.type == LEAST:
        score = np.where(requested > capacity, 0, _cut((capacity - requested) * 100, divisor))
    elif strategy.type == MOST:
        score = _cut(np.minimum(requested, capacity) * 100, divisor)
    else:
        utilization = np.where(requested > capacity, 100, np.maximum(_cut(requested * 100, divisor), 0))
        score = along_shape(strategy.shape, utilization)
    return requested, capacity, score, counted


_FORMULAS = {
    LEAST: "node_resources_fit.least_allocated",
    MOST: "node_resources_fit.most_allocated",
    RATIO: "node_resources_fit.requested_to_capacity_ratio",
}


def strategy_formula(strategy: Strategy, requests: Mapping[str, int], row: Rows) -> Formula:
    """How `strategy_score` makes the score of the one row of `row`."""
    terms = []
    for resource in strategy.resources:
        requested, capacity, score, counted = (
            values[0].item() for values in resource_score(strategy, resource.name, requests, row)
        )
        asked = requests.get(resource.name, 0)
        terms.append(
            {
                "resource": resource.name,
                "used": requested - asked,
                "asked": asked,
                "requested": requested,
                "capacity": capacity,
                "score": score,
                "weight": resource.weight,
                "counted": counted and not (strategy.type == RATIO and score == 0),
            }
        )
    included = [term for term in terms if term["counted"]]
    return Formula.of(
        _FORMULAS[strategy.type],
        strategy_score(strategy, requests, row)[0],
        resources=terms,
        total=sum(term["score"] * term["weight"] for term in included),
        weights=sum(term["weight"] for term in included),
        shape=[list(point) for point in strategy.shape],
    )


def used_for_scoring(name: str, rows: Rows) -> Scores:
    """(k,) what the Pods on each row use of a resource, with defaults for missing cpu and memory requests."""
    if name == CPU:
        return rows.nonzero(0)
    return rows.nonzero(1) if name == MEMORY else rows.requested(name)


def along_shape(shape: Sequence[tuple[int, int]], utilization: Scores) -> Scores:
    """The piecewise linear function through `shape`, with Go's division that cuts toward zero."""
    by_percent = np.array([shape_value(shape, percent) for percent in range(101)], dtype=np.int64)
    return by_percent[utilization]


def shape_value(shape: Sequence[tuple[int, int]], percent: int) -> int:
    for index, (utilization, score) in enumerate(shape):
        if percent <= utilization:
            if index == 0:
                return score
            before, low = shape[index - 1]
            rise = (score - low) * (percent - before)
            span = utilization - before
            return low + (rise // span if rise >= 0 else -(-rise // span))
    return shape[-1][1]

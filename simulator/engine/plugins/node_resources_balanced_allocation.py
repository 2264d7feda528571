"""NodeResourcesBalancedAllocation: prefer nodes whose resources the Pod fills more evenly.

Decides: Score by how the Pod changes the spread between the used fractions of the configured resources (75 is no
change). Kubernetes counterpart: kube-scheduler 1.36 NodeResourcesBalancedAllocation, weight 1; args resources (cpu,
memory). Simplified here: nothing. Reads: node allocatable, requests of the Pods on the node, pod requests. Writes:
nothing. Wakes on: nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.plugin import CycleState, PreScorePlugin, Reads, ScorePlugin
from simulator.engine.framework.shape_check import Checker
from simulator.engine.framework.status import SKIP, SUCCESS, Scores, Status
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.requests import CPU, MEMORY, is_scalar_resource
from simulator.engine.plugins.resource_strategies import read_resources


@dataclass(frozen=True)
class Args:
    resources: tuple[str, ...] = (CPU, MEMORY)


class NodeResourcesBalancedAllocation(PreScorePlugin, ScorePlugin):
    name = "NodeResourcesBalancedAllocation"
    score_reads = Reads.NODE | Reads.USAGE
    args: Args

    @classmethod
    def read_args(cls, args: Mapping[str, Any]) -> Args:
        check = Checker()
        check.mapping((), args, {"resources": list})
        check.raise_problems()
        resources = read_resources(check, ("resources",), args.get("resources") or ())
        for index, resource in enumerate(resources):
            if resource.weight != 1:
                check.invalid(
                    ("resources", index, "weight"), "must be 1", "config.balanced_weight", value=resource.weight
                )
            if resource.name in [other.name for other in resources[:index]]:
                check.duplicate(("resources", index, "name"), resource.name)
        check.raise_problems()
        return Args(tuple(resource.name for resource in resources)) if resources else Args()

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        requests = pod.shape.requests.on_node
        return SUCCESS if any(requests.get(name) for name in self.args.resources) else SKIP

    def score_key(self, shape: PodShape) -> Hashable:
        return tuple(shape.requests.on_node.get(name, 0) for name in self.args.resources)

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        before, after = self.balances(pod, rows)
        return 50 + (50 + after - before) // 2

    def balances(self, pod: Pod, rows: Rows) -> tuple[Ints, Ints]:
        """(k,) balance 0..100 of each row without and with the Pod."""
        requests = pod.shape.requests.on_node
        counted = [name for name in self.args.resources if requests.get(name) or not is_scalar_resource(name)]
        capacities = [rows.allocatable(name) for name in counted]
        used = [rows.requested(name) for name in counted]
        after = [amount + requests.get(name, 0) for name, amount in zip(counted, used, strict=True)]
        return balance(used, capacities), balance(after, capacities)


def balance(requested: list[Ints], capacities: list[Ints]) -> Ints:
    """(k,) (1 - standard deviation of the used fractions) in percent, cut; resources without capacity are left out."""
    size = len(capacities[0]) if capacities else 0
    fractions = [_fraction(used, capacity) for used, capacity in zip(requested, capacities, strict=True)]
    present = [capacity != 0 for capacity in capacities]
    if len(fractions) == 2 and all(bool(here.all()) for here in present):
        deviation = np.abs((fractions[0] - fractions[1]) / 2)
    else:
        deviation = _deviation(fractions, present, size)
    return ((1 - deviation) * 100.0).astype(np.int64)


_Floats = npt.NDArray[np.float64]


def _fraction(used: Ints, capacity: Ints) -> _Floats:
    return np.minimum(used / np.maximum(capacity, 1), 1.0)


def _deviation(fractions: list[_Floats], present: list[npt.NDArray[np.bool_]], size: int) -> _Floats:
    """Row by row as kube computes it: half the difference of two, the population standard deviation of more."""
    deviation = np.zeros(size)
    for row in range(size):
        own = [float(f[row]) for f, here in zip(fractions, present, strict=True) if here[row]]
        if len(own) == 2:
            deviation[row] = abs((own[0] - own[1]) / 2)
        elif len(own) > 2:
            deviation[row] = _population_deviation(own)
    return deviation


def _population_deviation(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    mean = total / len(values)
    squares = 0.0
    for value in values:
        squares += (value - mean) * (value - mean)
    return float(np.sqrt(squares / len(values)))

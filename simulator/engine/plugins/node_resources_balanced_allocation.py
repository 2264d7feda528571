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
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.facts import Formula
from simulator.engine.framework.plugin import CycleState, PreScorePlugin, Reads, ScorePlugin
from simulator.engine.framework.shape_check import Checker, Path
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
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> Args:
        check = Checker(root)
        check.mapping((), args, {"resources": list})
        check.raise_problems()
        resources = read_resources(check, ("resources",), args.get("resources") or ())
        for index, resource in enumerate(resources):
            if resource.weight != 1:
                check.invalid(("resources", index, "weight"), resource.weight, "must be 1", "config.balanced_weight")
            if resource.name in [other.name for other in resources[:index]]:
                check.duplicate(("resources", index, "name"), resource.name)
        check.raise_problems()
        return Args(tuple(resource.name for resource in resources)) if resources else Args()

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        return SUCCESS if self._asks_for_any(pod) else SKIP

    def _asks_for_any(self, pod: Pod) -> bool:
        requests = pod.shape.requests.on_node
        return any(requests.get(name) for name in self.args.resources)

    def score_key(self, shape: PodShape) -> Hashable:
        return tuple(shape.requests.on_node.get(name, 0) for name in self.args.resources)

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        if not self._asks_for_any(pod):
            return np.zeros(len(rows), dtype=np.int64)
        before, after = self.balances(pod, rows)
        return 50 + (50 + after - before) // 2

    def balances(self, pod: Pod, rows: Rows) -> tuple[Ints, Ints]:
        """(k,) balance 0..100 of each row without and with the Pod."""
        capacities, used, own = self._terms(pod, rows)
        return balance(used, capacities), balance(used + own, capacities)

    def _counted(self, pod: Pod) -> list[str]:
        requests = pod.shape.requests.on_node
        return [name for name in self.args.resources if requests.get(name) or not is_scalar_resource(name)]

    def _terms(self, pod: Pod, rows: Rows) -> tuple[Ints, Ints, Ints]:
        """(capacities (resources, k), used (resources, k), the Pod's own (resources, 1))."""
        counted, requests = self._counted(pod), pod.shape.requests.on_node
        capacities, used = rows.resources(counted)
        return capacities, used, np.array([requests.get(name, 0) for name in counted], dtype=np.int64)[:, None]

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        capacities, used, own = self._terms(pod, rows.subset(np.array([position])))
        amounts = zip(capacities[:, 0].tolist(), used[:, 0].tolist(), own[:, 0].tolist(), strict=True)
        resources = [
            {"resource": name, "capacity": capacity, "used": there, "asked": asked}
            for name, (capacity, there, asked) in zip(self._counted(pod), amounts, strict=True)
        ]
        before, after = balance(used, capacities)[0], balance(used + own, capacities)[0]
        return Formula.of(
            "node_resources_balanced_allocation.score",
            50 + (50 + after - before) // 2 if self._asks_for_any(pod) else 0,
            asks=self._asks_for_any(pod),
            resources=resources,
            deviation_before=float(deviation(used, capacities)[0]),
            deviation_after=float(deviation(used + own, capacities)[0]),
            before=int(before),
            after=int(after),
        )


def balance(requested: Ints, capacities: Ints) -> Ints:
    """(k,) (1 - standard deviation of the used fractions) in percent, cut; both arguments are (resources, k)."""
    return ((1 - deviation(requested, capacities)) * 100.0).astype(np.int64)


_Floats = npt.NDArray[np.float64]


def deviation(requested: Ints, capacities: Ints) -> _Floats:
    """(k,) standard deviation of the used fractions; resources without capacity are left out."""
    present = capacities != 0
    fractions = np.minimum(requested / np.maximum(capacities, 1), 1.0)
    if len(fractions) == 2 and present.all():
        halves: _Floats = np.abs((fractions[0] - fractions[1]) / 2)
        return halves
    return _deviation(fractions, present)


def _deviation(fractions: _Floats, present: Bools) -> _Floats:
    """Row by row as kube computes it: half the difference of two, the population standard deviation of more."""
    found = np.zeros(fractions.shape[1])
    for row in range(len(found)):
        own = [float(f[row]) for f, here in zip(fractions, present, strict=True) if here[row]]
        if len(own) == 2:
            found[row] = abs((own[0] - own[1]) / 2)
        elif len(own) > 2:
            found[row] = _population_deviation(own)
    return found


def _population_deviation(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    mean = total / len(values)
    squares = 0.0
    for value in values:
        squares += (value - mean) * (value - mean)
    return float(np.sqrt(squares / len(values)))

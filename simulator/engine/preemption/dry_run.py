"""The dry run: on which nodes evicting less important Pods would make room, and whom each would lose.

All nodes are worked on at once: first every potential victim is removed everywhere; then the r-th victim of every
node is offered its place back in one step. Source: kube-scheduler 1.36 `default_preemption.go` SelectVictimsOnNode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.pods import PodTable
from simulator.engine.cluster.rows import Bools, Delta, Rows
from simulator.engine.framework.diagnosis import Findings
from simulator.engine.framework.status import Status, unresolvable
from simulator.engine.objects.pdb import PodDisruptionBudget
from simulator.engine.objects.pod import Pod
from simulator.engine.preemption.story import Candidate, Reprieve

NO_VICTIMS = unresolvable("default_preemption.no_victims")

Evaluate = Callable[[Rows], Findings]


@dataclass(slots=True)
class DryRun:
    """`candidates` in row order of the input, the statuses of the rows that are none, and rows that fit with nobody
    gone."""

    candidates: list[Candidate]
    statuses: dict[int, Status]
    victimless: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Victims:
    """Potential victims, row by row in the order in which they are reprieved. All arrays have one entry per victim."""

    numbers: Ints
    positions: Ints
    violating: Bools

    def take(self, chosen: Bools | Ints) -> _Victims:
        return _Victims(self.numbers[chosen], self.positions[chosen], self.violating[chosen])


def dry_run(
    rows: Rows, priority: int, budgets: Sequence[PodDisruptionBudget], evaluate: Evaluate, *, detail: bool = False
) -> DryRun:
    """Try to make room on each of `rows` for a Pod of `priority`; `evaluate` is Filter with nominated Pods."""
    table = rows.cluster.pods
    numbers, positions = table.numbers_on(rows.ids)
    lower = table.priority.data[numbers] < priority
    numbers, positions = numbers[lower], positions[lower]
    with_victims = np.unique(positions)
    without = np.setdiff1d(np.arange(len(rows)), with_victims).tolist()
    statuses = {int(rows.ids[position]): NO_VICTIMS for position in without}
    if not len(with_victims):
        return DryRun([], statuses)
    some, removed = _without(rows, with_victims, numbers, positions)
    findings = evaluate(some)
    failed = np.flatnonzero(findings.codes)
    statuses |= {int(some.ids[position]): findings.status(position) for position in failed.tolist()}
    fits = np.flatnonzero(findings.codes == 0)
    if not len(fits):
        return DryRun([], statuses)
    victims = _sorted_victims(table, removed, budgets, fits, len(some))
    found = _reprieve(some.subset(fits), victims, evaluate, detail=detail)
    victimless = [candidate.node for candidate in found if not candidate.victims]
    return DryRun([candidate for candidate in found if candidate.victims], statuses, victimless)


def _without(rows: Rows, chosen: Ints, numbers: Ints, positions: Ints) -> tuple[Rows, tuple[Ints, Ints]]:
    """The chosen rows with all potential victims taken off, and (numbers, positions) of these."""
    new_position = np.full(len(rows), -1, dtype=np.int64)
    new_position[chosen] = np.arange(len(chosen))
    positions = new_position[positions]
    delta = Delta(positions, numbers, np.full(len(numbers), -1, dtype=np.int64))
    return Rows(rows.cluster, rows.ids[chosen], delta), (numbers, positions)


def _sorted_victims(
    table: PodTable, removed: tuple[Ints, Ints], budgets: Sequence[PodDisruptionBudget], fits: Ints, size: int
) -> _Victims:
    """The victims on the rows `fits`, in reprieve order: those that violate a budget first, each class by
    importance."""
    numbers, positions = removed
    new_position = np.full(size, -1, dtype=np.int64)
    new_position[fits] = np.arange(len(fits))
    positions = new_position[positions]
    numbers, positions = numbers[positions >= 0], positions[positions >= 0]
    order = np.lexsort((table.start.data[numbers], -table.priority.data[numbers], positions))
    numbers, positions = numbers[order], positions[order]
    violating = _violations(table, numbers, positions, budgets)
    return _Victims(numbers, positions, violating).take(np.lexsort((~violating, positions)))


def _importance(table: PodTable, number: int) -> tuple[int, int]:
    """Sort key: more important Pods first."""
    return (-int(table.priority.data[number]), int(table.start.data[number]))


def _violations(table: PodTable, numbers: Ints, positions: Ints, budgets: Sequence[PodDisruptionBudget]) -> Bools:
    violating = np.zeros(len(numbers), dtype=np.bool_)
    if not budgets:
        return violating
    allowed: list[int] = []
    row = -1
    for index, (number, position) in enumerate(zip(numbers.tolist(), positions.tolist(), strict=True)):
        if position != row:
            row, allowed = position, [budget.disruptions_allowed for budget in budgets]
        violating[index] = uses_up(table.pod(number), budgets, allowed)
    return violating


def uses_up(pod: Pod, budgets: Sequence[PodDisruptionBudget], allowed: list[int]) -> bool:
    """Count the eviction of `pod` in `allowed`; True where some budget then is below zero."""
    violates = False
    for index, budget in enumerate(budgets):
        if budget.counts(pod):
            allowed[index] -= 1
            violates = violates or allowed[index] < 0
    return violates


def _reprieve(rows: Rows, victims: _Victims, evaluate: Evaluate, *, detail: bool) -> list[Candidate]:
    """Offer the victims of every row their place back, rank by rank."""
    first = np.searchsorted(victims.positions, victims.positions, side="left")
    ranks = np.arange(len(victims.positions)) - first
    evicted = np.zeros(len(ranks), dtype=np.bool_)
    why: dict[int, Status] = {}
    delta = rows.delta
    assert delta is not None
    for rank in range(int(ranks.max()) + 1):
        offered = np.flatnonzero(ranks == rank)
        positions = victims.positions[offered]
        trial = delta.then(positions, victims.numbers[offered], 1)
        findings = evaluate(rows.with_delta(trial).subset(positions))
        out = findings.codes != 0
        evicted[offered[out]] = True
        delta = trial.then(positions[out], victims.numbers[offered[out]], -1)
        if detail:
            why |= {int(offered[index]): findings.status(index) for index in np.flatnonzero(out).tolist()}
    return _candidates(rows, victims, evicted, why, detail=detail)


def _candidates(
    rows: Rows, victims: _Victims, evicted: Bools, why: dict[int, Status], *, detail: bool
) -> list[Candidate]:
    table, nodes = rows.cluster.pods, rows.cluster.nodes.objects
    bounds = np.searchsorted(victims.positions, np.arange(len(rows) + 1)).tolist()
    numbers, violating, out = victims.numbers.tolist(), victims.violating.tolist(), evicted.tolist()
    found = []
    for position, row in enumerate(rows.ids.tolist()):
        start, end = bounds[position], bounds[position + 1]
        gone = [index for index in range(start, end) if out[index]]
        violations = sum(violating[index] for index in gone)
        if 0 < sum(violating[start:end]) < end - start:
            gone.sort(key=lambda index: _importance(table, numbers[index]))
        reprieves = _reprieves(table, victims, evicted, why, range(start, end)) if detail else ()
        pods = tuple(table.pod(numbers[index]) for index in gone)
        found.append(Candidate(row, nodes[row].name, pods, violations, reprieves))
    return found


def _reprieves(
    table: PodTable, victims: _Victims, evicted: Bools, why: dict[int, Status], indexes: range
) -> tuple[Reprieve, ...]:
    return tuple(
        Reprieve(
            table.pod(int(victims.numbers[index])),
            bool(victims.violating[index]),
            not evicted[index],
            why.get(index, Status()),
        )
        for index in indexes
    )

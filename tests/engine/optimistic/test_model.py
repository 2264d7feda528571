"""Several schedulers at once: the situations of the specification, and that nothing is ever bound twice over."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simulator.engine.optimistic.model import LOGICAL, PHYSICAL, SHARED, Optimistic
from tests.engine.user_rules.cluster import node, pod


def nodes(count: int, gpus: int = 1) -> list[dict[str, Any]]:
    return [node(f"n{number:03d}", gpus, "Tesla-T4") for number in range(count)]


def queues(*counts: int) -> list[list[dict[str, Any]]]:
    return [[pod(f"s{index}-{number}", 1) for number in range(count)] for index, count in enumerate(counts)]


def test_logical_parts_conflict_over_the_other_part_and_all_pods_run() -> None:
    """Parts of 10 one-GPU nodes; S1 has 12 Pods, S2 has 6: the last two of S1 go to part 2."""
    outcome = Optimistic(nodes(20), queues(12, 6), mode=LOGICAL).run()
    assert len(outcome.bound) == 18
    assert outcome.pending == []
    own = [outcome.bound[f"s0-{number}"] for number in range(10)]
    assert sorted(own) == [f"n{number:03d}" for number in range(10)]
    assert {outcome.bound["s0-10"], outcome.bound["s0-11"]} <= {f"n{number:03d}" for number in range(10, 20)}


def test_physical_parts_never_conflict_and_leave_pods_pending() -> None:
    outcome = Optimistic(nodes(20), queues(12, 6), mode=PHYSICAL).run()
    assert outcome.conflicts == 0
    assert sorted(outcome.pending) == ["s0-10", "s0-11"]
    assert len(outcome.bound) == 16


def test_same_moment_same_node_is_a_conflict_and_the_loser_is_tried_again() -> None:
    """Both choose the first node with its one GPU; the binder takes the first, the other one goes to the next node."""
    outcome = Optimistic(nodes(2), queues(1, 1), mode=SHARED).run()
    assert outcome.bound == {"s0-0": "n000", "s1-0": "n001"}
    assert [(one.bound, one.conflicts) for one in outcome.rounds] == [(1, 1), (1, 0)]


def test_late_news_are_conflicts_too_and_everything_runs_in_the_end() -> None:
    few, many = (Optimistic(nodes(40), queues(10, 10, 10, 10), mode=SHARED, lag=lag).run() for lag in (0, 3))
    assert len(few.bound) == len(many.bound) == 40
    assert many.conflicts > 0
    assert few.conflicts > 0


def test_one_scheduler_alone_has_no_conflict() -> None:
    outcome = Optimistic(nodes(10), queues(10)).run()
    assert (outcome.conflicts, len(outcome.rounds), len(outcome.bound)) == (0, 10, 10)


@pytest.mark.parametrize("mode", [SHARED, LOGICAL, PHYSICAL])
@pytest.mark.parametrize("lag", [0, 2])
def test_no_node_gets_more_than_it_has(mode: str, lag: int) -> None:
    outcome = Optimistic(nodes(12, 2), queues(9, 8, 7), mode=mode, lag=lag).run()
    assert max(Counter(outcome.bound.values()).values()) <= 2
    assert len(outcome.bound) + len(outcome.pending) == 24
    assert outcome.attempts == len(outcome.bound) + outcome.conflicts + len(outcome.pending)


def test_same_input_gives_the_same_rounds() -> None:
    first, second = (Optimistic(nodes(9, 2), queues(6, 6, 6), mode=LOGICAL).run() for _ in range(2))
    assert first == second

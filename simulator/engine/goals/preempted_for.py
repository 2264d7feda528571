"""preemptedFor: Pods were evicted by preemption to make room for a chosen Pod; `atMost` limits how many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Number, Pods, PodSelector
from simulator.engine.goals.goal import LOST, MOST_NAMES, Goal, Progress, counted
from simulator.engine.goals.run import PREEMPTION, Eviction, Run


@dataclass(frozen=True)
class PreemptedFor(Goal):
    kind: ClassVar[str] = "preemptedFor"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True), "victims": Pods(), "atMost": Number()}
    pods: PodSelector
    victims: PodSelector
    at_most: int | None = None

    def check(self, run: Run) -> Progress:
        gone = [item.pod for item in run.evictions() if self._counts(run, item)]
        if self.at_most is not None and len(gone) > self.at_most:
            return Progress(LOST, 0, 1, "goal.evicted", {"pods": gone[:MOST_NAMES], "count": len(gone)})
        return counted(int(bool(gone)), 1, "goal.nobody_evicted")

    def _counts(self, run: Run, item: Eviction) -> bool:
        if item.cause != PREEMPTION or not run.was_chosen(item, self.victims):
            return False
        return run.was_chosen(Eviction(item.preemptor, item.cause, item.action), self.pods)

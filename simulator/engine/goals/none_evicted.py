"""noneEvicted: no chosen Pod has been evicted, by preemption, a taint or a drain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Pods, PodSelector
from simulator.engine.goals.goal import KEPT, LOST, MOST_NAMES, Goal, Progress
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class NoneEvicted(Goal):
    kind: ClassVar[str] = "noneEvicted"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods()}
    pods: PodSelector

    def check(self, run: Run) -> Progress:
        gone = [item.pod for item in run.evictions() if run.was_chosen(item, self.pods)]
        if gone:
            return Progress(LOST, 0, 1, "goal.evicted", {"pods": gone[:MOST_NAMES], "count": len(gone)})
        return Progress(KEPT, 1, 1)

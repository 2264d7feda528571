"""evicted: at least so many of the chosen Pods have been evicted (each counted once)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Number, Pods, PodSelector
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class Evicted(Goal):
    kind: ClassVar[str] = "evicted"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True), "atLeast": Number(default=1, least=1)}
    pods: PodSelector
    at_least: int = 1

    def check(self, run: Run) -> Progress:
        gone = {item.pod for item in run.evictions() if run.was_chosen(item, self.pods)}
        return counted(len(gone), self.at_least, "goal.number", have=len(gone), wanted=self.at_least)

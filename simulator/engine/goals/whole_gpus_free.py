"""wholeGpusFree: at least so many GPUs are free in the whole cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Number, Text
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class WholeGpusFree(Goal):
    kind: ClassVar[str] = "wholeGpusFree"
    fields: ClassVar[Mapping[str, Field]] = {"atLeast": Number(required=True, least=1), "resource": Text(default="")}
    at_least: int
    resource: str = ""

    def check(self, run: Run) -> Progress:
        free = sum(free for free, _ in run.free_gpus(self.resource).values())
        return counted(free, self.at_least, "goal.number", have=free, wanted=self.at_least)

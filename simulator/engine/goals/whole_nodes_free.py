"""wholeNodesFree: at least so many nodes have `gpus` GPUs free at once (all of theirs where it is not given)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Number, Text
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class WholeNodesFree(Goal):
    kind: ClassVar[str] = "wholeNodesFree"
    fields: ClassVar[Mapping[str, Field]] = {
        "atLeast": Number(required=True, least=1),
        "gpus": Number(default=0, least=1),
        "resource": Text(default=""),
    }
    at_least: int
    gpus: int = 0
    resource: str = ""

    def check(self, run: Run) -> Progress:
        nodes = run.free_gpus(self.resource).values()
        whole = sum(free >= (self.gpus or every) for free, every in nodes)
        return counted(whole, self.at_least, "goal.number", have=whole, wanted=self.at_least)

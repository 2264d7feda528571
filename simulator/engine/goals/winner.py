"""winner: a node got a Pod because it had the highest total, not because it was the only one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Text, full_key
from simulator.engine.goals.goal import OPEN, Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class Winner(Goal):
    kind: ClassVar[str] = "winner"
    fields: ClassVar[Mapping[str, Field]] = {"pod": Text(required=True), "node": Text(required=True)}
    pod: str
    node: str

    def check(self, run: Run) -> Progress:
        tried = run.last_try(full_key(self.pod))
        if tried is None:
            return Progress(OPEN, 0, 1, "goal.not_tried", {"pod": self.pod})
        won = tried.node == self.node and tried.top_total is not None
        return counted(int(won), 1, "goal.other_winner", node=tried.node, scored=tried.top_total is not None)

"""totalScore: the highest total at a Pod's last attempt is as large as wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.fields import Field, Number, Problems, Text, full_key
from simulator.engine.goals.goal import OPEN, Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class TotalScore(Goal):
    kind: ClassVar[str] = "totalScore"
    fields: ClassVar[Mapping[str, Field]] = {
        "pod": Text(required=True),
        "atLeast": Number(),
        "atMost": Number(),
        "equals": Number(),
    }
    pod: str
    at_least: int | None = None
    at_most: int | None = None
    equals: int | None = None

    def validate(self, path: Path, problems: Problems) -> None:
        if self.at_least is None and self.at_most is None and self.equals is None:
            problems.add(path, "goal.one_of", "needs atLeast, atMost or equals", fields="atLeast, atMost, equals")

    def check(self, run: Run) -> Progress:
        tried = run.last_try(full_key(self.pod))
        if tried is None or tried.top_total is None:
            return Progress(OPEN, 0, 1, "goal.not_scored", {"pod": self.pod})
        return counted(int(self._is_right(tried.top_total)), 1, "goal.total", score=tried.top_total)

    def _is_right(self, total: int) -> bool:
        low = self.at_least is None or total >= self.at_least
        high = self.at_most is None or total <= self.at_most
        return low and high and self.equals in (None, total)

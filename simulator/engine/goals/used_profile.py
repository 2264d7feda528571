"""usedProfile: a scheduler profile has a plugin switched on (or off), with a certain weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.framework.runtime import Framework
from simulator.engine.goals.fields import Field, Number, Text, Truth
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class UsedProfile(Goal):
    kind: ClassVar[str] = "usedProfile"
    fields: ClassVar[Mapping[str, Field]] = {
        "plugin": Text(required=True),
        "enabled": Truth(default=True),
        "weight": Number(default=0, least=1),
        "scheduler": Text(default=""),
    }
    plugin: str
    enabled: bool = True
    weight: int = 0
    scheduler: str = ""

    def check(self, run: Run) -> Progress:
        frameworks = run.simulation.scheduler.frameworks
        names = [self.scheduler] if self.scheduler else list(frameworks)
        right = any(name in frameworks and self._is_right(frameworks[name]) for name in names)
        return counted(int(right), 1, "goal.profile", plugin=self.plugin)

    def _is_right(self, framework: Framework) -> bool:
        if not self.enabled:
            return self.plugin not in framework.plugins
        weight = framework.profile.weights.get(self.plugin, 0)
        return self.plugin in framework.plugins and self.weight in (0, weight)

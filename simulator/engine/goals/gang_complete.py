"""gangComplete: all members of a gang have a node: a PodGroup, or `size` of the chosen Pods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.fields import EVERY_POD, Field, Number, Pods, PodSelector, Problems, Text
from simulator.engine.goals.gangs import gang_of, validate_gang
from simulator.engine.goals.goal import MOST_NAMES, Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class GangComplete(Goal):
    kind: ClassVar[str] = "gangComplete"
    fields: ClassVar[Mapping[str, Field]] = {
        "podGroup": Text(default=""),
        "pods": Pods(),
        "size": Number(default=0, least=1),
    }
    pod_group: str = ""
    pods: PodSelector = EVERY_POD
    size: int = 0

    def validate(self, path: Path, problems: Problems) -> None:
        validate_gang(self.pod_group, self.pods, path, problems)

    def check(self, run: Run) -> Progress:
        gang = gang_of(run, self.pod_group, self.pods, self.size)
        params = {"bound": len(gang.bound), "size": gang.size, "pods": gang.waiting[:MOST_NAMES]}
        return counted(len(gang.bound), gang.size, "goal.gang", **params, count=len(gang.waiting))

"""finished: every chosen Pod has ended successfully."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Pods, PodSelector
from simulator.engine.goals.goal import Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class Finished(Goal):
    kind: ClassVar[str] = "finished"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True)}
    pods: PodSelector

    def check(self, run: Run) -> Progress:
        return all_of((pod.key, pod.phase == "Succeeded") for pod in run.pods(self.pods))

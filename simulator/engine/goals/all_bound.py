"""allBound: every chosen Pod has a node (or had one and has finished)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Pods, PodSelector
from simulator.engine.goals.goal import Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class AllBound(Goal):
    kind: ClassVar[str] = "allBound"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods()}
    pods: PodSelector

    def check(self, run: Run) -> Progress:
        return all_of((pod.key, bool(pod.node_name)) for pod in run.pods(self.pods))

"""notBound: the chosen Pods are there and have no node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Pods, PodSelector
from simulator.engine.goals.goal import Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class NotBound(Goal):
    kind: ClassVar[str] = "notBound"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True)}
    pods: PodSelector

    def check(self, run: Run) -> Progress:
        pods = run.pods(self.pods)
        return all_of(((pod.key, not pod.node_name) for pod in pods), missing="goal.pods_bound")

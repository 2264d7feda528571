"""boundToNode: every chosen Pod is on one certain node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Pods, PodSelector, Text
from simulator.engine.goals.goal import Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class BoundToNode(Goal):
    kind: ClassVar[str] = "boundToNode"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True), "node": Text(required=True)}
    pods: PodSelector
    node: str

    def check(self, run: Run) -> Progress:
        return all_of((pod.key, pod.node_name == self.node) for pod in run.pods(self.pods))

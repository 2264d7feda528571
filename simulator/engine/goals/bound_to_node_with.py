"""boundToNodeWith: every chosen Pod is on a node with certain labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Labels, Pods, PodSelector
from simulator.engine.goals.goal import Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class BoundToNodeWith(Goal):
    kind: ClassVar[str] = "boundToNodeWith"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True), "nodeLabels": Labels(required=True)}
    pods: PodSelector
    node_labels: Mapping[str, str]

    def check(self, run: Run) -> Progress:
        right = {node.name for node in run.nodes(self.node_labels)}
        return all_of((pod.key, pod.node_name in right) for pod in run.pods(self.pods))

"""nodeCount: so many nodes are there, with certain labels or GPUs where that is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Labels, Number, Text
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class NodeCount(Goal):
    kind: ClassVar[str] = "nodeCount"
    fields: ClassVar[Mapping[str, Field]] = {
        "atLeast": Number(required=True, least=1),
        "nodeLabels": Labels(),
        "gpus": Number(default=0, least=1),
        "resource": Text(default=""),
    }
    at_least: int
    node_labels: Mapping[str, str] | None = None
    gpus: int = 0
    resource: str = ""

    def check(self, run: Run) -> Progress:
        gpus = run.free_gpus(self.resource)
        right = [node for node in run.nodes(self.node_labels) if gpus.get(node.name, (0, 0))[1] >= self.gpus]
        return counted(len(right), self.at_least, "goal.number", have=len(right), wanted=self.at_least)

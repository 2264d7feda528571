"""podCount: so many of the chosen Pods are on certain nodes (on any where none are said)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.fields import Field, Labels, Number, Pods, PodSelector, Problems, Text
from simulator.engine.goals.goal import KEPT, OPEN, Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class PodCount(Goal):
    kind: ClassVar[str] = "podCount"
    fields: ClassVar[Mapping[str, Field]] = {
        "pods": Pods(),
        "node": Text(default=""),
        "nodeLabels": Labels(),
        "atLeast": Number(),
        "atMost": Number(),
    }
    pods: PodSelector
    node: str = ""
    node_labels: Mapping[str, str] | None = None
    at_least: int | None = None
    at_most: int | None = None

    def validate(self, path: Path, problems: Problems) -> None:
        if self.at_least is None and self.at_most is None:
            problems.add(path, "goal.one_of", "needs atLeast or atMost", fields="atLeast, atMost")

    def check(self, run: Run) -> Progress:
        right = {node.name for node in run.nodes(self.node_labels) if self.node in ("", node.name)}
        have = sum(pod.node_name in right for pod in run.pods(self.pods))
        if self.at_most is not None and have > self.at_most:
            return Progress(OPEN, 0, 1, "goal.number_most", {"have": have, "most": self.at_most})
        if self.at_least is None:
            return Progress(KEPT, 1, 1)
        return counted(have, self.at_least, "goal.number", have=have, wanted=self.at_least)

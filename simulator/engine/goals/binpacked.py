"""binpacked: all chosen Pods have a node, and together they use at most so many nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Number, Pods, PodSelector
from simulator.engine.goals.goal import OPEN, Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class Binpacked(Goal):
    kind: ClassVar[str] = "binpacked"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(), "atMostNodes": Number(required=True, least=1)}
    pods: PodSelector
    at_most_nodes: int

    def check(self, run: Run) -> Progress:
        pods = run.pods(self.pods)
        nodes = {pod.node_name for pod in pods if pod.node_name}
        if len(nodes) > self.at_most_nodes:
            params = {"have": len(nodes), "most": self.at_most_nodes}
            return Progress(OPEN, 0, len(pods), "goal.number_most", params)
        return all_of((pod.key, bool(pod.node_name)) for pod in pods)

"""nodeEmpty: a node is there and no Pod takes room on it (Pods of DaemonSets apart)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Text
from simulator.engine.goals.goal import MOST_NAMES, OPEN, REACHED, Goal, Progress
from simulator.engine.goals.run import Run
from simulator.engine.objects.pod import Pod


@dataclass(frozen=True)
class NodeEmpty(Goal):
    kind: ClassVar[str] = "nodeEmpty"
    fields: ClassVar[Mapping[str, Field]] = {"node": Text(required=True)}
    node: str

    def check(self, run: Run) -> Progress:
        if run.node(self.node) is None:
            return Progress(OPEN, 0, 1, "goal.no_node", {"node": self.node})
        pods = [pod.key for pod in run.pods_on(self.node) if not _is_daemon(pod)]
        if pods:
            return Progress(OPEN, 0, 1, "goal.in_the_way", {"pods": pods[:MOST_NAMES], "count": len(pods)})
        return Progress(REACHED, 1, 1)


def _is_daemon(pod: Pod) -> bool:
    return pod.shape.controller is not None and pod.shape.controller[0] == "DaemonSet"

"""nodeTainted: a node (or every node with certain labels) has a taint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Labels, Text
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run
from simulator.engine.objects.node import Node


@dataclass(frozen=True)
class NodeTainted(Goal):
    kind: ClassVar[str] = "nodeTainted"
    fields: ClassVar[Mapping[str, Field]] = {
        "key": Text(required=True),
        "effect": Text(default=""),
        "node": Text(default=""),
        "nodeLabels": Labels(),
    }
    key: str
    effect: str = ""
    node: str = ""
    node_labels: Mapping[str, str] | None = None

    def check(self, run: Run) -> Progress:
        nodes = [node for node in run.nodes(self.node_labels) if self.node in ("", node.name)]
        right = [node for node in nodes if self._has(node)]
        return counted(len(right), len(nodes), "goal.number", have=len(right), wanted=len(nodes))

    def _has(self, node: Node) -> bool:
        return any(taint.key == self.key and self.effect in ("", taint.effect) for taint in node.taints)

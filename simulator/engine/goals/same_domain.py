"""sameDomain: all chosen Pods are in one domain of a node label; without a label: on one node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.domains import domain_counts
from simulator.engine.goals.fields import Field, Pods, PodSelector, Text
from simulator.engine.goals.goal import OPEN, Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class SameDomain(Goal):
    kind: ClassVar[str] = "sameDomain"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True), "topologyKey": Text(default="")}
    pods: PodSelector
    topology_key: str = ""

    def check(self, run: Run) -> Progress:
        pods = run.pods(self.pods)
        counts = domain_counts(run, pods, self.topology_key)
        if len(counts) > 1:
            return Progress(OPEN, max(counts.values()), len(pods), "goal.domains", {"domains": sorted(counts)})
        return all_of((pod.key, bool(pod.node_name)) for pod in pods)

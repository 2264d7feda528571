"""maxPerDomain: all chosen Pods have a node, and no domain of a node label has more than so many of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.domains import domain_counts
from simulator.engine.goals.fields import Field, Number, Pods, PodSelector, Text
from simulator.engine.goals.goal import OPEN, Goal, Progress, all_of
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class MaxPerDomain(Goal):
    kind: ClassVar[str] = "maxPerDomain"
    fields: ClassVar[Mapping[str, Field]] = {
        "pods": Pods(required=True),
        "topologyKey": Text(default=""),
        "atMost": Number(required=True, least=1),
    }
    pods: PodSelector
    at_most: int
    topology_key: str = ""

    def check(self, run: Run) -> Progress:
        pods = run.pods(self.pods)
        counts = domain_counts(run, pods, self.topology_key)
        worst = max(counts, key=lambda domain: counts[domain], default="")
        if counts and counts[worst] > self.at_most:
            params = {"domain": worst, "have": counts[worst], "most": self.at_most}
            return Progress(OPEN, 0, len(pods), "goal.too_many", params)
        return all_of((pod.key, bool(pod.node_name)) for pod in pods)

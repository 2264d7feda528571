"""eventSeen: an Event with a certain reason was written, about a chosen Pod where some are said, with a text in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import EVERY_POD, Field, Pods, PodSelector, Text
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run
from simulator.engine.world.world import Event


@dataclass(frozen=True)
class EventSeen(Goal):
    kind: ClassVar[str] = "eventSeen"
    fields: ClassVar[Mapping[str, Field]] = {
        "reason": Text(required=True),
        "pods": Pods(),
        "contains": Text(default=""),
    }
    reason: str
    pods: PodSelector
    contains: str = ""

    def check(self, run: Run) -> Progress:
        seen = any(self._is_meant(run, event) for event in run.simulation.world.events)
        return counted(int(seen), 1, "goal.not_seen", reason=self.reason)

    def _is_meant(self, run: Run, event: Event) -> bool:
        if event.reason != self.reason or self.contains not in event.message:
            return False
        if self.pods == EVERY_POD:
            return True
        namespace, _, name = event.key.partition("/")
        pod = run.simulation.world.pod(event.key)
        return event.kind == "Pod" and self.pods.matches(namespace, name, pod.labels if pod is not None else {})

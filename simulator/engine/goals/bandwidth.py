"""bandwidth: the GPUs of the chosen Pods together reach at least so many GB/s (bus bandwidth, per direction)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.goals.fields import Field, Number, Pods, PodSelector
from simulator.engine.goals.goal import OPEN, REACHED, Goal, Progress, all_of
from simulator.engine.goals.run import Run
from simulator.engine.objects.pod_devices import devices_held
from simulator.engine.world.fabric_state import fabric_now, placement_of


@dataclass(frozen=True)
class Bandwidth(Goal):
    kind: ClassVar[str] = "bandwidth"
    fields: ClassVar[Mapping[str, Field]] = {"pods": Pods(required=True), "atLeast": Number(required=True, least=1)}
    pods: PodSelector
    at_least: int

    def check(self, run: Run) -> Progress:
        pods = [pod for pod in run.pods(self.pods) if not pod.terminal]
        waiting = all_of((pod.key, bool(devices_held(pod))) for pod in pods)
        if not waiting.is_met:
            return waiting
        busbw = group_bandwidth(fabric_now(run.simulation), placement_of(pods)).busbw
        if busbw is None:
            return Progress(OPEN, 0, self.at_least, "goal.one_gpu")
        reached = busbw.result >= self.at_least
        done = min(int(busbw.result), self.at_least)
        return Progress(REACHED if reached else OPEN, done, self.at_least, "goal.bandwidth", {"have": busbw.result})

"""gpuNodesKeptFromCpuPods: no Pod that asks for no GPU is on a node that has some (Pods of DaemonSets apart)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field
from simulator.engine.goals.goal import KEPT, MOST_NAMES, OPEN, Goal, Progress
from simulator.engine.goals.run import Run, is_gpu
from simulator.engine.objects.pod import Pod


@dataclass(frozen=True)
class GpuNodesKeptFromCpuPods(Goal):
    kind: ClassVar[str] = "gpuNodesKeptFromCpuPods"
    fields: ClassVar[Mapping[str, Field]] = {}

    def check(self, run: Run) -> Progress:
        gpu_nodes = set(run.free_gpus(""))
        wrong = [pod.key for node in gpu_nodes for pod in run.pods_on(node) if _is_guest(pod)]
        if wrong:
            return Progress(OPEN, 0, 1, "goal.in_the_way", {"pods": sorted(wrong)[:MOST_NAMES], "count": len(wrong)})
        return Progress(KEPT if gpu_nodes else OPEN, int(bool(gpu_nodes)), 1, "" if gpu_nodes else "goal.no_gpu_nodes")


def _is_guest(pod: Pod) -> bool:
    kind = pod.shape.controller[0] if pod.shape.controller else ""
    return kind != "DaemonSet" and not any(is_gpu(name) for name in pod.shape.requests.incoming)

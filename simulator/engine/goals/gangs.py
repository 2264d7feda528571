"""Gangs as goals see them: a PodGroup with its members, or Pods chosen by labels."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.cluster.pod_groups import min_count
from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.fields import EVERY_POD, PodSelector, Problems
from simulator.engine.goals.run import Run


@dataclass(frozen=True, slots=True)
class Gang:
    """`size` members are needed; keys of those that have a node and of those that wait for one."""

    size: int
    bound: list[str]
    waiting: list[str]


def validate_gang(pod_group: str, pods: PodSelector, path: Path, problems: Problems) -> None:
    if not pod_group and pods == EVERY_POD:
        problems.add(path, "goal.one_of", "needs podGroup or pods", fields="podGroup, pods")


def gang_of(run: Run, pod_group: str, pods: PodSelector, size: int) -> Gang:
    """The gang's members now. Without `size` the PodGroup's minCount counts, else all chosen Pods."""
    members = [pod for pod in run.pods(pods) if not pod_group or pod.shape.pod_group == pod_group]
    bound = [pod.key for pod in members if pod.node_name]
    waiting = [pod.key for pod in members if not pod.node_name]
    return Gang(size or _group_size(run, pod_group) or len(members), bound, waiting)


def _group_size(run: Run, pod_group: str) -> int:
    found = [group for group in run.simulation.world.list("PodGroup") if group["metadata"]["name"] == pod_group]
    return (min_count(found[0]) or 0) if found else 0

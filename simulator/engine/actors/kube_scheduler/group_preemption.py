"""Workload-aware preemption: room for a whole group, by evicting Pods or whole groups anywhere in the cluster.

Source: kube-scheduler 1.36 `framework/preemption/podgrouppreemption.go`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from simulator.engine.actors.kube_scheduler import failure
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.actors.kube_scheduler.group_algorithm import GroupResult, Trial, try_group, with_reason
from simulator.engine.cluster.pod_groups import (
    PodGroupStates,
    disrupted_together,
    group_priority,
    topology_key,
)
from simulator.engine.cluster.pods import NO_START
from simulator.engine.framework.plugin import PostFilterResult
from simulator.engine.framework.status import Reason, Status
from simulator.engine.objects.pdb import PodDisruptionBudget
from simulator.engine.objects.pod import Pod
from simulator.engine.preemption.dry_run import uses_up
from simulator.engine.queue.info import QueuedPod

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
    from simulator.engine.framework.runtime import Framework

PLUGIN = "DefaultPreemption"


@dataclass(frozen=True, slots=True)
class Unit:
    """Pods that are evicted together: one Pod, or a group with disruptionMode PodGroup."""

    pods: tuple[Pod, ...]
    priority: int
    is_group: bool

    @property
    def start(self) -> int:
        return min(NO_START if pod.start_time is None else pod.start_time for pod in self.pods)

    @property
    def importance(self) -> tuple[int, ...]:
        """Sort key, most important first: priority, groups before Pods without one, bigger groups, earlier start."""
        grouped = any(pod.shape.pod_group for pod in self.pods)
        size = -len(self.pods) if self.is_group else 0
        return (-self.priority, 0 if grouped else 1, size, self.start)


def preempt(
    scheduler: KubeScheduler,
    framework: Framework,
    infos: Sequence[QueuedPod],
    key: str,
    result: GroupResult,
    record: Cycle,
) -> GroupResult:
    """Look for victims after the group found no room. The result waits for them, or says why there are none."""
    group = scheduler.groups.object(key)
    refusal = _refusal(framework, infos, group)
    if refusal is not None:
        return _refused(result, refusal)
    assert group is not None
    units = [unit for unit in _units(scheduler, key) if unit.priority < group_priority(group)]
    if not units:
        return _refused(result, Status(result.status.code, (Reason("pod_group.no_victims"),)))
    with _Removed(scheduler) as removed:
        for unit in units:
            removed.take(unit)
        trial = _again(scheduler, framework, infos, result)
        if not trial.status.is_success:
            return _refused(result, trial.status)
        victims = _reprieve(scheduler, framework, infos, result, units, removed)
    pods = tuple(pod for unit in victims for pod in unit.pods)
    evicted = PostFilterResult(Status(), nominated="cluster", victims=pods)
    failure.evict(scheduler, infos[0].pod, evicted, record, target="cluster", word="podgroup")
    return replace(result, waiting_on_preemption=True)


def _refusal(framework: Framework, infos: Sequence[QueuedPod], group: object) -> Status | None:
    code = None
    if PLUGIN not in framework.plugins:
        code = "pod_group.no_preemption_plugin"
    elif group is None or topology_key(group) is not None:  # type: ignore[arg-type]
        code = "pod_group.no_preemption_constraints"
    elif any(info.pod.shape.preemption_policy == "Never" for info in infos):
        code = "pod_group.never"
    return None if code is None else Status(reasons=(Reason(code),))


def _refused(result: GroupResult, status: Status) -> GroupResult:
    """The group's own result with the refusal's words appended; its members keep their own messages."""
    own = result.own_status or result.status
    return replace(result, status=with_reason(result.status, *status.reasons), own_status=own)


def _again(
    scheduler: KubeScheduler, framework: Framework, infos: Sequence[QueuedPod], result: GroupResult
) -> GroupResult:
    """The whole algorithm without PostFilter, untold."""
    trial = try_group(scheduler, framework, infos, Trial(placement=result.placement, post_filter=False))
    if framework.placement_generate and not trial.status.is_success:
        reason = Reason.of("pod_group.placements", count=1, status=trial.message)
        return replace(trial, status=Status(trial.status.code, (reason,)))
    return trial


def _units(scheduler: KubeScheduler, own_group: str) -> Iterator[Unit]:
    """Everything on nodes that could be evicted, in order of namespace and name."""
    cluster = scheduler.cluster
    running = [cluster.pods.pod(number) for numbers in cluster.pods.on_node for number in numbers]
    running.sort(key=lambda pod: (pod.namespace, pod.name))
    seen: set[str] = set()
    for pod in running:
        key = PodGroupStates.key_of(pod)
        if key == own_group:
            continue
        group = None if key is None else scheduler.groups.object(key)
        if key is None or group is None or not disrupted_together(group):
            yield Unit((pod,), pod.priority, is_group=False)
        elif key not in seen:
            seen.add(key)
            together = tuple(other for other in running if PodGroupStates.key_of(other) == key)
            yield Unit(together, group_priority(group), is_group=True)


def _reprieve(
    scheduler: KubeScheduler,
    framework: Framework,
    infos: Sequence[QueuedPod],
    result: GroupResult,
    units: Sequence[Unit],
    removed: _Removed,
) -> list[Unit]:
    """Give units back one by one, those that violate a budget first; whoever stands in the way is a victim."""
    ordered = sorted(units, key=lambda unit: unit.importance)
    violating = _violating(scheduler, ordered)
    victims: list[Unit] = []
    for unit in [*violating, *(unit for unit in ordered if unit not in violating)]:
        removed.give_back(unit)
        if not _again(scheduler, framework, infos, result).status.is_success:
            removed.take(unit)
            victims.append(unit)
    return sorted(victims, key=lambda unit: unit.importance)


def _violating(scheduler: KubeScheduler, units: Sequence[Unit]) -> list[Unit]:
    budgets = [PodDisruptionBudget.parse(manifest) for manifest in scheduler.objects.list("PodDisruptionBudget")]
    allowed = [budget.disruptions_allowed for budget in budgets]
    return [unit for unit in units if any(uses_up(pod, budgets, allowed) for pod in unit.pods)]


class _Removed:
    """Pods taken off their nodes for a trial; at the end everything is as before, slot by slot."""

    def __init__(self, scheduler: KubeScheduler) -> None:
        self._cluster = scheduler.cluster

    def __enter__(self) -> _Removed:
        self._before = self._cluster.remember()
        return self

    def __exit__(self, *_: object) -> None:
        self._cluster.restore(self._before)

    def take(self, unit: Unit) -> None:
        for pod in unit.pods:
            self._cluster.remove_pod(pod.key)

    def give_back(self, unit: Unit) -> None:
        for pod in unit.pods:
            self._cluster.add_pod(pod)

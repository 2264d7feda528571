"""Trying a whole pod group: its members one after the other, on one view of the cluster that is put back afterwards.

Source: kube-scheduler 1.36 `schedule_one_podgroup.go` podGroupSchedulingDefaultAlgorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from simulator.engine.actors.kube_scheduler import binding, failure
from simulator.engine.actors.kube_scheduler.binding import Placed
from simulator.engine.actors.kube_scheduler.cycle import Cycle, Failure
from simulator.engine.cluster.rows import Bools
from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.plugin import Placement
from simulator.engine.framework.status import Code, Reason, Status
from simulator.engine.queue.info import QueuedPod

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
    from simulator.engine.framework.runtime import Framework

UNSCHEDULABLE = Reason("pod_group.unschedulable")
WAITING = Reason("pod_group.waiting_on_preemption")


@dataclass(slots=True)
class MemberResult:
    """What became of one member: a node (`preempts`: one that victims have to leave first), or a failure.

    `attempt` is None where it was not tried.
    """

    info: QueuedPod
    attempt: Attempt | None
    node: str = ""
    preempts: bool = False
    permit: Status = field(default_factory=Status)
    failure: Failure | None = None

    @property
    def feasible(self) -> bool:
        return bool(self.node) and not self.preempts


@dataclass(slots=True)
class GroupResult:
    """The group's status, whether it waits for victims to go, and its members' results in the order tried.

    `own_status` is the algorithm's, where `status` says more (placements, preemption): members tell it.
    """

    status: Status
    waiting_on_preemption: bool = False
    members: list[MemberResult] = field(default_factory=list)
    placement: Placement | None = None
    own_status: Status | None = None

    @property
    def message(self) -> str:
        return messages.status_text(self.status)


@dataclass(slots=True)
class Trial:
    """How a group is tried: on which placement, with or without PostFilter, and whether the tries are told."""

    placement: Placement | None = None
    post_filter: bool = True
    record: Cycle | None = None


def try_group(scheduler: KubeScheduler, framework: Framework, infos: Sequence[QueuedPod], trial: Trial) -> GroupResult:
    """Run the default algorithm for the members in order. The cluster is afterwards as it was before."""
    result = GroupResult(Status(Code.UNSCHEDULABLE, (UNSCHEDULABLE,)), placement=trial.placement)
    placed: list[Placed] = []
    nominations = scheduler.queue.nominator.all()
    preempting = False
    for info in infos:
        member = _try_member(scheduler, framework, info, trial)
        result.members.append(member)
        if member.failure is not None and member.failure.code == str(Code.ERROR):
            text = member.failure.message
            result.status = Status(Code.ERROR, (Reason.of("pod_group.other_failed", error=text),))
            break
        if not member.node:
            continue
        preempting = preempting or member.preempts
        if not _take(scheduler, framework, member, placed):
            continue
        if member.permit.is_success:
            waiting = preempting
            result.waiting_on_preemption = waiting
            reasons = (UNSCHEDULABLE, WAITING)
            result.status = Status(Code.UNSCHEDULABLE, reasons) if waiting else Status()
    _put_back(scheduler, framework, placed, nominations)
    return result


def _try_member(scheduler: KubeScheduler, framework: Framework, info: QueuedPod, trial: Trial) -> MemberResult:
    candidates = None if trial.placement is None else _mask(scheduler, trial.placement)
    name = None if trial.placement is None else trial.placement.name
    if scheduler.tracer is not None and trial.record is not None:
        scheduler.tracer.member(info, name)
    tried = scheduler.try_pod(framework, info.pod, trial.record, placement=name, candidates=candidates)
    if tried.found:
        return MemberResult(info, tried, tried.node)
    member = MemberResult(info, tried)
    if not trial.post_filter:
        member.failure = failure.plain(tried)
        return member
    member.failure, outcome = failure.explain(scheduler, framework, tried)
    if outcome is not None and outcome.status.is_success and outcome.nominated:
        member.node, member.preempts = outcome.nominated, True
        decisive = outcome.decisive
        assert decisive is not None
        assert trial.record is not None
        failure.evict(scheduler, info.pod, decisive, trial.record)
    return member


def _mask(scheduler: KubeScheduler, placement: Placement) -> Bools:
    row_of = scheduler.cluster.nodes.row_of
    mask = np.zeros(len(scheduler.cluster), dtype=np.bool_)
    mask[[row_of[name] for name in placement.nodes if name in row_of]] = True
    return mask


def _take(scheduler: KubeScheduler, framework: Framework, member: MemberResult, placed: list[Placed]) -> bool:
    """Assume the member on its node, Reserve and Permit it. False where one of them said no (and it was undone)."""
    info = member.info
    assert member.attempt is not None
    on_way = Placed(info, scheduler.assume(info.pod, member.node), member.node, member.attempt.state)
    status = framework.run_reserve(on_way.state, on_way.pod, on_way.node)
    if status.is_success:
        status, _ = binding.run_permit(scheduler, framework, on_way, simulated=True)
    member.permit = status
    if status.is_success or status.code == Code.WAIT:
        placed.append(on_way)
        return True
    binding.undo(scheduler, framework, on_way, told=False)
    member.failure = binding.one_node_failure(info.pod, status)
    member.node = ""
    return False


def _put_back(
    scheduler: KubeScheduler, framework: Framework, placed: list[Placed], nominations: dict[str, str]
) -> None:
    for on_way in reversed(placed):
        binding.undo(scheduler, framework, on_way, told=False)
        node = nominations.get(on_way.pod.key, "")
        scheduler.queue.nominator.add(on_way.info.pod, node)


def with_reason(status: Status, *reasons: Reason) -> Status:
    return replace(status, reasons=(*status.reasons, *reasons))

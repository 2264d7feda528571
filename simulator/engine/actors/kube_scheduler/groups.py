"""The pod-group cycle: collect the members, try them together, apply what came out.

Source: kube-scheduler 1.36 `schedule_one_podgroup.go`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simulator.engine.actors.actor import Turn
from simulator.engine.actors.kube_scheduler import binding, cycle, failure, group_preemption
from simulator.engine.actors.kube_scheduler.binding import Placed
from simulator.engine.actors.kube_scheduler.cycle import Cycle, Failure, GroupOutcome
from simulator.engine.actors.kube_scheduler.group_algorithm import GroupResult, MemberResult, Trial, try_group
from simulator.engine.cluster.pod_groups import PodGroupStates, min_count
from simulator.engine.framework import messages
from simulator.engine.framework.plugin import Manifest, Placement, ProposedPlacement
from simulator.engine.framework.status import Code, Reason, Status
from simulator.engine.objects.times import MILLISECOND, format_time
from simulator.engine.queue.info import QueuedPod
from simulator.engine.world.decisions import Patch

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
    from simulator.engine.framework.runtime import Framework

FAILURE_COST = MILLISECOND


def schedule_group(scheduler: KubeScheduler, first: QueuedPod, now: int) -> Turn:
    """Schedule the group of the Pod that was popped."""
    key = PodGroupStates.key_of(first.pod)
    assert key is not None
    record = Cycle(cycle.POD_GROUP, now, first.key, first.attempts)
    if scheduler.tracer is not None:
        scheduler.tracer.popped(first)
    infos = _collect(scheduler, first, key, now)
    _trace_collected(scheduler, infos, key)
    framework = scheduler.frameworks[first.pod.shape.scheduler_name]
    result = _wrong_schedulers(infos) or _schedule(scheduler, framework, infos, key, record)
    if scheduler.tracer is not None:
        success, waiting = result.status.is_success, result.waiting_on_preemption
        scheduler.tracer.group_result(first.key, key, result.message, success=success, waiting=waiting)
    _apply(scheduler, framework, result, record)
    _tell(scheduler, key, result, record)
    spent = scheduler.now - now
    scheduler.now = now
    return scheduler.finish(record, cost=cycle.COST + spent)


def _collect(scheduler: KubeScheduler, first: QueuedPod, key: str, now: int) -> list[QueuedPod]:
    """All members that can be tried: by priority, then by the time of their first attempt; the popped one first among
    equals."""
    others = sorted(other for other in scheduler.groups.state(key).unscheduled if other != first.key)
    taken = [scheduler.queue.take(other, now) for other in others]
    infos = [first, *(info for info in taken if info is not None)]
    infos.sort(key=lambda info: (-info.pod.priority, info.first_attempt))
    return [info for info in infos if not scheduler.skips(info)]


def _trace_collected(scheduler: KubeScheduler, infos: Sequence[QueuedPod], key: str) -> None:
    if scheduler.tracer is not None:
        group = scheduler.groups.object(key)
        scheduler.tracer.collected(infos, key, None if group is None else min_count(group))


def _wrong_schedulers(infos: Sequence[QueuedPod]) -> GroupResult | None:
    names = list(dict.fromkeys(info.pod.shape.scheduler_name for info in infos))
    if len(names) < 2:
        return None
    reason = Reason.of("pod_group.scheduler_names", first=names[0], second=names[1])
    result = GroupResult(Status(Code.ERROR, (reason,)))
    text = messages.text(reason)
    for info in infos:
        failed = Failure(info.key, str(Code.ERROR), text, (), "")
        result.members.append(MemberResult(info, None, failure=failed))
    return result


def _schedule(
    scheduler: KubeScheduler, framework: Framework, infos: Sequence[QueuedPod], key: str, record: Cycle
) -> GroupResult:
    if framework.placement_generate:
        result = _try_placements(scheduler, framework, infos, key, record)
    else:
        result = try_group(scheduler, framework, infos, Trial(record=record))
    rejected = result.status.is_rejected and not result.waiting_on_preemption
    if rejected and scheduler.gates["WorkloadAwarePreemption"] and infos:
        result = group_preemption.preempt(scheduler, framework, infos, key, result, record)
    return result


def _try_placements(
    scheduler: KubeScheduler, framework: Framework, infos: Sequence[QueuedPod], key: str, record: Cycle
) -> GroupResult:
    found = framework.placement_generate[0].placements(key)
    if isinstance(found, Status):
        return _without_tries(infos, found)
    if not found:
        return _without_tries(infos, Status(Code.UNSCHEDULABLE, (Reason("pod_group.no_placements"),)))
    results = [try_group(scheduler, framework, infos, Trial(placement=placement, record=record)) for placement in found]
    usable = [result for result in results if result.status.is_success or result.waiting_on_preemption]
    if not usable:
        first = results[0]
        reason = Reason.of("pod_group.placements", count=len(results), status=first.message)
        first.own_status = first.status
        first.status = Status(Code.UNSCHEDULABLE, (reason,))
        return first
    return usable[0] if len(usable) == 1 else _best(framework, key, usable)


def _without_tries(infos: Sequence[QueuedPod], status: Status) -> GroupResult:
    result = GroupResult(status)
    text = messages.status_text(status)
    for info in infos:
        failed = Failure(info.key, str(status.code), text, (), None if status.is_rejected else "")
        result.members.append(MemberResult(info, None, failure=failed))
    return result


def _best(framework: Framework, key: str, usable: Sequence[GroupResult]) -> GroupResult:
    """The usable placement with the highest score, the first by name among equals."""
    proposals = [_proposal(result) for result in usable]
    totals = [0] * len(usable)
    for plugin, weight in framework.placement_score:
        for index, score in enumerate(plugin.score_placements(key, proposals)):
            totals[index] += score * weight
    return usable[totals.index(max(totals))]


def _proposal(result: GroupResult) -> ProposedPlacement:
    placement = result.placement or Placement("", frozenset())
    return ProposedPlacement(placement, [(m.info.pod, m.node) for m in result.members if m.node])


# applying


def _apply(scheduler: KubeScheduler, framework: Framework, result: GroupResult, record: Cycle) -> None:
    on_way: list[Placed] = []
    for member in result.members:
        if result.status.is_success and member.feasible:
            _assume(scheduler, framework, member, record, on_way)
        else:
            _fail(scheduler, _member_failure(result, member), member.info, record)
    for placed in on_way:
        _bind_if_free(scheduler, framework, placed, record)
    scheduler.released.clear()


def _fail(scheduler: KubeScheduler, failed: Failure, info: QueuedPod, record: Cycle) -> None:
    failure.fail(scheduler, info, failed, record)
    scheduler.now += FAILURE_COST


def _member_failure(result: GroupResult, member: MemberResult) -> Failure:
    key = member.info.key
    if result.status.code == Code.ERROR:
        own = member.failure is not None and member.failure.code == str(Code.ERROR)
        if own and member.failure is not None:
            return member.failure
        return Failure(key, str(Code.ERROR), result.message, (), "")
    if member.failure is not None and (not member.node or result.waiting_on_preemption):
        return member.failure
    if result.waiting_on_preemption:
        return Failure(key, str(Code.UNSCHEDULABLE), result.message, (), member.node)
    own_status = result.own_status or result.status
    reasons = (*own_status.reasons, *member.permit.reasons)
    text = ", ".join(messages.text(reason) for reason in reasons)
    return Failure(key, str(Code.UNSCHEDULABLE), text, (), "")


def _assume(
    scheduler: KubeScheduler, framework: Framework, member: MemberResult, record: Cycle, on_way: list[Placed]
) -> None:
    """For real this time: assume, Reserve, Permit. A member that has to wait is released by a later one."""
    info = member.info
    assert member.attempt is not None
    placed = Placed(info, scheduler.assume(info.pod, member.node), member.node, member.attempt.state)
    status, deadlines = binding.reserve_and_permit(scheduler, framework, placed)
    if status.code == Code.WAIT:
        binding.hold(scheduler, placed, deadlines)
    elif not status.is_success:
        binding.undo(scheduler, framework, placed)
        _fail(scheduler, binding.one_node_failure(info.pod, status), info, record)
        return
    record.assumed.append((info.key, member.node))
    on_way.append(placed)


def _bind_if_free(scheduler: KubeScheduler, framework: Framework, placed: Placed, record: Cycle) -> None:
    waiting = scheduler.waiting.get(placed.pod.key)
    if waiting is None:
        binding.bind(scheduler, framework, placed, record)
    elif not waiting.deadlines:
        binding.release(scheduler, waiting, record)
    else:
        record.waiting.append(placed.pod.key)


# telling


def _tell(scheduler: KubeScheduler, key: str, result: GroupResult, record: Cycle) -> None:
    """Set the condition PodGroupScheduled; once True it stays."""
    if result.status.is_success:
        status, reason, message = "True", "Scheduled", ""
    else:
        status, message = "False", result.message
        reason = "SchedulerError" if result.status.code == Code.ERROR else "Unschedulable"
    record.group = GroupOutcome(key, status, reason, message, result.waiting_on_preemption)
    group = scheduler.groups.object(key)
    if group is not None and not _is_scheduled(group):
        _write(scheduler, group, {"type": "PodGroupScheduled", "status": status, "reason": reason, "message": message})


def _is_scheduled(group: Manifest) -> bool:
    return any(c.get("type") == "PodGroupScheduled" and c.get("status") == "True" for c in _conditions(group))


def _conditions(group: Manifest) -> list[dict[str, str]]:
    return list((group.get("status") or {}).get("conditions") or ())


def _write(scheduler: KubeScheduler, group: Manifest, condition: dict[str, str]) -> None:
    condition["lastTransitionTime"] = format_time(scheduler.now)
    others = [c for c in _conditions(group) if c.get("type") != condition["type"]]
    metadata = group["metadata"]
    patch = {"status": {"conditions": [*others, condition]}}
    scheduler.decide(Patch("PodGroup", metadata.get("namespace") or "default", metadata["name"], patch))

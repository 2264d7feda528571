"""What happens to a Pod that was not placed: back to the queue, a condition, an Event, perhaps a nomination and
evictions.

Source: kube-scheduler 1.36 `schedule_one.go` handleSchedulingFailure, `framework/preemption/executor.go`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.engine.actors.kube_scheduler import cycle
from simulator.engine.actors.kube_scheduler.cycle import Cycle, Failure
from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt, PostFilterOutcome, run_post_filter
from simulator.engine.framework.plugin import PostFilterResult
from simulator.engine.framework.status import Code
from simulator.engine.objects.pod import Condition, Pod
from simulator.engine.objects.times import floor_second
from simulator.engine.plugins.default_preemption import TERMINATING_BY_PREEMPTION
from simulator.engine.queue.info import QueuedPod
from simulator.engine.world.decisions import Announce, DeletePod, PatchPodStatus

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
    from simulator.engine.framework.runtime import Framework


def not_placed(scheduler: KubeScheduler, framework: Framework, info: QueuedPod, tried: Attempt, record: Cycle) -> None:
    """The algorithm found no node: run PostFilter, evict, and put the Pod back."""
    failure, outcome = explain(scheduler, framework, tried)
    record.result = cycle.ERROR if failure.code == str(Code.ERROR) else cycle.UNSCHEDULABLE
    if outcome is not None and outcome.status.is_success and outcome.nominated:
        record.result, record.node = cycle.NOMINATED, outcome.nominated
        decisive = outcome.decisive
        assert decisive is not None
        evict(scheduler, info.pod, decisive, record)
    fail(scheduler, info, failure, record)


def plain(tried: Attempt) -> Failure:
    """The failure of an attempt without a node, PostFilter left out."""
    if tried.error is not None or tried.search is None:
        return Failure(tried.pod.key, str(Code.ERROR), tried.message, (), "")
    return Failure(tried.pod.key, str(Code.UNSCHEDULABLE), tried.message, tried.rejectors, None)


def explain(scheduler: KubeScheduler, framework: Framework, tried: Attempt) -> tuple[Failure, PostFilterOutcome | None]:
    """The failure of an attempt without a node, and what PostFilter made of it (None where it did not run)."""
    failure = plain(tried)
    if tried.error is not None or tried.search is None or not framework.post_filter:
        return failure, None
    outcome = run_post_filter(framework, tried)
    if scheduler.tracer is not None:
        scheduler.tracer.post_filter(outcome)
    message = tried.search.diagnosis.message(outcome.message)
    return replace(failure, message=message, nominated=outcome.nominated), outcome


def fail(scheduler: KubeScheduler, info: QueuedPod, failure: Failure, record: Cycle) -> None:
    """Put the Pod back and tell it why."""
    record.failures.append(failure)
    current = scheduler.pending.get(info.key)
    info.rejectors, info.pending = set(failure.rejectors), set()
    if current is not None and current.uid == info.pod.uid and not current.node_name:
        info.pod = current
        queue = scheduler.queue.put_back(info, scheduler.now)
    else:
        queue = ""
        scheduler.queue.done(info.key)
    if scheduler.tracer is not None:
        scheduler.tracer.failed(info.key, failure.message, queue, failure.rejectors, failure.nominated)
    if failure.nominated is not None:
        scheduler.queue.nominator.add(info.pod, failure.nominated)
    elif current is not None:
        scheduler.queue.nominator.add(current, current.nominated_node_name)
    _tell(scheduler, info.pod, failure)


def _tell(scheduler: KubeScheduler, pod: Pod, failure: Failure) -> None:
    text = messages.event_text(failure.message)
    scheduler.decide(Announce("Pod", pod.key, "Warning", "FailedScheduling", text, "Scheduling"))
    reason = "SchedulerError" if failure.code == str(Code.ERROR) else "Unschedulable"
    condition = Condition("PodScheduled", "False", reason, failure.message, floor_second(scheduler.now))
    scheduler.decide(PatchPodStatus(pod.key, pod.uid, condition, failure.nominated))


def evict(
    scheduler: KubeScheduler,
    preemptor: Pod,
    result: PostFilterResult,
    record: Cycle,
    *,
    target: str | None = None,
    word: str = "pod",
) -> None:
    """Carry out a preemption: victims go, less important nominations to the node are dropped."""
    node = target if target is not None else result.nominated
    for victim in result.victims:
        if victim.key in record.victims:
            continue
        record.victims.append(victim.key)
        if scheduler.tracer is not None:
            scheduler.tracer.evicted(victim.key, victim.node_name)
        if scheduler.reject_waiting(victim.key, "framework.preempted_while_waiting"):
            note = f"Preempted by {word} {preemptor.uid} on node {node} (in kube-scheduler memory)."
            scheduler.decide(Announce("Pod", victim.key, "Normal", "Preempted", note, "Preempting"))
            continue
        if victim.terminating:
            continue
        name = preemptor.shape.scheduler_name
        kind = "pod" if word == "pod" else word
        text = f"{name}: preempting to accommodate a higher priority {kind}"
        condition = Condition("DisruptionTarget", "True", TERMINATING_BY_PREEMPTION, text, floor_second(scheduler.now))
        scheduler.decide(DeletePod(victim.key, victim.uid, condition))
        note = f"Preempted by {word} {preemptor.uid} on node {node}"
        scheduler.decide(Announce("Pod", victim.key, "Normal", "Preempted", note, "Preempting"))
    for other in result.cleared:
        scheduler.decide(PatchPodStatus(other.key, other.uid, None, ""))

"""From a chosen node to a bound Pod: assume, Reserve, Permit, wait, PreBind, Bind, PostBind; and back if any of it
fails.

Source: kube-scheduler 1.36 `schedule_one.go` schedulingCycle, bindingCycle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.engine.actors.actor import Turn
from simulator.engine.actors.kube_scheduler import cycle, failure
from simulator.engine.actors.kube_scheduler.cycle import Binding, Cycle, Failure
from simulator.engine.actors.kube_scheduler.waiting import WaitingPod
from simulator.engine.framework import messages
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.extender_replies import ExtenderError
from simulator.engine.framework.extenders import BIND
from simulator.engine.framework.plugin import CycleState
from simulator.engine.framework.status import Code, Reason, Status, unschedulable
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND, go_duration
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.object_events import ASSIGNED_POD_DELETED
from simulator.engine.trace import records
from simulator.engine.world.decisions import Announce, Bind, PatchPodStatus, Put

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
    from simulator.engine.framework.runtime import Framework

MAX_PERMIT_WAIT = 15 * 60 * SECOND


@dataclass(slots=True)
class Placed:
    """A Pod on its way to `node`: the queue's entry, the assumed Pod and its cycle state."""

    info: QueuedPod
    pod: Pod
    node: str
    state: CycleState


def assume_and_bind(
    scheduler: KubeScheduler, framework: Framework, info: QueuedPod, tried: Attempt, record: Cycle
) -> None:
    """Take the chosen node and go on to binding, unless Reserve or Permit say no or wait."""
    record.node = tried.node
    placed = Placed(info, scheduler.assume(info.pod, tried.node), tried.node, tried.state)
    status, deadlines = reserve_and_permit(scheduler, framework, placed)
    if status.code == Code.WAIT:
        record.result = cycle.WAITING
        record.waiting.append(info.key)
        hold(scheduler, placed, deadlines)
        return
    if not status.is_success:
        undo(scheduler, framework, placed)
        record.result = cycle.ERROR if status.code == Code.ERROR else cycle.UNSCHEDULABLE
        failure.fail(scheduler, info, one_node_failure(info.pod, status), record)
        return
    record.result = cycle.SCHEDULED
    bind(scheduler, framework, placed, record)


def reserve_and_permit(scheduler: KubeScheduler, framework: Framework, placed: Placed) -> tuple[Status, dict[str, int]]:
    """Reserve, then Permit, told to the tracer."""
    tracer = scheduler.tracer
    if tracer is not None:
        tracer.assumed(placed.pod.key, placed.node)
    status = framework.run_reserve(placed.state, placed.pod, placed.node)
    if tracer is not None and not status.is_success:
        tracer.plugin_result(records.RESERVE, status.plugin, placed.node, status)
    if not status.is_success:
        return status, {}
    return run_permit(scheduler, framework, placed)


def run_permit(
    scheduler: KubeScheduler, framework: Framework, placed: Placed, *, simulated: bool = False
) -> tuple[Status, dict[str, int]]:
    """The Permit plugins taken together, and the deadline of every plugin that wants to wait.

    `simulated`: nothing is activated or released by it.
    """
    deadlines: dict[str, int] = {}
    waits: list[Reason] = []
    for plugin in framework.permit:
        result = plugin.permit(placed.state, placed.pod, placed.node)
        status = result.status
        if scheduler.tracer is not None and not simulated:
            scheduler.tracer.plugin_result(records.PERMIT, plugin.name, placed.node, status, timeout=result.timeout)
        if status.is_rejected:
            return status.by(plugin.name), {}
        if status.code == Code.WAIT:
            deadlines[plugin.name] = scheduler.now + min(result.timeout, MAX_PERMIT_WAIT)
            waits.extend(status.reasons)
        elif not status.is_success:
            return framework.wrapped("framework.permit", plugin.name, status), {}
    wanted = list(framework.handle.to_activate)
    framework.handle.to_activate.clear()
    if simulated:
        scheduler.released.clear()
    else:
        scheduler.queue.activate(wanted)
    if not deadlines:
        return Status(), {}
    return Status(Code.WAIT, (*waits, Reason("framework.permit_wait"))), deadlines


def hold(scheduler: KubeScheduler, placed: Placed, deadlines: dict[str, int]) -> None:
    """Let the Pod wait at Permit. Its node is shown as the nominated one meanwhile."""
    waiting = WaitingPod(placed.info, placed.pod, placed.node, placed.state, scheduler.now, deadlines)
    scheduler.waiting.add(waiting)
    if scheduler.tracer is not None:
        scheduler.tracer.waits(placed.pod.key, placed.node, deadlines)
    if scheduler.gates["NominatedNodeNameForExpectation"]:
        scheduler.decide(PatchPodStatus(placed.pod.key, placed.pod.uid, None, placed.node))


def undo(scheduler: KubeScheduler, framework: Framework, placed: Placed, *, told: bool = True) -> None:
    """Give everything back that the Pod had reserved."""
    if scheduler.tracer is not None and told:
        scheduler.tracer.undone(placed.pod.key, placed.node)
    framework.run_unreserve(placed.state, placed.pod, placed.node)
    scheduler.forget(placed.pod)


def one_node_failure(pod: Pod, status: Status) -> Failure:
    """The failure of a Pod that had a node already."""
    if status.code == Code.ERROR:
        return Failure(pod.key, str(Code.ERROR), messages.status_text(status), (), "")
    counts = messages.count_reasons([status])
    rejectors = (status.plugin,) if status.plugin else ()
    return Failure(pod.key, str(Code.UNSCHEDULABLE), messages.fit_error(1, counts), rejectors, "")


def bind(scheduler: KubeScheduler, framework: Framework, placed: Placed, record: Cycle) -> None:
    """The binding cycle after Permit."""
    scheduler.queue.done(placed.pod.key)
    if scheduler.gates["NominatedNodeNameForExpectation"] and _has_pre_bind_work(framework, placed):
        scheduler.decide(PatchPodStatus(placed.pod.key, placed.pod.uid, None, placed.node))
    status = _pre_bind(scheduler, framework, placed)
    if status.is_success:
        status = _bind(scheduler, framework, placed)
    if not status.is_success:
        _binding_failed(scheduler, framework, placed, status, record)
        return
    record.bindings.append(Binding(placed.pod.key, placed.node))
    if scheduler.tracer is not None:
        scheduler.tracer.bound(placed.pod.key, placed.node)
    text = f"Successfully assigned {placed.pod.key} to {placed.node}"
    scheduler.decide(Announce("Pod", placed.pod.key, "Normal", "Scheduled", text, "Binding"))
    for plugin in framework.post_bind:
        plugin.post_bind(placed.state, placed.pod, placed.node)


def _has_pre_bind_work(framework: Framework, placed: Placed) -> bool:
    answers = [p.pre_bind_pre_flight(placed.state, placed.pod, placed.node) for p in framework.pre_bind]
    return any(status.is_success for status in answers)


def _pre_bind(scheduler: KubeScheduler, framework: Framework, placed: Placed) -> Status:
    for plugin in framework.pre_bind:
        if plugin.pre_bind_pre_flight(placed.state, placed.pod, placed.node).is_skip:
            continue
        status = plugin.pre_bind(placed.state, placed.pod, placed.node)
        if not status.is_success:
            return framework.wrapped("framework.pre_bind", plugin.name, status)
        for manifest in plugin.pending_writes(placed.pod):
            scheduler.decide(Put(manifest))
    return Status()


def _bind(scheduler: KubeScheduler, framework: Framework, placed: Placed) -> Status:
    outside = _bind_outside(scheduler, placed)
    if outside is not None:
        return outside
    for plugin in framework.bind:
        status = plugin.bind(placed.state, placed.pod, placed.node)
        if status.is_skip:
            continue
        if status.is_success:
            scheduler.decide(Bind(placed.pod.key, placed.pod.uid, placed.node))
            return status
        return framework.wrapped("framework.bind", plugin.name, status)
    return Status(Code.SKIP)


def _bind_outside(scheduler: KubeScheduler, placed: Placed) -> Status | None:
    """Let the first interested extender bind. None where there is none."""
    for extender in scheduler.extenders.interested(placed.pod, BIND):
        try:
            extender.bind(placed.pod, placed.node)
        except ExtenderError as problem:
            if extender.ignorable:
                continue
            return Status(Code.ERROR, (Reason.of("extender.failed", message=str(problem)),))
        scheduler.decide(Bind(placed.pod.key, placed.pod.uid, placed.node))
        return Status()
    return None


def _binding_failed(
    scheduler: KubeScheduler, framework: Framework, placed: Placed, status: Status, record: Cycle
) -> None:
    record.bindings.append(Binding(placed.pod.key, placed.node, messages.status_text(status)))
    if scheduler.tracer is not None:
        scheduler.tracer.binding_failed(placed.pod.key, placed.node, messages.status_text(status))
    undo(scheduler, framework, placed)
    failed = one_node_failure(placed.info.pod, status)
    failure.fail(scheduler, placed.info, failed, record)
    pod = placed.pod
    scheduler.queue.move_all(
        ASSIGNED_POD_DELETED,
        pod,
        None,
        scheduler.now,
        (lambda waiting: waiting.uid != pod.uid) if status.is_rejected else None,
    )


def release(scheduler: KubeScheduler, waiting: WaitingPod, record: Cycle) -> None:
    """Everybody allowed the waiting Pod: go on to binding."""
    scheduler.waiting.remove(waiting.pod.key)
    if scheduler.tracer is not None:
        scheduler.tracer.released(waiting.pod.key, waiting.node)
    framework = scheduler.frameworks[waiting.pod.shape.scheduler_name]
    bind(scheduler, framework, Placed(waiting.info, waiting.pod, waiting.node, waiting.state), record)


def reject(scheduler: KubeScheduler, waiting: WaitingPod, status: Status, record: Cycle) -> None:
    """A waiting Pod is turned away."""
    scheduler.waiting.remove(waiting.pod.key)
    framework = scheduler.frameworks[waiting.pod.shape.scheduler_name]
    placed = Placed(waiting.info, waiting.pod, waiting.node, waiting.state)
    _binding_failed(scheduler, framework, placed, status, record)


def time_out(scheduler: KubeScheduler, waiting: WaitingPod, now: int) -> Turn:
    """The first deadline of a waiting Pod has passed."""
    plugin = waiting.first_to_expire
    record = Cycle(cycle.PERMIT_TIMEOUT, now, waiting.pod.key, waiting.info.attempts)
    if scheduler.tracer is not None:
        scheduler.tracer.timed_out(waiting.pod.key, waiting.node, plugin)
    duration = go_duration(waiting.deadline - waiting.since)
    status = unschedulable("framework.permit_timeout", duration=duration, plugin=plugin).by(plugin)
    reject(scheduler, waiting, status, record)
    record.bindings.clear()
    return scheduler.finish(record, cost=0)


def interrupted(code: str) -> Status:
    return Status(Code.ERROR, (Reason.of(code),))

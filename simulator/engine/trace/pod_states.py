"""Where every Pod is at a moment: bound, waiting at Permit, in one of the queues, gated, finished; and until when.

A state is a code with parameters; times are microseconds of the virtual clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.actors.kubelet import grace, run_time
from simulator.engine.framework.status import Reason
from simulator.engine.objects.pod import Pod
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.scheduling_queue import LONGEST_UNSCHEDULABLE, SWEEP_EVERY
from simulator.engine.world.simulation import Simulation

FINISHED, TERMINATING, BOUND, WAITING = "pod.finished", "pod.terminating", "pod.bound", "pod.waiting"
GATED, ACTIVE, BACKOFF, ERROR_BACKOFF = "pod.gated", "pod.active", "pod.backoff", "pod.errorBackoff"
UNSCHEDULABLE, FOREIGN = "pod.unschedulable", "pod.foreign"


@dataclass(frozen=True, slots=True)
class PodState:
    """`nominated`: the node kept in mind for the Pod while it has none, "" otherwise."""

    pod: str
    code: str
    params: Mapping[str, Any]
    nominated: str = ""


def pod_state(simulation: Simulation, key: str) -> PodState | None:
    """The state of one Pod, None where there is no such Pod."""
    pod = simulation.world.pod(key)
    return None if pod is None else _state(simulation, pod, _ranks(simulation))


def pod_states(simulation: Simulation) -> list[PodState]:
    """The states of all Pods, in order of creation."""
    ranks = _ranks(simulation)
    return [_state(simulation, pod, ranks) for pod in simulation.world.list("Pod")]


def _ranks(simulation: Simulation) -> dict[str, int]:
    """How many Pods stand before each Pod of the active queue."""
    return {info.key: ahead for ahead, info in enumerate(simulation.scheduler.queue.active.in_order())}


def _state(simulation: Simulation, pod: Pod, ranks: Mapping[str, int]) -> PodState:
    if pod.terminal:
        return PodState(pod.key, FINISHED, {"phase": pod.phase, "node": pod.node_name})
    if pod.node_name:
        return _on_node(pod)
    scheduler = simulation.scheduler
    if pod.shape.scheduler_name not in scheduler.frameworks:
        return PodState(pod.key, FOREIGN, {"scheduler": pod.shape.scheduler_name})
    waiting = scheduler.waiting.get(pod.key)
    if waiting is not None:
        params = {"node": waiting.node, "since": waiting.since, "deadlines": dict(waiting.deadlines)}
        return PodState(pod.key, WAITING, {**params, "until": waiting.deadline})
    info = scheduler.queue.find(pod.key)
    if info is None:
        return PodState(pod.key, TERMINATING, {"node": "", "until": simulation.now})
    nominated = pod.nominated_node_name or scheduler.queue.nominator.node_of(pod.key)
    return replace(_in_queue(simulation, info, ranks), nominated=nominated)


def _on_node(pod: Pod) -> PodState:
    if pod.deletion_time is not None:
        ends = pod.deletion_time + grace(pod)
        return PodState(pod.key, TERMINATING, {"node": pod.node_name, "until": ends})
    duration, start = run_time(pod), pod.start_time
    until = None if duration is None or start is None else start + duration
    return PodState(pod.key, BOUND, {"node": pod.node_name, "since": start, "until": until})


def _in_queue(simulation: Simulation, info: QueuedPod, ranks: Mapping[str, int]) -> PodState:
    queue = simulation.scheduler.queue
    common = {"attempts": info.attempts, "since": info.timestamp, "rejectors": sorted(info.rejectors)}
    if info.key in ranks:
        return PodState(info.key, ACTIVE, {**common, "ahead": ranks[info.key], "woken_by": info.woken_by})
    for heap, code in ((queue.backing_off, BACKOFF), (queue.error_backoff, ERROR_BACKOFF)):
        if heap.get(info.key) is not None:
            until = queue.backoff.until(info)
            return PodState(info.key, code, {**common, "until": until, "woken_by": info.woken_by})
    wakers = queue.wakers(info)
    if info.gated:
        return PodState(info.key, GATED, {**common, **_gate(simulation, info), "wakers": wakers})
    retry = info.timestamp + LONGEST_UNSCHEDULABLE
    retry += SWEEP_EVERY - retry % SWEEP_EVERY
    return PodState(info.key, UNSCHEDULABLE, {**common, "until": retry, "wakers": wakers})


def _gate(simulation: Simulation, info: QueuedPod) -> dict[str, Any]:
    """The PreEnqueue plugin that holds the Pod, and its reason."""
    framework = simulation.scheduler.frameworks[info.pod.shape.scheduler_name]
    status = framework.run_pre_enqueue(info.pod, info.gate)
    reason = status.reasons[0] if status.reasons else Reason("")
    return {"plugin": info.gate, "reason": reason}

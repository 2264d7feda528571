"""Cycles and queues in the words of the recorded timelines."""

from __future__ import annotations

from typing import Any

from simulator.engine.actors.kube_scheduler.cycle import NOMINATED, POD_GROUP, Cycle, Try
from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
from simulator.engine.conformance.extenders import describe_call
from simulator.engine.objects.times import MILLISECOND
from simulator.engine.queue.info import QueuedPod


def seconds(time: int, start: int) -> float:
    return (time - start) // MILLISECOND / 1000


def describe_queues(scheduler: KubeScheduler, start: int) -> dict[str, Any]:
    queue = scheduler.queue
    backing = [(info, False) for info in queue.backing_off.in_order()]
    backing += [(info, True) for info in queue.error_backoff.in_order()]
    backing.sort(key=lambda pair: (queue.backoff.until(pair[0]), -pair[0].pod.priority, pair[0].timestamp))
    waiting = sorted(queue.unschedulable.values(), key=lambda info: info.key)
    return {
        "active": [info.key for info in queue.active.in_order()],
        "backoff": [_backing(scheduler, info, start, error=error) for info, error in backing],
        "unschedulable": [_waiting(info, start) for info in waiting],
    }


def _backing(scheduler: KubeScheduler, info: QueuedPod, start: int, *, error: bool) -> dict[str, Any]:
    until = scheduler.queue.backoff.until(info)
    entry: dict[str, Any] = {"pod": info.key, "since": seconds(info.timestamp, start), "until": seconds(until, start)}
    if error:
        entry["errorQueue"] = True
    return entry


def _waiting(info: QueuedPod, start: int) -> dict[str, Any]:
    entry: dict[str, Any] = {"pod": info.key, "since": seconds(info.timestamp, start)}
    plugins = sorted(info.rejectors | info.pending)
    if plugins:
        entry["plugins"] = plugins
    if info.gated:
        entry["gated"] = True
    return entry


def describe_cycle(record: Cycle, kind: str) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "kind": record.kind,
        "pod": record.pod,
        "attempts": record.attempts,
        "result": record.result,
        "node": record.node if record.result != NOMINATED else "",
        "tries": [_try(item, kind) for item in record.tries],
        "failures": [_failure(item) for item in record.failures],
        "bindings": [_binding(item) for item in record.bindings],
        "deleted": sorted(record.victims),
        "waiting": record.waiting,
        "assumed": [{"pod": pod, "node": node} for pod, node in record.assumed],
    }
    if record.kind == POD_GROUP and record.group is not None:
        group = record.group
        entry["podGroup"] = _present(
            {
                "name": group.name,
                "status": group.status,
                "reason": group.reason,
                "message": group.message,
                "waitingOnPreemption": group.waiting_on_preemption,
            }
        )
    calls = [describe_call(call) for call in record.calls]
    if calls:
        entry["calls"] = calls
    return _present(entry)


def _present(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if value or (value == 0 and not isinstance(value, bool))}


def _try(item: Try, kind: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"pod": item.pod, "feasible": item.feasible}
    if item.error:
        entry["error"] = item.error
    if item.node:
        entry |= {"node": item.node, "evaluated": item.looked_at}
    elif not item.error:
        entry["failed"] = item.looked_at
    if item.n_best:
        entry |= {"nBest": item.n_best, "topTotal": item.top_total}
        if item.best:
            entry["best"] = list(item.best)
    if kind == "sampling" or (kind == "extender" and (item.start or item.next_start)):
        entry |= {"start": item.start, "next": item.next_start}
    if item.placement is not None:
        entry["placement"] = item.placement
    return entry


def _failure(item: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"pod": item.pod, "code": item.code, "message": item.message}
    if item.rejectors:
        entry["unschedulablePlugins"] = list(item.rejectors)
    if item.nominated is not None:
        entry["nominated"] = item.nominated
    return entry


def _binding(item: Any) -> dict[str, Any]:
    entry = {"pod": item.pod, "node": item.node, "result": "bound" if item.bound else "failed"}
    if item.message:
        entry["message"] = item.message
    return entry

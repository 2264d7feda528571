"""What kube-scheduler remembers beyond the API's objects, as plain values for a snapshot.

Taken between turns, when no Pod is in flight but those that wait at Permit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from simulator.engine.actors.kube_scheduler.waiting import WaitingPod
from simulator.engine.framework.plugin import CycleState
from simulator.engine.queue.info import QueuedPod

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler

Saved = Mapping[str, Any]


def save(scheduler: KubeScheduler) -> dict[str, Any]:
    queue, cluster = scheduler.queue, scheduler.cluster
    return {
        "startIndex": scheduler.start_index,
        "cycles": scheduler.cycles,
        "sequence": queue.sequence,
        "changes": queue.changes,
        "active": [_info(info) for info in queue.active],
        "backoff": [_info(info) for info in queue.backing_off],
        "errorBackoff": [_info(info) for info in queue.error_backoff],
        "unschedulable": [_info(info) for info in queue.unschedulable.values()],
        "nominations": queue.nominator.all(),
        "waiting": [_waiting(item) for item in scheduler.waiting.all()],
        "plugins": {name: _plugins(framework.plugins) for name, framework in scheduler.frameworks.items()},
        "cluster": cluster.save(),
    }


def _plugins(plugins: Mapping[str, Any]) -> dict[str, Any]:
    saved = {name: plugin.save() for name, plugin in plugins.items()}
    return {name: value for name, value in saved.items() if value is not None}


def _info(info: QueuedPod) -> dict[str, Any]:
    return {
        "pod": info.key,
        "timestamp": info.timestamp,
        "sequence": info.sequence,
        "attempts": info.attempts,
        "unschedulable": info.unschedulable_count,
        "errors": info.error_count,
        "backoffUntil": info.backoff_until,
        "rejectors": sorted(info.rejectors),
        "pending": sorted(info.pending),
        "gate": info.gate,
        "firstAttempt": info.first_attempt,
        "wokenBy": info.woken_by,
        "seen": info.seen,
    }


def _waiting(item: WaitingPod) -> dict[str, Any]:
    return {"info": _info(item.info), "node": item.node, "since": item.since, "deadlines": dict(item.deadlines)}


def load(scheduler: KubeScheduler, saved: Saved) -> None:
    """Take over a saved memory; all objects have been observed, so every pending Pod is in the queue anew.

    With another configuration Pods may be no longer this scheduler's, or be so for the first time: the former are
    left out, the latter stay as they were queued.
    """
    queue = scheduler.queue
    pods = dict(scheduler.pending)
    for key in _remembered(saved):
        queue.delete(key)
    queue.moves.clear()
    for heap, name in ((queue.active, "active"), (queue.backing_off, "backoff"), (queue.error_backoff, "errorBackoff")):
        for info in _infos(scheduler, saved[name]):
            heap.put(info)
    queue.unschedulable = {info.key: info for info in _infos(scheduler, saved["unschedulable"])}
    queue.sequence, queue.changes = saved["sequence"], saved["changes"]
    for key, node in saved["nominations"].items():
        if key in pods:
            queue.nominator.add(pods[key], node)
    scheduler.start_index, scheduler.cycles = saved["startIndex"], saved["cycles"]
    for item in saved["waiting"]:
        if item["info"]["pod"] in pods:
            _restore_waiting(scheduler, item)
    for name, values in saved["plugins"].items():
        plugins = scheduler.frameworks[name].plugins if name in scheduler.frameworks else {}
        for plugin in plugins.keys() & values.keys():
            plugins[plugin].load(values[plugin])
    scheduler.cluster.load(saved["cluster"])


def _remembered(saved: Saved) -> set[str]:
    """Keys of the Pods that a saved memory knows."""
    queued = (item["pod"] for name in ("active", "backoff", "errorBackoff", "unschedulable") for item in saved[name])
    return {*queued, *(item["info"]["pod"] for item in saved["waiting"])}


def _infos(scheduler: KubeScheduler, saved: Iterable[Saved]) -> list[QueuedPod]:
    return [_load_info(scheduler, item) for item in saved if item["pod"] in scheduler.pending]


def _load_info(scheduler: KubeScheduler, item: Saved) -> QueuedPod:
    return QueuedPod(
        scheduler.pending[item["pod"]],
        item["timestamp"],
        item["sequence"],
        item["attempts"],
        item["unschedulable"],
        item["errors"],
        item["backoffUntil"],
        set(item["rejectors"]),
        set(item["pending"]),
        item["gate"],
        item["firstAttempt"],
        item["wokenBy"],
        item["seen"],
    )


def _restore_waiting(scheduler: KubeScheduler, item: Saved) -> None:
    info = _load_info(scheduler, item["info"])
    scheduler.queue.in_flight.add(info.key)
    placed = scheduler.assume(info.pod, item["node"])
    waiting = WaitingPod(info, placed, item["node"], CycleState(), item["since"], dict(item["deadlines"]))
    scheduler.waiting.add(waiting)

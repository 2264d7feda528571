"""What the scheduler does when an object changes.

Source: kube-scheduler 1.36 `eventhandlers.go`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.engine.framework.events import Action, ClusterEvent
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.queue.object_events import (
    ASSIGNED_POD_ADDED,
    ASSIGNED_POD_DELETED,
    NODE_ADDED,
    NODE_DELETED,
    UNSCHEDULED_POD_ADDED,
    node_update_events,
    pod_update_events,
)
from simulator.engine.world.bus import ADDED, DELETED, MODIFIED, Change

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler

_ACTIONS = {ADDED: Action.ADD, MODIFIED: Action.UPDATE, DELETED: Action.DELETE}


def handle(scheduler: KubeScheduler, change: Change) -> None:
    """Bring cache and queue up to date with one change."""
    if not _only_reports(change):
        scheduler.queue.changes += 1
    if change.kind == "Node":
        _node(scheduler, change.old, change.new)
    elif change.kind == "Pod":
        _pod(scheduler, _running(change.old), _running(change.new))
    else:
        if change.kind == "PodGroup":
            _group(scheduler, change)
        scheduler.queue.move_all(
            ClusterEvent(change.kind, _ACTIONS[change.type]), change.old, change.new, scheduler.now
        )


def _only_reports(change: Change) -> bool:
    """The scheduler's own word about a Pod or a group that waits: nothing that could make a difference to others."""
    old, new = change.old, change.new
    if old is None or new is None:
        return False
    if change.kind == "PodGroup":
        return bool(old.get("spec") == new.get("spec"))
    if change.kind != "Pod" or old.node_name or new.node_name:
        return False
    dropped = old.nominated_node_name and old.nominated_node_name != new.nominated_node_name
    return not dropped and old.shape == new.shape and old.terminating == new.terminating


def _group(scheduler: KubeScheduler, change: Change) -> None:
    if change.new is None:
        scheduler.groups.delete_group(change.old)
    else:
        scheduler.groups.put_group(change.new)


def _running(pod: Pod | None) -> Pod | None:
    """A Pod that reached a terminal phase is gone for the scheduler."""
    return None if pod is None or pod.terminal else pod


def _node(scheduler: KubeScheduler, old: Node | None, new: Node | None) -> None:
    queue, cluster, now = scheduler.queue, scheduler.cluster, scheduler.now
    if new is None:
        assert old is not None
        queue.move_all(NODE_DELETED, old, None, now)
        cluster.remove_node(old.name)
        return
    cluster.add_node(new)
    if old is None:
        queue.move_all(NODE_ADDED, None, new, now)
        return
    for event in node_update_events(old, new):
        queue.move_all(event, old, new, now)


def _pod(scheduler: KubeScheduler, old: Pod | None, new: Pod | None) -> None:
    was_assigned = old is not None and bool(old.node_name)
    is_assigned = new is not None and bool(new.node_name)
    if old is not None and not was_assigned and (new is None or is_assigned):
        _pending_gone(scheduler, old, bound=is_assigned)
    if was_assigned and (new is None or not is_assigned):
        assert old is not None
        _assigned_deleted(scheduler, old)
    if new is None:
        return
    if is_assigned:
        if was_assigned:
            assert old is not None
            _assigned_updated(scheduler, old, new)
        else:
            _assigned_added(scheduler, new)
    elif old is None or was_assigned:
        _pending_added(scheduler, new)
    else:
        _pending_updated(scheduler, old, new)


def _is_ours(scheduler: KubeScheduler, pod: Pod) -> bool:
    return pod.shape.scheduler_name in scheduler.frameworks


def _pending_added(scheduler: KubeScheduler, pod: Pod) -> None:
    scheduler.groups.put_pod(pod)
    if not _is_ours(scheduler, pod):
        return
    scheduler.pending[pod.key] = pod
    scheduler.queue.add(pod, scheduler.now)
    if scheduler.gates["GangScheduling"]:
        scheduler.queue.move_all(UNSCHEDULED_POD_ADDED, None, pod, scheduler.now)


def _pending_updated(scheduler: KubeScheduler, old: Pod, new: Pod) -> None:
    scheduler.groups.put_pod(new)
    if not _is_ours(scheduler, new):
        return
    scheduler.pending[new.key] = new
    if new.key in scheduler.assumed:
        _assumed_updated(scheduler, old, new)
        return
    if old.nominated_node_name and old.nominated_node_name != new.nominated_node_name:
        _nomination_gone(scheduler, old)
    scheduler.queue.update(old, new, scheduler.now)


def _assumed_updated(scheduler: KubeScheduler, old: Pod, new: Pod) -> None:
    """Only a new deletion time matters: it ends the waiting at Permit."""
    if new.terminating and not old.terminating:
        scheduler.reject_waiting(new.key, "framework.removed_while_waiting")


def _nomination_gone(scheduler: KubeScheduler, pod: Pod) -> None:
    """A nomination was dropped: room may be free for Pods that are not more important."""
    scheduler.queue.move_all(
        ASSIGNED_POD_DELETED, pod, None, scheduler.now, lambda waiting: waiting.priority <= pod.priority
    )


def _pending_gone(scheduler: KubeScheduler, pod: Pod, *, bound: bool) -> None:
    if not bound:
        scheduler.groups.delete_pod(pod)
    if not _is_ours(scheduler, pod):
        return
    scheduler.pending.pop(pod.key, None)
    scheduler.queue.delete(pod.key)
    if bound:
        return
    if pod.key in scheduler.assumed:
        scheduler.reject_waiting(pod.key, "framework.removed_while_waiting")
    if pod.nominated_node_name:
        _nomination_gone(scheduler, pod)


def _assigned_added(scheduler: KubeScheduler, pod: Pod) -> None:
    scheduler.assumed.pop(pod.key, None)
    scheduler.groups.put_pod(pod)
    if scheduler.cluster.placed(pod.key) is not None:
        scheduler.cluster.update_pod(pod)
    else:
        scheduler.cluster.add_pod(pod)
    scheduler.queue.move_all(ASSIGNED_POD_ADDED, None, pod, scheduler.now)


def _assigned_updated(scheduler: KubeScheduler, old: Pod, new: Pod) -> None:
    scheduler.groups.put_pod(new)
    scheduler.cluster.update_pod(new)
    for event in pod_update_events(old, new):
        scheduler.queue.move_all(event, old, new, scheduler.now)


def _assigned_deleted(scheduler: KubeScheduler, pod: Pod) -> None:
    scheduler.groups.delete_pod(pod)
    scheduler.cluster.remove_pod(pod.key)
    scheduler.queue.move_all(ASSIGNED_POD_DELETED, pod, None, scheduler.now)

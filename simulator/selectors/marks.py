"""What came of an action, in short, as the timeline shows it.

A mark says what happened; `told` puts it with when, who and what it is about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypedDict

from simulator.engine.actors.actor import Note
from simulator.engine.actors.kube_scheduler import cycle
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.world.simulation import API, Action

BOUND, FAILED, PREEMPTED, WAITING, TIMED_OUT, ERROR, SKIPPED = (
    "bound", "failed", "preempted", "waiting", "timedOut", "error", "skipped",
)  # fmt: skip
WOKEN, ENDED, CREATED, COMMAND, OTHER = "woken", "ended", "created", "command", "other"

EVENTS: Final = frozenset({BOUND, FAILED, PREEMPTED, WAITING, TIMED_OUT, ERROR, ENDED, CREATED})
"""Marks worth stopping at."""

CYCLES: Final = frozenset({cycle.POD, cycle.POD_GROUP})

_RESULTS: Final = {
    cycle.SCHEDULED: BOUND,
    cycle.NOMINATED: PREEMPTED,
    cycle.UNSCHEDULABLE: FAILED,
    cycle.ERROR: ERROR,
    cycle.WAITING: WAITING,
    cycle.SKIPPED: SKIPPED,
}
_ENDINGS: Final = frozenset({"kubelet.terminated", "kubelet.succeeded", "node_lifecycle.evicted"})


class Told(TypedDict):
    """index, time (microseconds), actor, mark, subject (a Pod, an object, a command), node, number of Pods concerned,
    and whether it is a scheduling cycle."""

    index: int
    time: int
    actor: str
    mark: str
    subject: str
    node: str
    pods: int
    cycle: bool


def told(action: Action) -> Told:
    """An action in short."""
    record = action.record
    if isinstance(record, Cycle):
        mark, subject, node, pods = _cycle(record)
        return _told(action, mark, subject, node, pods, cycle=record.kind in CYCLES)
    if isinstance(record, Note):
        mark = _note_mark(record)
        return _told(action, mark, record.key, str(dict(record.params).get("node", "")), 1)
    if action.actor == API and isinstance(record, Mapping):
        return _told(action, COMMAND, str(record.get("command", "")), "", len(record.get("outcomes") or ()))
    return _told(action, OTHER, "", "", 0)


def _told(action: Action, mark: str, subject: str, node: str, pods: int, *, cycle: bool = False) -> Told:
    return Told(
        index=action.index,
        time=action.time,
        actor=action.actor,
        mark=mark,
        subject=subject,
        node=node,
        pods=pods,
        cycle=cycle,
    )


def _cycle(record: Cycle) -> tuple[str, str, str, int]:
    if record.kind == cycle.PERMIT_TIMEOUT:
        return TIMED_OUT, record.pod, record.node, 1
    if record.kind not in CYCLES:
        return WOKEN, record.pod, "", 0
    subject = record.group.name if record.group is not None else record.pod
    mark = _RESULTS.get(record.result) or _group_mark(record)
    return mark, subject, record.node, max(1, len(record.tries))


def _group_mark(record: Cycle) -> str:
    """What came of a whole group."""
    if record.victims:
        return PREEMPTED
    if record.failures:
        return FAILED
    if record.waiting:
        return WAITING
    return BOUND if record.bindings or record.assumed else SKIPPED


def _note_mark(note: Note) -> str:
    params = dict(note.params)
    if note.code in _ENDINGS or params.get("deleted"):
        return ENDED
    return CREATED if params.get("created") else OTHER

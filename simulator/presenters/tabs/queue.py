"""The Queue tab: who is next, who backs off until when, who waits for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.engine.trace.pod_states import UNSCHEDULABLE, PodState
from simulator.presenters.clock import clock_text
from simulator.presenters.pods import hue_of, short_name
from simulator.presenters.sentences.say import Sentence
from simulator.presenters.sentences.states import present_wakers
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.selectors.frames import Frame, QueueEntry, WaitingEntry
from simulator.selectors.moments import Moment

ROWS = 50


@dataclass(frozen=True, slots=True)
class Queued:
    """One Pod; `seconds` is what is left of its backoff or wait, None where nothing runs."""

    key: str
    name: str
    hue: str
    priority: int
    attempts: int
    since: str
    rejectors: tuple[str, ...]
    gate: str
    woken_by: str
    until: str
    seconds: float | None
    nominated: str
    node: str = ""
    wakers: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the queue; `more` Pods of it are not listed."""

    name: str
    label: Any
    help: Any
    rows: tuple[Queued, ...]
    more: int


def _context(asked: TabRequest) -> Mapping[str, Any]:
    frame = asked.moment.frame
    queues = frame.queues
    parts = (
        _active(asked.moment),
        _part(
            "backoff",
            _("Backing off"),
            _("Failed a moment ago: tried again after a pause, or earlier if nobody else is active."),
            frame,
            queues.backoff,
        ),
        _part(
            "unschedulable",
            _("Unschedulable"),
            _("No node fits: tried again when an event says that one of these plugins may now agree."),
            frame,
            queues.unschedulable,
        ),
        _part("gated", _("Gated"), _("Not in the queue yet: a gate has to be removed first."), frame, queues.gated),
        _waiting(frame, queues.waiting),
    )
    return {"parts": [part for part in parts if part.rows or part.name in ("active", "unschedulable")]}


def _active(moment: Moment) -> Part:
    """In order, unless that would tell what one is asked."""
    entries = moment.frame.queues.active
    if not moment.order_hidden:
        return _part("active", _("Active"), _("Tried next, in this order."), moment.frame, entries)
    text = _("Tried next. The order is shown when you have said who comes first.")
    return _part("active", _("Active"), text, moment.frame, sorted(entries, key=lambda entry: entry.key))


def _part(name: str, label: Any, text: Any, frame: Frame, entries: Sequence[QueueEntry]) -> Part:
    rows = tuple(_row(frame, entry) for entry in entries[:ROWS])
    return Part(name, label, text, rows, max(0, len(entries) - ROWS))


def _row(frame: Frame, entry: QueueEntry) -> Queued:
    start = frame.now - frame.elapsed
    left = None if entry.until is None else max(0, entry.until - frame.now) / 1_000_000
    return Queued(
        entry.key,
        short_name(entry.key),
        hue_of(entry.pod, frame),
        entry.pod.priority,
        entry.attempts,
        clock_text(entry.since - start),
        entry.rejectors,
        entry.gate,
        entry.woken_by,
        "" if entry.until is None else clock_text(entry.until - start),
        left,
        frame.nominations.get(entry.key, ""),
        wakers=tuple(present_wakers(PodState(entry.key, UNSCHEDULABLE, {"wakers": entry.wakers}))),
    )


def _waiting(frame: Frame, entries: Sequence[WaitingEntry]) -> Part:
    start = frame.now - frame.elapsed
    rows = tuple(
        Queued(
            entry.pod.key,
            short_name(entry.pod.key),
            hue_of(entry.pod, frame),
            entry.pod.priority,
            0,
            clock_text(entry.since - start),
            tuple(entry.deadlines),
            "",
            "",
            clock_text(entry.until - start),
            max(0, entry.until - frame.now) / 1_000_000,
            "",
            entry.node,
        )
        for entry in entries[:ROWS]
    )
    text = _("Placed and holding: waits for others until the deadline.")
    return Part("waiting", _("Waiting at Permit"), text, rows, max(0, len(entries) - ROWS))


def _count(moment: Moment) -> int:
    return moment.frame.queues.size


QUEUE = Tab("queue", _("Queue"), "simulator/tabs/queue.html", _context, _count)

"""A frame: all that a page shows of a simulation between two actions, as values that nothing changes any more.

Simulations go on; a frame of one can be kept, handed to another thread and shown again. Objects are shared with the
simulation: nobody changes an object, a new version takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.actors.kube_scheduler.waiting import WaitingPod
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.scheduling_queue import LONGEST_UNSCHEDULABLE, SWEEP_EVERY, SchedulingQueue
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.engine.world.world import Event

MOST_WAKERS: Final = 50  # Pods


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """A Pod in one of the scheduler's queues; times in microseconds.

    until    the end of its backoff; for an unschedulable Pod when it is tried again in any case; None for neither
    wakers   (event, plugin) that may bring an unschedulable or gated Pod back earlier
    """

    pod: Pod
    since: int
    attempts: int
    rejectors: tuple[str, ...]
    gate: str
    woken_by: str
    until: int | None = None
    wakers: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        return self.pod.key


@dataclass(frozen=True, slots=True)
class WaitingEntry:
    """A Pod that waits at Permit: it holds `node` until the first of its deadlines (by plugin)."""

    pod: Pod
    node: str
    since: int
    deadlines: Mapping[str, int]

    @property
    def until(self) -> int:
        return min(self.deadlines.values())


@dataclass(frozen=True, slots=True)
class Queues:
    """The scheduling queue by its parts, each in the order in which Pods leave it."""

    active: tuple[QueueEntry, ...]
    backoff: tuple[QueueEntry, ...]
    unschedulable: tuple[QueueEntry, ...]
    gated: tuple[QueueEntry, ...]
    waiting: tuple[WaitingEntry, ...]

    @property
    def size(self) -> int:
        parts = (self.active, self.backoff, self.unschedulable, self.gated, self.waiting)
        return sum(len(part) for part in parts)


@dataclass(frozen=True, slots=True)
class Frame:
    """The state after `count` actions.

    now, elapsed   the virtual clock, and how far it is from the start (microseconds)
    objects        every kind's objects in order of creation; Pods and Nodes typed, others plain mappings
    assumed        Pod key -> node, for Pods the scheduler has placed and the API does not know yet
    nominations    Pod key -> node
    owners         whom Pods belong to (see `owners`), numbered in order of first appearance
    events         as `kubectl get events` lists them, oldest first
    idle           nothing will happen by itself but routine; `next_time` is when the next turn is due (None: never)
    """

    count: int
    now: int
    elapsed: int
    setup: Setup
    objects: Mapping[str, tuple[Any, ...]]
    queues: Queues
    assumed: Mapping[str, str]
    nominations: Mapping[str, str]
    owners: Mapping[str, int]
    events: tuple[Event, ...]
    idle: bool
    next_time: int | None
    digest: str

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.objects.get("Node", ())

    @property
    def pods(self) -> tuple[Pod, ...]:
        return self.objects.get("Pod", ())


def frame_of(simulation: Simulation, owners: Mapping[str, int]) -> Frame:
    """The frame of a simulation as it is now."""
    scheduler, world = simulation.scheduler, simulation.world
    kinds = dict.fromkeys(kind for kind, _, _ in world.objects())
    next_time = simulation.next_time()
    return Frame(
        count=simulation.count,
        now=simulation.now,
        elapsed=simulation.elapsed,
        setup=simulation.setup,
        objects={kind: tuple(world.list(kind)) for kind in kinds},
        queues=_queues(scheduler.queue, scheduler.waiting.all()),
        assumed={key: pod.node_name for key, pod in scheduler.assumed.items()},
        nominations=scheduler.queue.nominator.all(),
        owners=dict(owners),
        events=tuple(world.events),
        idle=simulation.is_idle,
        next_time=None if next_time is None else next_time[0],
        digest=simulation.digest,
    )


def _queues(queue: SchedulingQueue, waiting: list[WaitingPod]) -> Queues:
    backing_off = sorted([*queue.backing_off.in_order(), *queue.error_backoff.in_order()], key=queue.backoff.until)
    stuck = [_stuck(queue, number, info) for number, info in enumerate(queue.unschedulable.values())]
    return Queues(
        active=tuple(_entry(info) for info in queue.active.in_order()),
        backoff=tuple(_entry(info, queue.backoff.until(info)) for info in backing_off),
        unschedulable=tuple(entry for entry in stuck if not entry.gate),
        gated=tuple(entry for entry in stuck if entry.gate),
        waiting=tuple(WaitingEntry(item.pod, item.node, item.since, dict(item.deadlines)) for item in waiting),
    )


def _entry(info: QueuedPod, until: int | None = None, wakers: Sequence[tuple[str, str]] = ()) -> QueueEntry:
    rejectors = tuple(sorted(info.rejectors | info.pending))
    return QueueEntry(
        info.pod, info.timestamp, info.attempts, rejectors, info.gate, info.woken_by, until, tuple(wakers)
    )


def _stuck(queue: SchedulingQueue, number: int, info: QueuedPod) -> QueueEntry:
    """A Pod that waits for an event; of the first ones it is told for which."""
    wakers = queue.wakers(info) if number < MOST_WAKERS else ()
    return _entry(info, None if info.gated else _swept_after(info.timestamp + LONGEST_UNSCHEDULABLE), wakers)


def _swept_after(time: int) -> int:
    """The first sweep of the unschedulable Pods later than `time`."""
    return time - time % SWEEP_EVERY + SWEEP_EVERY

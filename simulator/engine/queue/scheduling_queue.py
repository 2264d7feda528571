"""The scheduling queue: active Pods, Pods backing off, and Pods that wait for something to change.

Source: kube-scheduler 1.36 `backend/queue/scheduling_queue.go`. Times are microseconds of the virtual clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.framework.events import EVERYTHING, ClusterEvent
from simulator.engine.framework.runtime import Framework
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND, floor_second
from simulator.engine.queue.backoff import Backoff
from simulator.engine.queue.heap import KeyedHeap
from simulator.engine.queue.hints import HintMap, Strategy
from simulator.engine.queue.in_flight import InFlight
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.nominator import Nominator
from simulator.engine.queue.object_events import pod_update_events

ACTIVE, BACKOFF, ERROR_BACKOFF, UNSCHEDULABLE = "active", "backoff", "errorBackoff", "unschedulable"
LONGEST_UNSCHEDULABLE = 300 * SECOND
SWEEP_EVERY = 30 * SECOND


@dataclass(frozen=True, slots=True)
class Move:
    """A waiting Pod was moved: by which event, because of which plugin's hint, and where to."""

    pod: str
    event: str
    plugin: str
    to: str


class SchedulingQueue:
    """All Pods that have no node yet and belong to one of `frameworks`.

    `moves` collects what events moved; whoever tells the story empties it. `changes` counts the changes of the cluster
    that could make a difference to a waiting Pod.
    """

    def __init__(
        self, frameworks: Mapping[str, Framework], hints: HintMap, backoff: Backoff, gates: Mapping[str, bool]
    ) -> None:
        self._frameworks = frameworks
        self._hints = hints
        self.backoff = backoff
        self._pop_from_backoff = gates.get("SchedulerPopFromBackoffQ", True)
        self._group_members_back_off = gates.get("GenericWorkload", False)
        sort = next(iter(frameworks.values())).queue_sort
        self.active = KeyedHeap(lambda info: (*sort.sort_key(info.pod, info.timestamp), info.sequence))
        self.backing_off = KeyedHeap(
            lambda info: (backoff.until(info), *sort.sort_key(info.pod, info.timestamp), info.sequence)
        )
        self.error_backoff = KeyedHeap(lambda info: (backoff.until(info), info.sequence))
        self.unschedulable: dict[str, QueuedPod] = {}
        self.in_flight = InFlight()
        self.nominator = Nominator(self._queued_pod)
        self.moves: list[Move] = []
        self.sequence = 0
        self.changes = 0

    # reading

    def find(self, key: str) -> QueuedPod | None:
        """The Pod's entry in whichever queue it is."""
        return (
            self.active.get(key)
            or self.backing_off.get(key)
            or self.error_backoff.get(key)
            or self.unschedulable.get(key)
        )

    def _queued_pod(self, key: str) -> Pod | None:
        info = self.find(key)
        return info.pod if info else None

    def wakers(self, info: QueuedPod) -> list[tuple[str, str]]:
        """(event, plugin) pairs of which one has to come, and the plugin's hint to agree, for the Pod to be moved."""
        found = self._hints.registered(info)
        return [pair for pair in found if pair[1] == info.gate] if info.gated else found

    def can_pop(self) -> bool:
        return bool(len(self.active)) or (self._pop_from_backoff and bool(len(self.backing_off)))

    def tried_in_vain(self, info: QueuedPod) -> bool:
        """Nothing has changed since its last attempt, so another one would end alike."""
        return info.seen == self.changes

    def has_hope(self) -> bool:
        """Whether any Pod that will be tried again by itself may fare better than before."""
        heaps = (self.active, self.backing_off, self.error_backoff)
        return any(not self.tried_in_vain(info) for heap in heaps for info in heap)

    # coming in

    def add(self, pod: Pod, now: int) -> None:
        """A new Pod without a node."""
        info = self._new(pod, now)
        if self._to_active(info):
            self.nominator.add(pod, pod.nominated_node_name)

    def _new(self, pod: Pod, now: int) -> QueuedPod:
        self.sequence += 1
        pod.shape.parse()
        return QueuedPod(pod, now, self.sequence)

    def _passes_gates(self, info: QueuedPod) -> bool:
        """Ask the PreEnqueue plugins; where one refuses, the Pod is noted as gated."""
        framework = self._frameworks[info.pod.shape.scheduler_name]
        status = framework.run_pre_enqueue(info.pod, info.gate)
        info.gate = status.plugin
        if status.is_success:
            return True
        info.rejectors.add(status.plugin)
        return False

    def _to_active(self, info: QueuedPod, *, check_gates: bool = True) -> bool:
        if check_gates and not self._passes_gates(info):
            self.unschedulable[info.key] = info
            return False
        self.active.put(info)
        return True

    def _to_backoff(self, info: QueuedPod) -> bool:
        if self._pop_from_backoff and not self._passes_gates(info):
            self.unschedulable[info.key] = info
            return False
        (self.backing_off if info.rejectors else self.error_backoff).put(info)
        return True

    # going out and coming back

    def pop(self, now: int) -> QueuedPod | None:
        """The next Pod to try: the head of the active queue, else a Pod whose backoff has not ended yet."""
        info = self.active.pop()
        if info is None and self._pop_from_backoff:
            info = self.backing_off.pop()
        if info is None:
            return None
        self._popped(info, now)
        return info

    def _popped(self, info: QueuedPod, now: int) -> None:
        info.attempts += 1
        if info.first_attempt is None:
            info.first_attempt = now
        info.pending = set()
        info.seen = self.changes
        self.in_flight.add(info.key)

    def take(self, key: str, now: int) -> QueuedPod | None:
        """Take a Pod out of whatever queue it is in to try it now (members of a group). Gated Pods stay."""
        info = self.active.remove(key) or self.backing_off.remove(key) or self.error_backoff.remove(key)
        if info is None:
            waiting = self.unschedulable.get(key)
            if waiting is None or waiting.gated:
                return None
            info = self.unschedulable.pop(key)
        self._popped(info, now)
        return info

    def done(self, key: str) -> None:
        """The Pod left the queue's care: bound, waiting to be bound, or gone."""
        self.in_flight.done(key)

    def put_back(self, info: QueuedPod, now: int) -> str:
        """An attempt failed; `info.rejectors` and `info.pending` say who rejected the Pod. Returns the queue it is
        in."""
        if self.find(info.key) is not None:
            return UNSCHEDULABLE
        rejected = bool(info.rejectors or info.pending)
        if rejected:
            info.unschedulable_count += 1
            info.error_count = 0
        else:
            info.error_count += 1
        info.timestamp = now
        info.backoff_until = None
        strategy = self._strategy_after_failure(info, rejected=rejected)
        self.in_flight.done(info.key)
        return self._requeue(info, strategy, now)

    def _strategy_after_failure(self, info: QueuedPod, *, rejected: bool) -> Strategy:
        if not rejected or (self._group_members_back_off and info.pod.shape.pod_group):
            return Strategy.AFTER_BACKOFF
        strategy = Strategy.SKIP
        for logged in self.in_flight.events_since_pop(info.key):
            strategy = max(strategy, self._hints.ask(info, logged.event, logged.old, logged.new).strategy)
        return strategy

    def _requeue(self, info: QueuedPod, strategy: Strategy, now: int) -> str:
        if strategy == Strategy.SKIP:
            self.unschedulable[info.key] = info
            return UNSCHEDULABLE
        if strategy == Strategy.AFTER_BACKOFF and self.backoff.is_backing_off(info, now):
            return BACKOFF if self._to_backoff(info) else UNSCHEDULABLE
        return ACTIVE if self._to_active(info) else UNSCHEDULABLE

    # events

    def move_all(
        self,
        event: ClusterEvent,
        old: Any,
        new: Any,
        now: int,
        concerns: Callable[[Pod], bool] | None = None,
    ) -> None:
        """Something happened in the cluster: move the waiting Pods for which it may make a difference."""
        if not self._hints.interests_anybody(event):
            return
        waiting = list(self.unschedulable.values())
        self._move(waiting if concerns is None else [i for i in waiting if concerns(i.pod)], event, old, new, now)
        if self.in_flight:
            self.in_flight.log(event, old, new)

    def _move(
        self, infos: Iterable[QueuedPod], event: ClusterEvent, old: Any, new: Any, now: int, label: str = ""
    ) -> None:
        for info in infos:
            name = info.pod.shape.scheduler_name
            if info.gated and not self._hints.interests(name, info.gate, event):
                continue
            answer = self._hints.ask(info, event, old, new)
            if answer.strategy == Strategy.SKIP:
                continue
            del self.unschedulable[info.key]
            to = self._requeue(info, answer.strategy, now)
            info.woken_by = label or event.label
            if to != UNSCHEDULABLE:
                self.moves.append(Move(info.key, info.woken_by, answer.plugin, to))

    def update(self, old: Pod, new: Pod, now: int) -> None:
        """A Pod without a node changed."""
        if new.key in self.in_flight:
            for event in pod_update_events(old, new):
                self.in_flight.log(event, old, new)
            return
        for heap in (self.active, self.backing_off, self.error_backoff):
            info = heap.remove(new.key)
            if info is not None:
                info.pod = new
                heap.put(info)
                self._renominate(old, new)
                return
        info = self.unschedulable.get(new.key)
        if info is None:
            self.add(new, now)
            return
        info.pod = new
        self._renominate(old, new)
        for event in pod_update_events(old, new):
            self._move([info], event, old, new, now)
            if info.key not in self.unschedulable:
                return

    def _renominate(self, old: Pod, new: Pod) -> None:
        """Follow the status; a nomination that neither old nor new status shows is only in memory and is kept."""
        node = new.nominated_node_name
        if not node and not old.nominated_node_name:
            node = self.nominator.node_of(new.key)
        self.nominator.add(new, node)

    def delete(self, key: str) -> None:
        self.nominator.delete(key)
        self.active.remove(key)
        self.backing_off.remove(key)
        self.error_backoff.remove(key)
        self.unschedulable.pop(key, None)

    def activate(self, keys: Sequence[str]) -> None:
        """A plugin asks for these Pods to be tried at once."""
        for key in keys:
            if key in self.in_flight:
                continue
            info = self.backing_off.remove(key) or self.error_backoff.remove(key)
            check_gates = info is None or not self._pop_from_backoff
            if info is None:
                info = self.unschedulable.pop(key, None)
            if info is not None and self._to_active(info, check_gates=check_gates):
                self.moves.append(Move(key, "ForceActivate", "", ACTIVE))

    # the clock

    def next_flush(self) -> int | None:
        """The whole second at which the next Pod's backoff is over, None while nobody backs off."""
        heads = [heap.peek() for heap in (self.backing_off, self.error_backoff)]
        ends = [self.backoff.until(info) for info in heads if info is not None]
        return floor_second(min(ends)) + SECOND if ends else None

    def flush_backoff(self, now: int) -> None:
        """Every whole second: Pods whose backoff has ended become active."""
        if now < (self.next_flush() or now + 1):
            return
        for heap in (self.backing_off, self.error_backoff):
            while True:
                info = heap.peek()
                if info is None or self.backoff.is_backing_off(info, floor_second(now)):
                    break
                heap.pop()
                if self._to_active(info, check_gates=not self._pop_from_backoff):
                    self.moves.append(Move(info.key, "BackoffComplete", "", ACTIVE))

    def next_sweep(self) -> int | None:
        """When the next Pod has waited too long for an event, None while nobody waits. Gated Pods wait for ever."""
        times = [info.timestamp for info in self.unschedulable.values() if not info.gated]
        return _sweep_after(min(times) + LONGEST_UNSCHEDULABLE) if times else None

    def sweep(self, now: int) -> None:
        """Every 30 seconds: Pods that nothing has woken for more than five minutes are tried again."""
        due = now - now % SWEEP_EVERY
        old = [info for info in self.unschedulable.values() if due - info.timestamp > LONGEST_UNSCHEDULABLE]
        if old:
            self._move(old, EVERYTHING, None, None, now, label="UnschedulableTimeout")


def _sweep_after(time: int) -> int:
    """The first sweep strictly later than `time`."""
    return time - time % SWEEP_EVERY + SWEEP_EVERY

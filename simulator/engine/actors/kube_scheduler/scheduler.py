"""kube-scheduler: one Pod (or pod group) a turn, from the queue to its binding or back.

Source: kube-scheduler 1.36 `schedule_one.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from simulator.engine.actors.actor import Actor, Turn, Wakeup
from simulator.engine.actors.kube_scheduler import binding, cycle, failure, groups, informers, memory
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.actors.kube_scheduler.waiting import WaitingPod, WaitingPods
from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.pod_groups import PodGroupStates
from simulator.engine.cluster.rows import Bools
from simulator.engine.framework import extenders
from simulator.engine.framework.attempt import Attempt, attempt, node_names
from simulator.engine.framework.build import build_frameworks
from simulator.engine.framework.config import SchedulerConfig
from simulator.engine.framework.extenders import ExtenderPort, Extenders
from simulator.engine.framework.plugin import Handle, Lister, Plugin
from simulator.engine.framework.registry import REGISTRY
from simulator.engine.framework.rules import Rules
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.scoring import best_rows
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND
from simulator.engine.queue.backoff import Backoff
from simulator.engine.queue.hints import HintMap, Registration, registrations
from simulator.engine.queue.info import QueuedPod
from simulator.engine.queue.nominator import Nominator
from simulator.engine.queue.scheduling_queue import Move, SchedulingQueue
from simulator.engine.trace.tracer import Tracer
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Announce, Decision

MOST_BEST_NAMES = 8


class KubeScheduler(Actor):
    """The scheduler with everything it remembers.

    cluster      nodes and the Pods on them, assumed ones included
    assumed      Pods placed here whose binding the API has not confirmed yet, by key
    start_index  where the next search begins
    """

    name = "kube-scheduler"
    rank = 40

    def __init__(
        self,
        config: SchedulerConfig,
        gates: Mapping[str, bool],
        rules: Rules,
        objects: Lister,
        registry: Mapping[str, type[Plugin]] = REGISTRY,
        port: ExtenderPort | None = None,
    ) -> None:
        self.config = config
        self.gates = gates
        self.rules = rules
        self.objects = objects
        self.now = 0
        self.cluster = Cluster()
        self.waiting = WaitingPods()
        self.groups = PodGroupStates()
        self.assumed: dict[str, Pod] = {}
        self.pending: dict[str, Pod] = {}
        self.start_index = 0
        self.cycles = 0
        self.released: list[WaitingPod] = []
        self.observed_attempt: Callable[[Framework, Attempt], None] | None = None
        self.tracer: Tracer | None = None
        self._early = Nominator(lambda _key: None)
        self.extenders = Extenders.of(config.extenders, port, self.cluster)
        self.frameworks = build_frameworks(config, registry, gates, self._new_handle)
        self.queue = self._new_queue()
        for framework in self.frameworks.values():
            framework.handle.nominator = self.queue.nominator
        self._decisions: list[Decision] = []

    def _new_handle(self) -> Handle:
        return Handle(
            self.cluster, self.objects, self._early, self.gates, self.rules, lambda: self.now, self.groups, self,
            extenders=self.extenders if self.extenders.extenders else None,
        )  # fmt: skip

    def allow(self, key: str, plugin: str) -> None:
        """A plugin lets a Pod go that waits at Permit: its binding follows at the end of the turn."""
        waiting = self.waiting.get(key)
        if waiting is not None and waiting.allow(plugin):
            self.released.append(waiting)

    def _new_queue(self) -> SchedulingQueue:
        hints = {
            name: [*registrations(list(framework.plugins.values())), *self._outside_registrations()]
            for name, framework in self.frameworks.items()
        }
        backoff = Backoff(
            self.config.pod_initial_backoff_seconds * SECOND,
            self.config.pod_max_backoff_seconds * SECOND,
            self.gates["SchedulerPopFromBackoffQ"],
        )
        return SchedulingQueue(self.frameworks, HintMap(hints), backoff, self.gates)

    def _outside_registrations(self) -> list[Registration]:
        """Nobody knows what would help a Pod that an extender rejected: everything."""
        if not self.extenders.extenders:
            return []
        return [Registration(extenders.PLUGIN_NAME, interest) for interest in extenders.EVENTS]

    # what actors do

    def observe(self, change: Change, now: int) -> None:
        self.now = now
        informers.handle(self, change)

    def next_wakeup(self, now: int) -> Wakeup | None:
        """Simplified here: a Pod for which nothing has changed is not popped before its backoff ends.

        kube-scheduler 1.36 would try a waiting gang again and again without a pause."""
        hope = self.queue.has_hope()
        if len(self.queue.active) or (hope and self.queue.can_pop()):
            return Wakeup(now, routine=not hope)
        deadline, flush = self.waiting.next_deadline(), self.queue.next_flush()
        known = [max(now, time) for time in (deadline, flush) if time is not None]
        if known:
            return Wakeup(min(known), routine=deadline is None and not hope)
        sweep = self.queue.next_sweep()
        return None if sweep is None else Wakeup(max(now, sweep), routine=True)

    def is_idle(self, now: int) -> bool:
        return self.waiting.next_deadline() is None and not self.queue.has_hope()

    def act(self, now: int) -> Turn | None:
        """What the clock makes due, else the next Pod's cycle."""
        return self.timer(now) or self.schedule_one(now)

    def timer(self, now: int) -> Turn | None:
        """The first thing the clock makes due at `now`: a flush of the queue that moves a Pod, then Permit
        deadlines."""
        self.now = now
        self.queue.flush_backoff(now)
        self.queue.sweep(now)
        if self.queue.moves:
            return self._turn(Cycle(cycle.FLUSH, now), 0)
        for waiting in self.waiting.all():
            if waiting.deadline <= now:
                return binding.time_out(self, waiting, now)
        return None

    def save(self) -> Any:
        return memory.save(self)

    def load(self, saved: Any) -> None:
        memory.load(self, saved)

    def take_moves(self) -> tuple[Move, ...]:
        """The Pods that were moved between queues since the last call, and why."""
        moves = tuple(self.queue.moves)
        self.queue.moves.clear()
        return moves

    # one turn

    def trace_with(self, tracer: Tracer | None) -> None:
        """From now on tell `tracer` everything (None: nobody), stories in full."""
        self.tracer = tracer
        for framework in self.frameworks.values():
            framework.handle.detail = tracer is not None

    def decide(self, decision: Decision) -> None:
        """Note something to be done to the API after the turn."""
        self._decisions.append(decision)

    def _turn(self, record: Cycle, cost: int) -> Turn:
        record.calls.extend(self.extenders.log)
        self.extenders.log.clear()
        decisions, self._decisions = self._decisions, []
        return Turn(record, decisions, cost)

    def finish(self, record: Cycle, cost: int = cycle.COST) -> Turn:
        return self._turn(record, cost)

    def schedule_one(self, now: int) -> Turn | None:
        """Pop the next Pod and try to place it (or its group)."""
        self.now = now
        info = self.queue.pop(now)
        if info is None:
            return None
        self.cycles += 1
        if info.pod.shape.pod_group and self.gates["GenericWorkload"]:
            return groups.schedule_group(self, info, now)
        record = Cycle(cycle.POD, now, info.key, info.attempts)
        if self.tracer is not None:
            self.tracer.popped(info)
        framework = self.frameworks[info.pod.shape.scheduler_name]
        if self.skips(info):
            record.result = cycle.SKIPPED
            return self.finish(record)
        self._schedule(framework, info, record)
        return self.finish(record)

    def skips(self, info: QueuedPod) -> bool:
        """Drop a Pod that is being deleted or is assumed already."""
        pod = info.pod
        if not pod.terminating and pod.key not in self.assumed:
            return False
        if pod.terminating:
            text = f"skip schedule deleting pod: {pod.key}"
            self.decide(Announce("Pod", pod.key, "Warning", "FailedScheduling", text, "Scheduling"))
        self.queue.done(pod.key)
        if self.tracer is not None:
            self.tracer.skipped(info)
        return True

    def _schedule(self, framework: Framework, info: QueuedPod, record: Cycle) -> None:
        tried = self.try_pod(framework, info.pod, record)
        if not tried.found:
            failure.not_placed(self, framework, info, tried, record)
            return
        binding.assume_and_bind(self, framework, info, tried, record)

    def try_pod(
        self,
        framework: Framework,
        pod: Pod,
        record: Cycle | None,
        *,
        placement: str | None = None,
        candidates: Bools | None = None,
    ) -> Attempt:
        """Run the algorithm and enter its counts in `record`. The next search starts where this one ended."""
        tried = attempt(framework, pod, self.start_index, candidates=candidates, detail=framework.handle.detail)
        if tried.search is not None:
            self.start_index = tried.search.next_start
        if self.observed_attempt is not None:
            self.observed_attempt(framework, tried)
        if self.tracer is not None and record is not None:
            self.tracer.attempt(framework, tried, placement)
        if record is not None:
            record.tries.append(cycle.summary(tried, self._best_names(framework, tried), placement))
        return tried

    def _best_names(self, framework: Framework, tried: Attempt) -> list[str]:
        if tried.scoring is None or tried.search is None or not len(tried.scoring.totals):
            return []
        totals = tried.scoring.totals
        if int((totals == totals.max()).sum()) > MOST_BEST_NAMES:
            return []
        return sorted(node_names(framework, best_rows(tried.search.feasible, totals)))

    # the scheduler's cache

    def assume(self, pod: Pod, node: str) -> Pod:
        """Count the Pod on `node` before the API knows."""
        placed = replace(pod, node_name=node)
        self.queue.nominator.delete(pod.key)
        self.cluster.add_pod(placed)
        self.assumed[pod.key] = placed
        self.groups.assume(placed)
        return placed

    def forget(self, pod: Pod) -> None:
        """Take an assumed Pod off its node again."""
        self.cluster.remove_pod(pod.key)
        self.assumed.pop(pod.key, None)
        self.groups.forget(pod)

    def reject_waiting(self, key: str, code: str) -> bool:
        """Turn a Pod away that waits at Permit. False where it does not wait."""
        waiting = self.waiting.get(key)
        if waiting is None:
            return False
        record = Cycle(cycle.POD, self.now, key, waiting.info.attempts)
        binding.reject(self, waiting, binding.interrupted(code), record)
        return True

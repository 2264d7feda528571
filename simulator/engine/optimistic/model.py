"""Optimistic schedulers: each decides on its own copy of the cluster; a binder checks what they decided, one by one.

Time passes in rounds: in each one every scheduler makes one attempt, all at the same moment, with what its copy shows.
Then the binder takes their decisions in order. One that still fits is bound; any other is a conflict, and its Pod goes
back to its scheduler. The copies learn of it before the next round, or `lag` rounds later. The decisions are those of
the ordinary framework with its ordinary plugins; nothing here is a formula.

Simplified against Gödel: no dispatcher that balances, no preemption, no Pod groups, a binder without cost of its own.
Source: SoCC'23 Gödel; kubewharf/godel-scheduler pkg/{scheduler,binder}.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from simulator.engine.cluster.rows import Bools
from simulator.engine.framework.attempt import attempt
from simulator.engine.framework.filtering import evaluate, run_pre_filter
from simulator.engine.framework.plugin import CycleState
from simulator.engine.framework.runtime import Framework
from simulator.engine.objects.pod import Pod
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation

SHARED, LOGICAL, PHYSICAL = "shared", "logical", "physical"
MODES: Final = (SHARED, LOGICAL, PHYSICAL)
"""shared    every scheduler looks at all nodes
logical   a scheduler looks at its own part of the nodes first, then at all
physical  a scheduler has only its own part
"""

MOST_ROUNDS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round. `stuck`: attempts that found no node."""

    bound: int
    conflicts: int
    stuck: int


@dataclass(slots=True)
class Outcome:
    """`bound` Pod -> node; `pending` Pods that found no node; `attempts` in all rounds together."""

    bound: dict[str, str] = field(default_factory=dict)
    pending: list[str] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)

    @property
    def conflicts(self) -> int:
        return sum(one.conflicts for one in self.rounds)

    @property
    def attempts(self) -> int:
        return sum(one.bound + one.conflicts + one.stuck for one in self.rounds)


class _Copy:
    """A cluster as somebody believes it to be."""

    def __init__(self, setup: Setup, nodes: Sequence[Mapping[str, Any]]) -> None:
        self.simulation = Simulation(setup)
        self.simulation.apply({"type": "apply", "objects": list(nodes)})
        self.cluster = self.simulation.scheduler.cluster
        self.framework: Framework = next(iter(self.simulation.scheduler.frameworks.values()))

    def put(self, pod: Pod, node: str) -> None:
        self.cluster.add_pod(replace(pod, node_name=node))

    def take(self, pod: Pod) -> None:
        self.cluster.remove_pod(pod.key)


class _Scheduler:
    def __init__(self, copy: _Copy, own: Bools | None, *, others_too: bool) -> None:
        self.copy = copy
        self.queue: deque[Pod] = deque()
        self._own = own
        self._others_too = others_too
        self._start = 0

    def decide(self, pod: Pod) -> str:
        """A node for the Pod by what the copy shows, "" for none. The Pod is assumed there."""
        node = self._attempt(pod, self._own)
        if not node and self._own is not None and self._others_too:
            node = self._attempt(pod, None)
        if node:
            self.copy.put(pod, node)
        return node

    def _attempt(self, pod: Pod, candidates: Bools | None) -> str:
        tried = attempt(self.copy.framework, pod, self._start, candidates=candidates)
        if tried.search is not None:
            self._start = tried.search.next_start
        return tried.node


class Optimistic:
    """`parts` are the schedulers' own nodes by name, for modes that have any; by default equal runs of the nodes."""

    def __init__(
        self,
        nodes: Sequence[Mapping[str, Any]],
        pods: Sequence[Sequence[Mapping[str, Any]]],
        *,
        mode: str = SHARED,
        lag: int = 0,
        setup: Setup | None = None,
    ) -> None:
        """`pods` are the manifests of each scheduler's queue, in order."""
        setup = setup or Setup()
        self._truth = _Copy(setup, nodes)
        count = len(pods)
        owner = np.arange(len(nodes)) * count // max(1, len(nodes))
        self._schedulers = [
            _Scheduler(_Copy(setup, nodes), None if mode == SHARED else owner == index, others_too=mode == LOGICAL)
            for index in range(count)
        ]
        made = iter(self._admitted([pod for queue in pods for pod in queue]))
        for scheduler, queue in zip(self._schedulers, pods, strict=True):
            scheduler.queue.extend(next(made) for _ in queue)
        self._news: deque[list[tuple[int, Pod, str]]] = deque([] for _ in range(lag))

    def _admitted(self, manifests: Sequence[Mapping[str, Any]]) -> list[Pod]:
        """The Pods as the API server would store them; their shapes are shared by all copies."""
        admitting = Simulation(Setup())
        admitting.apply({"type": "apply", "objects": list(manifests)})
        pods = {pod.name: pod for pod in admitting.world.list("Pod")}
        return [pods[manifest["metadata"]["name"]] for manifest in manifests]

    def run(self) -> Outcome:
        """Until no scheduler has a Pod left that could find a node."""
        outcome = Outcome()
        for number in range(MOST_ROUNDS):
            if not any(scheduler.queue for scheduler in self._schedulers):
                break
            outcome.rounds.append(self._round(number, outcome))
        return outcome

    def _round(self, number: int, outcome: Outcome) -> Round:
        decided = list(self._decisions(outcome))
        stuck = sum(not node for _, _, node in decided)
        order = sorted((one for one in decided if one[2]), key=lambda one: (one[0] - number) % len(self._schedulers))
        bound = conflicts = 0
        news: list[tuple[int, Pod, str]] = []
        for index, pod, node in order:
            if self._fits(pod, node):
                self._truth.put(pod, node)
                news.append((index, pod, node))
                outcome.bound[pod.name] = node
                bound += 1
            else:
                self._schedulers[index].copy.take(pod)
                self._schedulers[index].queue.append(pod)
                conflicts += 1
        self._tell(news)
        return Round(bound, conflicts, stuck)

    def _decisions(self, outcome: Outcome) -> Iterator[tuple[int, Pod, str]]:
        """(scheduler, Pod, node) of one attempt each; a Pod without a node is given up while nothing can free any."""
        for index, scheduler in enumerate(self._schedulers):
            if scheduler.queue:
                pod = scheduler.queue.popleft()
                node = scheduler.decide(pod)
                if not node:
                    outcome.pending.append(pod.name)
                yield index, pod, node

    def _fits(self, pod: Pod, node: str) -> bool:
        """Whether the Pod still fits by the binder's own, current view."""
        truth = self._truth
        truth.cluster.snapshot()
        state = CycleState()
        if not run_pre_filter(truth.framework, state, pod).status.is_success:
            return False
        row = truth.cluster.rows([truth.cluster.nodes.row_of[node]])
        return bool(evaluate(truth.framework, state, pod, row).codes[0] == 0)

    def _tell(self, news: list[tuple[int, Pod, str]]) -> None:
        """Let the copies learn what is due; a scheduler knows its own Pods already."""
        self._news.append(news)
        for index, pod, node in self._news.popleft():
            for other, scheduler in enumerate(self._schedulers):
                if other != index:
                    scheduler.copy.put(pod, node)

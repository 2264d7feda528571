"""A run up to some moment, as goals look at it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from simulator.engine.actors.actor import Note
from simulator.engine.actors.kube_scheduler.cycle import Cycle, Try
from simulator.engine.fabric.accelerators import ASCEND
from simulator.engine.goals.fields import PodSelector
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.trace.turns import cycles, tries
from simulator.engine.world.commands import EVICTED
from simulator.engine.world.history import History
from simulator.engine.world.simulation import Action, Simulation

PREEMPTION, TAINT, DRAIN = "preemption", "taint", "drain"


@dataclass(frozen=True, slots=True)
class Eviction:
    """A Pod that had to leave its node; `preemptor` is whom it made room for, "" where it was something else."""

    pod: str
    cause: str
    action: int
    preemptor: str = ""


SHARED_COUNT: Final = "aliyun.com/gpu-count"
"""How many cards a node has whose memory is shared; Pods ask for the memory and never for it."""


def is_gpu(resource: str) -> bool:
    """Whether a resource name stands for GPUs or NPUs, or slices of them."""
    if resource == SHARED_COUNT:
        return False
    return resource.endswith(("/gpu", "/gpu-count")) or resource == ASCEND or "/mig-" in resource


@dataclass(slots=True)
class Run:
    """`simulation` is the moment, `actions` what led to it."""

    history: History
    simulation: Simulation
    actions: Sequence[Action]
    _past: dict[int, Mapping[str, Pod]] = field(default_factory=dict)

    @staticmethod
    def of(history: History, at: int | None = None) -> Run:
        """The run after its first `at` actions (all where None)."""
        at = history.count if at is None else at
        simulation = history.head if at == history.count else history.at(at)
        return Run(history, simulation, history.actions[:at])

    def pods(self, selector: PodSelector) -> list[Pod]:
        """The chosen Pods there are now, in order of creation."""
        return [pod for pod in self.simulation.world.list("Pod") if selector.chooses(pod)]

    def nodes(self, labels: Mapping[str, str] | None = None) -> list[Node]:
        wanted = (labels or {}).items()
        nodes: list[Node] = self.simulation.world.list("Node")
        return [node for node in nodes if all(node.labels.get(key) == value for key, value in wanted)]

    def node(self, name: str) -> Node | None:
        found: Node | None = self.simulation.world.get("Node", "", name)
        return found

    def pods_on(self, node: str) -> list[Pod]:
        """Pods that take room on a node."""
        return [pod for pod in self.simulation.world.list("Pod") if pod.node_name == node and not pod.terminal]

    def cycles(self) -> Iterator[tuple[Action, Cycle]]:
        return cycles(self.actions)

    def last_try(self, pod: str) -> Try | None:
        found = next(tries(self.actions, pod), None)
        return None if found is None else found[2]

    def free_gpus(self, resource: str) -> dict[str, tuple[int, int]]:
        """Node -> (free, all) of `resource`, of everything that is a GPU where it is ""; only nodes that have some."""
        cluster = self.simulation.scheduler.cluster
        rows = cluster.all_rows()
        names = [resource] if resource else [name for name in cluster.nodes.resources.names if is_gpu(name)]
        found: dict[str, tuple[int, int]] = {}
        for name in names:
            allocatable, requested = rows.allocatable(name).tolist(), rows.requested(name).tolist()
            for node, whole, used in zip(cluster.nodes.objects, allocatable, requested, strict=True):
                if whole:
                    free, every = found.get(node.name, (0, 0))
                    found[node.name] = (free + max(0, whole - used), every + whole)
        return found

    def evictions(self) -> Iterator[Eviction]:
        """Everything that was evicted, in order."""
        for action in self.actions:
            record = action.record
            if isinstance(record, Cycle):
                for victim in record.victims:
                    yield Eviction(victim, PREEMPTION, action.index, record.pod)
            elif isinstance(record, Note) and record.code == "node_lifecycle.evicted":
                yield Eviction(record.key, TAINT, action.index)
            elif isinstance(record, Mapping):
                for item in record.get("outcomes") or ():
                    if item["kind"] == "Pod" and item["result"] == EVICTED:
                        yield Eviction(f"{item['namespace']}/{item['name']}", DRAIN, action.index)

    def was_chosen(self, eviction: Eviction, selector: PodSelector) -> bool:
        """Whether the selector chooses the evicted Pod as it was."""
        namespace, _, name = eviction.pod.partition("/")
        if not selector.labels:
            return selector.matches(namespace, name, {})
        pod = self._before(eviction.action).get(eviction.pod)
        return pod is not None and selector.chooses(pod)

    def _before(self, action: int) -> Mapping[str, Pod]:
        """The Pods just before an action, by key."""
        if action not in self._past:
            world = self.history.at(action).world
            self._past[action] = {pod.key: pod for pod in world.list("Pod")}
        return self._past[action]

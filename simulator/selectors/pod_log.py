"""What became of every Pod and Node, in order: what a watch would have seen, from which charts are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.goals.run import is_gpu
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.world.bus import DELETED, Change
from simulator.engine.world.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Seen:
    """One change of a Pod or a Node, as it is after it (as it was last, where it was deleted).

    `count` is how many actions were over then; `time` in microseconds.
    """

    count: int
    time: int
    type: str
    object: Pod | Node

    @property
    def gone(self) -> bool:
        return self.type == DELETED


@dataclass(frozen=True, slots=True)
class Sample:
    """The cluster at one instant: GPUs in use and there, Pods without a node."""

    time: int
    gpus_used: int
    gpus: int
    pending: int


@dataclass(frozen=True, slots=True)
class Stay:
    """A Pod's time: created, on a node from `start` (None: never) to `end` (None: still there)."""

    pod: Pod
    created: int
    node: str
    start: int | None
    end: int | None
    gpus: int

    @property
    def waited(self) -> int | None:
        """How long it had no node; None while it has none."""
        return None if self.start is None else self.start - self.created


class PodLog:
    """Collects what happens in a simulation from now on."""

    def __init__(self, simulation: Simulation) -> None:
        self._seen: list[Seen] = []
        self.follow(simulation)

    def follow(self, simulation: Simulation) -> None:
        """Go on with this simulation, which continues where the former one ended."""

        def hear(change: Change) -> None:
            if change.kind in ("Pod", "Node"):
                self._seen.append(Seen(simulation.count, simulation.now, change.type, change.object))

        simulation.world.watch(hear)

    def until(self, count: int) -> list[Seen]:
        """What was seen in the first `count` actions."""
        return [seen for seen in self._seen if seen.count < count]


def gpus_of_pod(pod: Pod) -> int:
    return sum(amount for name, amount in pod.shape.requests.on_node.items() if is_gpu(name))


def gpus_of_node(node: Node) -> int:
    return sum(amount for name, amount in node.allocatable.items() if is_gpu(name))


def samples_of(log: Sequence[Seen]) -> list[Sample]:
    """The cluster after every instant at which something changed."""
    nodes: dict[str, int] = {}
    used: dict[str, int] = {}
    pending: set[str] = set()
    found: list[Sample] = []
    for seen in log:
        item = seen.object
        if isinstance(item, Node):
            _keep(nodes, item.name, None if seen.gone else gpus_of_node(item))
        else:
            on_node = bool(item.node_name) and not item.terminal and not seen.gone
            _keep(used, item.key, gpus_of_pod(item) if on_node else None)
            waits = not item.node_name and not item.terminal and not seen.gone
            (pending.add if waits else pending.discard)(item.key)
        sample = Sample(seen.time, sum(used.values()), sum(nodes.values()), len(pending))
        if found and found[-1].time == sample.time:
            found[-1] = sample
        else:
            found.append(sample)
    return found


def _keep(amounts: dict[str, int], key: str, amount: int | None) -> None:
    if amount is None:
        amounts.pop(key, None)
    else:
        amounts[key] = amount


def stays_of(log: Sequence[Seen]) -> list[Stay]:
    """Every Pod there ever was, in order of creation."""
    found: dict[str, Stay] = {}
    for seen in log:
        pod = seen.object
        if isinstance(pod, Node):
            continue
        old = found.get(pod.uid)
        created = old.created if old else seen.time
        start = old.start if old else None
        if pod.node_name and start is None:
            start = seen.time
        end = old.end if old else None
        if end is None and (seen.gone or pod.terminal):
            end = seen.time
        found[pod.uid] = Stay(pod, created, pod.node_name, start, end, gpus_of_pod(pod))
    return list(found.values())

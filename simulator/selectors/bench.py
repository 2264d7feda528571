"""What a configuration or a rule is tried on before it is put in force: a lab at one of its moments, or the sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.cluster.cluster import Cluster
from simulator.engine.objects.pod import Pod
from simulator.engine.world.simulation import Simulation
from simulator.models import Lab
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import Shown, asked_of
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.positions import Position
from simulator.selectors.profiles.model import Parts, blank_config
from simulator.selectors.sample_cluster import sample_simulation

MOST_PODS: Final = 300


@dataclass(frozen=True, slots=True)
class Bench:
    """`begin()` gives a simulation of one's own, as long as the bench is open. `pod` is the Pod one asks about first,
    "" where there is none. `is_quiet`: predictions are still asked for, so nothing may be told of what would come."""

    config: dict[str, Any]
    rules: tuple[Mapping[str, Any], ...]
    parts: Parts
    begin: Callable[[], Simulation]
    pods: tuple[str, ...]
    pod: str
    is_quiet: bool = False

    def cluster_for(self, pod: str) -> tuple[Cluster, Pod] | None:
        """The cluster without the Pod, and the Pod itself; None where it is not there."""
        simulation = self.begin()
        found = simulation.world.pod(pod)
        if found is None:
            return None
        simulation.scheduler.cluster.remove_pod(pod)
        return simulation.scheduler.cluster, found


def sample_bench() -> Bench:
    simulation = sample_simulation()
    pods = _pods(simulation)
    return Bench(blank_config(), (), _parts(simulation), sample_simulation, pods, pods[0])


@contextmanager
def lab_bench(lab: Lab, at: Position | None) -> Iterator[Bench]:
    """The lab's newest configuration, and its cluster at a place that may be shown: before a turn that is about the Pod
    one asks about, else after it. Raises `RecordedOtherwise`."""
    with open_history(lab) as history:
        actions, asked = history.history.actions, asked_of(lab)
        last = Shown(history, asked.horizon(history.gates)).count - 1
        shown = min(at.action, last) if at else last
        turn = actions[shown].record
        is_about = turn.pod if isinstance(turn, Cycle) else ""
        count = shown if is_about else shown + 1
        pods = _pods(history.history.head if count == history.count else history.history.at(count))
        setup = history.history.head.setup
        yield Bench(
            dict(setup.config or blank_config()),
            tuple(setup.plugins),
            _parts(history.history.head),
            lambda: history.history.at(count),
            pods,
            is_about if is_about in pods else _last_tried(history, count, pods),
            bool(asked.pending(history.gates)),
        )


def _last_tried(history: LabHistory, count: int, pods: tuple[str, ...]) -> str:
    for action in reversed(history.history.actions[:count]):
        if isinstance(action.record, Cycle) and action.record.pod in pods:
            return action.record.pod
    return pods[0] if pods else ""


def _pods(simulation: Simulation) -> tuple[str, ...]:
    """Pods that a scheduler could be asked about: those without a node first."""
    pods = [item for kind, _, item in simulation.world.objects() if kind == "Pod" and not item.terminal]
    pods.sort(key=lambda pod: bool(pod.node_name))
    return tuple(pod.key for pod in pods[:MOST_PODS])


def _parts(simulation: Simulation) -> Parts:
    return Parts(simulation.setup.registry(), simulation.setup.read_gates())

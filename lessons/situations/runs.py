"""A scenario run until nothing moves, and the scheduling cycles of that run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.scenes import Scene
from simulator.engine.actors.kube_scheduler.cycle import POD, POD_GROUP, Cycle
from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.runtime import Framework
from simulator.engine.trace.explain import NodeExplanation, explain_node
from simulator.engine.trace.records import AttemptDetail
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.selectors.replaying import way_out

MOST_TURNS: Final = 3000
"""A scenario for a question or a lesson comes to rest long before."""


_POINTS: Final = {"preFilter": "PreFilter", "filter": "Filter", "postFilter": "PostFilter", "score": "Score"}


class NoSuchPlace(Exception):
    """The scenario has no such cycle."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of kube-scheduler that tried something: the action's number and what it decided."""

    action: int
    cycle: Cycle

    @property
    def pods(self) -> tuple[str, ...]:
        """Keys of the Pods it tried."""
        return (self.cycle.pod,) if self.cycle.kind == POD else tuple(tried.pod for tried in self.cycle.tries)


@dataclass(frozen=True, slots=True)
class Step:
    """A place that a scene can name: the `cycle`-th turn of `pod` that comes to its point."""

    pod: str
    cycle: int
    turn: Turn


class ScenarioRun:
    """A scenario from its first state until nothing moves by itself."""

    def __init__(self, setup: Setup, objects: Sequence[Mapping[str, Any]]) -> None:
        self.history = History.begin(setup, port=way_out())
        self.history.apply({"type": "apply", "objects": list(objects)})
        self.start = self.history.count
        if not self.history.head.is_idle:
            self.history.run(lambda _action: self.history.head.is_idle, most=MOST_TURNS)

    @property
    def end(self) -> Simulation:
        """The state after everything. Look, do not change it."""
        return self.history.head

    def turns(self) -> list[Turn]:
        """The turns that tried a Pod or a group of Pods, in order."""
        return [
            Turn(action.index, action.record)
            for action in self.history.actions
            if action.actor == KubeScheduler.name
            and isinstance(action.record, Cycle)
            and action.record.kind in {POD, POD_GROUP}
        ]

    def turn_of(self, scene: Scene) -> Turn:
        """The scene's turn: the n-th of its Pod (of all Pods without one) that comes to its point.

        Raises NoSuchPlace.
        """
        found = [
            turn
            for turn in self.turns()
            if (not scene.pod or scene.pod in _names(turn.pods)) and _reaches(turn.cycle, scene.point)
        ]
        if len(found) < scene.cycle:
            raise NoSuchPlace(f"{scene.scenario}: only {len(found)} cycles come to {scene.point}")
        return found[scene.cycle - 1]

    def steps(self, point: str) -> list[Step]:
        """Every turn that comes to a point, under the name of each Pod it tried."""
        counts: dict[str, int] = {}
        found: list[Step] = []
        for turn in self.turns():
            if not _reaches(turn.cycle, point):
                continue
            for key in turn.pods:
                name = shown_name(key)
                counts[name] = counts.get(name, 0) + 1
                found.append(Step(name, counts[name], turn))
        return found

    def before(self, scene: Scene) -> Simulation:
        """The simulation as the scene shows it."""
        if scene.point == "Start":
            return self.history.at(self.start)
        if scene.point == "End":
            return self.end
        return self.history.at(self.turn_of(scene).action)

    def detail(self, turn: Turn, pod: str = "") -> AttemptDetail | None:
        """Everything about a turn's attempt (that of `pod` in a group's turn); None where there was none."""
        found = self._attempt(turn, pod)
        return found[1] if found else None

    def explanations(self, turn: Turn, pod: str = "") -> dict[str, NodeExplanation]:
        """What that attempt did with each node, with the numbers."""
        found = self._attempt(turn, pod)
        return (self.history.probe(turn.action, found[0], _explain_all) or {}) if found else {}

    def _attempt(self, turn: Turn, pod: str) -> tuple[int, AttemptDetail] | None:
        attempts = enumerate(self.history.trace(turn.action).attempts)
        return next(((index, one) for index, one in attempts if not pod or pod in _names([one.pod])), None)


def _explain_all(framework: Framework, tried: Attempt) -> dict[str, NodeExplanation]:
    nodes = framework.handle.cluster.nodes.objects
    return {node.name: explain_node(framework, tried, node.name) for node in nodes}


def scene_place(scenario: str, pod: str, point: str, cycle: int) -> Scene:
    """The place that a lesson's scene names with its `start`."""
    return Scene(scenario, _POINTS.get(point, "PreFilter"), pod, cycle)


def _reaches(cycle: Cycle, point: str) -> bool:
    """Whether a cycle comes to a point: to PostFilter only without a feasible node, to Score only with two of them."""
    if point == "PostFilter":
        return any(not tried.node for tried in cycle.tries)
    if point == "Score":
        return any(tried.feasible > 1 for tried in cycle.tries)
    return bool(cycle.tries) or point not in {"Filter", "Select"}


def _names(keys: Iterable[str]) -> set[str]:
    """Keys, and the bare names of those in the default namespace."""
    found = set(keys)
    return found | {key.partition("/")[2] for key in found if key.startswith("default/")}


def shown_name(key: str) -> str:
    """A Pod's name as pages show it: `namespace/name` only outside `default`."""
    return key.removeprefix("default/")

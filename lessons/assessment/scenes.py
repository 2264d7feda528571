"""Where a question meets the lab: a scene names a place in a scenario, and the engine's facts about that place make
the key.

This floor does not run the engine. A caller asks it for the facts and hands them over as plain values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from lessons.assessment.localized import Text
from lessons.assessment.reading import NAME, SLUG, Node

POINTS: Final = ("Start", "PreFilter", "Filter", "PostFilter", "Score", "Select", "Permit", "End")
"""Where in a scheduling cycle the learner is asked: the cycle is shown up to, not including, this point's outcome."""

MAX_CYCLE: Final = 200


@dataclass(frozen=True, slots=True)
class Scene:
    """A place in a scenario: the ``cycle``-th scheduling cycle (from 1) of ``pod``, before the outcome of ``point``.

    Without a ``pod`` the cycles of all Pods are counted. ``Start`` and ``End`` are the scenario's own first and last
    state.
    """

    scenario: str
    point: str = "Filter"
    pod: str = ""
    cycle: int = 1

    def as_mapping(self) -> dict[str, object]:
        """For pages and services; an unnamed Pod is left out."""
        named = {"pod": self.pod} if self.pod else {}
        return {"scenario": self.scenario, "point": self.point, **named, "cycle": self.cycle}


def read_scene(node: Node) -> Scene:
    """Read ``{scenario, point, pod?, cycle?}``."""
    fields = node.fields(required=("scenario",), optional=("point", "pod", "cycle"))
    pod, point, cycle = fields.get("pod"), fields.get("point"), fields.get("cycle")
    return Scene(
        scenario=fields["scenario"].named(SLUG),
        point=point.one_of(POINTS) if point else "Filter",
        pod=pod.named(NAME) if pod else "",
        cycle=cycle.integer(minimum=1, maximum=MAX_CYCLE) if cycle else 1,
    )


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What the engine decided about one node: Filter's verdict, and the weighted score of each plugin.

    ``reason``: what to tell a learner about it (why it drops out, its total).
    """

    name: str
    passes: bool
    reason: Text | None = None
    scores: Mapping[str, int] = field(default_factory=dict)
    total: int | None = None


@dataclass(frozen=True, slots=True)
class PodFacts:
    """A Pod that is bound at the scene's place.

    ``detail``: what to show beside its name (node, priority, GPUs). ``reason``: why it is evicted or spared.
    """

    name: str
    detail: Text | None = None
    reason: Text | None = None


@dataclass(frozen=True, slots=True)
class SceneFacts:
    """The engine's answer for one scene.

    ``best``: all nodes with the highest total. ``victims``: Pods that preemption evicts. ``queue``: Pods that wait, in
    the order in which they will be tried.
    """

    nodes: tuple[NodeFacts, ...] = ()
    best: tuple[str, ...] = ()
    pods: tuple[PodFacts, ...] = ()
    victims: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()


class SceneOracle(Protocol):
    """Whoever can run the engine: gives the facts of a scene, or raises its own error if the scene does not exist."""

    def facts(self, scene: Scene) -> SceneFacts:
        """The facts at the scene's place."""
        ...

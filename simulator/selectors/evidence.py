"""What the trace has to say about a prediction: the numbers behind every node or Pod that it was different with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.runtime import Framework
from simulator.engine.trace.explain import Check, Difference, NodeExplanation, ScoreSheet, compare, explain_node
from simulator.engine.trace.pod_states import PodState, pod_state
from simulator.engine.trace.records import AttemptDetail, Record
from simulator.enums import PredictKind
from simulator.models import Prediction
from simulator.selectors.frames import Frame, QueueEntry
from simulator.selectors.gates import Gate
from simulator.selectors.histories import open_history
from simulator.selectors.keys import detail_of, key_of, story_of
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.moments import Moment

MOST_EXPLAINED: Final = 8
"""Of so many nodes or Pods it is told why; the page names the rest."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a prediction is compared with.

    names, equals, uncounted   what it was (see `Key`)
    before     the state the turn began with; `detail` the attempt it is about (None for which Pod is next)
    nodes      everything the attempt did with a node that was predicted otherwise
    sheets     of which two nodes the totals are compared, the chosen one first; `differences` plugin by plugin
    story      the records of the preemption, with the `checks` behind those about victims, by record
    entries    places in the queue, in the order in which Pods leave it; `states` of Pods that are nowhere in it
    """

    gate: Gate
    names: tuple[str, ...]
    equals: tuple[tuple[str, ...], ...]
    uncounted: frozenset[str]
    before: Frame
    detail: AttemptDetail | None = None
    nodes: Mapping[str, NodeExplanation] = field(default_factory=dict)
    sheets: tuple[ScoreSheet, ...] = ()
    differences: tuple[Difference, ...] = ()
    story: tuple[Record, ...] = ()
    checks: Mapping[int, Check] = field(default_factory=dict)
    entries: tuple[QueueEntry, ...] = ()
    states: Mapping[str, PodState] = field(default_factory=dict)


def evidence_of(moment: Moment, made: Prediction) -> Evidence | None:
    """What came of a prediction, once its answer has been told at this moment; None before, or for another turn."""
    if made.key is None:
        return None
    with open_history(moment.lab) as history:
        gate = history.gates.find(made.question)
        if gate is None or gate.action != moment.at.action or gate.told > moment.at:
            return None
        key = key_of(history, gate)
        found = Evidence(gate, key.names, key.equals, key.uncounted, history.frame(gate.action))
        return _FURTHER[gate.kind](history, found, made)


def _filtered(history: LabHistory, found: Evidence, made: Prediction) -> Evidence:
    differing = sorted((set(made.answer) ^ set(found.names)) - found.uncounted)
    return _with(found, detail=detail_of(history, found.gate), nodes=_explained(history, found.gate, differing))


def _won(history: LabHistory, found: Evidence, made: Prediction) -> Evidence:
    detail = detail_of(history, found.gate)
    own = [node for node in made.answer if node not in found.names]
    winner = list(found.names) if not made.is_right else []
    nodes = _explained(history, found.gate, [*own, *winner])
    sheets = history.sheets(found.gate.action, found.gate.number, [*winner, *own]) if own and winner else {}
    compared = tuple(sheets[node] for node in (*winner, *own) if node in sheets)
    differences = tuple(compare(*compared)) if len(compared) == 2 else ()
    return _with(found, detail=detail, nodes=nodes, sheets=compared, differences=differences)


def _explained(history: LabHistory, gate: Gate, nodes: Sequence[str]) -> Mapping[str, NodeExplanation]:
    """Everything the attempt did with the nodes, the first of them where there are many."""
    asked = nodes[:MOST_EXPLAINED]
    if not asked:
        return {}

    def ask(framework: Framework, tried: Attempt) -> dict[str, NodeExplanation]:
        return {node: explain_node(framework, tried, node) for node in asked}

    return history.history.probe(gate.action, gate.number, ask) or {}


def _evicted(history: LabHistory, found: Evidence, made: Prediction) -> Evidence:
    story = tuple(story_of(history, found.gate))
    differing = set(made.answer) ^ set(found.names)
    decisive = [item for item in story if item.code in _OFFERED and item.params["victim"] in differing]
    checks = {
        record.index: check
        for record in decisive[:MOST_EXPLAINED]
        if (check := history.explain(found.gate.action, record).check) is not None
    }
    return _with(found, detail=detail_of(history, found.gate), story=story, checks=checks)


_OFFERED: Final = frozenset({"preemption.victim", "preemption.reprieved"})


def _came_next(history: LabHistory, found: Evidence, made: Prediction) -> Evidence:
    queues = found.before.queues
    entries = (*queues.active, *queues.backoff, *queues.unschedulable, *queues.gated)
    simulation = history.history.at(found.gate.action)
    states = {pod: state for pod in made.answer if (state := pod_state(simulation, pod)) is not None}
    return _with(found, entries=entries, states=states)


def _with(found: Evidence, **more: object) -> Evidence:
    return replace(found, **more)  # type: ignore[arg-type]


_FURTHER: Final = {
    PredictKind.FEASIBLE_NODES: _filtered,
    PredictKind.WINNER: _won,
    PredictKind.VICTIMS: _evicted,
    PredictKind.NEXT_POD: _came_next,
}

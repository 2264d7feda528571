"""What it was: the answers to a lab's questions, from its history."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from simulator.engine.trace import records
from simulator.engine.trace.records import AttemptDetail, Record
from simulator.enums import PredictKind
from simulator.selectors.gates import Gate
from simulator.selectors.lab_history import LabHistory


@dataclass(frozen=True, slots=True)
class Key:
    """`names`: nodes or keys of Pods, sorted. `equals` are other answers that are as good: kube-scheduler picks any of
    them, the lab takes the first. `uncounted` were not looked at, so what one says of them does not matter.
    """

    names: tuple[str, ...]
    equals: tuple[tuple[str, ...], ...] = ()
    uncounted: frozenset[str] = frozenset()

    def accepts(self, answer: Sequence[str]) -> bool:
        counted = tuple(sorted(set(answer) - self.uncounted))
        return counted == self.names or counted in self.equals


def key_of(history: LabHistory, gate: Gate) -> Key:
    """The answer to a question about a turn of the history."""
    return _KEYS[gate.kind](history, gate)


def detail_of(history: LabHistory, gate: Gate) -> AttemptDetail:
    """The attempt that a question is about."""
    return history.trace(gate.action).attempts[gate.number]


def story_of(history: LabHistory, gate: Gate) -> list[Record]:
    """The records of the preemption that a question is about."""
    own = (record for record in history.trace(gate.action).records if record.pod == gate.pod)
    return [record for record in own if record.point == records.POST_FILTER and record.attempt == gate.number]


def _feasible(history: LabHistory, gate: Gate) -> Key:
    detail = detail_of(history, gate)
    return Key(_names(detail.feasible), uncounted=frozenset(_candidates(history, gate)) - frozenset(detail.visited))


def _candidates(history: LabHistory, gate: Gate) -> Sequence[str]:
    """The nodes that PreFilter leaves; all others are out. The search need not come to all of them."""
    own = [record for record in history.trace(gate.action).records if record.attempt == gate.number]
    if any(record.code == "pre_filter.rejected" for record in own):
        return ()
    narrowed = next((record.params["nodes"] for record in own if record.code == "pre_filter.narrowed"), None)
    return detail_of(history, gate).nodes if narrowed is None else narrowed


def _winner(history: LabHistory, gate: Gate) -> Key:
    detail = detail_of(history, gate)
    best = detail.best if len(detail.best) > 1 else []
    return Key(_names([detail.chosen] if detail.chosen else []), tuple((node,) for node in best))


def _victims(history: LabHistory, gate: Gate) -> Key:
    story = story_of(history, gate)
    chosen = next((record for record in story if record.code == "preemption.chosen"), None)
    if chosen is None:
        return Key(())
    alike = {
        record.node: _names(record.params["victims"])
        for record in story
        if record.code == "preemption.candidate" and record.node in chosen.params["ties"]
    }
    return Key(_names(chosen.params["victims"]), tuple(alike.values()) if len(alike) > 1 else ())


def _next_pod(history: LabHistory, gate: Gate) -> Key:
    trace = history.trace(gate.action)
    collected = next((record for record in trace.records if record.code == "group.collected"), None)
    together = collected.params["members"] if collected is not None else ()
    return Key((trace.records[0].pod,), tuple((member,) for member in together))


def _names(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names))


_KEYS: Mapping[PredictKind, Callable[[LabHistory, Gate], Key]] = {
    PredictKind.FEASIBLE_NODES: _feasible,
    PredictKind.WINNER: _winner,
    PredictKind.VICTIMS: _victims,
    PredictKind.NEXT_POD: _next_pod,
}

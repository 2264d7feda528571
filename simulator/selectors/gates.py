"""Where a lab can be asked what will happen: questions, and the places between which each of them is open.

A question is about a turn that the history already holds (stepping shows a turn record by record), except for which Pod
is next: that one may also be about a turn still to come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.trace import records
from simulator.engine.trace.records import Record, Trace
from simulator.enums import PredictKind
from simulator.selectors.marks import CYCLES
from simulator.selectors.positions import END, Position, settle

if TYPE_CHECKING:
    from simulator.selectors.lab_history import LabHistory

MOST_CHOICES: Final = 500
"""More nodes than that nobody can answer for one by one: nothing is asked then."""

Question = tuple[str, str, int]
"""Kind, Pod (namespace/name, "" for which Pod is next) and attempt."""

OF_AN_ATTEMPT: Final = frozenset(
    {
        records.PRE_FILTER, records.FILTER, records.EXTENDERS, records.PRE_SCORE, records.SCORE, records.NORMALIZE,
        records.SELECT,
    }
)  # fmt: skip
"""Points whose records belong to one attempt to find a node."""
_FILTERING: Final = frozenset({records.PRE_FILTER, records.FILTER})


@dataclass(frozen=True, slots=True)
class Gate:
    """A question with its places.

    action    the turn it is about (for a turn still to come the number of the next one)
    number    which of the turn's attempts, for questions about one
    stands    the last place before anything of the answer is told
    reveals   the first place that tells something of it
    told      the place at which all of it is told
    """

    kind: PredictKind
    pod: str
    attempt: int
    action: int
    number: int
    stands: Position
    reveals: Position
    told: Position

    @property
    def question(self) -> Question:
        return self.kind, self.pod, self.attempt

    def is_open_at(self, at: Position) -> bool:
        return self.stands <= at < self.reveals


def is_named(pod: str, name: str) -> bool:
    """Whether a scenario's `name` means the Pod (namespace/name): without a namespace one in `default`, "" any."""
    return not name or pod in (name, f"default/{name}")


class Gates:
    """The gates of one history. What was found once stays: a history only grows."""

    def __init__(self, history: LabHistory) -> None:
        self._history = history
        self._read = 0
        self._cycles: list[int] = []
        self._tried: dict[str, list[int]] = {}
        self._passed: dict[tuple[str, str], int] = {}
        self._first: dict[tuple[str, str], Gate] = {}

    @property
    def cycles(self) -> Sequence[int]:
        """The actions that are scheduling cycles, in order."""
        self._catch_up()
        return self._cycles

    def tries(self, pod: str) -> Sequence[int]:
        """The actions in which the Pod was tried, in order."""
        self._catch_up()
        return self._tried.get(pod, ())

    def _catch_up(self) -> None:
        for action in self._history.history.actions[self._read : self._history.count]:
            record = action.record
            if isinstance(record, Cycle) and record.kind in CYCLES:
                self._cycles.append(action.index)
                for pod in dict.fromkeys(tried.pod for tried in record.tries):
                    self._tried.setdefault(pod, []).append(action.index)
        self._read = self._history.count

    # one gate

    def find(self, question: Question) -> Gate | None:
        """The gate of a question; None while its turn has not come, or where nothing can be asked about it."""
        kind, pod, attempt = question
        turns = self.cycles if kind == PredictKind.NEXT_POD else self.tries(pod)
        if not 1 <= attempt <= len(turns):
            return None
        return self._gate(PredictKind(kind), pod, turns[attempt - 1], attempt)

    def first(self, kind: PredictKind, name: str) -> Gate | None:
        """The first time that a scenario's question can be asked; None while it has not come to it."""
        key = (kind, name)
        if key not in self._first:
            turns = self._turns(kind, name)
            for action, pod in turns[self._passed.get(key, 0) :]:
                self._passed[key] = self._passed.get(key, 0) + 1
                gate = self._gate(kind, pod, action, self._attempt(kind, pod, action))
                if gate is not None:
                    self._first[key] = gate
                    break
        return self._first.get(key)

    def _turns(self, kind: PredictKind, name: str) -> list[tuple[int, str]]:
        if kind == PredictKind.NEXT_POD:
            return [(action, "") for action in self.cycles]
        self._catch_up()
        return sorted((action, pod) for pod, turns in self._tried.items() if is_named(pod, name) for action in turns)

    def _attempt(self, kind: PredictKind, pod: str, action: int) -> int:
        turns = self.cycles if kind == PredictKind.NEXT_POD else self.tries(pod)
        return turns.index(action) + 1

    def at(self, at: Position, pod: str) -> list[Gate]:
        """What can be asked at a place whose record is about `pod` ("" for none)."""
        found: list[Gate | None] = []
        tries = self.tries(pod)
        if at.action in tries:
            kinds = (PredictKind.FEASIBLE_NODES, PredictKind.WINNER, PredictKind.VICTIMS)
            found += [self._gate(kind, pod, at.action, tries.index(at.action) + 1) for kind in kinds]
        found.append(self._next_pod(at))
        return [gate for gate in found if gate is not None and gate.is_open_at(at)]

    def _next_pod(self, at: Position) -> Gate | None:
        count, cycles = self._history.count, self.cycles
        if at.action < count - 1:
            later = at.action + 1
            return self._gate(PredictKind.NEXT_POD, "", later, cycles.index(later) + 1) if later in cycles else None
        frame = self._history.frame(count)
        if frame.idle or len(frame.queues.active) < 2:
            return None
        to_come = Position(count, 0)
        head = settle(self._history, Position(count - 1, END))
        return Gate(PredictKind.NEXT_POD, "", len(cycles) + 1, count, 0, head, to_come, to_come)

    def to_come(self, question: Question) -> Gate | None:
        """The gate of a question about the turn after the lab's end; None where it is no such question."""
        gate = self._next_pod(settle(self._history, Position(self._history.count - 1, END)))
        return gate if gate is not None and gate.question == question else None

    def _gate(self, kind: PredictKind, pod: str, action: int, attempt: int) -> Gate | None:
        if kind == PredictKind.NEXT_POD:
            if len(self._history.frame(action).queues.active) < 2:
                return None
            here = Position(action, 0)
            stands = settle(self._history, Position(action - 1, END))
            return Gate(kind, pod, attempt, action, 0, stands, here, here)
        trace = self._history.trace(action)
        span = _span(kind, trace, pod)
        if span is None or not 0 < len(trace.attempts[span.number].nodes) <= MOST_CHOICES:
            return None
        places = [Position(action, index) for index in (span.reveals, span.told)]
        return Gate(kind, pod, attempt, action, span.number, Position(action, span.stands), *places)


# within a turn


@dataclass(frozen=True, slots=True)
class _Span:
    number: int
    stands: int
    reveals: int
    told: int


def _span(kind: PredictKind, trace: Trace, pod: str) -> _Span | None:
    """Between which records of a turn a question about `pod` is open; about its first attempt there."""
    mine = [record for record in trace.records if record.pod == pod]
    begun = next((record for record in mine if record.point in OF_AN_ATTEMPT), None)
    if begun is None or begun.attempt >= len(trace.attempts):
        return None
    own = [record for record in mine if record.attempt == begun.attempt]
    if kind == PredictKind.VICTIMS:
        return _victims(own)
    filtered = [record for record in own if record.point in _FILTERING or record.code == "extenders.rejected"][-1]
    before = begun.index - 1
    if kind == PredictKind.FEASIBLE_NODES:
        return _Span(begun.attempt, before, begun.index, filtered.index)
    return _winner(own, before, filtered, several=len(trace.attempts[begun.attempt].feasible) > 1)


def _winner(own: Sequence[Record], before: int, filtered: Record, *, several: bool) -> _Span:
    """Where several nodes pass, the answer is open until they are scored; else Filter tells it."""
    scored = (record for record in own if record.point in (records.SCORE, records.SELECT))
    reveals = next(scored, filtered) if several else filtered
    told = next((record for record in own if record.point == records.SELECT), None)
    last = [record for record in own if record.point in OF_AN_ATTEMPT][-1]
    return _Span(filtered.attempt, before, reveals.index, (told or last).index)


def _victims(own: Sequence[Record]) -> _Span | None:
    story = [record for record in own if record.point == records.POST_FILTER]
    if not story:
        return None
    chosen = next((record for record in story if record.code == "preemption.chosen"), story[-1])
    return _Span(chosen.attempt, story[0].index - 1, story[0].index, chosen.index)

"""The reveal horizon: how far a lab may be shown while a prediction that its scenario asks for is not made.

Everything that shows something of a lab goes through a `Moment`, and every moment is settled in what `Shown` shows. The
history behind it may be longer: a turn is computed as a whole and told record by record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.errors import Conflict
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.trace.records import Record
from simulator.engine.world.simulation import Action
from simulator.enums import PredictionOutcome, PredictKind, PredictMode
from simulator.models import Lab, LabPredicting, Prediction
from simulator.selectors.gates import Gate, Gates, Question, is_named
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.marks import CYCLES
from simulator.selectors.positions import END, Position, settle

Listed = tuple[PredictKind, str]
"""A question as a scenario lists it: what, and of which Pod ("" for which Pod is next)."""


class PredictionOpen(Conflict):
    """The lab does not go on before a prediction is made."""

    def __init__(self) -> None:
        super().__init__(_("Answer the question first: this scenario goes on when your prediction is in."))


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that can be answered. `asked`: the scenario asks it here, at the first chance; `required`: the lab
    does not go on without an answer."""

    gate: Gate
    asked: bool
    required: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What a lab asks for, and what was answered.

    mode      whether it asks; `forced`: its scenario says so, and nobody can switch it off
    listed    the scenario's questions; without any, everything may be predicted where predictions are on
    made      all predictions in the lab, the oldest first
    seen      the furthest place its owner has been shown
    """

    mode: PredictMode
    forced: bool
    listed: tuple[Listed, ...]
    made: tuple[Prediction, ...]
    seen: Position

    @property
    def is_on(self) -> bool:
        return self.mode != PredictMode.NONE

    @property
    def is_required(self) -> bool:
        return self.mode == PredictMode.REQUIRED

    def answer_to(self, question: Question) -> Prediction | None:
        """The prediction that stands for a question; a withdrawn one does not."""
        counted = (item for item in self.made if item.outcome != PredictionOutcome.WITHDRAWN)
        return next((item for item in counted if item.question == question), None)

    def lists(self, gate: Gate) -> Listed | None:
        """The scenario's question that a gate is one of."""
        return next((item for item in self.listed if item[0] == gate.kind and is_named(gate.pod, item[1])), None)

    def wants(self, gate: Gate) -> bool:
        return self.is_on and (not self.listed or self.lists(gate) is not None)

    def open_question(self, gates: Gates, gate: Gate) -> OpenQuestion:
        item = self.lists(gate)
        first = None if item is None else gates.first(*item)
        at_first = item is not None and (first is None or first.question == gate.question)
        return OpenQuestion(gate, at_first, at_first and self.is_required)

    def hides_order(self, gates: Gates, moment_at: Position) -> bool:
        """Whether the order of the queue would tell what is asked."""
        item = (PredictKind.NEXT_POD, "")
        if item not in self.listed or not self.is_on or self._is_answered(gates, item):
            return False
        gate = gates.first(*item)
        return gate is None or max(self.seen, moment_at) < gate.reveals

    def pending(self, gates: Gates) -> tuple[Listed, ...]:
        """The questions that have to be answered, and are not."""
        if not self.is_required:
            return ()
        return tuple(item for item in self.listed if not self._is_answered(gates, item))

    def _is_answered(self, gates: Gates, item: Listed) -> bool:
        gate = gates.first(*item)
        if gate is not None:
            return self.answer_to(gate.question) is not None
        to_come = (PredictKind.NEXT_POD, "", len(gates.cycles) + 1)
        return item[0] == PredictKind.NEXT_POD and self.answer_to(to_come) is not None

    def horizon(self, gates: Gates) -> Position | None:
        """The last place that may be shown, None where nothing holds one back."""
        firsts = (gates.first(*item) for item in self.pending(gates))
        return min((gate.stands for gate in firsts if gate is not None), default=None)


def asked_of(lab: Lab) -> Asked:
    """What a lab asks for: its scenario's way, else what its owner chose."""
    written = lab.revision.spec.get("predictions") or {}
    own = PredictMode(written.get("mode", PredictMode.NONE))
    state = None if lab.is_unborn else LabPredicting.objects.filter(lab_id=lab.pk).first()
    forced = own == PredictMode.REQUIRED
    mode = PredictMode(state.mode) if state is not None and state.mode and not forced else own
    made = () if state is None else tuple(Prediction.objects.filter(lab_id=lab.pk).order_by("pk"))
    seen = Position(0) if state is None else Position(state.seen_action, state.seen_record)
    return Asked(mode, forced, _listed(written), made, seen)


def _listed(written: Mapping[str, Any]) -> tuple[Listed, ...]:
    gates = written.get("gates") or ()
    return tuple((PredictKind(gate["predict"]), str(gate.get("pod", ""))) for gate in gates)


class Shown:
    """A history as far as it may be told: up to and including `until`, all of it where that is None."""

    def __init__(self, history: LabHistory, until: Position | None) -> None:
        self._history = history
        self.until = until

    @property
    def count(self) -> int:
        return self._history.count if self.until is None else self.until.action + 1

    def records(self, action: int) -> Sequence[Record]:
        found = self._history.records(action)
        return found[: self.until.record + 1] if self._ends_in(action) and self.until is not None else found

    def is_cycle(self, action: int) -> bool:
        return self._history.is_cycle(action)

    def is_event(self, action: int) -> bool:
        """The last action counts as one where it is cut: one can always come to where the question is."""
        return self._ends_in(action) or self._history.is_event(action)

    def is_whole(self, action: int) -> bool:
        """Whether all of an action may be told."""
        return not self._ends_in(action) or len(self.records(action)) == len(self._history.records(action))

    def _ends_in(self, action: int) -> bool:
        return self.until is not None and self.until.action == action

    @property
    def head(self) -> Position:
        return settle(self, Position(self.count - 1, END))


def shown_of(lab: Lab, history: LabHistory) -> Shown:
    """What of a lab's history may be told."""
    return Shown(history, asked_of(lab).horizon(history.gates))


def shown_actions(lab: Lab, history: LabHistory) -> int:
    """How many of the lab's actions may be shown, the last perhaps not to its end."""
    return shown_of(lab, history).count


def settled_actions(lab: Lab, history: LabHistory) -> int:
    """How many of the lab's actions may be shown to their end."""
    shown = shown_of(lab, history)
    return shown.count if shown.is_whole(shown.count - 1) else shown.count - 1


def is_all_answered(lab: Lab) -> bool:
    """Whether every question that the lab's scenario asks for has an answer, as far as can be told without its
    history."""
    asked = asked_of(lab)
    given = [(made.kind, made.pod) for made in asked.made if made.outcome != PredictionOutcome.WITHDRAWN]
    answered = [any(kind == its and is_named(pod, name) for its, pod in given) for kind, name in asked.listed]
    return not asked.is_required or all(answered)


def check_open(lab: Lab, history: LabHistory) -> None:
    """Raises `PredictionOpen` where the lab waits for a prediction."""
    if is_waiting(lab, history):
        raise PredictionOpen


def is_waiting(lab: Lab, history: LabHistory) -> bool:
    """Whether the lab waits for a prediction before it goes on."""
    return _may_require(lab) and asked_of(lab).horizon(history.gates) is not None


def _may_require(lab: Lab) -> bool:
    written = lab.revision.spec.get("predictions") or {}
    return bool(written.get("mode") == PredictMode.REQUIRED)


def gate_watch(lab: Lab, history: LabHistory) -> Callable[[Action], bool]:
    """Whether a turn that has just happened has to be predicted first, so that no further one should."""
    pending = asked_of(lab).pending(history.gates) if _may_require(lab) else ()

    def watch(action: Action) -> bool:
        record = action.record
        if not isinstance(record, Cycle) or record.kind not in CYCLES:
            return False
        others = len(history.history.head.scheduler.queue.active)
        return any(_is_in(record, kind, name, others) for kind, name in pending)

    return watch if pending else lambda _action: False


def _is_in(record: Cycle, kind: PredictKind, name: str, others: int) -> bool:
    match kind:
        case PredictKind.NEXT_POD:
            return others > 0
        case PredictKind.VICTIMS:
            return any(is_named(tried.pod, name) and not tried.feasible for tried in record.tries)
        case _:
            return any(is_named(tried.pod, name) for tried in record.tries)

"""A moment: one place of a lab, with all that a page shows there, as values that nothing changes any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from simulator.engine.actors.kube_scheduler import cycle
from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.goals.goal import Goal, Progress
from simulator.engine.trace import records
from simulator.engine.trace.explain import Check, ScoreSheet
from simulator.engine.trace.records import AttemptDetail, Record, Trace
from simulator.engine.trace.why import Why, why
from simulator.engine.world.commands import Command
from simulator.engine.world.simulation import Action
from simulator.models import Lab
from simulator.selectors.frames import Frame
from simulator.selectors.gates import OF_AN_ATTEMPT, is_named
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import Asked, OpenQuestion, Shown, asked_of
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.marks import OTHER, Told
from simulator.selectors.pod_log import Seen
from simulator.selectors.positions import END, Position, settle
from simulator.selectors.undoing import Undoing, undoing_of

AROUND = 40
"""How many actions before and after the present one the timeline shows."""

SCORING = frozenset({records.SCORE, records.NORMALIZE, records.SELECT})
MOST_SHEETS = 5

UNTOLD: Final = "untold"
"""The result of a turn that is not told to its end yet."""

EXPLAINED = frozenset({"filter.verdict", "filter.nominees", "preemption.victim", "preemption.reprieved"})
"""Records whose sentence needs the numbers behind them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where one is in a lab.

    at         the place; `head` is the last one that can be gone to
    seq        number of the lab's newest command
    action     what happens here; `trace` its records, `record` the one at this place (None where there are none)
    command    the command the action came of, None for the scenario's start
    frame      the state to show: before the action while its records are being told, after it from the last one on;
               `newest` the state at the lab's end
    goals      the scenario's goals, with their `progress` in the state shown
    check      the numbers behind the record, where its sentence needs them
    sheets     how the totals of the first scored nodes came about, while scores are being told
    around     the actions around this one, with their `outlines`; `count` is how many there are in all, as far as the
               owner has been shown them while predictions are on
    cut        this action goes on beyond what may be told of it here
    asked      whether predictions are on, and those made; `questions` those that can be answered here
    horizon    the last place that may be shown before a prediction is made, None where nothing holds one back
    order_hidden   the order of the queue would tell what is asked
    undoing    what can be taken back (at the lab's end); `undoable` the commands it speaks of, by number;
               `branch_actions` how many actions came before the one only a branch can take back
    """

    lab: Lab
    at: Position
    head: Position
    seq: int
    action: Action
    trace: Trace
    record: Record | None
    check: Check | None
    sheets: Mapping[str, ScoreSheet]
    command: Command | None
    frame: Frame
    newest: Frame
    goals: tuple[Goal, ...]
    progress: tuple[Progress, ...]
    around: tuple[Action, ...]
    outlines: tuple[Told, ...]
    count: int
    undoing: Undoing
    undoable: Mapping[int, Command]
    branch_actions: int | None
    cut: bool
    asked: Asked
    questions: tuple[OpenQuestion, ...]
    horizon: Position | None
    order_hidden: bool

    @property
    def is_head(self) -> bool:
        return self.at == self.head

    @property
    def is_start(self) -> bool:
        return self.at == Position(0, 0)

    @property
    def outline(self) -> Told:
        return self.outlines[self.at.action - self.outlines[0]["index"]]

    @property
    def told(self) -> Sequence[Record]:
        """The records up to this place."""
        return self.trace.records[: self.at.record + 1] if self.record is not None else ()

    @property
    def is_over(self) -> bool:
        """Whether all of the action has been told."""
        return self.record is None or (not self.cut and self.record.index == len(self.trace.records) - 1)

    @property
    def attempt_number(self) -> int | None:
        """Which of the trace's attempts this place belongs to: the record's own, or its Pod's last one before it."""
        if self.record is None or not self.trace.attempts:
            return None
        latest = min(self.record.attempt, len(self.trace.attempts) - 1)
        own = [number for number in range(latest + 1) if self.trace.attempts[number].pod == self.record.pod]
        return own[-1] if own else latest

    @property
    def attempt(self) -> AttemptDetail | None:
        number = self.attempt_number
        return None if number is None else self.trace.attempts[number]

    @property
    def clock_start(self) -> int:
        """Zero of the virtual clock."""
        return self.frame.now - self.frame.elapsed

    @property
    def note(self) -> Mapping[str, Any]:
        """The action's record where it is a plain mapping (a command's outcomes)."""
        return self.action.record if isinstance(self.action.record, Mapping) else {}


def moment_get(lab: Lab, at: Position | None) -> Moment:
    """The moment at a place of a lab, at its end without one. Raises `RecordedOtherwise`."""
    with open_history(lab) as history:
        asked = asked_of(lab)
        shown = Shown(history, asked.horizon(history.gates))
        return moment_of(lab, history, settle(shown, at or _landing(asked, shown)), asked)


def _landing(asked: Asked, shown: Shown) -> Position:
    """The end; within a turn that one has begun to look at, as far as one has come."""
    end = Position(shown.count - 1, END)
    return asked.seen if asked.is_on and asked.seen.action == end.action else end


def moment_of(lab: Lab, history: LabHistory, at: Position, asked: Asked) -> Moment:
    """The moment at a settled place of an open history."""
    shown = Shown(history, asked.horizon(history.gates))
    known = Shown(history, _known(asked, shown, at))
    whole, told = history.trace(at.action), known.records(at.action)
    over = at.record >= len(whole.records) - 1
    undoing = undoing_of(history)
    spoken_of = (undoing.undo, undoing.redo, undoing.branch)
    record = told[at.record] if told else None
    first, behind = max(0, at.action - AROUND), min(at.action + AROUND + 1, known.count)
    return Moment(
        lab=lab,
        at=at,
        head=shown.head,
        seq=history.seq,
        action=_action(history, known, at.action),
        trace=_told_trace(whole, told),
        record=record,
        check=_check(history, at.action, record),
        sheets=_sheets(history, at.action, record),
        command=history.command_of(at.action),
        frame=history.frame(at.action + 1 if over else at.action),
        newest=history.frame(shown.count if known.is_whole(shown.count - 1) else shown.count - 1),
        goals=history.goals,
        progress=history.progress(at.action + 1 if over else at.action),
        around=tuple(_action(history, known, index) for index in range(first, behind)),
        outlines=tuple(_outline(history, known, index) for index in range(first, behind)),
        count=known.count,
        undoing=undoing,
        undoable={seq: history.log[seq - 1].applied.command for seq in spoken_of if seq is not None},
        branch_actions=history.log[undoing.branch - 1].applied.first if undoing.branch else None,
        cut=not known.is_whole(at.action),
        asked=asked,
        questions=_open_questions(history, asked, at, record),
        horizon=shown.until,
        order_hidden=asked.hides_order(history.gates, at),
    )


def _known(asked: Asked, shown: Shown, at: Position) -> Position | None:
    """How far the page may tell what comes: while predictions are on no further than one has been shown."""
    if not asked.is_on:
        return shown.until
    furthest = settle(shown, max(asked.seen, at))
    return None if shown.until is None and furthest == shown.head else furthest


def _open_questions(history: LabHistory, asked: Asked, at: Position, record: Record | None) -> tuple[OpenQuestion, ...]:
    """The questions that can be answered here: nothing of their answers was shown yet, and none was given."""
    if not asked.is_on:
        return ()
    seen = max(asked.seen, at)
    found = history.gates.at(at, record.pod if record is not None else "")
    return tuple(
        asked.open_question(history.gates, gate)
        for gate in found
        if asked.wants(gate) and seen < gate.reveals and asked.answer_to(gate.question) is None
    )


def _told_trace(whole: Trace, told: Sequence[Record]) -> Trace:
    """A trace up to the last of the records `told`, with the attempts that they are about."""
    if len(told) == len(whole.records):
        return whole
    begun = max((record.attempt + 1 for record in told if record.point in OF_AN_ATTEMPT), default=0)
    return Trace(list(told), whole.attempts[:begun])


def _action(history: LabHistory, known: Shown, index: int) -> Action:
    """An action, without what came of it where that is not told to its end."""
    action = history.history.actions[index]
    if known.is_whole(index):
        return action
    turn = Cycle(cycle.POD, action.time, history.told[index]["subject"], result=UNTOLD)
    return replace(action, record=turn, moves=())


def _outline(history: LabHistory, known: Shown, index: int) -> Told:
    outline = history.told[index]
    return outline if known.is_whole(index) else Told({**outline, "mark": OTHER, "node": "", "pods": 1})


def _check(history: LabHistory, action: int, record: Record | None) -> Check | None:
    """What a verdict rests on. Success needs no numbers, and is most of what one steps through."""
    if record is None or record.code not in EXPLAINED or (record.code == "filter.verdict" and record.status.is_success):
        return None
    return history.explain(action, record).check


def _sheets(history: LabHistory, action: int, record: Record | None) -> Mapping[str, ScoreSheet]:
    if record is None or record.point not in SCORING or record.code == "select.only":
        return {}
    attempts = history.trace(action).attempts
    nodes = attempts[record.attempt].feasible[:MOST_SHEETS] if record.attempt < len(attempts) else []
    return history.sheets(action, record.attempt, nodes)


def check_of(moment: Moment, node: str, plugin: str) -> Check | None:
    """The numbers behind one cell of the moment's matrix."""
    number = moment.attempt_number
    if number is None:
        return None
    with open_history(moment.lab) as history:
        return history.check(moment.at.action, number, node, plugin)


def sheet_of(moment: Moment, node: str) -> ScoreSheet | None:
    """How the total of one node came about in the moment's attempt."""
    number = moment.attempt_number
    if number is None:
        return None
    with open_history(moment.lab) as history:
        return history.sheets(moment.at.action, number, [node]).get(node)


def log_of(moment: Moment) -> list[Seen]:
    """What became of Pods and Nodes up to this moment."""
    with open_history(moment.lab) as history:
        return history.pod_log(moment.frame.count)


def why_at(moment: Moment, pod: str, node: str) -> Why | None:
    """Why a Pod is, or is not, on a node at this moment. While predictions are still asked for nothing is said of what
    an attempt would find, and nothing at all (None) of the Pods that they are about."""
    with open_history(moment.lab) as history:
        pending = moment.asked.pending(history.gates)
        if any(_is_meant(moment, pod, name) for _, name in pending):
            return None
        answer = why(history.history, pod, node, at=moment.frame.count)
        return replace(answer, now=None) if pending else answer


def _is_meant(moment: Moment, pod: str, name: str) -> bool:
    """Whether a question is about the Pod; which one is next is about all of those that wait."""
    if name:
        return is_named(pod, name)
    return any(item.key == pod and not item.node_name for item in moment.frame.pods)

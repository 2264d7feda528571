"""A moment: one place of a lab, with all that a page shows there, as values that nothing changes any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.goals.goal import Goal, Progress
from simulator.engine.trace import records
from simulator.engine.trace.explain import Check, ScoreSheet
from simulator.engine.trace.records import AttemptDetail, Record, Trace
from simulator.engine.trace.why import Why, why
from simulator.engine.world.commands import Command
from simulator.engine.world.simulation import Action
from simulator.models import Lab
from simulator.selectors.frames import Frame
from simulator.selectors.histories import open_history
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.marks import Told
from simulator.selectors.pod_log import Seen
from simulator.selectors.positions import END, Position, settle
from simulator.selectors.undoing import Undoing, undoing_of

AROUND = 40
"""How many actions before and after the present one the timeline shows."""

SCORING = frozenset({records.SCORE, records.NORMALIZE, records.SELECT})
MOST_SHEETS = 5

EXPLAINED = frozenset({"filter.verdict", "filter.nominees", "preemption.victim", "preemption.reprieved"})
"""Records whose sentence needs the numbers behind them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Where one is in a lab.

    at         the place; `head` is the last one there is
    seq        number of the lab's newest command
    action     what happens here; `trace` its records, `record` the one at this place (None where there are none)
    command    the command the action came of, None for the scenario's start
    frame      the state to show: before the action while its records are being told, after it from the last one on;
               `newest` the state at the lab's end
    goals      the scenario's goals, with their `progress` in the state shown
    check      the numbers behind the record, where its sentence needs them
    sheets     how the totals of the first scored nodes came about, while scores are being told
    around     the actions around this one, with their `outlines`; `count` is how many there are in all
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
        return self.record is None or self.record.index == len(self.trace.records) - 1

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
        return moment_of(lab, history, settle(history, at or Position(history.count - 1, END)))


def moment_of(lab: Lab, history: LabHistory, at: Position) -> Moment:
    """The moment at a settled place of an open history."""
    trace = history.trace(at.action)
    over = at.record >= len(trace.records) - 1
    undoing = undoing_of(history)
    spoken_of = (undoing.undo, undoing.redo, undoing.branch)
    record = trace.records[at.record] if trace.records else None
    first, behind = max(0, at.action - AROUND), at.action + AROUND + 1
    last = history.count - 1
    return Moment(
        lab=lab,
        at=at,
        head=Position(last, max(0, len(history.trace(last).records) - 1)),
        seq=history.seq,
        action=history.history.actions[at.action],
        trace=trace,
        record=record,
        check=_check(history, at.action, record),
        sheets=_sheets(history, at.action, record),
        command=history.command_of(at.action),
        frame=history.frame(at.action + 1 if over else at.action),
        newest=history.frame(history.count),
        goals=history.goals,
        progress=history.progress(at.action + 1 if over else at.action),
        around=tuple(history.history.actions[first:behind]),
        outlines=tuple(history.told[first:behind]),
        count=history.count,
        undoing=undoing,
        undoable={seq: history.log[seq - 1].applied.command for seq in spoken_of if seq is not None},
        branch_actions=history.log[undoing.branch - 1].applied.first if undoing.branch else None,
    )


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


def why_at(moment: Moment, pod: str, node: str) -> Why:
    """Why a Pod is, or is not, on a node at this moment."""
    with open_history(moment.lab) as history:
        return why(history.history, pod, node, at=moment.frame.count)

"""One lab's history in memory, with what pages ask of it: frames, traces, outlines of actions."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.runtime import Framework
from simulator.engine.goals.goal import Goal, Progress
from simulator.engine.goals.run import Run
from simulator.engine.trace.explain import Check, ScoreSheet, check, score_sheet
from simulator.engine.trace.explain_record import RecordExplanation, explain_record
from simulator.engine.trace.records import Record, Trace
from simulator.engine.trace.tracer import Tracer
from simulator.engine.world.commands import Command
from simulator.engine.world.history import Applied, History
from simulator.engine.world.simulation import Action, Simulation
from simulator.selectors.frames import Frame, frame_of
from simulator.selectors.gates import Gates
from simulator.selectors.marks import EVENTS, Told, told
from simulator.selectors.owners import Owners
from simulator.selectors.pod_log import PodLog, Seen

TRACED: Final = frozenset({KubeScheduler.name})
"""Actors whose turns leave records."""
MAX_FRAMES: Final = 24
MAX_EXPLANATIONS: Final = 200
MAX_SHEETS: Final = 8  # attempts
MAX_CELLS: Final = 150_000  # of the matrices in one history's kept traces


class LabHistory:
    """One lab's history with what was derived of it. `log` are its commands (without the scenario's own start),
    `snapshot_at` says after how many commands and actions the newest snapshot was stored; `gates` are the questions
    that can be asked about it."""

    def __init__(self, history: History, goals: Sequence[Goal] = (), log: PodLog | None = None) -> None:
        self.history = history
        self.goals = tuple(goals)
        self._owners = Owners(history.head.world)
        self._log = log
        self._progress: dict[int, tuple[Progress, ...]] = {}
        self.log: list[LogEntry] = []
        self.snapshot_at = (0, 0)
        self.told: list[Told] = [told(action) for action in history.actions]
        self._frames: OrderedDict[int, Frame] = OrderedDict()
        self._traces: OrderedDict[int, Trace] = OrderedDict()
        self._explanations: OrderedDict[tuple[int, int], RecordExplanation] = OrderedDict()
        self._sheets: OrderedDict[tuple[int, int], dict[str, ScoreSheet]] = OrderedDict()
        self._cells = 0
        self.gates = Gates(self)

    @property
    def seq(self) -> int:
        return len(self.log)

    # what positions.Story asks for

    @property
    def count(self) -> int:
        return self.history.count

    def records(self, action: int) -> Sequence[Record]:
        return self.trace(action).records

    def is_cycle(self, action: int) -> bool:
        return self.told[action]["cycle"]

    def is_event(self, action: int) -> bool:
        return self.told[action]["mark"] in EVENTS

    # moments

    def frame(self, count: int) -> Frame:
        """The state after the first `count` actions."""
        found = self._frames.get(count)
        if found is None:
            simulation = self.history.head if count == self.count else self.history.at(count)
            found = frame_of(simulation, self._owners.numbers)
            self._frames[count] = found
            if len(self._frames) > MAX_FRAMES:
                self._frames.popitem(last=False)
        self._frames.move_to_end(count)
        return found

    def progress(self, count: int) -> tuple[Progress, ...]:
        """How far every goal is after the first `count` actions."""
        found = self._progress.get(count)
        if found is None:
            run = Run.of(self.history, count) if self.goals else None
            found = tuple(goal.check(run) for goal in self.goals) if run is not None else ()
            self._progress[count] = found
        return found

    def pod_log(self, count: int) -> list[Seen]:
        """What became of Pods and Nodes in the first `count` actions."""
        if self._log is None:
            simulation = Simulation(self.history.setup, known=self.history.replies)
            self._log = PodLog(simulation)
            for applied in self.history.applied:
                simulation.apply(applied.command)
            self._log.follow(self.history.head)
        return self._log.until(count)

    def trace(self, action: int) -> Trace:
        """The records of an action; empty for what is no turn of kube-scheduler."""
        if self.told[action]["actor"] not in TRACED:
            return _NOTHING
        found = self._traces.get(action)
        if found is None:
            found = self.history.trace(action)
            self._keep(action, found)
        self._traces.move_to_end(action)
        return found

    def command_of(self, action: int) -> Command | None:
        """The command an action came of, None for the scenario's start."""
        entry = next((entry for entry in reversed(self.log) if entry.applied.first <= action), None)
        return entry.applied.command if entry else None

    def explain(self, action: int, record: Record) -> RecordExplanation:
        """The numbers behind a record."""
        key = (action, record.index)
        found = self._explanations.get(key)
        if found is None:
            found = explain_record(self.history, action, record, self.trace(action))
            self._explanations[key] = found
            if len(self._explanations) > MAX_EXPLANATIONS:
                self._explanations.popitem(last=False)
        return found

    def sheets(self, action: int, attempt: int, nodes: Sequence[str]) -> dict[str, ScoreSheet]:
        """How the totals of these nodes came about in an attempt; nodes that were not scored are left out."""
        kept = self._sheets.setdefault((action, attempt), {})
        missing = [node for node in nodes if node not in kept]
        if missing:
            ask = partial(_ask_sheets, missing)
            kept |= self.history.probe(action, attempt, ask) or {}
            while len(self._sheets) > MAX_SHEETS:
                self._sheets.popitem(last=False)
        return {node: sheet for node in nodes if (sheet := kept.get(node)) is not None}

    def check(self, action: int, attempt: int, node: str, plugin: str) -> Check | None:
        """One Filter plugin about one node in an attempt."""
        return self.history.probe(action, attempt, lambda framework, tried: check(framework, tried, node, plugin))

    def commands_until(self, actions: int) -> list[Command]:
        """The commands that bring the first `actions` actions; the last may be cut off within its turns."""
        found: list[Command] = []
        for entry in self.log:
            applied = entry.applied
            if applied.first >= actions and applied.last > applied.first:
                break
            whole = applied.last <= actions
            found.append(applied.command if whole else {"type": "run", "turns": actions - applied.first})
        return found

    # going on

    def apply(self, command: Command) -> Applied:
        """Carry out a command at the end. Raises `CommandError`, then nothing has changed."""
        self._keep_moment()
        applied = self.history.apply(command)
        self.tell(applied)
        return applied

    def run(self, stop: Callable[[Action], bool], *, most: int) -> Applied:
        """Take turns as one command; the story of a single turn is written down at once."""
        self._keep_moment()
        if most > 1:
            applied = self.history.run(stop, most=most)
            self.tell(applied)
            return applied
        tracer = Tracer()
        scheduler = self.history.head.scheduler
        scheduler.trace_with(tracer)
        try:
            applied = self.history.run(stop, most=1)
        finally:
            scheduler.trace_with(None)
        self.tell(applied)
        if applied.last > applied.first:
            self._keep(applied.first, tracer.trace)
        return applied

    def _keep_moment(self) -> None:
        """Note what a page may ask of this moment as long as it costs nothing."""
        self.frame(self.count)
        self.progress(self.count)

    def note(self, applied: Applied, *, undoes: int | None, redoes: int | None) -> None:
        """Enter a command that was carried out, and stored, into the log."""
        self.log.append(LogEntry(applied, undoes, redoes))

    def tell(self, applied: Applied) -> None:
        """Take over the outlines of a command's actions."""
        self.told.extend(told(action) for action in self.history.actions[applied.first : applied.last])

    def _keep(self, action: int, trace: Trace) -> None:
        self._traces[action] = trace
        self._cells += _cells(trace)
        while self._cells > MAX_CELLS and len(self._traces) > 1:
            self._cells -= _cells(self._traces.popitem(last=False)[1])

    @property
    def weight(self) -> int:
        """About how many bytes this history takes."""
        objects = self.history.head.world.created
        return 3000 * objects + 2000 * self.count + 150 * self._cells + 100_000


class LogEntry:
    """A command of the log as it was carried out here, and which one it takes back or brings again."""

    __slots__ = ("applied", "redoes", "undoes")

    def __init__(self, applied: Applied, undoes: int | None, redoes: int | None) -> None:
        self.applied = applied
        self.undoes = undoes
        self.redoes = redoes


_NOTHING: Final = Trace()


def _cells(trace: Trace) -> int:
    return sum(len(detail.nodes) * len(detail.plugins) for detail in trace.attempts)


def _ask_sheets(nodes: Sequence[str], framework: Framework, tried: Attempt) -> dict[str, ScoreSheet]:
    found = {node: score_sheet(framework, tried, node) for node in nodes}
    return {node: sheet for node, sheet in found.items() if sheet is not None}

"""The whole history of a simulation: every moment of it can be visited again.

A history is a setup, the commands so far and the outside replies they used. The simulation at its end is kept; other
moments are built from the nearest checkpoint by carrying out the rest again. Nothing of a turn's story is kept: it is
derived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.extenders import ExtenderPort, Reply
from simulator.engine.framework.runtime import Framework
from simulator.engine.trace.records import Trace
from simulator.engine.trace.tracer import Tracer
from simulator.engine.world import snapshot
from simulator.engine.world.commands import Command, Effect
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import API, Action, Simulation

T = TypeVar("T")
CHECKPOINT_EVERY = 25
CHECKPOINT_AFTER = 100
"""A command that changed so many objects is not carried out again to visit a moment after it."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A command that was carried out: the actions `first` to `last` (not included) came of it."""

    command: Command
    first: int
    last: int
    effect: Effect


@dataclass(slots=True)
class _Checkpoint:
    """A snapshot after `actions` actions; command number `command` is the first that is not, or not wholly, in it."""

    actions: int
    command: int
    saved: Mapping[str, Any]


@dataclass(slots=True)
class History:
    """`applied` are the commands in order, `head` the simulation after all of them."""

    setup: Setup
    head: Simulation
    applied: list[Applied] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    _checkpoints: list[_Checkpoint] = field(default_factory=list)

    @staticmethod
    def begin(setup: Setup, *, known: Sequence[Reply] = (), port: ExtenderPort | None = None) -> History:
        history = History(setup, Simulation(setup, known=known, port=port))
        history._checkpoint_at(0)
        return history

    @staticmethod
    def resume(
        setup: Setup,
        saved: Mapping[str, Any],
        applied: Sequence[Applied],
        actions: Sequence[Action],
        *,
        known: Sequence[Reply] = (),
        port: ExtenderPort | None = None,
    ) -> History:
        """A history that goes on from a snapshot, without carrying out again what came before.

        `applied` and `actions` are what came before. Raises `SnapshotError`.
        """
        history = History(setup, Simulation(setup, known=known), list(applied), list(actions))
        history._checkpoint_at(0)
        history.head = snapshot.load(saved, known=known, port=port)
        history._checkpoint_at(len(applied))
        return history

    @property
    def count(self) -> int:
        """How many actions there have been."""
        return self.head.count

    @property
    def replies(self) -> list[Reply]:
        return self.head.outside.replies

    def apply(self, command: Command) -> Applied:
        """Carry out a command at the end. Raises `CommandError`, then nothing has changed."""
        first = self.head.count
        effect = self.head.apply(command)
        applied = Applied(command, first, self.head.count, effect)
        self.applied.append(applied)
        self._collect(len(self.applied))
        if len(applied.effect.outcomes) >= CHECKPOINT_AFTER:
            self._checkpoint_at(len(self.applied))
        return applied

    def run(self, stop: Callable[[Action], bool], *, most: int) -> Applied:
        """Take turns until `stop` says so after one, nothing is due, or `most` were taken; they become one command
        with their exact number. Where `stop` raises, this history is of no more use."""
        first, command = self.head.count, len(self.applied)
        while self.head.count - first < most:
            action = self.head.step()
            if action is None:
                break
            self._collect(command)
            if stop(action):
                break
        applied = Applied({"type": "run", "turns": self.head.count - first}, first, self.head.count, Effect())
        self.applied.append(applied)
        return applied

    def _collect(self, command: int) -> None:
        """Take over the head's new actions; they are of command number `command` or before it."""
        self.actions.extend(self.head.actions)
        self.head.actions.clear()
        if self.head.count - self._checkpoints[-1].actions >= CHECKPOINT_EVERY:
            self._checkpoint_at(command)

    def _checkpoint_at(self, command: int) -> None:
        self._checkpoints.append(_Checkpoint(self.head.count, command, snapshot.save(self.head)))

    def at(self, count: int) -> Simulation:
        """A simulation after the first `count` actions. It is nobody else's: go on with it as you like."""
        if not 0 <= count <= self.count:
            raise IndexError(count)
        checkpoint = max((c for c in self._checkpoints if c.actions <= count), key=lambda c: c.actions)
        simulation = snapshot.load(checkpoint.saved, known=self.replies)
        for applied in self.applied[checkpoint.command :]:
            if simulation.count >= count:
                break
            _apply_until(simulation, applied, count)
        return simulation

    def before(self, index: int) -> tuple[Simulation, Applied]:
        """The simulation just before action `index`, and the command that brings it."""
        applied = next(item for item in self.applied if item.first <= index < item.last)
        return self.at(index), applied

    def trace(self, index: int) -> Trace:
        """The story of action `index`; empty for anything but a turn of kube-scheduler."""
        simulation, applied = self.before(index)
        tracer = Tracer()
        if self.actions[index].actor == API:
            return tracer.trace
        simulation.scheduler.trace_with(tracer)
        _apply_until(simulation, applied, index + 1)
        return tracer.trace

    def probe(self, index: int, attempt: int, ask: Callable[[Framework, Attempt], T]) -> T | None:
        """What `ask` answers at attempt number `attempt` of action `index`, with the cluster as it was at that
        moment."""
        simulation, applied = self.before(index)
        answers: list[T] = []
        seen = 0

        def observe(framework: Framework, tried: Attempt) -> None:
            nonlocal seen
            if seen == attempt:
                answers.append(ask(framework, tried))
            seen += 1

        simulation.scheduler.trace_with(Tracer())
        simulation.scheduler.observed_attempt = observe
        _apply_until(simulation, applied, index + 1)
        return answers[0] if answers else None

    def fork(self, count: int) -> History:
        """A history of its own with the first `count` actions of this one."""
        fork = History.begin(self.setup, known=self.replies)
        for applied in self.applied:
            if applied.first >= count and applied.last > count:
                break
            fork.apply(applied.command if applied.last <= count else _cut(applied, count))
        return fork


def _apply_until(simulation: Simulation, applied: Applied, count: int) -> None:
    """Carry out a command's remaining actions, but none beyond `count`."""
    kind = applied.command.get("type")
    if kind == "run" or (kind == "advance" and count < applied.last):
        while simulation.count < min(count, applied.last):
            simulation.step()
    elif simulation.count < applied.last:
        simulation.apply(applied.command)
        simulation.actions.clear()


def _cut(applied: Applied, count: int) -> dict[str, Any]:
    """The part of a command of several turns that lies before action `count`."""
    return {"type": "run", "turns": count - applied.first}

"""Trying a scenario out: whether its solution reaches the goals, and whether doing nothing does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.goals.goal import Goal
from simulator.engine.goals.registry import read_goals
from simulator.engine.goals.run import Run
from simulator.engine.world.commands import CommandError, CommandProblem
from simulator.engine.world.history import History
from simulator.engine.world.simulation import Action
from simulator.selectors.replaying import way_out
from simulator.selectors.setups import setup_of

MOST_TURNS: Final = 3_000


class TooLong(Exception):
    """Whoever asked does not want to wait any longer."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of trying a scenario out.

    open_goals   numbers of the goals that the solution leaves open
    refused      the number of the command that was refused, and why; None where all were carried out
    idle_solves  doing nothing but letting it run meets all goals
    """

    open_goals: tuple[int, ...] = ()
    refused: tuple[int, tuple[CommandProblem, ...]] | None = None
    idle_solves: bool = False

    @property
    def holds(self) -> bool:
        return not self.open_goals and self.refused is None and not self.idle_solves


def prove(
    spec: Mapping[str, Any], objects: Sequence[Mapping[str, Any]], keep_on: Callable[[], bool] = lambda: True
) -> Proof:
    """Play the recorded solution, and play nothing. Raises `TooLong` when `keep_on` says no after a turn.

    Raises `ConfigError`, `CommandError` or `GoalError` for a scenario that cannot be started.
    """
    goals = read_goals(spec.get("goals") or ())
    if not goals:
        return Proof()
    solved = begin_watched(spec, objects, keep_on)
    for index, step in enumerate(spec.get("solution") or ()):
        try:
            solved.apply({"type": step.get("command"), **{k: v for k, v in step.items() if k != "command"}})
        except CommandError as error:
            return Proof(refused=(index, error.problems))
    left = _open(solved, goals)
    if left:
        _settle(solved)
        left = _open(solved, goals)
    untouched = begin_watched(spec, objects, keep_on)
    _settle(untouched)
    return Proof(open_goals=left, idle_solves=not _open(untouched, goals))


def begin_watched(
    spec: Mapping[str, Any], objects: Sequence[Mapping[str, Any]], keep_on: Callable[[], bool]
) -> History:
    """A scenario begun, which raises `TooLong` when `keep_on` says no after a turn."""
    history = History.begin(setup_of(spec), port=way_out())
    history.apply({"type": "apply", "objects": [dict(manifest) for manifest in objects]})

    def watch(_action: Action) -> None:
        if not keep_on():
            raise TooLong

    history.head.overseer = watch
    return history


def _settle(history: History) -> None:
    """Let it run until nothing moves by itself."""
    if not history.head.is_idle:
        history.run(lambda _action: history.head.is_idle, most=MOST_TURNS)


def _open(history: History, goals: Iterable[Goal]) -> tuple[int, ...]:
    run = Run.of(history)
    return tuple(index for index, goal in enumerate(goals) if not goal.check(run).is_met)

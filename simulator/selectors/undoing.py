"""What can be taken back in a lab.

Until the next turn ran, a command is undone by its inverse, which goes into the log as a command. After it, the way
back is a branch from before the command.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.world.commands import Command
from simulator.selectors.lab_history import LabHistory

MOVING = frozenset({"run", "advance"})
"""Commands that let time pass."""


@dataclass(frozen=True, slots=True)
class Undoing:
    """Numbers of commands: the one `undo` takes back, the one `redo` brings again, None where there is none.

    `branch`: where nothing can be undone in place, the command before which a branch would begin.
    """

    undo: int | None = None
    redo: int | None = None
    branch: int | None = None


def undoing_of(history: LabHistory) -> Undoing:
    done: list[int] = []
    undone: list[int] = []
    before_last_turn: int | None = None
    for seq, entry in enumerate(history.log, start=1):
        if entry.applied.command.get("type") in MOVING:
            before_last_turn = done[-1] if done else before_last_turn
            done, undone = [], []
        elif entry.undoes is not None:
            done.remove(entry.undoes)
            undone.append(entry.undoes)
        elif entry.redoes is not None:
            undone.remove(entry.redoes)
            done.append(entry.redoes)
        elif entry.applied.effect.inverse is not None:
            done.append(seq)
            undone = []
    if done:
        return Undoing(done[-1], undone[-1] if undone else None)
    return Undoing(None, undone[-1] if undone else None, None if undone else before_last_turn)


def inverse_of(history: LabHistory, seq: int) -> Command | None:
    """The command that takes command `seq` back, as it stands now: the inverse of its last doing or undoing."""
    for entry in reversed(history.log):
        if seq in (entry.undoes, entry.redoes):
            return entry.applied.effect.inverse
    return history.log[seq - 1].applied.effect.inverse

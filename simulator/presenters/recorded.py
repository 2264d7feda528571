"""A lab as it was recorded, for an engine that would decide otherwise: commands and what came of them, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from simulator.models import LabCommand
from simulator.presenters.clock import clock_text
from simulator.presenters.lab_tools import command_text
from simulator.presenters.sentences.happenings import present_action
from simulator.presenters.sentences.say import Sentence
from simulator.selectors.action_records import from_json

MOST_ACTIONS = 400


@dataclass(frozen=True, slots=True)
class RecordedAction:
    time: str
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class RecordedCommand:
    seq: int
    text: str
    actions: tuple[RecordedAction, ...]


def present_recorded(commands: Iterable[LabCommand], start: int) -> list[RecordedCommand]:
    """The newest commands, in order. `start` is the virtual clock's zero."""
    shown: list[RecordedCommand] = []
    left = MOST_ACTIONS
    for row in commands:
        if left <= 0:
            break
        actions = [from_json(stored) for stored in row.record[-left:]]
        left -= max(1, len(actions))
        told = tuple(
            RecordedAction(clock_text(action.time - start), present_action(action, start=start).headline)
            for action in actions
        )
        shown.append(RecordedCommand(row.seq, command_text(row.command), told))
    return shown[::-1]

"""Places in a lab: which record of which action is being looked at, and the way from one to the next.

A place is written `12.3` in addresses: the fourth record of action 12. An action without records (a command, a turn of
a controller) has the one place `12.0`. Action 0 puts the scenario's objects into the cluster.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from simulator.engine.trace.records import Record
from simulator.enums import StepUnit

_TEXT: Final = re.compile(r"([0-9]{1,7})(?:\.([0-9]{1,7}|end))?")
END: Final = -1
"""As a record: the action's last one, whichever that is."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """`record` is `END` where the last one of the action is meant and not known yet."""

    action: int
    record: int = 0

    def __str__(self) -> str:
        return f"{self.action}.{'end' if self.record == END else self.record}"

    @staticmethod
    def parse(text: str) -> Position | None:
        """The place an address names; None for what names none."""
        found = _TEXT.fullmatch(text)
        if found is None:
            return None
        record = found[2] or "end"
        return Position(int(found[1]), END if record == "end" else int(record))


class Story(Protocol):
    """What steps need to know of a lab."""

    @property
    def count(self) -> int:
        """How many actions there are, at least 1."""

    def records(self, action: int) -> Sequence[Record]:
        """The records of an action; none for what leaves none."""

    def is_cycle(self, action: int) -> bool:
        """Whether it is a scheduling cycle."""

    def is_event(self, action: int) -> bool:
        """Whether something came of it that one may want to stop at."""


_KEYS: Final[dict[StepUnit, Callable[[Record], Hashable]]] = {
    StepUnit.RECORD: lambda record: record.index,
    StepUnit.PLUGIN: lambda record: (record.attempt, record.point, record.plugin, record.pod),
    StepUnit.POINT: lambda record: (record.attempt, record.point, record.pod),
}


def settle(story: Story, position: Position) -> Position:
    """The nearest place there is: `END` and records or actions beyond the last become the last."""
    action = min(position.action, story.count - 1)
    last = max(0, len(story.records(action)) - 1)
    if action < position.action or position.record == END:
        return Position(action, last)
    return Position(action, min(position.record, last))


def forward(story: Story, position: Position, unit: StepUnit) -> Position | None:
    """Where a step on leads within what has happened; None where more has to happen for it."""
    at = settle(story, position)
    ends = _ends(story, at.action, unit)
    later = next((end for end in ends if end > at.record), None)
    if later is not None:
        return Position(at.action, later)
    for action in range(at.action + 1, story.count):
        ends = _ends(story, action, unit)
        if ends:
            return Position(action, ends[0])
    return None


def back(story: Story, position: Position, unit: StepUnit) -> Position:
    """Where a step back leads; the very beginning where there is nothing before."""
    at = settle(story, position)
    for action in range(at.action, 0, -1):
        earlier = [end for end in _ends(story, action, unit) if action < at.action or end < at.record]
        if earlier:
            return Position(action, earlier[-1])
    return Position(0, 0)


def _ends(story: Story, action: int, unit: StepUnit) -> list[int]:
    """The records of an action at which steps of a unit end, in order."""
    if unit == StepUnit.CYCLE and not story.is_cycle(action):
        return []
    if unit == StepUnit.EVENT and not story.is_event(action):
        return []
    records = story.records(action)
    if not records:
        return [0]
    key = _KEYS.get(unit)
    if key is None:
        return [len(records) - 1]
    keys = [key(record) for record in records]
    return [index for index in range(len(keys)) if index + 1 == len(keys) or keys[index] != keys[index + 1]]

"""What an actor is: something that watches the API and now and then takes a turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Decision


class Turn:
    """The outcome of one turn: what was decided (`record`, an actor's own type) and what that does to the API, in order."""

    __slots__ = ("cost", "decisions", "record")

    def __init__(self, record: Any, decisions: list[Decision], cost: int = 0) -> None:
        self.record = record
        self.decisions = decisions
        self.cost = cost


class Actor(ABC):
    """`rank` orders actors that are due at the same instant, smaller first."""

    name: ClassVar[str]
    rank: ClassVar[int]

    def observe(self, change: Change, now: int) -> None:  # noqa: B027 - many actors only look at the clock
        """An object changed."""

    @abstractmethod
    def next_wakeup(self, now: int) -> int | None:
        """When this actor wants its next turn (not before `now`), None while it has nothing to do."""

    @abstractmethod
    def act(self, now: int) -> Turn | None:
        """Take a turn. None where there was nothing to do after all."""

    @abstractmethod
    def save(self) -> Any:
        """The actor's memory as plain values, for a snapshot."""

    @abstractmethod
    def load(self, saved: Any) -> None:
        """Take over a saved memory. Called after all objects were observed anew."""

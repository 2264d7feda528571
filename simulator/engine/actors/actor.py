"""What an actor is: something that watches the API and now and then takes a turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar

from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Decision


@dataclass(frozen=True, slots=True)
class Wakeup:
    """When an actor wants its next turn. `routine` ones come back for ever and do not keep a run from being idle."""

    time: int
    routine: bool = False


@dataclass(slots=True)
class Turn:
    """The outcome of one turn: what was decided (`record`, an actor's own type) and what that does to the API, in
    order.

    `cost` is what it takes on the virtual clock, in microseconds.
    """

    record: Any
    decisions: list[Decision] = field(default_factory=list)
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """The record of an actor with little to tell: a code with parameters, and the object concerned."""

    code: str
    key: str
    params: tuple[tuple[str, Any], ...] = ()


class Actor(ABC):
    """`rank` orders actors that are due at the same instant, smaller first."""

    name: ClassVar[str]
    rank: ClassVar[int]

    def observe(self, change: Change, now: int) -> None:  # noqa: B027 - many actors only look at the clock
        """An object changed."""

    @abstractmethod
    def next_wakeup(self, now: int) -> Wakeup | None:
        """When this actor wants its next turn (not before `now`), None while it has nothing to do."""

    def is_idle(self, now: int) -> bool:
        """Whether nothing but routine will come from this actor by itself."""
        wakeup = self.next_wakeup(now)
        return wakeup is None or wakeup.routine

    @abstractmethod
    def act(self, now: int) -> Turn | None:
        """Take a turn. None where there was nothing to do after all."""

    def save(self) -> Any:
        """What the actor remembers beside what it would learn by observing all objects anew."""
        return None

    def load(self, saved: Any) -> None:  # noqa: B027 - most actors remember nothing else
        """Take over a saved memory. Called after all objects were observed anew."""

"""An actor that keeps something about each node up to date: one turn per node with anything to change."""

from __future__ import annotations

from abc import abstractmethod

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.world.decisions import Decision


class NodeKeeper(Actor):
    """`observe` puts the nodes to look at into `_dirty`, in the order in which they get their turn."""

    def __init__(self) -> None:
        self._dirty: dict[str, None] = {}

    def next_wakeup(self, now: int) -> Wakeup | None:
        for name in list(self._dirty):
            if self._work(name):
                return Wakeup(now)
            del self._dirty[name]
        return None

    def act(self, now: int) -> Turn | None:
        for name in list(self._dirty):
            del self._dirty[name]
            decisions = self._work(name)
            if decisions:
                return Turn(self._note(name, decisions), decisions)
        return None

    def _due(self) -> list[str]:
        return [name for name in self._dirty if self._work(name)]

    @abstractmethod
    def _work(self, name: str) -> list[Decision]:
        """What to change now for this node."""

    @abstractmethod
    def _note(self, name: str, decisions: list[Decision]) -> Note:
        """The record of the turn that makes these changes."""

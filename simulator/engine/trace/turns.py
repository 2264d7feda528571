"""What the schedulers did in a run, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.engine.actors.kube_scheduler.cycle import Cycle, Try
from simulator.engine.world.simulation import Action


def cycles(actions: Sequence[Action]) -> Iterator[tuple[Action, Cycle]]:
    """The turns of kube-scheduler among `actions`, in order."""
    for action in actions:
        if isinstance(action.record, Cycle):
            yield action, action.record


def tries(actions: Sequence[Action], pod: str, *, since: int = 0) -> Iterator[tuple[Action, int, Try]]:
    """Attempts to place a Pod since a virtual time, latest first: the action, the attempt's number in it, counts."""
    for action in reversed(actions):
        if action.time < since:
            return
        if isinstance(action.record, Cycle):
            for number, tried in reversed(list(enumerate(action.record.tries))):
                if tried.pod == pod:
                    yield action, number, tried

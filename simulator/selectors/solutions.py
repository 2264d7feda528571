"""From what somebody did in a lab to a solution that stands in a scenario's text.

Turns would change with the engine, so a solution lets time pass instead: whole seconds where that leads to the goals as
well, else exactly as long as it took, else the very turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import ceil
from typing import Any, Final

from simulator.engine.world.commands import CommandError
from simulator.engine.world.history import History
from simulator.selectors.proofs import TooLong, begin_watched, prove
from simulator.selectors.undoing import MOVING

SECOND: Final = 1_000_000  # microseconds
Step = dict[str, Any]
Spec = Mapping[str, Any]
Manifests = Sequence[Mapping[str, Any]]


def solution_of(
    spec: Spec, objects: Manifests, log: Sequence[Mapping[str, Any]], keep_on: Callable[[], bool] = lambda: True
) -> list[Step]:
    """The commands of a log (`{command, record}`, without what was taken back) as a scenario's solution; the very turns
    where `keep_on` says that trying takes too long."""
    with suppress(TooLong):
        for rounded in (_whole_seconds, _exact):
            steps = _advancing(spec, objects, log, rounded, keep_on)
            if steps is not None and prove({**spec, "solution": steps}, objects, keep_on).holds:
                return steps
    return [_step(entry["command"]) for entry in log]


def _step(command: Mapping[str, Any]) -> Step:
    return {"command": command["type"], **{name: value for name, value in command.items() if name != "type"}}


def _whole_seconds(microseconds: int) -> float:
    return ceil(microseconds / SECOND)


def _exact(microseconds: int) -> float:
    return microseconds / SECOND


def _advancing(
    spec: Spec,
    objects: Manifests,
    log: Sequence[Mapping[str, Any]],
    rounded: Callable[[int], float],
    keep_on: Callable[[], bool],
) -> list[Step] | None:
    """The log with time that passes in place of turns; None where a command is refused that way."""
    history = begin_watched(spec, objects, keep_on)
    steps: list[Step] = []
    until = history.head.now
    try:
        for entry in log:
            command = entry["command"]
            if command["type"] in MOVING:
                times = [action["time"] for action in entry["record"]]
                passed = int(float(command.get("seconds") or 0) * SECOND)
                until = max([until + passed, *times])
                continue
            _pass_time(history, steps, until, rounded)
            history.apply(command)
            steps.append(_step(command))
            until = max(until, history.head.now)
        _pass_time(history, steps, until, rounded)
    except CommandError:
        return None
    return steps


def _pass_time(history: History, steps: list[Step], until: int, rounded: Callable[[int], float]) -> None:
    if until <= history.head.now:
        return
    seconds = rounded(until - history.head.now)
    history.apply({"type": "advance", "seconds": seconds})
    steps.append({"command": "advance", "seconds": seconds})

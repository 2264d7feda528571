"""Actions as they are stored with the command they came of, and back.

What the engine decided stays readable without carrying it out again: for long logs, and for later versions of the
engine. Requests to extenders are left out; their replies are stored with the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, Final

from simulator.engine.actors.actor import Note
from simulator.engine.actors.kube_scheduler.cycle import Binding, Cycle, Failure, GroupOutcome, Try
from simulator.engine.queue.scheduling_queue import Move
from simulator.engine.world.simulation import Action

CYCLE, NOTE, PLAIN = "cycle", "note", "plain"


def to_json(action: Action) -> dict[str, Any]:
    record = action.record
    if isinstance(record, Cycle):
        kind, plain = CYCLE, asdict(replace(record, calls=[]))
    elif isinstance(record, Note):
        kind, plain = NOTE, asdict(record)
    else:
        kind, plain = PLAIN, dict(record) if isinstance(record, Mapping) else {}
    return {
        "index": action.index,
        "time": action.time,
        "actor": action.actor,
        "kind": kind,
        "record": plain,
        "moves": [asdict(move) for move in action.moves],
    }


def from_json(stored: Mapping[str, Any]) -> Action:
    make = _MAKERS[stored["kind"]]
    moves = tuple(Move(**move) for move in stored["moves"])
    return Action(stored["index"], stored["time"], stored["actor"], make(stored["record"]), moves)


def _cycle(plain: Mapping[str, Any]) -> Cycle:
    group = plain["group"]
    return Cycle(
        **{
            **plain,
            "tries": [Try(**{**item, "best": tuple(item["best"])}) for item in plain["tries"]],
            "failures": [Failure(**{**item, "rejectors": tuple(item["rejectors"])}) for item in plain["failures"]],
            "bindings": [Binding(**item) for item in plain["bindings"]],
            "assumed": [(pod, node) for pod, node in plain["assumed"]],
            "group": None if group is None else GroupOutcome(**group),
        }
    )


def _note(plain: Mapping[str, Any]) -> Note:
    return Note(plain["code"], plain["key"], tuple((name, value) for name, value in plain["params"]))


_MAKERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {CYCLE: _cycle, NOTE: _note, PLAIN: dict}

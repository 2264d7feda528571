"""Actions as sentences: what a command did, what a turn of the scheduler or of another actor came to, who was woken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.actors.actor import Note
from simulator.engine.actors.kube_scheduler import cycle
from simulator.engine.actors.kube_scheduler.cycle import Cycle, Try
from simulator.engine.queue.scheduling_queue import Move
from simulator.engine.world.simulation import Action
from simulator.presenters.pods import short_name
from simulator.presenters.sentences import units
from simulator.presenters.sentences.both import unknown
from simulator.presenters.sentences.say import Sentence, say
from simulator.presenters.sentences.story import START
from simulator.presenters.sentences.tables.actions import (
    COMMANDS,
    CONTROLLERS,
    CYCLES,
    MOVED,
    MOVED_WITHOUT,
    NOTES,
    OUTCOMES,
)

MOST_NAMES = 5


@dataclass(frozen=True, slots=True)
class Happening:
    """An action: its sentence, what became of single objects or Pods, and the Pods it woke."""

    headline: Sentence
    details: tuple[Sentence, ...] = ()
    moves: tuple[Sentence, ...] = ()


def present_action(action: Action, *, start: int = START) -> Happening:
    """What happened, in words. `start` is the virtual clock's zero."""
    moves = tuple(present_move(move, start=start) for move in action.moves)
    record = action.record
    if isinstance(record, Cycle):
        return Happening(_cycle(record, len(action.moves), start), _failures(record), moves)
    if isinstance(record, Note):
        return Happening(present_note(record), (), moves)
    plain = record if isinstance(record, Mapping) else {}
    outcomes = plain.get("outcomes") or ()
    headline = _command(str(plain.get("command", "")), outcomes, action.time, start)
    return Happening(headline, tuple(present_outcome(item) for item in outcomes), moves)


def present_move(move: Move, *, start: int = START) -> Sentence:
    """A Pod that an event moved in the queue, and because of whose hint."""
    params = {"pod": move.pod, "event": move.event, "plugin": move.plugin, "queue": move.to}
    return say(MOVED if move.plugin else MOVED_WITHOUT, params, kube=move.event, start=start)


# kube-scheduler


def _cycle(record: Cycle, moved: int, start: int) -> Sentence:
    if record.kind == cycle.POD_GROUP:
        return _group(record)
    if record.kind == cycle.PERMIT_TIMEOUT:
        kube = record.failures[0].message if record.failures else ""
        return say(CYCLES["permitTimeout"], {"pod": record.pod}, kube=kube)
    if record.kind != cycle.POD:
        return say(CYCLES["flush"], {"count": moved})
    tried = record.tries[-1] if record.tries else None
    params: dict[str, Any] = {"pod": record.pod, "node": record.node, "victims": record.victims[:MOST_NAMES]}
    params |= {"count": len(record.victims), "looked_at": 0, "feasible": 0, "total": None}
    failure = record.failures[-1] if record.failures else None
    params["rejectors"] = list(failure.rejectors) if failure is not None else []
    if tried is not None:
        params |= {"looked_at": tried.looked_at, "feasible": tried.feasible, "total": tried.top_total}
    suffix = _pod_suffix(record, tried)
    if suffix == ".tie" and tried is not None:
        params["count"] = tried.n_best
    return say(CYCLES[f"pod.{record.result}{suffix}"], params, kube=failure.message if failure else "", start=start)


def _pod_suffix(record: Cycle, tried: Try | None) -> str:
    if tried is None:
        return ""
    if record.result == cycle.SCHEDULED:
        if tried.top_total is None:
            return ".one" if tried.looked_at == 1 else ".only"
        return ".tie" if tried.n_best > 1 else ""
    return ".after" if record.result == cycle.UNSCHEDULABLE and tried.node else ""


def _group(record: Cycle) -> Sentence:
    group = record.group
    name = group.name if group is not None else ""
    params = {"group": short_name(name), "victims": record.victims[:MOST_NAMES]}
    if group is None or group.reason == "SchedulerError":
        return say(CYCLES["podGroup.error"], params, kube=group.message if group else "")
    if group.status == "True":
        members = [f"{short_name(pod)} → {node}" for pod, node in record.assumed]
        return say(CYCLES["podGroup.scheduled"], {**params, "members": members[:MOST_NAMES], "count": len(members)})
    if group.waiting_on_preemption:
        return say(CYCLES["podGroup.waiting"], {**params, "count": len(record.victims)}, kube=group.message)
    return say(CYCLES["podGroup.unschedulable"], {**params, "count": len(record.failures)}, kube=group.message)


def _failures(record: Cycle) -> tuple[Sentence, ...]:
    """Kube's text about every Pod that was put back."""
    return tuple(Sentence(f"{short_name(f.pod)}: {f.message}", f.message) for f in record.failures)


# other actors


def present_note(note: Note) -> Sentence:
    """What another actor's turn came to."""
    params = dict(note.params)
    params |= {"key": short_name(note.key), "pod": note.key, "node": params.get("node", note.key)}
    if note.code.endswith(".synced") and "created" in params:
        params.setdefault("deleted", 0)
        params["controller"] = CONTROLLERS.get(note.code, note.code.removesuffix(".synced"))
        return say(NOTES[f"synced{_synced(params)}"], params)
    if note.code == "device_plugin.updated":
        amounts = {name: pair[0] for name, pair in params["resources"].items()}
        params["resources"] = [f"{name} {units.number(name, amount)}" for name, amount in amounts.items()]
        return say(NOTES[f"{note.code}{'.failed' if params['failed'] else ''}"], params)
    return say(NOTES.get(note.code, unknown(note.code)), params, kube=str(params.get("message", "")))


def _synced(params: Mapping[str, Any]) -> str:
    if params["created"] and params["deleted"]:
        return ""
    if params["created"]:
        return ".created"
    return ".deleted" if params["deleted"] else ".status"


# commands


def _command(kind: str, outcomes: Sequence[Mapping[str, Any]], time: int, start: int) -> Sentence:
    names = [_object(item) for item in outcomes]
    kept = [_object(item) for item in outcomes if item["result"] == "kept"]
    evicted = sum(item["result"] == "evicted" for item in outcomes)
    params = {"command": kind, "objects": names[:MOST_NAMES], "count": len(names), "now": time}
    params |= {"evicted": evicted, "kept": kept[:MOST_NAMES]}
    if kind == "drain" and kept:
        return say(COMMANDS["drain.kept"], {**params, "count": len(kept)}, start=start)
    return say(COMMANDS.get(kind, COMMANDS[""]), params, start=start)


def present_outcome(outcome: Mapping[str, Any]) -> Sentence:
    """What became of one object; kubectl's line beside."""
    params = {"object": _object(outcome), "reason": outcome.get("reason", "")}
    line = f"{str(outcome['kind']).lower()}/{outcome['name']} {outcome['result']}"
    return say(OUTCOMES.get(outcome["result"], unknown(str(outcome["result"]))), params, kube=line)


def _object(outcome: Mapping[str, Any]) -> str:
    name = f"{outcome['namespace']}/{outcome['name']}" if outcome.get("namespace") else outcome["name"]
    return f"{outcome['kind']} {short_name(name)}"

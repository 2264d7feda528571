"""A whole lab as plain values: what it started from and everything that was done in it (docs/bundle.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.world.commands import Command
from simulator.engine.world.world import manifest_of
from simulator.models import Lab, ScenarioRevision
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import check_open
from simulator.selectors.lab_history import LogEntry
from simulator.selectors.replaying import replies_json

BEGINNING: Final = ("title", "profiles", "seed", "rules")
"""What of a scenario's spec decides what a lab starts from, and its title."""

UNDOES, REDOES = "undoes", "redoes"
MAX_MARK: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class LabText:
    """`spec` of the front matter and the objects that follow it; `name` is a DNS label."""

    name: str
    spec: Mapping[str, Any]
    objects: tuple[Mapping[str, Any], ...]


def lab_as_text(lab: Lab) -> LabText:
    """The lab as it can be opened again, to the same digest. Raises `PredictionOpen` while a prediction is due."""
    with open_history(lab) as history:
        check_open(lab, history)
        spec = {
            **beginning_of(lab.revision.spec),
            "positions": dict(lab.positions),
            "scenario": {"name": lab.revision.scenario.slug, "revision": lab.revision.number},
            "engine": lab.engine,
            "digest": history.history.head.digest,
            "commands": [_written(entry) for entry in history.log],
            "replies": replies_json(history.history.replies),
        }
    objects = ScenarioRevision.objects.values_list("objects_json", flat=True).get(pk=lab.revision_id)
    return LabText(lab.revision.scenario.slug, {name: value for name, value in spec.items() if value}, tuple(objects))


def beginning_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a spec that a lab's text takes over."""
    return {name: spec[name] for name in BEGINNING if name in spec}


def objects_now(lab: Lab) -> tuple[Mapping[str, Any], ...]:
    """The objects as they are at the lab's end, as far as it may be shown, without namespaces that are always there."""
    with open_history(lab) as history:
        check_open(lab, history)
        frame = history.frame(history.count)
    items = [manifest_of(item) for kind, found in frame.objects.items() for item in found if kind != "Namespace"]
    return tuple(items)


def _written(entry: LogEntry) -> dict[str, Any]:
    command = entry.applied.command
    marks = {name: mark for name, mark in ((UNDOES, entry.undoes), (REDOES, entry.redoes)) if mark is not None}
    return {"command": command["type"], **{key: value for key, value in command.items() if key != "type"}, **marks}


def read_command(written: Mapping[str, Any]) -> tuple[Command, int | None, int | None]:
    """A command as it is written in a text: the engine's command, which one it takes back, which it brings again."""
    marks = [_mark(written.get(name)) for name in (UNDOES, REDOES)]
    rest = {key: value for key, value in written.items() if key not in ("command", UNDOES, REDOES)}
    return {"type": written["command"], **rest}, marks[0], marks[1]


def _mark(number: object) -> int | None:
    """The number of a command; None for what is none."""
    return number if isinstance(number, int) and 1 <= number <= MAX_MARK else None

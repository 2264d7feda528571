"""From a lab's stored commands to its history."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext_lazy as _

from gpuschedlab.web.errors import Conflict
from simulator.engine.framework.extenders import ExtenderPort, Reply
from simulator.engine.goals.registry import read_goals
from simulator.engine.version import ENGINE_VERSION
from simulator.engine.world.commands import CommandError, Effect
from simulator.engine.world.history import Applied, History
from simulator.engine.world.snapshot import SnapshotError
from simulator.models import Lab, LabCommand, ScenarioRevision
from simulator.selectors.action_records import from_json
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.pod_log import PodLog
from simulator.selectors.setups import setup_of


class RecordedOtherwise(Conflict):
    """This version of the engine gives other decisions for a log than those recorded with it."""

    def __init__(self) -> None:
        super().__init__(_("This lab was computed by another version of the engine. Open it again to see what to do."))


PortFactory = Callable[[Lab | None], ExtenderPort]
_port_factory: list[PortFactory] = []


def register_port(factory: PortFactory) -> None:
    """Let labs call real extenders: `factory(lab)` gives the way out, `factory(None)` that of what is no lab."""
    _port_factory[:] = [factory]


def way_out(lab: Lab | None = None) -> ExtenderPort | None:
    """The way to extenders; without a lab nothing outside is called."""
    return _port_factory[0](lab) if _port_factory else None


def begin_history(revision: ScenarioRevision, *, lab: Lab | None = None, known: Sequence[Reply] = ()) -> LabHistory:
    """The history of a lab nothing was done in yet.

    Raises `ConfigError`, `CommandError` or `GoalError` for a broken scenario.
    """
    history = History.begin(setup_of(revision.spec), known=known, port=way_out(lab))
    log = PodLog(history.head)
    history.apply({"type": "apply", "objects": revision.objects_json})
    return LabHistory(history, read_goals(revision.spec.get("goals") or ()), log)


def build_history(lab: Lab) -> LabHistory:
    """The history of a stored lab, up to its newest command. Raises `RecordedOtherwise`."""
    rows = list(lab.commands.order_by("seq"))
    known = [Reply(**reply) for row in rows for reply in row.replies]
    snapshot = lab.snapshots.filter(engine=ENGINE_VERSION).order_by("-seq").first()
    if snapshot is not None:
        try:
            built = _resume(lab, rows[: snapshot.seq], unpack(snapshot.data), known)
            built.snapshot_at = (snapshot.seq, built.count)
        except SnapshotError:
            snapshot = None
    if snapshot is None:
        built = begin_history(lab.revision, lab=lab, known=known)
    replay(built, rows[built.seq :])
    return built


def _resume(lab: Lab, rows: Sequence[LabCommand], saved: dict[str, Any], known: Sequence[Reply]) -> LabHistory:
    """The history up to a snapshot; what came before it is taken over as it was stored."""
    beginning = begin_history(lab.revision)
    begun = beginning.history
    done = [*begun.applied, *(Applied(row.command, row.first, row.last, Effect()) for row in rows)]
    actions = [*begun.actions, *(from_json(stored) for row in rows for stored in row.record)]
    resumed = History.resume(begun.setup, saved, done, actions, known=known, port=way_out(lab))
    built = LabHistory(resumed, beginning.goals)
    for row, applied in zip(rows, done[1:], strict=True):
        built.note(applied, undoes=row.undoes, redoes=row.redoes)
    return built


def pack(saved: Mapping[str, Any]) -> bytes:
    """A snapshot as it is stored."""
    return zlib.compress(json.dumps(saved, separators=(",", ":")).encode(), 6)


def unpack(data: bytes | memoryview) -> dict[str, Any]:
    saved: dict[str, Any] = json.loads(zlib.decompress(data))
    return saved


def replay(history: LabHistory, rows: Sequence[LabCommand]) -> None:
    """Carry out commands of the log. Raises `RecordedOtherwise` where another state comes of one."""
    for row in rows:
        try:
            applied = history.history.apply(row.command)
        except CommandError as problem:
            raise RecordedOtherwise from problem
        history.tell(applied)
        if history.history.head.digest != row.digest:
            raise RecordedOtherwise
        history.note(applied, undoes=row.undoes, redoes=row.redoes)


def replies_json(replies: Sequence[Reply]) -> list[dict[str, Any]]:
    """Outside replies as they are stored."""
    return [asdict(reply) for reply in replies]

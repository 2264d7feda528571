"""Opening labs from their text (docs/bundle.md): the same beginning, the same commands, the same digest."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import BadInput
from simulator.engine.framework.extenders import Reply
from simulator.engine.world.commands import CommandError
from simulator.engine.world.history import Applied
from simulator.models import Lab, LabCommand, Scenario, ScenarioRevision
from simulator.selectors.bundles import beginning_of, read_command
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.replaying import begin_history
from simulator.services.making import command_row, lab_keep
from simulator.services.oversight import MAX_ACTIONS, MAX_COMMANDS, is_full, overseen

SECONDS: Final = 10.0
"""How long opening a text may take."""
LONG_RUN: Final = 500  # turns
PREFIX: Final = "opened-"
"""Names of scenarios that labs brought with them: they are on no list."""
KEPT: Final = timedelta(days=1)
FORGOTTEN_AT_ONCE: Final = 5


@dataclass(frozen=True, slots=True)
class Written:
    """A text taken apart: `spec` of its front matter, its objects, and the text itself."""

    spec: Mapping[str, Any]
    objects: Sequence[Mapping[str, Any]]
    content: str


@dataclass(frozen=True, slots=True)
class Opened:
    """`refused` commands were left out; `same`: it came to the digest that is written in the text (None: none is)."""

    lab: Lab
    refused: int
    same: bool | None


def lab_open_text(*, actor: Participant, written: Written, name: str, new_id: UUID) -> Opened:
    """A lab of the actor's own out of a text. The same `new_id` again gives the same.

    Raises `BadInput` for what is too long to be opened, `CommandError` and `ConfigError` for a beginning that cannot
    be.
    """
    found = Lab.objects.filter(pk=new_id, owner_id=actor.pk).first()
    if found is not None:
        return Opened(found, 0, None)
    spec = written.spec
    with transaction.atomic():
        revision = _revision_of(written)
        lab = Lab(id=new_id, owner_id=actor.pk, revision=revision, name=name, positions=spec.get("positions") or {})
        history = begin_history(revision, lab=lab, known=_replies(spec))
        rows, refused = _replayed(lab, history, spec.get("commands") or ())
        lab_keep(actor, lab, rows, history)
        _forget_unused()
    digest = spec.get("digest")
    return Opened(lab, refused, None if digest is None else digest == history.history.head.digest)


def _replies(spec: Mapping[str, Any]) -> list[Reply]:
    try:
        return [Reply(**reply) for reply in spec.get("replies") or ()]
    except TypeError as error:
        raise BadInput(_("The extenders’ replies in this text cannot be read.")) from error


def _replayed(lab: Lab, history: LabHistory, commands: Sequence[Mapping[str, Any]]) -> tuple[list[LabCommand], int]:
    """Carry the commands out; those that are refused this time are left out and counted."""
    deadline = time.monotonic() + SECONDS
    rows: list[LabCommand] = []
    refused = 0
    for number, written in enumerate(commands):
        _check(history, number, len(commands), deadline)
        command, undoes, redoes = read_command(written)
        try:
            applied = _apply(history, command, deadline)
        except CommandError:
            refused += 1
            continue
        if refused:
            undoes = redoes = None  # numbers have shifted
        rows.append(command_row(lab, history, applied, undoes=undoes, redoes=redoes))
    return rows, refused


def _apply(history: LabHistory, command: Mapping[str, Any], deadline: float) -> Applied:
    """A long run is given up when the time is over; anything else is carried out as it is, or broken off."""
    turns = command.get("turns")
    if command.get("type") != "run" or not isinstance(turns, int) or not LONG_RUN <= turns <= MAX_ACTIONS:
        with overseen(history):
            return history.apply(command)
    return history.run(lambda _action: time.monotonic() > deadline or is_full(history), most=turns)


def _check(history: LabHistory, number: int, count: int, deadline: float) -> None:
    if count > MAX_COMMANDS or is_full(history):
        raise BadInput(_("This lab is too long to be opened here."))
    if time.monotonic() > deadline:
        text = _("Opening this lab takes too long: after %(seconds)s seconds %(done)s of %(count)s commands were done.")
        raise BadInput(text % {"seconds": round(SECONDS), "done": number, "count": count})


# what it starts from


def _revision_of(written: Written) -> ScenarioRevision:
    """The revision the text was made from, if it is here and says the same; else one of its own, on no list."""
    about = written.spec.get("scenario") or {}
    known = ScenarioRevision.objects.select_related("scenario").filter(
        scenario__slug=about.get("name", ""), number=about.get("revision", 0)
    )
    for revision in known:
        if beginning_of(revision.spec) == beginning_of(written.spec) and revision.objects_json == list(written.objects):
            return revision
    return _own_revision(written)


def _own_revision(written: Written) -> ScenarioRevision:
    lab_only = ("commands", "replies", "positions", "scenario", "engine", "digest")
    spec = {name: value for name, value in written.spec.items() if name not in lab_only}
    said = json.dumps([spec, list(written.objects)], sort_keys=True)
    digest = hashlib.sha256(said.encode()).hexdigest()
    scenario, created = Scenario.objects.get_or_create(slug=f"{PREFIX}{digest[:24]}")
    if not created:
        return ScenarioRevision.objects.select_related("scenario").get(scenario=scenario)
    return ScenarioRevision.objects.create(
        scenario=scenario,
        number=1,
        digest=digest,
        content=written.content,
        spec=spec,
        objects_json=[dict(manifest) for manifest in written.objects],
    )


def _forget_unused() -> None:
    """Beginnings that no lab has any more."""
    old = Scenario.objects.filter(
        slug__startswith=PREFIX, current=None, revisions__labs=None, created_at__lt=timezone.now() - KEPT
    )
    Scenario.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])).delete()

"""New labs out of old ones: branches from any step, and replays by another version of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import BadInput
from simulator.engine.world.commands import Command, CommandError
from simulator.models import Lab, LabCommand
from simulator.selectors.histories import open_history
from simulator.selectors.horizon import shown_actions
from simulator.selectors.replaying import begin_history
from simulator.services.making import command_row, lab_keep
from simulator.services.oversight import overseen
from simulator.services.predictions import predictions_take_over


@dataclass(frozen=True, slots=True)
class Replayed:
    """A lab made by carrying out another's commands, and how many of them were refused this time."""

    lab: Lab
    refused: int


def lab_fork(*, actor: Participant, lab: Lab, actions: int, name: str, new_id: UUID) -> Lab:
    """A lab of the actor's own with the first `actions` actions of `lab`. The same `new_id` again gives the same."""
    found = Lab.objects.filter(pk=new_id, owner_id=actor.pk).first()
    if found is not None:
        return found
    with open_history(lab) as history:
        if not 1 <= actions <= shown_actions(lab, history):
            raise BadInput(_("There is no such step in this lab."))
        commands, known = history.commands_until(actions), list(history.history.replies)
    fork = _new(actor, lab, name, new_id)
    fork.parent_actions = actions
    copied = begin_history(lab.revision, lab=fork, known=known)
    with overseen(copied):
        rows = [command_row(fork, copied, copied.apply(command)) for command in commands]
    lab_keep(actor, fork, rows, copied)
    predictions_take_over(actor=actor, lab=lab, fork=fork, history=copied)
    return fork


def lab_replay(*, actor: Participant, lab: Lab, name: str, new_id: UUID) -> Replayed:
    """A lab with the commands of `lab`, computed by this version of the engine; refused ones are left out."""
    found = Lab.objects.filter(pk=new_id, owner_id=actor.pk).first()
    return Replayed(found, 0) if found is not None else _replay(actor, lab, _new(actor, lab, name, new_id))


def lab_move(*, actor: Participant, lab: Lab, new_id: UUID) -> Replayed:
    """A lab with the commands of `lab` on the scenario's newest revision; those that it refuses are left out."""
    found = Lab.objects.filter(pk=new_id, owner_id=actor.pk).first()
    if found is not None:
        return Replayed(found, 0)
    moved = _new(actor, lab, lab.name, new_id)
    moved.revision = lab.revision.scenario.current or lab.revision
    return _replay(actor, lab, moved)


def _replay(actor: Participant, lab: Lab, fresh: Lab) -> Replayed:
    history = begin_history(fresh.revision, lab=fresh)
    rows: list[LabCommand] = []
    refused = 0
    with overseen(history):
        for command in lab.commands.order_by("seq").values_list("command", flat=True):
            try:
                rows.append(command_row(fresh, history, history.apply(command)))
            except CommandError:
                refused += 1
    lab_keep(actor, fresh, rows, history)
    return Replayed(fresh, refused)


def lab_solution(*, actor: Participant, lab: Lab, name: str, new_id: UUID) -> Lab:
    """A lab in which the scenario is solved, to be stepped through from its start."""
    found = Lab.objects.filter(pk=new_id, owner_id=actor.pk).first()
    if found is not None:
        return found
    shown = _new(actor, lab, name, new_id)
    history = begin_history(lab.revision, lab=shown)
    solution = lab.revision.spec.get("solution") or ()
    with overseen(history):
        rows = [command_row(shown, history, history.apply(solution_command(step))) for step in solution]
    lab_keep(actor, shown, rows, history)
    return shown


def solution_command(step: Mapping[str, Any]) -> Command:
    """A step of a scenario's solution (`command` and its parameters) as the engine takes it."""
    return {"type": step["command"], **{name: value for name, value in step.items() if name != "command"}}


def _new(actor: Participant, lab: Lab, name: str, new_id: UUID) -> Lab:
    own = lab.owner_id == actor.pk and not lab.is_unborn
    return Lab(
        id=new_id,
        owner_id=actor.pk,
        revision=lab.revision,
        name=name,
        positions=lab.positions,
        parent=lab if own else None,
    )

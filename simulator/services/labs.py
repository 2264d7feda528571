"""Giving labs commands: compute first, store second, answer third.

The command is carried out in memory; then one short transaction appends it to the log. Whoever loses a race, or comes
with what is no longer the newest state, gets a `Conflict`. A client token that was used before gives the first answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.accounts.models import Participant
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.errors import BadInput, Conflict
from gpuschedlab.web.sockets.events import publish
from simulator.engine.version import ENGINE_VERSION
from simulator.engine.world import snapshot
from simulator.engine.world.commands import Command, CommandError
from simulator.engine.world.handlers import types_of
from simulator.engine.world.history import Applied
from simulator.engine.world.simulation import Action
from simulator.models import Lab, LabCommand, LabSnapshot
from simulator.models.lab import shared_topic
from simulator.rules import allows_command
from simulator.selectors.action_records import to_json
from simulator.selectors.frames import Frame
from simulator.selectors.histories import Kept, histories, up_to_date
from simulator.selectors.horizon import check_open, gate_watch, is_waiting
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.replaying import begin_history, pack, replies_json
from simulator.selectors.undoing import MOVING, inverse_of, undoing_of
from simulator.services.lab_care import labs_forget_unclaimed
from simulator.services.outcomes import outcome_note
from simulator.services.oversight import MAX_COMMANDS, is_full, overseen
from simulator.services.withdrawing import predictions_withdraw

SNAPSHOT_COMMANDS: Final = 50
SNAPSHOT_ACTIONS: Final = 500
MAX_LABS: Final = 300  # of one participant
MAX_TURNS: Final = 20_000  # of one run
FORGOTTEN_AT_ONCE: Final = 5  # labs nobody came back to, whenever a new one is made

NEWER = gettext_lazy("This lab has newer commands than this page showed. They are shown now; decide again.")

Act = Callable[[LabHistory], Applied]
Plan = Callable[[Frame], Command]
"""What is to be done, made out from the lab's newest state. Raises `BadInput` where it cannot be."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A stored command: its number and the actions `first` to `last` (not included) that came of it.

    `applied` is None where the answer was given before and is repeated.
    """

    seq: int
    first: int
    last: int
    applied: Applied | None = None


def lab_apply(*, actor: Participant, lab: Lab, command: Command, client_token: UUID, expected_seq: int) -> Answer:
    """Carry out a command at the lab's end. Raises `CommandError` where the lab's API server refuses it."""
    return lab_plan(
        actor=actor, lab=lab, plan=lambda _frame: command, client_token=client_token, expected_seq=expected_seq
    )


def lab_plan(*, actor: Participant, lab: Lab, plan: Plan, client_token: UUID, expected_seq: int) -> Answer:
    """Carry out what `plan` makes of the lab's newest state, as one command; raises as `lab_apply` does."""

    def act(history: LabHistory) -> Applied:
        command = plan(history.frame(history.count))
        check_allowed(lab, command)
        with overseen(history):
            return history.apply(command)

    return _give(actor, lab, client_token, expected_seq, act)


def check_allowed(lab: Lab, command: Command) -> None:
    """Raises `BadInput` for a command that the lab's scenario is solved without."""
    for kind in types_of(command):
        if not allows_command(lab, kind):
            raise BadInput(_("This scenario is solved without the command “%(command)s”.") % {"command": kind})


def lab_run(
    *,
    actor: Participant,
    lab: Lab,
    client_token: UUID,
    expected_seq: int,
    stop: Callable[[Action], bool],
    most: int = MAX_TURNS,
) -> Answer:
    """Let turns happen until `stop` says so after one, nothing happens by itself any more, or a turn has to be
    predicted before it is shown; one command in the log.

    Raises `BadInput` where nothing happens by itself. What `stop` raises stores nothing.
    """

    def act(history: LabHistory) -> Applied:
        if history.frame(history.count).idle:
            raise BadInput(_("Nothing happens by itself here. Submit a Pod, change the cluster, or let time pass."))
        at_gate, head = gate_watch(lab, history), history.history.head
        return history.run(lambda turn: stop(turn) or at_gate(turn) or head.is_idle or is_full(history), most=most)

    return _give(actor, lab, client_token, expected_seq, act)


def lab_run_for(
    *, actor: Participant, lab: Lab, client_token: UUID, expected_seq: int, seconds: float
) -> tuple[Answer, bool]:
    """Run until idle, but for so many seconds of real time at most; tells whether idle, or a prediction to be made, was
    reached."""
    deadline = time.monotonic() + seconds
    answer = lab_run(
        actor=actor,
        lab=lab,
        client_token=client_token,
        expected_seq=expected_seq,
        stop=lambda _action: time.monotonic() > deadline,
    )
    with histories.locked(lab.pk) as kept:
        history = up_to_date(kept, lab)
        return answer, history.frame(answer.last).idle or is_waiting(lab, history)


def lab_undo(*, actor: Participant, lab: Lab, client_token: UUID, expected_seq: int) -> Answer:
    """Take the newest command back, as a command. Raises `Conflict` where that is no longer possible."""
    return _give_back(actor, lab, client_token, expected_seq, again=False)


def lab_redo(*, actor: Participant, lab: Lab, client_token: UUID, expected_seq: int) -> Answer:
    """Bring the command taken back last again."""
    return _give_back(actor, lab, client_token, expected_seq, again=True)


def _give_back(actor: Participant, lab: Lab, client_token: UUID, expected_seq: int, *, again: bool) -> Answer:
    marks: dict[str, int | None] = {}

    def act(history: LabHistory) -> Applied:
        state = undoing_of(history)
        seq = state.redo if again else state.undo
        inverse = inverse_of(history, seq) if seq is not None else None
        if inverse is None:
            raise Conflict(_("There is nothing to take back any more."))
        marks["redoes" if again else "undoes"] = seq
        return history.apply(inverse)

    return _give(actor, lab, client_token, expected_seq, act, marks)


def _give(
    actor: Participant,
    lab: Lab,
    client_token: UUID,
    expected_seq: int,
    act: Act,
    marks: dict[str, int | None] | None = None,
) -> Answer:
    with histories.locked(lab.pk) as kept:
        repeated = _answered(lab, client_token)
        if repeated is not None:
            return repeated
        history = begin_history(lab.revision, lab=lab) if lab.is_unborn else up_to_date(kept, lab)
        if history.seq != expected_seq:
            raise Conflict(NEWER)
        check_open(lab, history)
        _check_size(history)
        return _act_and_store(actor, lab, client_token, kept, history, act, {} if marks is None else marks)


def _act_and_store(
    actor: Participant,
    lab: Lab,
    client_token: UUID,
    kept: Kept,
    history: LabHistory,
    act: Act,
    marks: dict[str, int | None],
) -> Answer:
    """The history is put back into its place only when the log agrees with it, or nothing has changed."""
    kept.history = None
    known, cycles = len(history.history.replies), len(history.gates.cycles)
    try:
        applied = act(history)
    except (CommandError, BadInput):
        kept.history = None if lab.is_unborn else history
        raise
    row = LabCommand(
        lab=lab,
        seq=history.seq + 1,
        client_token=client_token,
        command=applied.command,
        replies=replies_json(history.history.replies[known:]),
        first=applied.first,
        last=applied.last,
        digest=history.history.head.digest,
        record=[to_json(action) for action in history.history.actions[applied.first : applied.last]],
        undoes=marks.get("undoes"),
        redoes=marks.get("redoes"),
    )
    try:
        _store(actor, lab, row, _snapshot(lab, row, history), cycles)
    except IntegrityError as error:
        repeated = _answered(lab, client_token)
        if repeated is None:
            raise Conflict(NEWER) from error
        return repeated
    history.note(applied, undoes=row.undoes, redoes=row.redoes)
    kept.history = history
    outcome_note(lab, history)
    return Answer(row.seq, row.first, row.last, applied)


def _answered(lab: Lab, client_token: UUID) -> Answer | None:
    """The answer given to this token before."""
    row = LabCommand.objects.filter(lab_id=lab.pk, client_token=client_token).first()
    if row is None:
        return None
    lab.refresh_from_db()
    return Answer(row.seq, row.first, row.last)


def _snapshot(lab: Lab, row: LabCommand, history: LabHistory) -> LabSnapshot | None:
    """Now and then a snapshot, where nothing can be undone in place, so that nobody has to look behind it."""
    seq, actions = history.snapshot_at
    if row.type not in MOVING or (row.seq - seq < SNAPSHOT_COMMANDS and row.last - actions < SNAPSHOT_ACTIONS):
        return None
    history.snapshot_at = (row.seq, row.last)
    data = pack(snapshot.save(history.history.head))
    return LabSnapshot(lab=lab, seq=row.seq, engine=ENGINE_VERSION, data=data)


def _store(actor: Participant, lab: Lab, row: LabCommand, saved: LabSnapshot | None, cycles: int) -> None:
    """The one short transaction, for a command given after so many scheduling cycles. Raises `IntegrityError` or
    `Conflict` where somebody else was faster."""
    now = timezone.now()
    head = {"head_seq": row.seq, "head_digest": row.digest, "engine": ENGINE_VERSION, "changed_at": now}
    with transaction.atomic():
        if lab.is_unborn:
            _bear(actor, lab, head)
        elif not Lab.objects.filter(pk=lab.pk, head_seq=row.seq - 1).update(**head):
            raise Conflict(NEWER)
        row.save(force_insert=True)
        if saved is not None:
            saved.save(force_insert=True)
        if row.type not in MOVING:
            predictions_withdraw(lab=lab, cycles=cycles)
        _tell(lab, row)
    lab._state.adding = False  # noqa: SLF001 (stored as a copy, so that a failed transaction leaves it unborn)
    for name, value in head.items():
        setattr(lab, name, value)


def _tell(lab: Lab, row: LabCommand) -> None:
    """Let the owner's other tabs know, and who reads along behind a link."""
    told = {"command": row.type}
    publish(lab.topic, "lab.stepped", row.seq, told)
    token = Lab.objects.filter(pk=lab.pk).values_list("share_token", flat=True).first()  # it may be newer than `lab`
    if token:
        publish(shared_topic(token), "lab.stepped", row.seq, told)


def lab_bear(*, actor: Participant, lab: Lab) -> None:
    """Store the row of a lab without a command, for what else one can do in it first. Raises `IntegrityError` where
    somebody else was faster."""
    _bear(actor, lab, {"engine": ENGINE_VERSION})
    lab._state.adding = False  # noqa: SLF001 (stored as a copy, as above)


def _bear(actor: Participant, lab: Lab, head: dict[str, object]) -> None:
    """Store a lab's row with its first command."""
    participant_ensure(actor)
    if Lab.objects.filter(owner_id=actor.pk).count() >= MAX_LABS:
        raise BadInput(_("You have %(limit)s labs. Delete some of them first.") % {"limit": MAX_LABS})
    labs_forget_unclaimed(most=FORGOTTEN_AT_ONCE)
    born = {"id": lab.pk, "owner_id": actor.pk, "revision_id": lab.revision_id, "name": lab.name}
    stored = Lab(**born, positions=lab.positions, **head)
    stored.save(force_insert=True)


def _check_size(history: LabHistory) -> None:
    if history.seq >= MAX_COMMANDS or is_full(history):
        raise BadInput(_("This lab has become too long to go on. Branch off an earlier step, or start anew."))

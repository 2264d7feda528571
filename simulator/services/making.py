"""Labs that are made as a whole: branches, replays, and labs opened from a text."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from gpuschedlab.accounts.models import Participant
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.errors import BadInput, Conflict
from simulator.engine.version import ENGINE_VERSION
from simulator.engine.world.history import Applied
from simulator.models import Lab, LabCommand
from simulator.selectors.action_records import to_json
from simulator.selectors.histories import histories
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.replaying import replies_json
from simulator.services.labs import MAX_LABS


def command_row(
    lab: Lab, history: LabHistory, applied: Applied, *, undoes: int | None = None, redoes: int | None = None
) -> LabCommand:
    """A command that has just been carried out, as a row; its token is its own."""
    history.note(applied, undoes=undoes, redoes=redoes)
    return LabCommand(
        lab=lab,
        seq=history.seq,
        client_token=UUID(int=history.seq),
        command=applied.command,
        first=applied.first,
        last=applied.last,
        digest=history.history.head.digest,
        record=[to_json(action) for action in history.history.actions[applied.first : applied.last]],
        undoes=undoes,
        redoes=redoes,
    )


def lab_keep(actor: Participant, lab: Lab, rows: list[LabCommand], history: LabHistory) -> None:
    """Store a lab with all its commands. Raises `BadInput` where the actor has too many labs, `Conflict` where there is
    such a lab already (of somebody else: its own is found before)."""
    if rows:
        rows[-1].replies = replies_json(history.history.replies)
    lab.head_seq, lab.head_digest, lab.engine = history.seq, history.history.head.digest, ENGINE_VERSION
    with transaction.atomic():
        participant_ensure(actor)
        if Lab.objects.filter(owner_id=actor.pk).count() >= MAX_LABS:
            raise BadInput(_("You have %(limit)s labs. Delete some of them first.") % {"limit": MAX_LABS})
        try:
            with transaction.atomic():
                lab.save(force_insert=True)
        except IntegrityError as error:
            raise Conflict from error
        LabCommand.objects.bulk_create(rows)
    with histories.locked(lab.pk) as kept:
        kept.history = history

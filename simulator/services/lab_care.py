"""What can be done with a lab besides giving it commands: name, share, arrange, delete."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from gpuschedlab.accounts.models import Participant
from gpuschedlab.web.errors import BadInput
from simulator.models import Lab

SHARE_BYTES: Final = 32
MAX_POSITIONS: Final = 10_000
UNCLAIMED_KEPT: Final = timedelta(days=90)
"""How long labs of people without an account are kept after they were used last."""

Positions = Mapping[str, tuple[float, float]]


def lab_rename(*, actor: Participant, lab: Lab, name: str) -> None:
    _mine(actor, lab).update(name=name)
    lab.name = name


def lab_share(*, actor: Participant, lab: Lab, shared: bool) -> None:
    """Give the lab a read-only link, or take it away; a new link is another one."""
    mine = _mine(actor, lab)
    if shared:
        mine.filter(share_token=None).update(share_token=secrets.token_urlsafe(SHARE_BYTES))
    else:
        mine.update(share_token=None)
    lab.share_token = mine.values_list("share_token", flat=True).first()


def lab_place(*, actor: Participant, lab: Lab, positions: Positions) -> None:
    """Remember where things are drawn."""
    with transaction.atomic():
        locked = _mine(actor, lab).select_for_update().first()
        if locked is None:
            return
        merged = {**locked.positions, **{name: [round(x, 1), round(y, 1)] for name, (x, y) in positions.items()}}
        if len(merged) > MAX_POSITIONS:
            raise BadInput(_("Too many positions."))
        locked.positions = merged
        locked.save(update_fields=["positions"])
    lab.positions = merged


def lab_delete(*, actor: Participant, lab: Lab) -> None:
    _mine(actor, lab).delete()


def labs_move(source: Participant, target: Participant) -> None:
    """Give all labs of one participant to another."""
    Lab.objects.filter(owner_id=source.pk).update(owner_id=target.pk)


def labs_export(participant: Participant) -> list[dict[str, Any]]:
    """All labs of a participant with their logs, as JSON values."""
    labs = Lab.objects.filter(owner_id=participant.pk).select_related("revision__scenario")
    return [_exported(lab) for lab in labs.prefetch_related("commands").order_by("created_at")]


def _exported(lab: Lab) -> dict[str, Any]:
    commands = sorted(lab.commands.all(), key=lambda command: command.seq)
    return {
        "id": str(lab.pk),
        "name": lab.name,
        "scenario": lab.revision.scenario.slug,
        "revision": lab.revision.number,
        "created_at": lab.created_at.isoformat(),
        "commands": [command.command for command in commands],
    }


def labs_forget_unclaimed(*, most: int = 50) -> int:
    """Delete labs that nobody with an account owns and that were not used for long."""
    old = Lab.objects.filter(owner__user=None, changed_at__lt=timezone.now() - UNCLAIMED_KEPT)
    chosen = list(old.order_by("changed_at").values_list("pk", flat=True)[:most])
    Lab.objects.filter(pk__in=chosen).delete()
    return len(chosen)


def _mine(actor: Participant, lab: Lab) -> QuerySet[Lab]:
    return Lab.objects.filter(pk=lab.pk, owner_id=actor.pk)

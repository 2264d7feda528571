"""GIFT files: questions of other systems become drafts, of which one goes on as of any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.db import transaction

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.materials.kinds import kind_named
from gpuschedlab.materials.publishing import free_name
from gpuschedlab.materials.services import draft_create
from lessons.assessment.gift.importing import import_gift
from simulator.manifests.writer import write

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from gpuschedlab.materials.models import Draft
    from lessons.assessment.gift.importing import GiftImport


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import read, and the drafts made of it (none in a dry run)."""

    read: GiftImport
    drafts: tuple[Draft, ...] = ()


def gift_read(*, text: str, language: str) -> Brought:
    """Read a file without storing anything. Raises Invalid if it is too large as a whole."""
    return Brought(import_gift(text, language))


@transaction.atomic
def gift_store(
    *, actor: Participant, text: str, language: str, client_token: UUID, parent: Draft | None = None
) -> Brought:
    """Make a draft of every question of a file. `parent`: the draft of a quiz that they are meant for."""
    participant_ensure(actor)
    read = import_gift(text, language)
    kind = kind_named("question")
    drafts = []
    for number, question in enumerate(read.questions):
        source = {**question.source, "id": free_name(kind, question.id)}
        draft = draft_create(
            actor=actor,
            kind=kind.name,
            text=write([source], sort_keys=False),
            origin="import",
            parent=parent,
            draft_id=uuid5(client_token, str(number)),
        )
        drafts.append(draft)
    return Brought(read, tuple(drafts))

"""GIFT files: questions brought in from other systems, and taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from gpuschedlab.accounts.services import participant_ensure
from lessons.assessment.gift.importing import import_gift
from lessons.models import Question
from lessons.services.questions import question_store

if TYPE_CHECKING:
    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.gift.importing import GiftImport


@dataclass(frozen=True, slots=True)
class Brought:
    """What an import read, the ids that are not its to change, and how many questions were stored (0: a dry run)."""

    read: GiftImport
    taken: tuple[str, ...]
    stored: int


def gift_read(*, actor: Participant, text: str, language: str) -> Brought:
    """Read a file without storing anything. Raises Invalid if it is too large as a whole."""
    read = import_gift(text, language)
    names = [question.id for question in read.questions]
    mine = {"owner_id": actor.pk, "from_catalogue": False}
    taken = Question.objects.filter(slug__in=names).exclude(**mine).values_list("slug", flat=True)
    return Brought(read, tuple(taken), 0)


@transaction.atomic
def gift_store(*, actor: Participant, text: str, language: str) -> Brought:
    """Add a file's questions to the bank; those whose ids belong to others are left out."""
    participant_ensure(actor)
    brought = gift_read(actor=actor, text=text, language=language)
    fresh = [question for question in brought.read.questions if question.id not in brought.taken]
    for question in fresh:
        question_store(question, from_catalogue=False, owner=actor)
    return Brought(brought.read, brought.taken, len(fresh))

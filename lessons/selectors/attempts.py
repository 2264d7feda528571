"""Reads of attempts, with the viewer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from django.db.models import Prefetch
from django.http import Http404

from lessons.assessment.grades import State
from lessons.models import Answer, Attempt, Grading, Slot
from lessons.selectors.asked import Asked, asked_of, newest_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant
    from lessons.models import Quiz

QUIZ = "quiz"


def with_slots(attempts: QuerySet[Attempt], *, texts: bool = True) -> QuerySet[Attempt]:
    """Attempts with all that their marks need; `texts`: and with what was asked."""
    gradings = Grading.objects.select_related("regrade__revision") if texts else Grading.objects.all()
    answers = Answer.objects.prefetch_related(Prefetch("gradings", gradings))
    slots = Slot.objects.prefetch_related(Prefetch("answers", answers))
    if texts:
        slots = slots.select_related("revision__question")
    return attempts.select_related("quiz__quiz", "question").prefetch_related(Prefetch("slots", slots))


def attempt_get(*, viewer: Participant, attempt_id: UUID) -> Attempt:
    """An attempt at a quiz, of the viewer's own."""
    mine = Attempt.objects.filter(pk=attempt_id, participant_id=viewer.pk, quiz__isnull=False)
    found = with_slots(mine).first()
    if found is None:
        raise Http404
    return found


def slot_get(attempt: Attempt, number: int) -> Asked:
    """One question of an attempt that was fetched with its slots."""
    slot = next((slot for slot in attempt.slots.all() if slot.number == number), None)
    if slot is None:
        raise Http404
    return asked_of(attempt, slot)


def attempt_list(*, viewer: Participant, quiz: Quiz) -> list[Attempt]:
    """The viewer's attempts at a quiz, newest first."""
    mine = Attempt.objects.filter(participant_id=viewer.pk, quiz__quiz=quiz).order_by("-started_at")
    return list(with_slots(mine, texts=False))


@dataclass(frozen=True, slots=True)
class Score:
    """What an attempt amounts to: the mark (never negative, lateness taken off), and how many questions are done."""

    mark: Fraction
    maximum: int
    answered: int
    unmarked: int
    questions: int

    @property
    def share(self) -> Fraction:
        return self.mark / self.maximum if self.maximum else Fraction(0)

    @property
    def percent(self) -> int:
        return round(float(self.share) * 100)


def score_of(attempt: Attempt) -> Score:
    """The score of an attempt that was fetched with its slots."""
    slots = list(attempt.slots.all())
    newest = [newest_of(slot)[1] for slot in slots]
    given = [grading for grading in newest if grading is not None]
    total = max(Fraction(0), sum((grading.mark for grading in given), Fraction(0)))
    return Score(
        mark=total * attempt.late_factor,
        maximum=sum(slot.marks for slot in slots),
        answered=sum(grading.state != State.UNANSWERED for grading in given),
        unmarked=sum(grading.state == State.UNMARKED for grading in given),
        questions=len(slots),
    )


def drafts_saved(slots: Iterable[Slot]) -> int:
    """How many questions have something saved."""
    return sum(bool(slot.draft) for slot in slots)

"""Answers: read from a form, judged, stored once. A second answer to the same question finds the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.errors import BadInput, Conflict
from lessons.assessment.attempt_rules import Lateness, LateRules, lateness
from lessons.assessment.grades import State
from lessons.assessment.learner_view import parse_response
from lessons.assessment.marking import mark_question
from lessons.assessment.review_options import Aspect, Mode
from lessons.models import Answer, Attempt, Grading
from lessons.selectors.asked import Asked, asked_of, settings_of
from lessons.selectors.attempts import with_slots
from lessons.services.evidence import evidence_for
from lessons.services.reviews import question_reviewed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.responses import Response

LONGEST_LOOK: Final = 6 * 3600  # seconds; a page left open longer says nothing about the question
_STANDARD_LATE: Final = LateRules()


@dataclass(frozen=True, slots=True)
class Given:
    """What a learner sent: the form's own fields, how sure, after how many hints, and when the question was shown."""

    form: Mapping[str, Sequence[str]]
    certainty: int | None = None
    hints: int = 0
    opened_at: datetime | None = None


def answer_give(*, actor: Participant, asked: Asked, given: Given) -> Asked:
    """Store the answer and its judgement; returns the question as it now is.

    Raises Invalid for a form that cannot be read, BadInput for an empty one, Conflict when it comes too late. An answer
    that is there already stays: it is returned.
    """
    if asked.is_final:
        return asked
    now = timezone.now()
    _check_open(asked, now)
    response = parse_response(asked.variant, given.form, asked.tokens, asked.response)
    if not response:
        raise BadInput(_("There is no answer yet. Answer first, or ask for a hint."))
    evidence = evidence_for(actor=actor, asked=asked, response=response)
    answer = Answer(
        step=_step(asked),
        response=dict(response),
        evidence=dict(evidence),
        certainty=given.certainty if asked.answer is None else asked.answer.certainty,
        seconds=_seconds(given.opened_at or asked.slot.opened_at, now),
        given_at=now,
    )
    try:
        with transaction.atomic():
            _store(actor, asked, answer, given.hints)
    except IntegrityError:
        return asked_again(asked)
    return asked_again(asked)


def asked_again(asked: Asked) -> Asked:
    """The question as it is stored now."""
    attempt = with_slots(Attempt.objects.filter(pk=asked.attempt.pk)).get()
    slot = next(slot for slot in attempt.slots.all() if slot.number == asked.slot.number)
    return asked_of(attempt, slot)


def time_left(attempt: Attempt, now: datetime) -> Lateness:
    """Whether work is still taken, and what lateness costs."""
    settings = settings_of(attempt)
    return lateness(settings.attempts.late if settings else _STANDARD_LATE, attempt.due_at, now)


def answer_judge(asked: Asked, answer: Answer, response: Response) -> Grading:
    """The first judgement of an answer, not stored yet."""
    settings = settings_of(asked.attempt)
    marked = mark_question(
        asked.variant,
        response,
        marks=asked.slot.marks,
        evidence=answer.evidence,
        certainty=answer.certainty,
        uses_certainty=settings is not None and settings.certainty,
    )
    return Grading(
        answer=answer, score=marked.grade.score, mark=marked.mark, state=marked.grade.state, graded_at=answer.given_at
    )


def _check_open(asked: Asked, now: datetime) -> None:
    """Raise Conflict where no answer, and no marking of an open answer, is taken."""
    if asked.answer is not None:
        if Aspect.KEY not in asked.shown:
            raise Conflict(_("This answer is marked by somebody else."))
        return
    if asked.attempt.finished_at is not None or Mode(asked.attempt.mode) is Mode.TEST:
        raise Conflict(_("This attempt is handed in. Nothing can be changed any more."))
    if not time_left(asked.attempt, now).accepted:
        raise Conflict(_("The time for this attempt is over. What was saved before counts."))


def _step(asked: Asked) -> int:
    return 1 if asked.answer is None else asked.answer.step + 1


def _store(actor: Participant, asked: Asked, answer: Answer, hints: int) -> None:
    participant_ensure(actor)
    attempt, slot = asked.attempt, asked.slot
    if attempt.is_new:
        attempt.participant, attempt.started_at = actor, answer.given_at
        attempt.save(force_insert=True)
        slot.attempt, slot.hints = attempt, min(hints, len(asked.variant.hints))
        slot.save(force_insert=True)
    answer.slot = slot
    answer.save(force_insert=True)
    grading = answer_judge(asked, answer, answer.response)
    grading.save(force_insert=True)
    if grading.state == State.UNMARKED:
        return
    if attempt.quiz_id is None and attempt.finished_at is None:
        Attempt.objects.filter(pk=attempt.pk).update(finished_at=answer.given_at)
    if slot.revision is not None and Mode(attempt.mode) is not Mode.TEST:
        question_reviewed(actor, slot.revision.question_id, grading.score, answer.certainty, answer.given_at)


def _seconds(opened: datetime | None, now: datetime) -> float | None:
    if opened is None:
        return None
    seconds = (now - opened).total_seconds()
    return seconds if 0 <= seconds <= LONGEST_LOOK else None

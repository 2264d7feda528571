"""Taking a quiz: start, save, hand in. What was handed in never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.errors import Conflict
from gpuschedlab.web.idempotency import once
from lessons.assessment.attempt_rules import AttemptTimes, Window, due_at, start_refused
from lessons.assessment.grades import State
from lessons.assessment.learner_view import parse_response
from lessons.assessment.problems import Invalid
from lessons.assessment.quizzes import draw
from lessons.assessment.review_options import Mode
from lessons.models import Answer, Attempt, Grading, Slot
from lessons.selectors.asked import asked_of
from lessons.selectors.attempt_ids import seed_of
from lessons.selectors.attempts import QUIZ, with_slots
from lessons.selectors.questions import bank, bank_of, bank_texts
from lessons.selectors.texts import drawable_quiz, quiz_text
from lessons.services.answers import answer_judge, time_left
from lessons.services.reviews import question_reviewed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.attempt_rules import Refusal
    from lessons.models import Quiz, QuizRevision
    from lessons.selectors.asked import Asked

OPEN_WINDOW = Window()


def attempt_start(*, actor: Participant, quiz: Quiz, mode: Mode, client_token: UUID) -> Attempt:
    """Begin an attempt, or go on with the one that is open. Raises Conflict when the quiz's rules forbid it."""
    participant_ensure(actor)
    outcome = once(
        scope="lessons.attempt",
        participant_id=actor.pk,
        token=client_token,
        work=lambda: str(_open_or_new(actor, quiz, mode).pk),
    )
    return Attempt.objects.get(pk=outcome)


def _open_or_new(actor: Participant, quiz: Quiz, mode: Mode) -> Attempt:
    mine = Attempt.objects.select_for_update().filter(participant=actor, quiz__quiz=quiz)
    earlier = list(mine.order_by("started_at"))
    unfinished = [attempt for attempt in earlier if attempt.finished_at is None]
    if unfinished:
        return unfinished[-1]
    assert quiz.current is not None
    rules, now = quiz_text(quiz.current).settings.attempts, timezone.now()
    times = [AttemptTimes(attempt.started_at, attempt.finished_at) for attempt in earlier]
    refusal = start_refused(rules, OPEN_WINDOW, times, now)
    if refusal is not None:
        raise Conflict(refusal_sentence(refusal))
    return _new_attempt(actor, quiz.current, mode, now)


def _new_attempt(actor: Participant, revision: QuizRevision, mode: Mode, now: datetime) -> Attempt:
    text = quiz_text(revision)
    allowed = text.settings.mode if text.settings.mode is Mode.TEST else mode
    attempt_id = uuid4()
    questions = bank_of(revision.quiz, bank([revision.quiz]))
    texts = bank_texts(questions)
    refused = Conflict(gettext_lazy("This quiz cannot be taken now: too few of its questions are there."))
    try:
        slots = draw(drawable_quiz(revision, texts), texts, seed_of(attempt_id))
    except Invalid as problem:
        raise refused from problem
    if not slots:
        raise refused
    attempt = Attempt.objects.create(
        id=attempt_id,
        participant=actor,
        context=QUIZ,
        quiz=revision,
        mode=allowed,
        started_at=now,
        due_at=due_at(text.settings.attempts, OPEN_WINDOW, now),
    )
    Slot.objects.bulk_create(
        Slot(
            attempt=attempt,
            number=slot.number,
            section=slot.section,
            revision=questions[slot.question].current,
            seed=slot.seed,
            marks=slot.marks,
        )
        for slot in slots
    )
    return attempt


def refusal_sentence(refusal: Refusal) -> str:
    """Why no attempt may start."""
    sentences = {
        "not_open_yet": _("This quiz is not open yet."),
        "closed": _("This quiz is over."),
        "none_left": _("All attempts at this quiz are used."),
        "wait": _("The next attempt may start later. Look at the result of the last one meanwhile."),
        "unfinished": _("Finish the attempt that is open first."),
    }
    return sentences[refusal.code]


def slot_open(asked: Asked) -> None:
    """Remember when a question was shown first."""
    if asked.slot.opened_at is None:
        now = timezone.now()
        Slot.objects.filter(pk=asked.slot.pk, opened_at=None).update(opened_at=now)
        asked.slot.opened_at = now


def slot_hint(asked: Asked) -> None:
    """Show one more hint."""
    if asked.answer is None and asked.slot.hints < len(asked.variant.hints):
        asked.slot.hints += 1
        Slot.objects.filter(pk=asked.slot.pk, hints__lt=asked.slot.hints).update(hints=asked.slot.hints)


def slot_save(*, asked: Asked, form: Mapping[str, Sequence[str]], certainty: int | None, draft_seq: int) -> None:
    """Save what is filled in so far. `draft_seq`: the save that the page knows of; Conflict when there is a newer one.

    Raises Invalid for a form that cannot be read, and Conflict when the attempt is over.
    """
    if asked.attempt.finished_at is not None:
        raise Conflict(gettext_lazy("This attempt is handed in. Nothing can be changed any more."))
    if not time_left(asked.attempt, timezone.now()).accepted:
        raise Conflict(gettext_lazy("The time for this attempt is over. What was saved before counts."))
    response = parse_response(asked.variant, form, asked.tokens, {})
    saved = Slot.objects.filter(pk=asked.slot.pk, draft_seq=draft_seq, attempt__finished_at=None).update(
        draft=dict(response), draft_certainty=certainty, draft_seq=F("draft_seq") + 1
    )
    if not saved:
        raise StaleDraft
    asked.slot.draft, asked.slot.draft_certainty = dict(response), certainty
    asked.slot.draft_seq = draft_seq + 1


class StaleDraft(Conflict):
    """Another tab saved something else meanwhile."""

    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Another tab has saved a different answer meanwhile. What you see here is not saved yet.")
        )


def attempt_finish(*, attempt: Attempt) -> Attempt:
    """Hand in an attempt; a second time changes nothing. What was saved becomes the answers."""
    now = timezone.now()
    late = time_left(attempt, now)
    with transaction.atomic():
        taken = Attempt.objects.filter(pk=attempt.pk, finished_at=None).update(
            finished_at=now, late_factor=late.factor if late.accepted else 1
        )
        if taken:
            _answer_all(attempt, now)
    return with_slots(Attempt.objects.filter(pk=attempt.pk)).get()


def _answer_all(attempt: Attempt, now: datetime) -> None:
    """Make answers of the drafts, and judge them."""
    for slot in Slot.objects.filter(attempt=attempt).select_related("revision").prefetch_related("answers__gradings"):
        asked = asked_of(attempt, slot)
        if asked.answer is not None or not slot.draft:
            continue
        answer = Answer.objects.create(slot=slot, response=slot.draft, certainty=slot.draft_certainty, given_at=now)
        grading = answer_judge(asked, answer, slot.draft)
        grading.save()
        _review(attempt, slot, answer, grading, now)


def _review(attempt: Attempt, slot: Slot, answer: Answer, grading: Grading, now: datetime) -> None:
    if grading.state != State.UNMARKED and slot.revision is not None:
        question_reviewed(attempt.participant, slot.revision.question_id, grading.score, answer.certainty, now)


def attempt_settle(attempt: Attempt) -> Attempt:
    """Hand in an attempt whose time ran out while nobody looked."""
    if attempt.finished_at is None and not time_left(attempt, timezone.now()).accepted:
        return attempt_finish(attempt=attempt)
    return attempt

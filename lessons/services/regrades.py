"""Judging stored answers by another revision of their question: first as a dry run, then for good."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from django.db import transaction

from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.audit import audit_record
from lessons.assessment.marking import Recorded, mark_question, regrade
from lessons.models import Answer, Grading, QuestionState, Regrade
from lessons.selectors.asked import newest_of, settings_of
from lessons.selectors.statistics import answered_slots
from lessons.selectors.texts import question_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from gpuschedlab.accounts.models import Participant
    from lessons.assessment.marking import Regrade as Preview
    from lessons.models import Question, QuestionRevision, Slot


def regrade_preview(question: Question, revision: QuestionRevision) -> Preview:
    """What judging all answers by `revision` would change; nothing is stored."""
    return regrade(list(_recorded(question).values()), question_text(revision))


def regrade_pending(question: Question) -> int:
    """How many answers the current revision would judge otherwise than they are judged now."""
    if question.current is None:
        return 0
    earlier = answered_slots(question).exclude(revision=question.current)
    return len(regrade_preview(question, question.current).differing) if earlier.exists() else 0


def regrade_answers(question: Question, names: Collection[str]) -> dict[str, tuple[Slot, Answer]]:
    """The answers that a preview tells of, by its names for them."""
    return {str(answer.pk): (slot, answer) for slot, answer in _answered(question) if str(answer.pk) in names}


@transaction.atomic
def regrade_apply(*, actor: Participant, question: Question, revision: QuestionRevision) -> Regrade:
    """Judge all answers by `revision`. Earlier judgements stay in the record; the newest counts."""
    participant_ensure(actor)
    recorded = _recorded(question)
    preview = regrade(list(recorded.values()), question_text(revision))
    decision = Regrade.objects.create(
        question=question, revision=revision, actor=actor, summary=dict(preview.summary())
    )
    changed = {change.attempt: change for change in preview.differing}
    answers = regrade_answers(question, changed)
    Grading.objects.bulk_create(
        _grading(decision, *answers[name], revision, change.after, change.state) for name, change in changed.items()
    )
    _update_states(question, {answers[name][0]: change.after for name, change in changed.items()})
    audit_record(
        actor=actor, action="question.regraded", subject=question.slug, number=revision.number, **preview.summary()
    )
    return decision


def _update_states(question: Question, scores: Mapping[Slot, Fraction]) -> None:
    """What is known of each learner's last answer follows; their review cards stay as they were."""
    newest: dict[object, Slot] = {}
    for slot in answered_slots(question):
        newest.setdefault(slot.attempt.participant_id, slot)
    by_slot = {slot.pk: float(score) for slot, score in scores.items()}
    for state in QuestionState.objects.filter(question=question, participant__in=list(newest)):
        score = by_slot.get(newest[state.participant_id].pk)
        if score is not None:
            state.last_score, state.best_score = score, max(score, state.best_score)
            state.save(update_fields=["last_score", "best_score"])


def _answered(question: Question) -> list[tuple[Slot, Answer]]:
    pairs = [(slot, newest_of(slot)[0]) for slot in answered_slots(question)]
    return [(slot, answer) for slot, answer in pairs if answer is not None]


def _recorded(question: Question) -> dict[str, Recorded]:
    """Every answer with its score of now, by its primary key."""
    found: dict[str, Recorded] = {}
    for slot in answered_slots(question):
        answer, grading = newest_of(slot)
        if answer is None or grading is None or slot.revision is None:
            continue
        found[str(answer.pk)] = Recorded(
            attempt=str(answer.pk),
            slot=slot.number,
            revision=question_text(slot.revision).revision,
            seed=slot.seed,
            response=answer.response,
            score=Fraction(grading.score),
            evidence=answer.evidence,
        )
    return found


def _grading(
    decision: Regrade, slot: Slot, answer: Answer, revision: QuestionRevision, score: Fraction, state: str
) -> Grading:
    assert slot.revision is not None
    variant = question_text(revision).variant(slot.seed, drawn_as=question_text(slot.revision).revision)
    settings = settings_of(slot.attempt)
    marked = mark_question(
        variant,
        answer.response,
        marks=slot.marks,
        evidence=answer.evidence,
        certainty=answer.certainty,
        uses_certainty=settings is not None and settings.certainty,
    )
    return Grading(answer=answer, regrade=decision, score=score, mark=marked.mark, state=state)

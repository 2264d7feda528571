"""Single questions: in a lesson, by themselves, in review, made by the engine. Asking one stores nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lessons.assessment.review_options import Mode
from lessons.models import Attempt, Slot
from lessons.selectors.asked import Asked, asked_of
from lessons.selectors.attempt_ids import attempt_id, seed_of
from lessons.selectors.attempts import with_slots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gpuschedlab.accounts.models import Participant
    from lessons.models import Question, QuestionRevision

Made = dict[str, Any]
"""A question the engine made: `{subject, source, situation}`."""


def attempts_at(
    *, viewer: Participant, context: str, questions: Iterable[Question] | None = None
) -> dict[int | None, list[Attempt]]:
    """The viewer's attempts in a context by question (None: made ones), oldest first."""
    if viewer.is_new:
        return {}
    mine = Attempt.objects.filter(participant_id=viewer.pk, context=context)
    if questions is not None:
        mine = mine.filter(question__in=list(questions))
    found: dict[int | None, list[Attempt]] = {}
    for attempt in with_slots(mine.order_by("started_at", "pk")):
        found.setdefault(attempt.question_id, []).append(attempt)
    return found


def question_asked(
    *,
    viewer: Participant,
    context: str,
    question: Question,
    before: Sequence[Attempt],
    turn: int | None = None,
    revision_id: int | None = None,
    mode: Mode = Mode.PRACTICE,
) -> Asked:
    """The question as the viewer meets it in a context.

    Without a `turn` whoever has answered sees the newest answer. With one, attempt number `turn` is shown if it is
    stored, else the question is asked anew. `revision_id`: what a form that comes back was made of.
    """
    stored = _stored(before, turn=turn)
    if stored is not None:
        return stored
    fresh = _unborn(viewer, context, question.slug, len(before), mode)
    fresh.question = question
    slot = Slot(attempt=fresh, number=1, revision=_revision(question, revision_id), seed=seed_of(fresh.pk))
    return Asked(fresh, slot, None, None)


def _revision(question: Question, revision_id: int | None) -> QuestionRevision | None:
    """The revision a page was made of, if it is one of the question's, else the current one."""
    if revision_id is None or revision_id == question.current_id:
        return question.current
    return question.revisions.filter(pk=revision_id).first() or question.current


def made_asked(
    *,
    viewer: Participant,
    subject: str,
    make: Callable[[int], Mapping[str, Any]],
    before: Sequence[Attempt],
    turn: int | None = None,
) -> Asked:
    """A question that the engine makes from the attempt's seed; without a `turn` one that is not answered yet."""
    stored = _stored(before, turn=turn)
    if stored is not None and not (turn is None and stored.is_final):
        return stored
    fresh = _unborn(viewer, made_context(subject), "", len(before), Mode.PRACTICE)
    seed = seed_of(fresh.pk)
    slot = Slot(attempt=fresh, number=1, made=dict(make(seed)), seed=seed)
    return Asked(fresh, slot, None, None)


def made_context(subject: str) -> str:
    return f"made:{subject}"


def turn_of(asked: Asked, before: Sequence[Attempt]) -> int:
    """Which attempt this is, from 0."""
    numbers = {attempt.pk: number for number, attempt in enumerate(before)}
    return numbers.get(asked.attempt.pk, len(before))


def _stored(before: Sequence[Attempt], *, turn: int | None) -> Asked | None:
    """The stored attempt to show instead of a new one."""
    if not before or (turn is not None and turn >= len(before)):
        return None
    return _first_slot(before[-1 if turn is None else turn])


def _first_slot(attempt: Attempt) -> Asked:
    return asked_of(attempt, attempt.slots.all()[0])


def _unborn(viewer: Participant, context: str, slug: str, turn: int, mode: Mode) -> Attempt:
    return Attempt(id=attempt_id(viewer, context, slug, turn), participant=viewer, context=context, mode=mode)

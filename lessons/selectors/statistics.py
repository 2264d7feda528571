"""What all answers together say about questions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django.db.models import Avg, Count, Prefetch, Q

from lessons.assessment.grades import State
from lessons.assessment.item_statistics import ItemAnswer, ItemStatistics, choices_of, item_statistics
from lessons.models import Answer, Grading, Question, QuestionState, Regrade, Slot
from lessons.selectors.asked import newest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

    from gpuschedlab.accounts.models import Participant
    from lessons.models import QuestionRevision

MOST_ANSWERS = 3000
UNKNOWN_REST = 0.5
"""The rest of somebody who has answered nothing else."""


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """A question in the list: how many learners answered it, and their mean last score (None without any)."""

    question: Question
    learners: int
    facility: float | None


def figures_list(viewer: Participant) -> list[QuestionFigures]:
    """The course's questions and the viewer's own, as far as they can be asked, the hardest first, those nobody
    answered last."""
    counted = QuestionState.objects.values("question").annotate(n=Count("pk"), mean=Avg("last_score"))
    by_question = {row["question"]: row for row in counted}
    questions = Question.objects.filter(current__isnull=False).select_related("current")
    questions = questions.filter(Q(from_catalogue=True) | Q(owner_id=viewer.pk))
    found = [_figures(question, by_question.get(question.pk)) for question in questions]
    return sorted(found, key=lambda one: (one.facility is None, one.facility or 0.0, one.question.slug))


def figures_of(slugs: Iterable[str]) -> dict[str, QuestionFigures]:
    """Several questions at once, by slug."""
    questions = list(Question.objects.filter(slug__in=list(slugs)).select_related("current"))
    states = QuestionState.objects.filter(question__in=questions)
    counted = {
        row["question"]: row for row in states.values("question").annotate(n=Count("pk"), mean=Avg("last_score"))
    }
    return {question.slug: _figures(question, counted.get(question.pk)) for question in questions}


def _figures(question: Question, row: Mapping[str, Any] | None) -> QuestionFigures:
    return QuestionFigures(question, int(row["n"]) if row else 0, row["mean"] if row else None)


def answered_slots(question: Question) -> QuerySet[Slot]:
    """Slots in which the question was answered, latest first, with what their figures need."""
    gradings = Grading.objects.select_related("regrade__revision")
    answers = Prefetch("answers", Answer.objects.prefetch_related(Prefetch("gradings", gradings)))
    slots = Slot.objects.filter(revision__question=question, answers__isnull=False).distinct()
    return (
        slots.select_related("attempt__participant__user", "attempt__quiz", "revision")
        .prefetch_related(answers)
        .order_by("-pk")
    )


def statistics_of(question: Question) -> ItemStatistics:
    """All figures of a question, from its latest answers."""
    slots = list(answered_slots(question)[:MOST_ANSWERS])
    rests = _rests(question, (slot.attempt.participant_id for slot in slots))
    return item_statistics(_answers(slots, rests))


def _answers(slots: Iterable[Slot], rests: dict[object, float]) -> Iterable[ItemAnswer]:
    for slot in slots:
        answer, grading = newest_of(slot)
        if answer is None or grading is None or grading.state == State.UNMARKED:
            continue
        yield ItemAnswer(
            score=float(Fraction(grading.score)),
            rest=rests.get(slot.attempt.participant_id, UNKNOWN_REST),
            choices=choices_of(answer.response),
            seconds=answer.seconds,
            certainty=answer.certainty,
        )


def _rests(question: Question, participants: Iterable[object]) -> dict[object, float]:
    """Participant -> mean last score on all other questions."""
    others = QuestionState.objects.filter(participant__in=set(participants)).exclude(question=question)
    rows = others.values_list("participant").annotate(mean=Avg("last_score"))
    return dict(rows)


def revision_list(question: Question) -> list[QuestionRevision]:
    """All revisions of a question, newest first."""
    return list(question.revisions.order_by("-number"))


def regrade_list(question: Question) -> list[Regrade]:
    """All regrades of a question, newest first."""
    return list(Regrade.objects.filter(question=question).select_related("revision", "actor__user").order_by("-pk"))

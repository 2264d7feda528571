"""How a quiz is used: attempts, people, what they reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count

from lessons.assessment.attempt_rules import counted
from lessons.models import Attempt
from lessons.selectors.attempts import score_of, with_slots
from lessons.selectors.texts import quiz_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from lessons.models import Quiz

MOST_ATTEMPTS = 2000


@dataclass(frozen=True, slots=True)
class QuizUse:
    """`shares`: for everybody who finished, the share of the marks that counts, 0 … 1."""

    attempts: int
    people: int
    finished: int
    shares: tuple[float, ...]
    passed: int | None

    @property
    def mean(self) -> float | None:
        return sum(self.shares) / len(self.shares) if self.shares else None


def quiz_use(quiz: Quiz) -> QuizUse:
    """How a quiz is used, by its latest attempts."""
    latest = Attempt.objects.filter(quiz__quiz=quiz).order_by("-started_at")[:MOST_ATTEMPTS]
    attempts = sorted(with_slots(Attempt.objects.filter(pk__in=[one.pk for one in latest]), texts=False), key=_started)
    by_person: dict[object, list[Fraction]] = {}
    for attempt in attempts:
        if attempt.finished_at is not None:
            by_person.setdefault(attempt.participant_id, []).append(score_of(attempt).share)
    revision = quiz.current or quiz.revisions.order_by("-number").first()
    settings = quiz_text(revision).settings if revision is not None else None
    shares = [counted(settings.attempts, found) for found in by_person.values()] if settings is not None else []
    told = tuple(float(share) for share in shares if share is not None)
    needed = settings.pass_percent if settings is not None else None
    return QuizUse(
        attempts=len(attempts),
        people=len({attempt.participant_id for attempt in attempts}),
        finished=sum(attempt.finished_at is not None for attempt in attempts),
        shares=told,
        passed=None if needed is None else sum(share * 100 >= needed for share in told),
    )


def _started(attempt: Attempt) -> float:
    return attempt.started_at.timestamp()


def attempt_counts(slugs: Iterable[str]) -> dict[str, int]:
    """Quiz -> how many attempts there are."""
    rows = Attempt.objects.filter(quiz__quiz__slug__in=list(slugs)).values_list("quiz__quiz__slug")
    return dict(rows.annotate(n=Count("pk")))

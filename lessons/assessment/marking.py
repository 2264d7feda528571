"""Marks: from the grade of one response to the mark of a question, of an attempt, and to a regrade that first only
shows what it would do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from lessons.assessment.certainty import certainty_share
from lessons.assessment.grades import ONE, ZERO, Grade, State
from lessons.assessment.learner_view import grade
from lessons.assessment.question import Question, Variant
from lessons.assessment.question_types.base import NO_EVIDENCE, Evidence
from lessons.assessment.responses import Response


@dataclass(frozen=True, slots=True)
class QuestionMark:
    """The grade of one response and what it earns: ``mark`` of ``maximum`` (negative only with certainty)."""

    grade: Grade
    mark: Fraction
    maximum: Fraction


@dataclass(frozen=True, slots=True)
class AttemptMark:
    """``mark`` of ``maximum``, never negative. ``unmarked``: how many questions wait for a person."""

    mark: Fraction
    maximum: Fraction
    unmarked: int

    @property
    def share(self) -> Fraction:
        """The mark as a share of the maximum, 0 … 1 (0 for an attempt without questions)."""
        return self.mark / self.maximum if self.maximum else ZERO


def mark_question(
    variant: Variant,
    response: Response,
    *,
    marks: int | Fraction = 1,
    evidence: Evidence = NO_EVIDENCE,
    certainty: int | None = None,
    uses_certainty: bool = False,
) -> QuestionMark:
    """Grade a response and give it its mark. An unanswered or unmarked question earns 0, whatever the certainty."""
    judged = grade(variant, response, evidence)
    maximum = Fraction(marks)
    share = judged.score
    if judged.state in (State.UNANSWERED, State.UNMARKED):
        share = ZERO
    elif uses_certainty:
        share = certainty_share(judged.score, certainty)
    return QuestionMark(judged, share * maximum, maximum)


def mark_attempt(marks: Iterable[QuestionMark], *, late_factor: Fraction = ONE) -> AttemptMark:
    """Add up an attempt. ``late_factor``: the share of the mark that lateness leaves."""
    given = tuple(marks)
    total = max(ZERO, sum((mark.mark for mark in given), ZERO))
    maximum = sum((mark.maximum for mark in given), ZERO)
    waiting = sum(mark.grade.state is State.UNMARKED for mark in given)
    return AttemptMark(total * late_factor, maximum, waiting)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One stored answer: to which revision and seed it was given, and the score it got.

    ``attempt``: the caller's reference.
    """

    attempt: str
    slot: int
    revision: str
    seed: int
    response: Response
    score: Fraction
    evidence: Evidence = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """What a regrade does to one answer."""

    attempt: str
    slot: int
    before: Fraction
    after: Fraction
    state: State

    @property
    def differs(self) -> bool:
        """True if the score changes."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Regrade:
    """All changes of a regrade, as a dry run: nothing is stored until the caller does so."""

    changes: tuple[Change, ...]

    @property
    def differing(self) -> tuple[Change, ...]:
        """Those that change a score."""
        return tuple(change for change in self.changes if change.differs)

    def summary(self) -> Mapping[str, int]:
        """How many answers go ``up``, ``down``, stay the ``same``."""
        up = sum(change.after > change.before for change in self.changes)
        down = sum(change.after < change.before for change in self.changes)
        return {"up": up, "down": down, "same": len(self.changes) - up - down}


def regrade(recorded: Sequence[Recorded], question: Question) -> Regrade:
    """Grade stored answers by another revision of their question.

    Each answer meets the numbers it was given to (the old draw is repeated); options that are gone count as wrong.
    """
    variants: dict[tuple[str, int], Variant] = {}
    changes: list[Change] = []
    for answer in recorded:
        key = (answer.revision, answer.seed)
        if key not in variants:
            variants[key] = question.variant(answer.seed, drawn_as=answer.revision)
        judged = grade(variants[key], answer.response, answer.evidence)
        changes.append(Change(answer.attempt, answer.slot, answer.score, judged.score, judged.state))
    return Regrade(tuple(changes))

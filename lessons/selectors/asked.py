"""One question as one learner meets it: what is asked, what was answered, how it was judged, what may be shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lessons.assessment.grades import Grade, State
from lessons.assessment.learner_view import grade
from lessons.assessment.review_options import DEFAULTS, Aspect, Mode, ReviewOptions, moment_of
from lessons.selectors.attempt_ids import tokens_of
from lessons.selectors.texts import question_text, quiz_text, slot_text, slot_variant

if TYPE_CHECKING:
    from collections.abc import Set
    from fractions import Fraction

    from lessons.assessment.question import Question as QuestionText
    from lessons.assessment.question import Variant
    from lessons.assessment.quizzes import QuizSettings
    from lessons.assessment.responses import Response
    from lessons.assessment.tokens import Tokens
    from lessons.models import Answer, Attempt, Grading, Slot


@dataclass(frozen=True)
class Asked:
    """A slot with its attempt, stored or not yet, and the answer given last (None without one)."""

    attempt: Attempt
    slot: Slot
    answer: Answer | None
    grading: Grading | None

    @cached_property
    def text(self) -> QuestionText:
        return slot_text(self.slot)

    @cached_property
    def variant(self) -> Variant:
        return slot_variant(self.slot)

    @cached_property
    def tokens(self) -> Tokens:
        return tokens_of(self.attempt.pk, self.slot.number)

    @property
    def situation(self) -> dict[str, Any] | None:
        revision = self.slot.revision
        found: dict[str, Any] | None = (
            revision.situation if revision is not None else (self.slot.made or {}).get("situation")
        )
        return found

    @property
    def response(self) -> Response:
        """What was answered, or saved so far."""
        if self.answer is not None:
            return dict(self.answer.response)
        return dict(self.slot.draft or {})

    @property
    def certainty(self) -> int | None:
        return self.answer.certainty if self.answer is not None else self.slot.draft_certainty

    @property
    def is_open(self) -> bool:
        """Whether an answer is still taken."""
        return self.answer is None and self.attempt.finished_at is None

    @property
    def is_final(self) -> bool:
        """Whether nothing more can be answered here."""
        return self.grading is not None and self.grading.state != State.UNMARKED

    @cached_property
    def judged(self) -> Grade | None:
        """The judgement with its parts, by the revision that counts; None while an answer is still taken."""
        if self.is_open:
            return None
        if self.answer is None or self.grading is None:
            return grade(self.variant, {})
        variant = self.variant
        if self.grading.regrade is not None:
            newer = question_text(self.grading.regrade.revision)
            variant = newer.variant(self.slot.seed, drawn_as=self.text.revision)
        return grade(variant, self.response, self.answer.evidence)

    @property
    def share(self) -> Fraction | None:
        """The mark as a share of the question's maximum."""
        return None if self.grading is None else self.grading.mark / self.slot.marks

    @property
    def shown(self) -> Set[Aspect]:
        """What the review options show at this moment."""
        return shown_of(self.attempt, answered=self.answer is not None)


def newest_of(slot: Slot) -> tuple[Answer | None, Grading | None]:
    """The answer and the grading that count; both were fetched with the slot."""
    answers = list(slot.answers.all())
    if not answers:
        return None, None
    gradings = list(answers[-1].gradings.all())
    return answers[-1], gradings[-1] if gradings else None


def asked_of(attempt: Attempt, slot: Slot) -> Asked:
    """A stored slot as it is asked."""
    return Asked(attempt, slot, *newest_of(slot))


def settings_of(attempt: Attempt) -> QuizSettings | None:
    """The settings of the quiz; None for a single question."""
    return quiz_text(attempt.quiz).settings if attempt.quiz is not None else None


def options_of(attempt: Attempt) -> ReviewOptions:
    """The review options: the quiz's own, or those of the mode where the learner chose another mode."""
    settings, mode = settings_of(attempt), Mode(attempt.mode)
    return settings.review if settings is not None and settings.mode is mode else DEFAULTS[mode]


def shown_of(attempt: Attempt, *, answered: bool) -> Set[Aspect]:
    """What may be shown. A quiz without an end is over for a learner as soon as the attempt is."""
    finished = attempt.finished_at is not None
    moment = moment_of(Mode(attempt.mode), answered=answered, finished=finished, closed=finished)
    return options_of(attempt).at(moment)

"""What a learner may see of an answered question, and when: the review-options matrix.

Moments: ``during`` (the answer is not final, or feedback is deferred), ``after`` (it is final, the quiz is still open
to others), ``closed`` (the quiz is over). Aspects: ``response`` what was answered; ``correctness`` right or wrong,
per part; ``marks`` the score; ``feedback`` what the author says about what was answered; ``key`` the answer, the
explanation and feedback on what was left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from lessons.assessment.reading import Node


class Moment(StrEnum):
    """When the learner looks."""

    DURING = "during"
    AFTER = "after"
    CLOSED = "closed"


class Aspect(StrEnum):
    """What can be shown."""

    RESPONSE = "response"
    CORRECTNESS = "correctness"
    MARKS = "marks"
    FEEDBACK = "feedback"
    KEY = "key"


class Mode(StrEnum):
    """How a quiz is taken.

    ``practice``: feedback after each question. ``test``: feedback deferred. ``review``: spaced repetition.
    """

    PRACTICE = "practice"
    TEST = "test"
    REVIEW = "review"


EVERYTHING: Final = frozenset(Aspect)
OWN_ONLY: Final = frozenset({Aspect.RESPONSE})


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """The matrix: for each moment the aspects that are shown."""

    shown: Mapping[Moment, frozenset[Aspect]]

    def at(self, moment: Moment) -> frozenset[Aspect]:
        """What is shown at a moment."""
        return self.shown.get(moment, frozenset())

    def as_mapping(self) -> dict[str, list[str]]:
        """For forms and storage; what ``read_review_options`` reads."""
        return {moment: [aspect for aspect in Aspect if aspect in self.at(moment)] for moment in Moment}


DEFAULTS: Final[Mapping[Mode, ReviewOptions]] = MappingProxyType(
    {
        Mode.PRACTICE: ReviewOptions({Moment.DURING: OWN_ONLY, Moment.AFTER: EVERYTHING, Moment.CLOSED: EVERYTHING}),
        Mode.TEST: ReviewOptions(
            {Moment.DURING: OWN_ONLY, Moment.AFTER: OWN_ONLY | {Aspect.MARKS}, Moment.CLOSED: EVERYTHING}
        ),
        Mode.REVIEW: ReviewOptions({Moment.DURING: OWN_ONLY, Moment.AFTER: EVERYTHING, Moment.CLOSED: EVERYTHING}),
    }
)


def moment_of(mode: Mode, *, answered: bool, finished: bool, closed: bool) -> Moment:
    """The moment for one question of one attempt.

    ``answered``: the learner has handed in this question for good; ``finished``: the whole attempt; ``closed``: the
    quiz is over. In a test only the finished attempt counts.
    """
    final = finished if mode is Mode.TEST else finished or answered
    if not final:
        return Moment.DURING
    return Moment.CLOSED if closed else Moment.AFTER


def read_review_options(node: Node) -> ReviewOptions:
    """Read ``{during: [aspects], after: […], closed: […]}``; a moment left out shows nothing."""
    fields = node.fields(optional=tuple(Moment))
    return ReviewOptions(
        {
            moment: frozenset(
                Aspect(entry.one_of(tuple(Aspect))) for entry in fields.children(moment, limit=len(Aspect))
            )
            for moment in Moment
        }
    )

"""The outcome of grading one response: an exact score, and what each part of the response was worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from lessons.assessment.localized import Text

ZERO = Fraction(0)
ONE = Fraction(1)


class Verdict(StrEnum):
    """How one part of a response was judged."""

    RIGHT = "right"
    PARTIAL = "partial"
    WRONG = "wrong"
    MISSED = "missed"
    """Belongs to the answer and was left out."""
    AVOIDED = "avoided"
    """Does not belong to the answer and was left out."""
    UNMARKED = "unmarked"


class State(StrEnum):
    """How the response as a whole was judged."""

    RIGHT = "right"
    PARTIAL = "partial"
    WRONG = "wrong"
    UNANSWERED = "unanswered"
    UNMARKED = "unmarked"
    """A person has to mark it (an open answer before self-marking)."""


@dataclass(frozen=True, slots=True)
class Part:
    """One option, item, blank, cell or goal.

    ``kind`` and ``name`` say which (the page sees their token). ``score`` is the credit of this part alone, 0 … 1, or
    None where the part has none of its own. ``feedback`` is what to tell the learner about it; with
    ``tells_key`` it explains the answer, and who may not see the key yet gets it only for what is right.
    """

    kind: str
    name: str
    verdict: Verdict
    score: Fraction | None = None
    feedback: Text | None = None
    tells_key: bool = False

    @property
    def of_response(self) -> bool:
        """True if the learner did this; False if the part only shows what was left out (that would tell the key)."""
        return self.verdict not in (Verdict.MISSED, Verdict.AVOIDED)


@dataclass(frozen=True, slots=True)
class Grade:
    """``score`` in 0 … 1 (exact), the state it amounts to, the parts, and feedback on the response as a whole."""

    score: Fraction
    state: State
    parts: tuple[Part, ...] = ()
    feedback: tuple[Text, ...] = ()


def graded(score: Fraction, parts: Iterable[Part] = (), feedback: Iterable[Text] = ()) -> Grade:
    """A grade whose state follows from its score."""
    bounded = min(ONE, max(ZERO, score))
    state = State.RIGHT if bounded == ONE else State.WRONG if bounded == ZERO else State.PARTIAL
    return Grade(bounded, state, tuple(parts), tuple(feedback))


def unanswered(parts: Iterable[Part] = ()) -> Grade:
    """No response: no score."""
    return Grade(ZERO, State.UNANSWERED, tuple(parts))


def verdict_of(score: Fraction) -> Verdict:
    """The verdict on a part whose credit is ``score``."""
    return Verdict.RIGHT if score == ONE else Verdict.WRONG if score == ZERO else Verdict.PARTIAL


def verdict_on_choice(*, chosen: bool, right: bool) -> Verdict:
    """The verdict on a thing that could be chosen or left out."""
    if chosen:
        return Verdict.RIGHT if right else Verdict.WRONG
    return Verdict.MISSED if right else Verdict.AVOIDED


def right_minus_wrong(chosen: frozenset[str], right: frozenset[str], universe: frozenset[str]) -> Fraction:
    """Share of the right ones chosen minus share of the wrong ones chosen, at least 0.

    Choosing everything or nothing gives 0, choosing at random gives 0 on average. An empty ``right`` is matched only
    by an empty ``chosen``. Names outside ``universe`` (left over from an older revision) count as wrong choices.
    """
    wrong = universe - right
    if not right:
        return ZERO if chosen else ONE
    gained = Fraction(len(chosen & right), len(right))
    strays = len(chosen - right)
    lost = Fraction(strays, max(len(wrong), 1))
    return max(ZERO, gained - lost)

"""What the answers of many say about one question. Everything is defined for no answers, one answer, and ties.

Definitions (classical test theory): *facility* = mean score. *Discrimination* = mean score of the upper 27 % minus
that of the lower 27 %, by the rest of the attempt (all other questions); ties at a cut share the places that are left
in equal parts, so the order of the input never matters. *Point-biserial* = correlation of score and rest. A figure
that cannot be computed is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import median
from typing import Final

from lessons.assessment.certainty import LEVELS
from lessons.assessment.responses import Response, pairs, word, words

GROUP_SHARE: Final = 0.27
UNANSWERED: Final = ""
"""The choice of those who left the question blank."""


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """One finished answer. ``score``: 0 … 1. ``rest``: the share of marks on the attempt's other questions, 0 … 1.

    ``choices``: what was chosen, by ``choices_of``. ``seconds``: time on the question, or None if unknown.
    """

    score: float
    rest: float
    choices: tuple[str, ...] = ()
    seconds: float | None = None
    certainty: int | None = None


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """One choice: how many took it, their share, the mean rest of those who did, and the counts by thirds of the
    rest.
    """

    choice: str
    count: int
    share: float
    mean_rest: float
    lower: float
    middle: float
    upper: float


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """One level of certainty: how many said it, how many of those were right on average, and what would be honest."""

    certainty: int
    count: int
    mean_score: float
    honest_from: float
    honest_to: float

    @property
    def verdict(self) -> str:
        """``overconfident``, ``underconfident`` or ``calibrated``."""
        if self.mean_score < self.honest_from:
            return "overconfident"
        return "underconfident" if self.mean_score > self.honest_to else "calibrated"


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """All figures of one question."""

    count: int
    facility: float | None
    discrimination: float | None
    point_biserial: float | None
    median_seconds: float | None
    choices: tuple[ChoiceRow, ...]
    calibration: tuple[CalibrationRow, ...]


def item_statistics(answers: Iterable[ItemAnswer]) -> ItemStatistics:
    """Compute all figures."""
    given = tuple(answers)
    times = [answer.seconds for answer in given if answer.seconds is not None]
    return ItemStatistics(
        count=len(given),
        facility=_mean([answer.score for answer in given]),
        discrimination=discrimination(given),
        point_biserial=point_biserial(given),
        median_seconds=median(times) if times else None,
        choices=_choice_table(given),
        calibration=_calibration(given),
    )


def discrimination(answers: Sequence[ItemAnswer]) -> float | None:
    """Upper group's mean score minus lower group's: -1 … 1; None for fewer than two answers."""
    if len(answers) < 2:
        return None
    size = min(max(1.0, GROUP_SHARE * len(answers)), len(answers) / 2)
    lower = _extreme_mean(answers, size, lambda answer: answer.rest)
    upper = _extreme_mean(answers, size, lambda answer: -answer.rest)
    return upper - lower


def _extreme_mean(answers: Sequence[ItemAnswer], size: float, rank: Callable[[ItemAnswer], float]) -> float:
    """Mean score of the ``size`` answers of lowest rank; a tie that crosses the border enters in part."""
    left, total = size, 0.0
    for level in sorted({rank(answer) for answer in answers}):
        tied = [answer.score for answer in answers if rank(answer) == level]
        part = min(1.0, left / len(tied))
        total += part * fsum(tied)
        left -= part * len(tied)
        if left <= 0:
            break
    return total / size


def point_biserial(answers: Sequence[ItemAnswer]) -> float | None:
    """Correlation of score and rest: -1 … 1; None if either does not vary."""
    score_mean, rest_mean = _mean([a.score for a in answers]), _mean([a.rest for a in answers])
    if score_mean is None or rest_mean is None:
        return None
    score_spread = fsum((a.score - score_mean) ** 2 for a in answers)
    rest_spread = fsum((a.rest - rest_mean) ** 2 for a in answers)
    if min(score_spread, rest_spread) < 1e-12:
        return None
    common = fsum((a.score - score_mean) * (a.rest - rest_mean) for a in answers)
    return max(-1.0, min(1.0, common / sqrt(score_spread * rest_spread)))


def _choice_table(answers: Sequence[ItemAnswer]) -> tuple[ChoiceRow, ...]:
    """One row for each choice that was taken; most taken first."""
    takers: dict[str, list[ItemAnswer]] = {}
    for answer in answers:
        for choice in dict.fromkeys(answer.choices):
            takers.setdefault(choice, []).append(answer)
    rests = sorted(answer.rest for answer in answers)
    rows = [_choice_row(choice, taken, rests) for choice, taken in takers.items()]
    return tuple(sorted(rows, key=lambda row: (-row.count, row.choice)))


def _choice_row(choice: str, taken: Sequence[ItemAnswer], rests: Sequence[float]) -> ChoiceRow:
    thirds = [_third_shares(answer.rest, rests) for answer in taken]
    lower, middle, upper = (fsum(shares[third] for shares in thirds) for third in range(3))
    mean_rest = fsum(answer.rest for answer in taken) / len(taken)
    return ChoiceRow(choice, len(taken), len(taken) / len(rests), mean_rest, lower, middle, upper)


def _third_shares(rest: float, rests: Sequence[float]) -> tuple[float, float, float]:
    """How an answer is divided among the thirds: the places of its tie, cut at one and two thirds of all."""
    first = sum(other < rest for other in rests)
    last = first + sum(other == rest for other in rests)
    cuts = (0.0, len(rests) / 3, 2 * len(rests) / 3, float(len(rests)))
    low, middle, high = (
        max(0.0, min(last, cuts[third + 1]) - max(first, cuts[third])) / (last - first) for third in range(3)
    )
    return low, middle, high


def _calibration(answers: Sequence[ItemAnswer]) -> tuple[CalibrationRow, ...]:
    rows: list[CalibrationRow] = []
    for name, level in LEVELS.items():
        scores = [answer.score for answer in answers if answer.certainty == name]
        mean = _mean(scores)
        if mean is not None:
            rows.append(CalibrationRow(name, len(scores), mean, float(level.honest[0]), float(level.honest[1])))
    return tuple(rows)


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def choices_of(response: Response) -> tuple[str, ...]:
    """What a stored response chose, for the table of choices: ids, ``item=value`` pairs, or the text as written."""
    if not response:
        return (UNANSWERED,)
    single = [word(response, key) for key in ("choice", "node", "value") if word(response, key)]
    several = [name for key in ("choices", "names") for name in words(response, key)]
    given = [f"{left}={right}" for key in ("pairs", "blanks", "cells") for left, right in pairs(response, key).items()]
    order = " > ".join(words(response, "order"))
    none = ["(none)"] if response.get("none") is True else []
    return tuple(filter(None, (*single, *several, *given, order, *none)))

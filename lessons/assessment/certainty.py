"""Certainty-based marking: the learner says how sure he or she is, and it pays to say the truth.

| certainty | if right | if wrong | pays best when the chance of being right is |
|---|---|---|---|
| 1 (not sure) | 1 | 0 | below 2/3 |
| 2 (fairly sure) | 2 | -2 | 2/3 to 4/5 |
| 3 (very sure) | 3 | -6 | above 4/5 |

The table is the one of Gardner-Medwin (University College London), also used by Moodle. A partly right answer is
worth the value in between: ``wrong + score * (right - wrong)``. Marks are these points divided by 3, so a sure and
right answer earns the full mark; a question can cost up to twice its mark, a whole attempt never less than 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """One row of the table. ``honest``: from which to which chance of being right the level pays best."""

    right: int
    wrong: int
    honest: tuple[Fraction, Fraction]


LEVELS: Final = {
    1: Level(1, 0, (Fraction(0), Fraction(2, 3))),
    2: Level(2, -2, (Fraction(2, 3), Fraction(4, 5))),
    3: Level(3, -6, (Fraction(4, 5), Fraction(1))),
}
FULL: Final = 3
UNSAID: Final = 1
"""The certainty of someone who did not say."""


def certainty_share(score: Fraction, certainty: int | None) -> Fraction:
    """The share of the question's mark: -2 … 1. ``score``: 0 … 1. ``certainty``: 1, 2, 3, or None for unsaid."""
    level = LEVELS.get(certainty or UNSAID, LEVELS[UNSAID])
    return (level.wrong + score * (level.right - level.wrong)) / FULL

"""The report of an import or export: what was skipped, dropped or changed, and where."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lessons.assessment.problems import Problem


class Effect(StrEnum):
    """``skipped``: a whole question is missing.

    ``dropped``: a detail is missing. ``changed``: it is there in another form.
    """

    SKIPPED = "skipped"
    DROPPED = "dropped"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Note:
    """One entry.

    ``line``: in the file, from 1 (0 for an export). ``question``: its id or name, or the beginning of its text.
    """

    effect: Effect
    problem: Problem
    line: int
    question: str

    def as_mapping(self) -> dict[str, object]:
        """For JSON and templates."""
        return {
            "effect": self.effect.value,
            "line": self.line,
            "question": self.question,
            **self.problem.as_mapping(),
        }

"""A scenario's goals as a checklist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.models.scenario import localized
from simulator.presenters.sentences.goals import GoalView, present_goal
from simulator.selectors.moments import Moment


@dataclass(frozen=True, slots=True)
class GoalLine:
    """`title` is the author's wording, "" where the statement made from the goal itself has to do."""

    title: str
    view: GoalView

    @property
    def text(self) -> str:
        return self.title or self.view.statement.text


def goals_of(moment: Moment) -> tuple[GoalLine, ...]:
    """Every goal with how far it is at this moment."""
    written = moment.lab.revision.spec.get("goals") or ()
    return tuple(
        GoalLine(localized(item.get("title")), present_goal(goal, progress))
        for item, goal, progress in zip(written, moment.goals, moment.progress, strict=True)
    )


def reached(lines: Sequence[GoalLine]) -> int:
    return sum(line.view.is_met for line in lines)

"""Build it: bring a lab into a state that meets goals. The lab checks the goals; grading gets the verdicts as evidence.

Evidence: ``{"goals": {id: true | false}}``. Score: share of the goals' weight that is met.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from lessons.assessment.digest import plain
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered
from lessons.assessment.localized import Text
from lessons.assessment.problems import Invalid
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.reading import NAME, Fields, Node, unique
from lessons.assessment.responses import Response, word
from lessons.assessment.tokens import Tokens

MAX_REFERENCE: Final = 100


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal: its text for learners, and the checkable statement (plain values, read by the lab)."""

    id: str
    text: Text
    statement: Mapping[str, Any]
    weight: int
    feedback: Text | None


@dataclass(frozen=True, slots=True)
class BuildItContent:
    """The goals."""

    goals: tuple[Goal, ...]


class BuildIt(QuestionType[BuildItContent]):
    """Form fields ``lab`` and ``at``: which lab, and after which command. Response ``{"lab": id, "at": text}``."""

    name = "build-it"
    required = ("goals",)

    def read(self, fields: Fields) -> BuildItContent:
        """``goals``: ``{id?, text, goal: {…}, weight?, feedback?}``."""
        nodes = fields.children("goals", minimum=1, limit=12)
        goals = tuple(_read_goal(node, f"g{index + 1}") for index, node in enumerate(nodes))
        unique(zip((goal.id for goal in goals), nodes, strict=True))
        return BuildItContent(goals)

    def view(self, content: BuildItContent, tokens: Tokens) -> View:
        """``goals``: token and text. The statements stay on the server."""
        return {"goals": [{"token": tokens.of("goal", g.id), "text": g.text.as_mapping()} for g in content.goals]}

    def parse(self, content: BuildItContent, form: FormReader, earlier: Response) -> Response:
        """The lab handed in, and its place."""
        del content, earlier
        lab, at = form.text("lab", limit=MAX_REFERENCE), form.text("at", limit=MAX_REFERENCE)
        if not lab:
            return {}
        return {"lab": lab, "at": at} if at else {"lab": lab}

    def form_of(self, content: BuildItContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The lab and its place."""
        del content, tokens
        return {key: [word(response, key)] for key in ("lab", "at") if word(response, key)}

    def grade(self, content: BuildItContent, response: Response, evidence: Evidence) -> Grade:
        """Share of the weight of the goals that the evidence says are met."""
        verdicts = evidence.get("goals")
        met = verdicts if isinstance(verdicts, Mapping) else {}
        parts = tuple(_part(goal, met.get(goal.id) is True) for goal in content.goals)
        if not word(response, "lab"):
            return unanswered(parts)
        reached = sum(goal.weight for goal in content.goals if met.get(goal.id) is True)
        return graded(Fraction(reached, sum(goal.weight for goal in content.goals)), parts)

    def best(self, content: BuildItContent) -> Response:
        """There is no such response without a lab: an empty one."""
        del content
        return {}

    def full_evidence(self, content: BuildItContent) -> Evidence:
        """The evidence of a lab that meets every goal."""
        return {"goals": {goal.id: True for goal in content.goals}}


def _read_goal(node: Node, default: str) -> Goal:
    fields = node.fields(required=("text", "goal"), optional=("id", "weight", "feedback"))
    name, weight = fields.get("id"), fields.get("weight")
    return Goal(
        id=name.named(NAME) if name else default,
        text=fields["text"].text(),
        statement=_statement(fields["goal"]),
        weight=weight.integer(minimum=1, maximum=10) if weight else 1,
        feedback=fields.text("feedback"),
    )


def _statement(node: Node) -> Mapping[str, Any]:
    try:
        value = plain(node.value, node.path)
    except Invalid as invalid:
        node.problems.found.extend(invalid.problems)
        return {}
    if not isinstance(value, dict) or not value:
        node.fail("value.not_mapping", found=type(node.value).__name__)
        return {}
    return value


def _part(goal: Goal, met: bool) -> Part:
    return Part("goal", goal.id, Verdict.RIGHT if met else Verdict.WRONG, ONE if met else ZERO, goal.feedback)

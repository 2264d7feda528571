"""Matching: find the partner of each left side.

Right sides may be shared by several left sides, and some may fit none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lessons.assessment.dice import Dice
from lessons.assessment.digest import revision_of
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade
from lessons.assessment.localized import Text
from lessons.assessment.question_types.assigning import (
    Target,
    Value,
    assignment_form,
    best_assignment,
    grade_assignment,
    parse_assignment,
    target_views,
    value_views,
)
from lessons.assessment.question_types.base import Evidence, QuestionType, View
from lessons.assessment.reading import NAME, Fields, Node, unique
from lessons.assessment.responses import Response
from lessons.assessment.tokens import Tokens

MAX_PAIRS = 20


@dataclass(frozen=True, slots=True)
class MatchingContent:
    """Left sides and right sides in the order shown."""

    lefts: tuple[Target, ...]
    rights: tuple[Value, ...]


class Matching(QuestionType[MatchingContent]):
    """Form fields ``to.<left token>``: the token of a right side."""

    name = "matching"
    required = ("pairs",)
    optional = ("distractors",)

    def read(self, fields: Fields) -> MatchingContent:
        """Pairs ``{id?, left, right, feedback?}``, equal right texts being one; distractors: more right texts."""
        nodes = fields.children("pairs", minimum=2, limit=MAX_PAIRS)
        rights: dict[str, Text] = {}
        lefts = tuple(_read_pair(node, f"p{index + 1}", rights) for index, node in enumerate(nodes))
        unique(zip((left.id for left in lefts), nodes, strict=True))
        for node in fields.children("distractors", limit=MAX_PAIRS):
            text = node.text()
            if _right_id(text) in rights:
                node.fail("value.repeated", found=text.in_language("en"))
            rights[_right_id(text)] = text
        return MatchingContent(lefts, tuple(Value(name, rights[name]) for name in sorted(rights)))

    def shuffled(self, content: MatchingContent, dice: Dice) -> MatchingContent:
        """Both sides in random order."""
        return replace(content, lefts=dice.shuffled(content.lefts), rights=dice.shuffled(content.rights))

    def view(self, content: MatchingContent, tokens: Tokens) -> View:
        """``targets``: the left sides with their form fields. ``values``: the right sides."""
        return {"targets": target_views(content.lefts, tokens), "values": value_views(content.rights, tokens)}

    def parse(self, content: MatchingContent, form: FormReader, earlier: Response) -> Response:
        """A right side for each left side; some may be left open."""
        del earlier
        return parse_assignment(content.lefts, content.rights, form)

    def form_of(self, content: MatchingContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen right sides."""
        return assignment_form(content.lefts, content.rights, response, tokens)

    def grade(self, content: MatchingContent, response: Response, evidence: Evidence) -> Grade:
        """Share of left sides with their partner."""
        del evidence
        return grade_assignment(content.lefts, response)

    def best(self, content: MatchingContent) -> Response:
        """All partners."""
        return best_assignment(content.lefts)


def _read_pair(node: Node, default: str, rights: dict[str, Text]) -> Target:
    fields = node.fields(required=("left", "right"), optional=("id", "feedback"))
    name, text = fields.get("id"), fields["right"].text()
    right = _right_id(text)
    rights[right] = text
    return Target(name.named(NAME) if name else default, fields["left"].text(), (right,), fields.text("feedback"))


def _right_id(text: Text) -> str:
    """A right side is known by what it says, so that a regrade after a corrected pair still knows what was chosen."""
    return revision_of(text.as_mapping())[:16]

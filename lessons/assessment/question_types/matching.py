"""Matching: find the partner of each left side.

Right sides may be shared by several left sides, and some may fit none.
"""

from __future__ import annotations

from dataclasses import replace

from lessons.assessment.dice import Dice
from lessons.assessment.digest import revision_of
from lessons.assessment.localized import Text
from lessons.assessment.question_types.assigning import AssigningType, Assignment, Target, Value
from lessons.assessment.reading import NAME, Fields, Node, unique

MAX_PAIRS = 20


class Matching(AssigningType[Assignment]):
    """Form fields ``to.<left token>``: the token of a right side."""

    name = "matching"
    required = ("pairs",)
    optional = ("distractors",)

    def read(self, fields: Fields) -> Assignment:
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
        return Assignment(lefts, tuple(Value(name, rights[name]) for name in sorted(rights)))

    def shuffled(self, content: Assignment, dice: Dice) -> Assignment:
        """Both sides in random order."""
        return replace(content, targets=dice.shuffled(content.targets), values=dice.shuffled(content.values))


def _read_pair(node: Node, default: str, rights: dict[str, Text]) -> Target:
    fields = node.fields(required=("left", "right"), optional=("id", "feedback"))
    name, text = fields.get("id"), fields["right"].text()
    right = _right_id(text)
    rights[right] = text
    return Target(name.named(NAME) if name else default, fields["left"].text(), (right,), fields.text("feedback"))


def _right_id(text: Text) -> str:
    """A right side is known by what it says, so that a regrade after a corrected pair still knows what was chosen."""
    return revision_of(text.as_mapping())[:16]

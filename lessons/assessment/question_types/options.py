"""Options to choose from: shared by choice and multiple."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lessons.assessment.dice import Dice
from lessons.assessment.grades import ONE, ZERO
from lessons.assessment.localized import Text
from lessons.assessment.reading import NAME, Fields, Node, unique
from lessons.assessment.tokens import Tokens

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_OPTIONS = len(LETTERS)


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    ``weight``: the credit of choosing it, -1 … 1. ``pinned`` ones keep their place at the end ("none of these").
    """

    id: str
    text: Text
    correct: bool
    weight: Fraction
    feedback: Text | None
    pinned: bool


def read_options(fields: Fields, *, minimum: int) -> tuple[Option, ...]:
    """Read ``options``: each ``{id?, text, correct?, weight?, feedback?, pinned?}``; without ids they are a, b, c, …"""
    nodes = fields.children("options", minimum=minimum, limit=MAX_OPTIONS)
    options = [_read_option(node, LETTERS[index]) for index, node in enumerate(nodes)]
    unique(zip((option.id for option in options), nodes, strict=True))
    return tuple(options)


def _read_option(node: Node, letter: str) -> Option:
    fields = node.fields(required=("text",), optional=("id", "correct", "weight", "feedback", "pinned"))
    name, weight = fields.get("id"), fields.get("weight")
    correct = fields.flag("correct", default=False)
    return Option(
        id=name.named(NAME) if name else letter,
        text=fields["text"].text(),
        correct=correct,
        weight=weight.number(minimum=-1, maximum=1) if weight else (ONE if correct else ZERO),
        feedback=fields.text("feedback"),
        pinned=fields.flag("pinned", default=False),
    )


def shuffled_options(options: Sequence[Option], dice: Dice) -> tuple[Option, ...]:
    """The options in random order, the pinned ones at the end as written."""
    return (*dice.shuffled([o for o in options if not o.pinned]), *(o for o in options if o.pinned))


def option_views(options: Iterable[Option], tokens: Tokens) -> list[dict[str, Any]]:
    """``[{token, text}]`` in order."""
    return [{"token": tokens.of("option", option.id), "text": option.text.as_mapping()} for option in options]

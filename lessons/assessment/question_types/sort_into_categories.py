"""Sort into categories: put each item into the category it belongs to. A category may stay empty."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from lessons.assessment.dice import Dice
from lessons.assessment.question_types.assigning import AssigningType, Assignment, Target, Value
from lessons.assessment.reading import NAME, Fields, Node, reference, unique

MAX_CATEGORIES = 8
MAX_SORTED = 24


class SortIntoCategories(AssigningType[Assignment]):
    """Form fields ``to.<item token>``: the token of a category.

    Categories keep the author's order: they often have a natural one.
    """

    name = "sort-into-categories"
    required = ("categories", "items")

    def read(self, fields: Fields) -> Assignment:
        """``categories``: ``{id, text}``. ``items``: ``{id?, text, category, feedback?}``."""
        nodes = fields.children("categories", minimum=2, limit=MAX_CATEGORIES)
        categories = tuple(read_value(node) for node in nodes)
        unique(zip((category.id for category in categories), nodes, strict=True))
        known = [category.id for category in categories]
        nodes = fields.children("items", minimum=2, limit=MAX_SORTED)
        items = tuple(_read_item(node, f"i{index + 1}", known) for index, node in enumerate(nodes))
        unique(zip((item.id for item in items), nodes, strict=True))
        return Assignment(items, categories)

    def shuffled(self, content: Assignment, dice: Dice) -> Assignment:
        """Items in random order."""
        return replace(content, targets=dice.shuffled(content.targets))


def read_value(node: Node) -> Value:
    """Read ``{id, text}``."""
    fields = node.fields(required=("id", "text"))
    return Value(fields["id"].named(NAME), fields["text"].text())


def _read_item(node: Node, default: str, categories: Collection[str]) -> Target:
    fields = node.fields(required=("text", "category"), optional=("id", "feedback"))
    name = fields.get("id")
    category = reference(fields["category"], categories)
    return Target(name.named(NAME) if name else default, fields["text"].text(), (category,), fields.text("feedback"))

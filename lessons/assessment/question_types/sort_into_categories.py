"""Sort into categories: put each item into the category it belongs to. A category may stay empty."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from lessons.assessment.dice import Dice
from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade
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
from lessons.assessment.reading import NAME, Fields, Node, reference, unique
from lessons.assessment.responses import Response
from lessons.assessment.tokens import Tokens

MAX_CATEGORIES = 8
MAX_SORTED = 24


@dataclass(frozen=True, slots=True)
class SortingContent:
    """Items in the order shown; categories in the author's order (they often have a natural one)."""

    items: tuple[Target, ...]
    categories: tuple[Value, ...]


class SortIntoCategories(QuestionType[SortingContent]):
    """Form fields ``to.<item token>``: the token of a category."""

    name = "sort-into-categories"
    required = ("categories", "items")

    def read(self, fields: Fields) -> SortingContent:
        """``categories``: ``{id, text}``. ``items``: ``{id?, text, category, feedback?}``."""
        nodes = fields.children("categories", minimum=2, limit=MAX_CATEGORIES)
        categories = tuple(read_value(node) for node in nodes)
        unique(zip((category.id for category in categories), nodes, strict=True))
        known = [category.id for category in categories]
        nodes = fields.children("items", minimum=2, limit=MAX_SORTED)
        items = tuple(_read_item(node, f"i{index + 1}", known) for index, node in enumerate(nodes))
        unique(zip((item.id for item in items), nodes, strict=True))
        return SortingContent(items, categories)

    def shuffled(self, content: SortingContent, dice: Dice) -> SortingContent:
        """Items in random order."""
        return replace(content, items=dice.shuffled(content.items))

    def view(self, content: SortingContent, tokens: Tokens) -> View:
        """``targets``: the items with their form fields. ``values``: the categories."""
        return {"targets": target_views(content.items, tokens), "values": value_views(content.categories, tokens)}

    def parse(self, content: SortingContent, form: FormReader, earlier: Response) -> Response:
        """A category for each item; some may be left open."""
        del earlier
        return parse_assignment(content.items, content.categories, form)

    def form_of(self, content: SortingContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen categories."""
        return assignment_form(content.items, content.categories, response, tokens)

    def grade(self, content: SortingContent, response: Response, evidence: Evidence) -> Grade:
        """Share of items in their category."""
        del evidence
        return grade_assignment(content.items, response)

    def best(self, content: SortingContent) -> Response:
        """All items in their category."""
        return best_assignment(content.items)


def read_value(node: Node) -> Value:
    """Read ``{id, text}``."""
    fields = node.fields(required=("id", "text"))
    return Value(fields["id"].named(NAME), fields["text"].text())


def _read_item(node: Node, default: str, categories: Collection[str]) -> Target:
    fields = node.fields(required=("text", "category"), optional=("id", "feedback"))
    name = fields.get("id")
    category = reference(fields["category"], categories)
    return Target(name.named(NAME) if name else default, fields["text"].text(), (category,), fields.text("feedback"))

"""Choosing a set of named things (nodes, Pods), which may be empty: the core of click-the-nodes and who-gets-evicted.

Score: ``right_minus_wrong`` over the things shown; for an empty answer 1 if the learner said so ("none of them"),
else 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade, Part, graded, right_minus_wrong, unanswered, verdict_on_choice
from lessons.assessment.localized import Text
from lessons.assessment.question_types.base import Evidence, SceneQuestionType, View
from lessons.assessment.reading import NAME, Fields, Node, unique
from lessons.assessment.responses import Response, words
from lessons.assessment.tokens import Tokens

MAX_NAMES = 100


@dataclass(frozen=True, slots=True)
class Named:
    """A node or a Pod of the scene.

    ``detail`` is shown beside the name; ``feedback`` says why it belongs or does not.
    """

    name: str
    right: bool
    detail: Text | None
    feedback: Text | None


def read_names(fields: Fields, field: str) -> tuple[Named, ...]:
    """Read the list ``field`` of ``{name, right?, detail?, feedback?}``."""
    nodes = fields.children(field, minimum=1, limit=MAX_NAMES)
    names = tuple(_read_named(node) for node in nodes)
    unique(zip((named.name for named in names), nodes, strict=True))
    return names


def _read_named(node: Node) -> Named:
    fields = node.fields(required=("name",), optional=("right", "detail", "feedback"))
    name, right = fields["name"].named(NAME), fields.flag("right", default=False)
    return Named(name, right, fields.text("detail"), fields.text("feedback"))


def name_views(names: Sequence[Named], tokens: Tokens) -> list[dict[str, Any]]:
    """``[{token, name, detail}]``: the name ties the token to what the graph shows."""
    return [
        {
            "token": tokens.of("name", named.name),
            "name": named.name,
            "detail": named.detail.as_mapping() if named.detail else None,
        }
        for named in names
    ]


@dataclass(frozen=True, slots=True)
class Names:
    """All that can be chosen."""

    names: tuple[Named, ...]


Content = TypeVar("Content", bound=Names)


class ChoosingNamesType(SceneQuestionType[Content]):
    """Form fields ``name`` (tokens) or ``none`` (for "none of them").

    Response ``{"names": […]}`` or ``{"none": true}``.
    """

    def view(self, content: Content, tokens: Tokens) -> View:
        """``names``: as ``name_views``."""
        return {"names": name_views(content.names, tokens)}

    def parse(self, content: Content, form: FormReader, earlier: Response) -> Response:
        """A set of names, or "none"."""
        del earlier
        chosen = form.choices("name", "name", [named.name for named in content.names])
        none = form.flag("none")
        if none and chosen:
            form.fail("response.contradiction", "none")
        if none:
            return {"none": True}
        return {"names": sorted(chosen)} if chosen else {}

    def form_of(self, content: Content, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen names."""
        if response.get("none") is True:
            return {"none": ["1"]}
        known = {named.name for named in content.names}
        chosen = [tokens.of("name", name) for name in words(response, "names") if name in known]
        return {"name": chosen} if chosen else {}

    def grade(self, content: Content, response: Response, evidence: Evidence) -> Grade:
        """By ``right_minus_wrong``."""
        del evidence
        chosen = frozenset(words(response, "names"))
        parts = tuple(_part(named, named.name in chosen) for named in content.names)
        if not chosen and response.get("none") is not True:
            return unanswered(parts)
        right = frozenset(named.name for named in content.names if named.right)
        return graded(right_minus_wrong(chosen, right, frozenset(named.name for named in content.names)), parts)

    def best(self, content: Content) -> Response:
        """The right set, or "none"."""
        right = sorted(named.name for named in content.names if named.right)
        return {"names": right} if right else {"none": True}


def _part(named: Named, chosen: bool) -> Part:
    return Part("name", named.name, verdict_on_choice(chosen=chosen, right=named.right), None, named.feedback)

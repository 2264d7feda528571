"""Click the nodes: choose the nodes of a scene that pass Filter, fail it, or are what else the author asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import Grade
from lessons.assessment.question_types.base import Evidence, SceneQuestionType, View
from lessons.assessment.question_types.choosing_names import (
    Named,
    best_names,
    grade_names,
    name_views,
    names_form,
    parse_names,
    read_names,
)
from lessons.assessment.reading import Fields
from lessons.assessment.responses import Response
from lessons.assessment.scenes import SceneFacts
from lessons.assessment.tokens import Tokens

ASKED: Final = ("passing", "failing", "best", "own")


@dataclass(frozen=True, slots=True)
class ClickNodesContent:
    """What is asked for, and all nodes of the scene. ``own``: the author marked the right ones by hand."""

    ask: str
    nodes: tuple[Named, ...]


class ClickNodes(SceneQuestionType[ClickNodesContent]):
    """Form fields ``name`` and ``none``."""

    name = "click-the-nodes"
    required = ("nodes",)
    optional = ("ask",)
    engine_fields = ("nodes",)

    def read(self, fields: Fields) -> ClickNodesContent:
        """``ask``: passing (default), failing, best (all with the highest total) or own.

        ``nodes``: ``{name, right?, …}``.
        """
        ask = fields.get("ask")
        return ClickNodesContent(ask.one_of(ASKED) if ask else ASKED[0], read_names(fields, "nodes"))

    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """Mark the nodes by Filter's verdicts, with the engine's reason as feedback."""
        ask = source.get("ask", ASKED[0])
        nodes: list[dict[str, Any]] = []
        for node in facts.nodes:
            right = {"passing": node.passes, "failing": not node.passes, "best": node.name in facts.best}.get(
                ask, False
            )
            entry: dict[str, Any] = {"name": node.name, "right": right}
            if node.reason:
                entry["feedback"] = node.reason.as_mapping()
            nodes.append(entry)
        return {**source, "nodes": nodes}

    def view(self, content: ClickNodesContent, tokens: Tokens) -> View:
        """``names``: token and name of every node."""
        return {"ask": content.ask, "names": name_views(content.nodes, tokens)}

    def parse(self, content: ClickNodesContent, form: FormReader, earlier: Response) -> Response:
        """A set of nodes, or "none"."""
        del earlier
        return parse_names(content.nodes, form)

    def form_of(self, content: ClickNodesContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen nodes."""
        return names_form(content.nodes, response, tokens)

    def grade(self, content: ClickNodesContent, response: Response, evidence: Evidence) -> Grade:
        """Right minus wrong."""
        del evidence
        return grade_names(content.nodes, response)

    def best(self, content: ClickNodesContent) -> Response:
        """The right set."""
        return best_names(content.nodes)

"""Click the nodes: choose the nodes of a scene that pass Filter, fail it, or are what else the author asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.question_types.base import View
from lessons.assessment.question_types.choosing_names import ChoosingNamesType, Names, read_names
from lessons.assessment.reading import Fields
from lessons.assessment.scenes import SceneFacts
from lessons.assessment.tokens import Tokens

ASKED: Final = ("passing", "failing", "best", "own")


@dataclass(frozen=True, slots=True)
class ClickNodesContent(Names):
    """What is asked for, and all nodes of the scene. ``own``: the author marked the right ones by hand."""

    ask: str


class ClickNodes(ChoosingNamesType[ClickNodesContent]):
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
        return ClickNodesContent(read_names(fields, "nodes"), ask.one_of(ASKED) if ask else ASKED[0])

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
        """What is asked for, beside the names."""
        return {"ask": content.ask, **super().view(content, tokens)}

"""Predict the winner: which node does the Pod get, or does it stay Pending?

With equal best totals each of them counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.forms import FormReader
from lessons.assessment.grades import ONE, ZERO, Grade, Part, Verdict, graded, unanswered
from lessons.assessment.localized import Text
from lessons.assessment.question_types.base import Evidence, SceneQuestionType, View
from lessons.assessment.question_types.choosing_names import Named, name_views, read_names
from lessons.assessment.reading import Fields
from lessons.assessment.responses import Response, word
from lessons.assessment.scenes import NodeFacts, SceneFacts
from lessons.assessment.tokens import Tokens

PENDING: Final = "(pending)"
"""The answer "no node": not a possible node name."""


@dataclass(frozen=True, slots=True)
class WinnerContent:
    """The nodes of the scene, the right ones marked; none marked means the Pod stays Pending."""

    nodes: tuple[Named, ...]
    pending_feedback: Text | None

    def right(self) -> frozenset[str]:
        """The answers that count."""
        return frozenset(node.name for node in self.nodes if node.right) or frozenset({PENDING})


class PredictWinner(SceneQuestionType[WinnerContent]):
    """Form field ``name``: one token.

    Response ``{"node": name}``; the name ``(pending)`` says that no node gets the Pod.
    """

    name = "predict-winner"
    required = ("nodes",)
    optional = ("pending_feedback",)
    engine_fields = ("nodes",)

    def read(self, fields: Fields) -> WinnerContent:
        """``nodes``: ``{name, right?, detail?, feedback?}``."""
        return WinnerContent(read_names(fields, "nodes"), fields.text("pending_feedback"))

    def bind(self, source: Mapping[str, Any], facts: SceneFacts) -> dict[str, Any]:
        """Mark all nodes with the best total, with the engine's reason as feedback."""
        return {**source, "nodes": [_entry(node, node.name in facts.best) for node in facts.nodes]}

    def view(self, content: WinnerContent, tokens: Tokens) -> View:
        """``names``: every node; ``pending``: the token of "it stays Pending"."""
        return {"names": name_views(content.nodes, tokens), "pending": tokens.of("name", PENDING)}

    def parse(self, content: WinnerContent, form: FormReader, earlier: Response) -> Response:
        """One token."""
        del earlier
        chosen = form.choice("name", "name", [*(node.name for node in content.nodes), PENDING])
        return {"node": chosen} if chosen else {}

    def form_of(self, content: WinnerContent, response: Response, tokens: Tokens) -> dict[str, list[str]]:
        """The chosen node."""
        chosen = word(response, "node")
        known = {PENDING, *(node.name for node in content.nodes)}
        return {"name": [tokens.of("name", chosen)]} if chosen in known else {}

    def grade(self, content: WinnerContent, response: Response, evidence: Evidence) -> Grade:
        """All or nothing."""
        del evidence
        chosen, right = word(response, "node"), content.right()
        stays = Named(PENDING, PENDING in right, None, content.pending_feedback)
        parts = tuple(_part(node, chosen) for node in (*content.nodes, stays))
        if not chosen:
            return unanswered(parts)
        return graded(ONE if chosen in right else ZERO, parts)

    def best(self, content: WinnerContent) -> Response:
        """The first of the right nodes in the scene's order."""
        return {"node": next((node.name for node in content.nodes if node.right), PENDING)}


def _entry(node: NodeFacts, right: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": node.name, "right": right}
    return {**entry, "feedback": node.reason.as_mapping()} if node.reason else entry


def _part(node: Named, chosen: str) -> Part:
    if node.name == chosen:
        verdict, score = (Verdict.RIGHT, ONE) if node.right else (Verdict.WRONG, ZERO)
        return Part("name", node.name, verdict, score, node.feedback)
    return Part("name", node.name, Verdict.MISSED if node.right else Verdict.AVOIDED, None, node.feedback)

"""Label the graph: a figure of nodes and edges, some of whose parts wait for the right label."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from lessons.assessment.dice import Dice
from lessons.assessment.localized import Text
from lessons.assessment.question_types.assigning import AssigningType, Assignment, Target
from lessons.assessment.question_types.base import View
from lessons.assessment.question_types.sort_into_categories import read_value
from lessons.assessment.reading import NAME, Fields, Node, reference, unique
from lessons.assessment.tokens import Tokens

SHAPES: Final = ("node", "gpu", "nic", "cpu", "switch", "rack", "box")
MAX_PARTS = 60


@dataclass(frozen=True, slots=True)
class Vertex:
    """A node of the figure: its shape, its caption, and the vertex it is drawn inside (or empty)."""

    id: str
    shape: str
    text: Text | None
    inside: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A line of the figure between two vertices."""

    id: str
    ends: tuple[str, str]
    text: Text | None


@dataclass(frozen=True, slots=True)
class GraphContent(Assignment):
    """The figure. A target is a place to label, by the id of a vertex or an edge; the values are the labels."""

    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]


class LabelGraph(AssigningType[GraphContent]):
    """Form fields ``to.<place token>``: the token of a label."""

    name = "label-the-graph"
    required = ("graph", "labels", "places")

    def read(self, fields: Fields) -> GraphContent:
        """``graph``: nodes ``{id, shape?, text?, inside?}`` and edges ``{id, ends: [a, b], text?}``.

        ``labels``: ``{id, text}``. ``places``: ``{at, label | labels, text?, feedback?}``; ``text`` names the place
        in the outline.
        """
        graph = fields["graph"].fields(required=("nodes",), optional=("edges",))
        vertices = _read_vertices(graph)
        nodes = graph.children("edges", limit=MAX_PARTS)
        edges = tuple(_read_edge(node, {vertex.id for vertex in vertices}) for node in nodes)
        labels = tuple(read_value(node) for node in fields.children("labels", minimum=2, limit=20))
        known = [label.id for label in labels]
        parts = [*(vertex.id for vertex in vertices), *(edge.id for edge in edges)]
        unique(zip(parts[len(vertices) :], nodes, strict=True))
        nodes = fields.children("places", minimum=1, limit=20)
        places = tuple(_read_place(node, index, parts, known) for index, node in enumerate(nodes))
        unique(zip((place.id for place in places), nodes, strict=True))
        return GraphContent(places, labels, vertices, edges)

    def shuffled(self, content: GraphContent, dice: Dice) -> GraphContent:
        """Labels in random order; the figure stays."""
        return replace(content, values=dice.shuffled(content.values))

    def view(self, content: GraphContent, tokens: Tokens) -> View:
        """``graph`` with tokens for ids, ``targets`` (the places, whose ``part`` is a token of the graph), ``values``
        (the labels).
        """
        shown = super().view(content, tokens)
        for target, place in zip(shown["targets"], content.targets, strict=True):
            target["part"] = tokens.of("part", place.id)
        return {"graph": _graph_view(content, tokens), **shown}


def _read_vertices(graph: Fields) -> tuple[Vertex, ...]:
    nodes = graph.children("nodes", minimum=1, limit=MAX_PARTS)
    vertices: list[Vertex] = []
    for node in nodes:
        fields = node.fields(required=("id",), optional=("shape", "text", "inside"))
        shape, inside = fields.get("shape"), fields.get("inside")
        earlier = [vertex.id for vertex in vertices]
        vertices.append(
            Vertex(
                id=fields["id"].named(NAME),
                shape=shape.one_of(SHAPES) if shape else "box",
                text=fields.text("text"),
                inside=reference(inside, earlier) if inside else "",
            )
        )
    unique(zip((vertex.id for vertex in vertices), nodes, strict=True))
    return tuple(vertices)


def _read_edge(node: Node, vertices: Collection[str]) -> Edge:
    fields = node.fields(required=("id", "ends"), optional=("text",))
    ends = [reference(end, vertices) for end in fields["ends"].items(minimum=2, limit=2)]
    first, second = (*ends, "", "")[:2]
    return Edge(fields["id"].named(NAME), (first, second), fields.text("text"))


def _read_place(node: Node, index: int, parts: Collection[str], labels: Collection[str]) -> Target:
    fields = node.fields(required=("at",), optional=("label", "labels", "text", "feedback"))
    single = fields.get("label")
    accepted = [single] if single else fields.children("labels", minimum=1)
    if not accepted:
        node.fail("field.missing", field="label")
    caption = fields.text("text") or Text.same(str(index + 1))
    accepts = tuple(reference(label, labels) for label in accepted)
    return Target(reference(fields["at"], parts), caption, accepts or ("",), fields.text("feedback"))


def _graph_view(content: GraphContent, tokens: Tokens) -> dict[str, Any]:
    return {
        "nodes": [
            {
                "token": tokens.of("part", vertex.id),
                "shape": vertex.shape,
                "text": vertex.text.as_mapping() if vertex.text else None,
                "inside": tokens.of("part", vertex.inside) if vertex.inside else None,
            }
            for vertex in content.vertices
        ],
        "edges": [
            {
                "token": tokens.of("part", edge.id),
                "ends": [tokens.of("part", end) for end in edge.ends],
                "text": edge.text.as_mapping() if edge.text else None,
            }
            for edge in content.edges
        ],
    }

"""The boxes of a lesson that hold YAML instead of Markdown: checks, scenes, figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lessons.assessment.reading import NAME, SLUG, Fields, Node
from lessons.manifests.faults import Fault
from lessons.manifests.yaml_values import read_yaml

BOXES: Final[Mapping[str, str]] = {
    "key": "text",
    "say": "text",
    "deeper": "text",
    "steps": "text",
    "check": "data",
    "scene": "data",
}
"""Box -> what it holds."""

POINTS: Final = ("preFilter", "filter", "postFilter", "score", "reserve", "permit", "bind", "end")
PREDICTIONS: Final = ("nodes", "winner", "victims", "next")
MAX_CYCLE: Final = 500
_MAX_CAPTION: Final = 600


def read_box(kind: str, text: str, file: str, line: int) -> tuple[dict[str, Any], list[Fault]]:
    """The data of a box whose content begins after `line`, and what is wrong with it. Raises Faulty."""
    yaml = read_yaml(text, file, offset=line)
    node = yaml.node()
    data = _READERS[kind](node)
    return data, yaml.faults(node.problems.found)


def _read_check(node: Node) -> dict[str, Any]:
    return {"questions": [entry.named(SLUG) for entry in node.items(minimum=1, limit=12)]}


def _read_figure(node: Node) -> dict[str, Any]:
    fields = node.fields(required=("name", "caption", "alt"))
    texts = {name: fields[name].string(limit=_MAX_CAPTION) for name in ("caption", "alt")}
    return {"name": fields["name"].named(SLUG), **texts}


def _read_scene(node: Node) -> dict[str, Any]:
    fields = node.fields(
        required=("id", "scenario", "caption", "expect"), optional=("start", "question", "predict", "outcome")
    )
    question = _given(fields, "question")
    predict = _given(fields, "predict")
    return {
        "id": fields["id"].named(SLUG),
        "scenario": fields["scenario"].named(SLUG),
        "caption": fields["caption"].string(limit=_MAX_CAPTION),
        "expect": fields["expect"].string(limit=_MAX_CAPTION),
        "start": _read_start(_given(fields, "start")),
        "question": question.named(SLUG) if question else None,
        "predict": predict.one_of(PREDICTIONS) if predict else None,
        "outcome": _read_outcome(_given(fields, "outcome")),
    }


def _given(fields: Fields, name: str) -> Node | None:
    """A field that may be absent or null."""
    node = fields.get(name)
    return None if node is None or node.value is None else node


def _read_start(node: Node | None) -> dict[str, Any]:
    if node is None:
        return {"cycle": 1, "pod": None, "point": None}
    fields = node.fields(optional=("cycle", "pod", "point"))
    cycle, pod, point = (_given(fields, name) for name in ("cycle", "pod", "point"))
    return {
        "cycle": cycle.integer(minimum=1, maximum=MAX_CYCLE) if cycle else 1,
        "pod": pod.named(NAME) if pod else None,
        "point": point.one_of(POINTS) if point else None,
    }


def _read_outcome(node: Node | None) -> dict[str, Any]:
    if node is None:
        return {}
    lists = ("passing", "victims", "pending", "evicted")
    fields = node.fields(optional=("winner", "bound", *lists))
    outcome: dict[str, Any] = {
        name: [entry.named(NAME) for entry in fields.children(name, limit=100)] for name in lists if name in fields
    }
    winner, bound = fields.get("winner"), fields.get("bound")
    if winner:
        outcome["winner"] = winner.named(NAME)
    if bound:
        names = [str(name) for name in bound.value] if isinstance(bound.value, Mapping) else []
        places = bound.fields(optional=names)
        outcome["bound"] = {name: places[name].named(NAME) for name in names}
    return outcome


_READERS: Final = {"check": _read_check, "scene": _read_scene, "figure": _read_figure}

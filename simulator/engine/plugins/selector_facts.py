"""Selectors and tolerations as plain values, for explanations: what is asked, what the node has, what matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.objects.node import Node
from simulator.engine.objects.selectors import NodeSelector, NodeSelectorTerm, Requirement
from simulator.engine.objects.taints import Taint, Toleration

EFFECT, VALUE, OPERATOR = "effect", "value", "operator"
"""Why a toleration with a taint's key does not cover it."""


def requirement_facts(requirement: Requirement, node: Node, *, is_field: bool = False) -> dict[str, Any]:
    """`have` is the node's value, None where it has none."""
    labels = {requirement.key: node.name} if is_field else node.labels
    return {
        "key": requirement.key,
        "operator": requirement.operator,
        "values": list(requirement.values),
        "have": labels.get(requirement.key),
        "holds": requirement.matches(labels),
    }


def term_facts(term: NodeSelectorTerm, node: Node) -> dict[str, Any]:
    """`error` is set for a term that cannot be read; such a term, and one without requirements, matches nothing."""
    requirements = [requirement_facts(item, node) for item in term.expressions]
    requirements += [requirement_facts(item, node, is_field=True) for item in term.fields]
    matches = term.matches(node.name, node.labels)
    return {"matches": matches, "error": term.error, "requirements": requirements}


def selector_facts(selector: NodeSelector, node: Node) -> dict[str, Any]:
    """`matched` is the index of the first term that matches, None where none does."""
    terms = [term_facts(term, node) for term in selector.terms]
    matched = next((index for index, term in enumerate(terms) if term["matches"]), None)
    return {"terms": terms, "matched": matched}


def toleration_text(toleration: Toleration) -> str:
    """A toleration in the manner of taints: `key=value:effect`, `*` for every key."""
    key = toleration.key or "*"
    match toleration.operator:
        case "Exists":
            text = key
        case "Lt" | "Gt":
            text = f"{key}{'<' if toleration.operator == 'Lt' else '>'}{toleration.value}"
        case _:
            text = f"{key}={toleration.value}"
    return f"{text}:{toleration.effect}" if toleration.effect else text


def near_tolerations(taint: Taint, tolerations: Sequence[Toleration]) -> list[Mapping[str, Any]]:
    """Tolerations for the taint's key that still do not cover it, each with what is in the way."""
    return [
        {"toleration": toleration_text(item), "differs": _difference(taint, item)}
        for item in tolerations
        if item.key in ("", taint.key)
    ]


def _difference(taint: Taint, toleration: Toleration) -> str:
    if toleration.effect and toleration.effect != taint.effect:
        return EFFECT
    return OPERATOR if toleration.operator in ("Lt", "Gt") else VALUE

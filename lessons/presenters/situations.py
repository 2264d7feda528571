"""The picture of a cluster that stands beside a question about it: a table of nodes, the Pod, who else waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from simulator.presenters.resources import amount_text, amounts_text

Labelled = tuple[str, str]

_QUIET: Final = ("nvidia.com/gpu.count", "nvidia.com/gpu.family", "nvidia.com/gpu.memory", "nvidia.com/gpu.present")


@dataclass(frozen=True, slots=True)
class PodView:
    """A Pod in words: its name, and (what, value) of all that scheduling looks at."""

    name: str
    facts: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node's row. `amounts`: for each column of the table what is free of how much, empty where it has none."""

    name: str
    amounts: tuple[str, ...]
    labels: tuple[str, ...]
    taints: tuple[str, ...]
    unschedulable: bool
    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SituationView:
    """Columns that no node has anything in are left out."""

    resources: tuple[str, ...]
    nodes: tuple[NodeView, ...]
    pod: PodView | None
    waiting: tuple[PodView, ...]
    has_labels: bool
    has_taints: bool
    has_pods: bool


def present_situation(picture: Mapping[str, Any]) -> SituationView:
    """The view of a picture (lessons.situations.picture) in the page's language."""
    names = list(dict.fromkeys(name for node in picture["nodes"] for name in node["resources"]))
    told = _telling_labels(picture)
    resources = tuple(sorted(names, key=lambda name: (0 if "/" in name else 1, names.index(name))))
    nodes = tuple(_node(node, resources, told) for node in picture["nodes"])
    return SituationView(
        resources=resources,
        nodes=nodes,
        pod=_pod(picture["pod"]) if picture["pod"] else None,
        waiting=tuple(_pod(pod) for pod in picture["waiting"]),
        has_labels=any(node.labels for node in nodes),
        has_taints=any(node.taints or node.unschedulable for node in nodes),
        has_pods=any(node.pods for node in nodes),
    )


def _telling_labels(picture: Mapping[str, Any]) -> frozenset[str]:
    """The labels worth showing: those that tell nodes apart, but for what the node's resources say already."""
    nodes = picture["nodes"]
    keys = {key for node in nodes for key in node["labels"] if not key.startswith(_QUIET)}
    return frozenset(key for key in keys if len({node["labels"].get(key) for node in nodes}) > 1)


def _node(node: Mapping[str, Any], resources: Sequence[str], told: frozenset[str]) -> NodeView:
    return NodeView(
        name=node["name"],
        amounts=tuple(_free(name, node["resources"].get(name)) for name in resources),
        labels=tuple(f"{name}={value}" if value else name for name, value in node["labels"].items() if name in told),
        taints=tuple(node["taints"]),
        unschedulable=node["unschedulable"],
        pods=tuple(_short(pod) for pod in node["pods"]),
    )


def _free(name: str, amounts: Sequence[int] | None) -> str:
    if amounts is None:
        return ""
    used, total = amounts
    return _("%(free)s of %(total)s") % {"free": amount_text(name, total - used), "total": amount_text(name, total)}


def _short(pod: Mapping[str, Any]) -> str:
    asks = amounts_text(pod["requests"])
    return _("%(name)s (priority %(priority)s; %(asks)s)") % {
        "name": pod["name"],
        "priority": pod["priority"],
        "asks": asks or _("no requests"),
    }


def _pod(pod: Mapping[str, Any]) -> PodView:
    facts: list[Labelled] = [(_("asks for"), amounts_text(pod["requests"]) or _("nothing"))]
    if pod["priority"]:
        facts.append((_("priority"), str(pod["priority"])))
    if pod["preemptionPolicy"] == "Never":
        facts.append(("preemptionPolicy", "Never"))
    selector = ", ".join(f"{name}={value}" for name, value in pod["nodeSelector"].items())
    labels = ", ".join(f"{name}={value}" for name, value in pod["labels"].items())
    told: list[Labelled] = [
        (_("labels"), labels),
        (_("tolerates"), ", ".join(pod["tolerations"])),
        ("nodeSelector", selector),
        *_affinity(pod["affinity"]),
        *(("topologySpreadConstraints", _spread(constraint)) for constraint in pod["spread"]),
        ("schedulingGates", ", ".join(pod["gates"])),
        ("PodGroup", pod["group"]),
    ]
    return PodView(pod["name"], (*facts, *((what, value) for what, value in told if value)))


def _affinity(affinity: Mapping[str, Any]) -> list[Labelled]:
    """Every term of a Pod's affinity in one line."""
    found: list[Labelled] = []
    node = affinity.get("nodeAffinity") or {}
    required = node.get("requiredDuringSchedulingIgnoredDuringExecution") or {}
    found += [(_("node must match"), _node_term(term)) for term in required.get("nodeSelectorTerms") or ()]
    for term in node.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
        found.append(
            (_("node preferred (weight %(weight)s)") % {"weight": term["weight"]}, _node_term(term["preference"]))
        )
    for kind, must, likes in (
        ("podAffinity", _("must be beside"), _("likes to be beside")),
        ("podAntiAffinity", _("must not be beside"), _("avoids")),
    ):
        rules = affinity.get(kind) or {}
        found += [(must, _pod_term(term)) for term in rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ()]
        preferred = rules.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
        found += [(likes, _pod_term(term["podAffinityTerm"])) for term in preferred]
    return found


def _node_term(term: Mapping[str, Any]) -> str:
    return ", ".join(
        _expression(one) for one in (*(term.get("matchExpressions") or ()), *(term.get("matchFields") or ()))
    )


def _expression(expression: Mapping[str, Any]) -> str:
    values = expression.get("values") or ()
    told = f" [{', '.join(values)}]" if values else ""
    return f"{expression['key']} {expression['operator']}{told}"


def _pod_term(term: Mapping[str, Any]) -> str:
    return f"{_selector(term.get('labelSelector') or {})} / {term.get('topologyKey', '')}"


def _selector(selector: Mapping[str, Any]) -> str:
    labels = [f"{name}={value}" for name, value in (selector.get("matchLabels") or {}).items()]
    return ", ".join([*labels, *(_expression(one) for one in selector.get("matchExpressions") or ())])


def _spread(constraint: Mapping[str, Any]) -> str:
    return (
        f"maxSkew {constraint.get('maxSkew')} / {constraint.get('topologyKey')} / "
        f"{constraint.get('whenUnsatisfiable')} ({_selector(constraint.get('labelSelector') or {})})"
    )

"""Node affinity, inter-Pod affinity and topology spread constraints of a Pod, parsed once per Pod shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.selectors import (
    LabelSelector,
    NodeSelector,
    NodeSelectorTerm,
    parse_node_selector,
    parse_node_selector_term,
)


@dataclass(frozen=True, slots=True)
class PreferredNodeTerm:
    weight: int
    term: NodeSelectorTerm


@dataclass(frozen=True, slots=True)
class NodeAffinity:
    """`required` is None where the Pod has no required node affinity object."""

    required: NodeSelector | None = None
    preferred: tuple[PreferredNodeTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class PodAffinityTerm:
    """A term owned by a Pod: which Pods it means (`namespaces` or `namespace_selector`, and `selector`) and over
    which domain.

    `namespaces` holds the owner's namespace where the manifest names neither namespaces nor a selector.
    """

    selector: LabelSelector
    topology_key: str
    namespaces: tuple[str, ...]
    namespace_selector: LabelSelector

    def covers_namespace(self, namespace: str, labels: Mapping[str, str]) -> bool:
        return namespace in self.namespaces or self.namespace_selector.matches(labels)


@dataclass(frozen=True, slots=True)
class WeightedPodAffinityTerm:
    weight: int
    term: PodAffinityTerm


@dataclass(frozen=True, slots=True)
class PodAffinity:
    """Both the affinity and the anti-affinity of a Pod. `present` is whether the manifest has either object."""

    required: tuple[PodAffinityTerm, ...] = ()
    preferred: tuple[WeightedPodAffinityTerm, ...] = ()
    anti_required: tuple[PodAffinityTerm, ...] = ()
    anti_preferred: tuple[WeightedPodAffinityTerm, ...] = ()
    present: bool = False


@dataclass(frozen=True, slots=True)
class SpreadConstraint:
    """A topology spread constraint with its defaults filled in (`selector` None: the constraint gives none)."""

    max_skew: int
    topology_key: str
    when_unsatisfiable: str
    selector: LabelSelector
    min_domains: int = 1
    honor_affinity: bool = True
    honor_taints: bool = False


def parse_node_affinity(affinity: Mapping[str, Any] | None) -> NodeAffinity:
    node = (affinity or {}).get("nodeAffinity") or {}
    required = node.get("requiredDuringSchedulingIgnoredDuringExecution")
    preferred = node.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
    return NodeAffinity(
        None if required is None else parse_node_selector(required),
        parse_preferred(preferred),
    )


def parse_preferred(items: Iterable[Mapping[str, Any]]) -> tuple[PreferredNodeTerm, ...]:
    return tuple(
        PreferredNodeTerm(item.get("weight", 0), parse_node_selector_term(item.get("preference") or {}, f"[{index}]"))
        for index, item in enumerate(items)
    )


def parse_pod_affinity(affinity: Mapping[str, Any] | None, namespace: str) -> PodAffinity:
    affinity = affinity or {}
    near, apart = affinity.get("podAffinity"), affinity.get("podAntiAffinity")
    return PodAffinity(
        _required(near, namespace),
        _preferred(near, namespace),
        _required(apart, namespace),
        _preferred(apart, namespace),
        near is not None or apart is not None,
    )


def _required(part: Mapping[str, Any] | None, namespace: str) -> tuple[PodAffinityTerm, ...]:
    terms = (part or {}).get("requiredDuringSchedulingIgnoredDuringExecution") or ()
    return tuple(_term(term, namespace) for term in terms)


def _preferred(part: Mapping[str, Any] | None, namespace: str) -> tuple[WeightedPodAffinityTerm, ...]:
    terms = (part or {}).get("preferredDuringSchedulingIgnoredDuringExecution") or ()
    return tuple(
        WeightedPodAffinityTerm(term.get("weight", 0), _term(term.get("podAffinityTerm") or {}, namespace))
        for term in terms
    )


def _term(term: Mapping[str, Any], namespace: str) -> PodAffinityTerm:
    namespaces = tuple(term.get("namespaces") or ())
    chosen = term.get("namespaceSelector")
    if not namespaces and chosen is None:
        namespaces = (namespace,)
    return PodAffinityTerm(
        LabelSelector.parse(term.get("labelSelector")),
        term.get("topologyKey", ""),
        namespaces,
        LabelSelector.parse(chosen),
    )


def parse_spread(items: Iterable[Mapping[str, Any]], labels: Mapping[str, str]) -> tuple[SpreadConstraint, ...]:
    return tuple(_constraint(item, labels) for item in items)


def _constraint(item: Mapping[str, Any], labels: Mapping[str, str]) -> SpreadConstraint:
    selector = LabelSelector.parse(item.get("labelSelector"))
    keys = {key: labels[key] for key in item.get("matchLabelKeys") or () if key in labels}
    return SpreadConstraint(
        item.get("maxSkew", 0),
        item.get("topologyKey", ""),
        item.get("whenUnsatisfiable", ""),
        selector.joined(LabelSelector.of(keys)) if keys else selector,
        item.get("minDomains") or 1,
        (item.get("nodeAffinityPolicy") or "Honor") == "Honor",
        (item.get("nodeTaintsPolicy") or "Ignore") == "Honor",
    )

"""The Pods and numbers behind inter-Pod affinity, domain by domain, for explanations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.facts import MOST_NAMES, Fact
from simulator.engine.objects.affinity import PodAffinityTerm
from simulator.engine.objects.pod import PodShape
from simulator.engine.objects.selectors import selector_text
from simulator.engine.plugins.affinity_counts import (
    IncomingTerms,
    PairCounts,
    Preference,
    incoming_matches,
    term_matches,
)

Concerns = Callable[[PodShape], bool]


def domain_of(row: Rows, key: str) -> str | None:
    """The value of the topology key on the one row of `row`, None where it has none."""
    return row.nodes[0].labels.get(key)


def term_params(term: PodAffinityTerm, row: Rows) -> dict[str, Any]:
    key = term.topology_key
    return {
        "key": key,
        "domain": domain_of(row, key),
        "selector": selector_text(term.selector),
        "namespaces": list(term.namespaces),
    }


def pods_in_domain(row: Rows, key: str, concerns: Concerns) -> list[str]:
    """Keys of some Pods that are concerned and in the row's domain of `key`, the row's hypothetical ones included."""
    cluster, own = row.cluster, int(row.ids[0])
    ids = cluster.nodes.labels.column(key).ids
    same = np.flatnonzero(ids == ids[own]).tolist()
    found: list[str] = []
    for other in same:
        pods = row.pods_on(0) if other == own else cluster.rows([other]).pods_on(0)
        found.extend(pod.key for pod in pods if concerns(pod.shape))
        if len(found) >= MOST_NAMES:
            break
    return found[:MOST_NAMES]


def affinity_facts(terms: IncomingTerms, total: PairCounts, shape: PodShape, row: Rows) -> Iterator[Fact]:
    """The required affinity terms: some Pod that all of them mean must be in the domain of each.

    `first`: there is no such Pod in any domain, and the Pod itself is one, so it may be the first.
    """
    change = int(terms.delta_matching_all(row)[0])
    keys = [term.topology_key for term in terms.required]
    present = {key for key in keys if domain_of(row, key) is not None}
    everywhere = total.total + sum(change for key in keys if key in present)
    first = everywhere == 0 and terms.matches_itself(shape)
    for term in terms.required:
        key = term.topology_key
        ids = row.label_ids(key)
        count = int(total.at(key, ids)[0]) // keys.count(key) + change if key in present else 0
        yield Fact.of(
            "inter_pod_affinity.affinity",
            key in present and (count > 0 or first),
            **term_params(term, row),
            count=count,
            everywhere=everywhere,
            first=first,
            pods=pods_in_domain(row, key, terms.matches_all) if count > 0 else [],
        )


def anti_affinity_facts(terms: IncomingTerms, row: Rows) -> Iterator[Fact]:
    """The required anti-affinity terms: no Pod that a term means may be in its domain."""
    labels = row.cluster.nodes.labels
    for term in terms.anti_required:
        key = term.topology_key
        ids = row.label_ids(key)
        count = 0
        if ids[0] >= 0:
            by_domain = terms.index(row.cluster, term).by_domain(labels.column(key))
            count = int(by_domain[ids[0]]) + int(terms.delta(row, term)[0])
        yield Fact.of(
            "inter_pod_affinity.anti_affinity",
            count <= 0,
            **term_params(term, row),
            count=count,
            pods=pods_in_domain(row, key, lambda shape, t=term: incoming_matches(t, shape)) if count > 0 else [],  # type: ignore[misc]
        )


def existing_fact(row: Rows, key: str, count: int, objects: Concerns) -> Fact:
    """Pods in the row's domain of `key` whose own anti-affinity keeps the Pod away."""
    return Fact.of(
        "inter_pod_affinity.existing_anti_affinity",
        count <= 0,
        key=key,
        domain=domain_of(row, key),
        count=count,
        pods=pods_in_domain(row, key, objects) if count > 0 else [],
    )


def preference_parts(found: Iterable[Preference], row: Rows) -> list[dict[str, Any]]:
    """What every term adds to the score of the row's domain: Pods there times the signed weight."""
    parts = []
    for item in found:
        key = item.term.topology_key
        column = row.cluster.nodes.labels.column(key)
        domain = int(column.ids[int(row.ids[0])])
        count = int(item.pods.by_domain(column)[domain]) if domain >= 0 else 0
        if count:
            part = {"source": item.source, **term_params(item.term, row)}
            parts.append({**part, "count": count, "weight": item.weight, "part": count * item.weight})
    return parts


def owns_anti_term(owner: PodShape, shape: PodShape, labels: Mapping[str, str], key: str) -> bool:
    """Whether a Pod of shape `owner` has a required anti-affinity term over `key` that means a Pod of `shape`."""
    terms = owner.pod_affinity.anti_required
    return any(term.topology_key == key and term_matches(term, shape, labels) for term in terms)

"""The counts behind inter-Pod affinity: Pods or weights per (topology key, value), from the cluster's indexes.

Source: kube-scheduler 1.36 `interpodaffinity/{filtering,scoring}.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.indexes import PodIndex
from simulator.engine.cluster.rows import Rows
from simulator.engine.cluster.terms import ANTI_PREFERRED, PREFERRED, REQUIRED, OwnedTerm
from simulator.engine.framework.plugin import Lister
from simulator.engine.objects.affinity import PodAffinityTerm, WeightedPodAffinityTerm
from simulator.engine.objects.pod import PodShape


class PairCounts:
    """For each topology key (values,) a count per label value; ids beyond the array count 0."""

    def __init__(self) -> None:
        self._sums: dict[str, Ints] = {}

    def add(self, key: str, sums: Ints, factor: int = 1) -> None:
        known = self._sums.get(key)
        scaled = sums * factor
        self._sums[key] = scaled if known is None else known + scaled

    @property
    def topology_keys(self) -> list[str]:
        return list(self._sums)

    @property
    def total(self) -> int:
        return sum(int(sums.sum()) for sums in self._sums.values())

    @property
    def is_empty(self) -> bool:
        return not any(sums.any() for sums in self._sums.values())

    def at(self, key: str, ids: Ints) -> Ints:
        """(k,) the count at each value id, 0 for -1 and for unknown keys."""
        sums = self._sums.get(key)
        if sums is None:
            return np.zeros(len(ids), dtype=np.int64)
        return np.append(sums, 0)[ids]


@dataclass(frozen=True)
class IncomingTerms:
    """A Pod's own terms, each with the names of the namespaces its selector chose when the cycle began."""

    required: tuple[PodAffinityTerm, ...]
    anti_required: tuple[PodAffinityTerm, ...]
    preferred: tuple[WeightedPodAffinityTerm, ...]
    anti_preferred: tuple[WeightedPodAffinityTerm, ...]

    @staticmethod
    def of(shape: PodShape, objects: Lister) -> IncomingTerms:
        affinity = shape.pod_affinity

        def resolved(term: PodAffinityTerm) -> PodAffinityTerm:
            return _resolve(term, objects)

        return IncomingTerms(
            tuple(resolved(term) for term in affinity.required),
            tuple(resolved(term) for term in affinity.anti_required),
            tuple(replace(item, term=resolved(item.term)) for item in affinity.preferred),
            tuple(replace(item, term=resolved(item.term)) for item in affinity.anti_preferred),
        )

    def index(self, cluster: Cluster, term: PodAffinityTerm) -> PodIndex:
        """Pods per node that `term` means."""
        return cluster.indexes.get(("term", _identity(term)), lambda shape: int(incoming_matches(term, shape)))

    def index_matching_all(self, cluster: Cluster) -> PodIndex:
        """Pods per node that all required affinity terms mean."""
        key = ("all", tuple(_identity(term) for term in self.required))
        return cluster.indexes.get(key, lambda shape: int(self.matches_all(shape)))

    def matches_all(self, shape: PodShape) -> bool:
        """Whether a Pod of `shape` is one that all required affinity terms mean."""
        return all(incoming_matches(term, shape) for term in self.required)

    def matches_itself(self, shape: PodShape) -> bool:
        return bool(self.required) and self.matches_all(shape)

    def delta_matching_all(self, rows: Rows) -> Ints:
        return _delta(rows, self.matches_all)

    def delta(self, rows: Rows, term: PodAffinityTerm) -> Ints:
        """(k,) by how many Pods that `term` means the rows' deltas change each row."""
        return _delta(rows, lambda shape: incoming_matches(term, shape))


def _identity(term: PodAffinityTerm) -> PodAffinityTerm:
    """What decides which Pods a term means: all but its topology key."""
    return replace(term, topology_key="")


def _resolve(term: PodAffinityTerm, objects: Lister) -> PodAffinityTerm:
    if term.namespace_selector.nothing or term.namespace_selector.is_empty:
        return term
    chosen = [
        manifest["metadata"]["name"]
        for manifest in objects.list("Namespace")
        if term.namespace_selector.matches(manifest["metadata"].get("labels") or {})
    ]
    return replace(term, namespaces=tuple(sorted({*term.namespaces, *chosen})))


def incoming_matches(term: PodAffinityTerm, shape: PodShape) -> bool:
    """Whether a term of the incoming Pod, its namespaces resolved, means a Pod of `shape`."""
    return term.covers_namespace(shape.namespace, {}) and term.selector.matches(shape.labels)


def _delta(rows: Rows, matches: Callable[[PodShape], bool]) -> Ints:
    change = np.zeros(len(rows), dtype=np.int64)
    delta = rows.delta
    if delta is None or not len(delta.pods):
        return change
    table = rows.cluster.pods
    shape_ids = table.shape.data[delta.pods]
    used = np.unique(shape_ids).tolist()
    values = np.zeros(len(table.shapes.shapes), dtype=np.int64)
    for shape_id in used:
        values[shape_id] = matches(table.shapes.shapes[shape_id])
    np.add.at(change, delta.positions, values[shape_ids] * delta.signs)
    return change


def owners_covering(
    cluster: Cluster, kind: str, shape: PodShape, namespace_labels: Mapping[str, str]
) -> Iterator[tuple[OwnedTerm, PodIndex]]:
    """Terms of `kind` that Pods in the cluster own and that mean a Pod of `shape`, with their owners per node."""
    for owned, index in cluster.indexes.owned():
        if not isinstance(owned, OwnedTerm) or owned.kind != kind or index.total == 0:
            continue
        if term_matches(owned.term, shape, namespace_labels):
            yield owned, index


def term_matches(term: PodAffinityTerm, shape: PodShape, namespace_labels: Mapping[str, str]) -> bool:
    """Whether a term that another Pod owns means a Pod of `shape`, whose namespace has those labels."""
    return term.covers_namespace(shape.namespace, namespace_labels) and term.selector.matches(shape.labels)


def add_preferences(
    sums: PairCounts,
    cluster: Cluster,
    incoming: IncomingTerms | None,
    shape: PodShape,
    namespace_labels: Mapping[str, str],
    hard_weight: int,
) -> bool:
    """Add the weights of both sides to `sums`. False where no Pod on a node with the key was concerned."""
    recorded = False
    for item in preferences(cluster, incoming, shape, namespace_labels, hard_weight):
        counts = item.pods.by_domain(cluster.nodes.labels.column(item.term.topology_key))
        if counts.any():
            recorded = True
            sums.add(item.term.topology_key, counts, item.weight)
    return recorded


class Preference(NamedTuple):
    """A term that counts for scoring: whose it is and of which kind (`source`), its signed weight, and how many Pods
    (those it means, or those that own it) are on each node."""

    source: str
    term: PodAffinityTerm
    weight: int
    pods: PodIndex


OWN, OTHERS = "own", "others"


def preferences(
    cluster: Cluster,
    incoming: IncomingTerms | None,
    shape: PodShape,
    namespace_labels: Mapping[str, str],
    hard_weight: int,
) -> Iterable[Preference]:
    """Everything that is preferred or rather avoided, by the Pod itself and by Pods that are there."""
    if incoming is not None:
        for item in incoming.preferred:
            yield Preference(f"{OWN}.{PREFERRED}", item.term, item.weight, incoming.index(cluster, item.term))
        for item in incoming.anti_preferred:
            yield Preference(f"{OWN}.{ANTI_PREFERRED}", item.term, -item.weight, incoming.index(cluster, item.term))
    for kind, sign in ((PREFERRED, 1), (ANTI_PREFERRED, -1)):
        for owned, index in owners_covering(cluster, kind, shape, namespace_labels):
            yield Preference(f"{OTHERS}.{kind}", owned.term, sign * owned.weight, index)
    if hard_weight > 0:
        for owned, index in owners_covering(cluster, REQUIRED, shape, namespace_labels):
            yield Preference(f"{OTHERS}.{REQUIRED}", owned.term, hard_weight, index)

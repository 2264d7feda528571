"""InterPodAffinity: Pods near or away from other Pods, in the domains of a node label.

Decides: Filter by the Pod's required affinity and anti-affinity and by the required anti-affinity of Pods already
there; Score by preferred terms of both sides. Kubernetes counterpart: kube-scheduler 1.36 InterPodAffinity, weight 2;
args hardPodAffinityWeight, ignorePreferredTermsOfExistingPods. As in 1.36.3, a namespaceSelector made only of NotIn
or DoesNotExist matches every namespace for the incoming Pod's own terms. Simplified here: nothing. Reads: node
labels, Pods everywhere, namespace labels. Writes: nothing. Wakes on: assigned Pods that match come, go or change
labels; nodes with the topology keys come or change labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact, Formula
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PreFilterPlugin,
    PreFilterResult,
    PreScorePlugin,
    ScorePlugin,
)
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.framework.status import MAX_SCORE, SKIP, SUCCESS, Code, Reason, Scores, Status, Verdicts
from simulator.engine.objects.affinity import PodAffinityTerm
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.plugins.affinity_counts import (
    IncomingTerms,
    PairCounts,
    add_preferences,
    owners_covering,
    preferences,
    term_matches,
)
from simulator.engine.plugins.affinity_facts import (
    affinity_facts,
    anti_affinity_facts,
    existing_fact,
    owns_anti_term,
    preference_parts,
)

_AFFINITY = Reason("inter_pod_affinity.affinity")
_ANTI = Reason("inter_pod_affinity.anti_affinity")
_EXISTING = Reason("inter_pod_affinity.existing_anti_affinity")
_SCORING = "InterPodAffinity/score"


@dataclass(frozen=True)
class Args:
    hard_weight: int = 1
    ignore_existing: bool = False


@dataclass(slots=True)
class Counts:
    """(topology key, value) -> count, for the three rules of Filter."""

    terms: IncomingTerms
    affinity: PairCounts = field(default_factory=PairCounts)
    anti: PairCounts = field(default_factory=PairCounts)
    existing_anti: PairCounts = field(default_factory=PairCounts)


class InterPodAffinity(PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin):
    name = "InterPodAffinity"
    normalizes = True
    without_pre_filter = "inter_pod_affinity.no_state"
    without_pre_score = "inter_pod_affinity.no_score_state"
    args: Args

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> Args:
        check = Checker(root)
        check.mapping((), args, {"hardPodAffinityWeight": int, "ignorePreferredTermsOfExistingPods": bool})
        check.raise_problems()
        weight = args.get("hardPodAffinityWeight")
        weight = 1 if weight is None else weight
        if not 0 <= weight <= 100:
            check.invalid(("hardPodAffinityWeight",), weight, "not in valid range [0, 100]", "config.affinity_weight")
        check.raise_problems()
        return Args(weight, bool(args.get("ignorePreferredTermsOfExistingPods")))

    def _namespace_labels(self, namespace: str) -> Mapping[str, str]:
        manifest = self.handle.objects.get("Namespace", "", namespace)
        return (manifest or {}).get("metadata", {}).get("labels") or {}

    def terms(self, shape: PodShape) -> IncomingTerms:
        """The Pod's own terms with their namespace selectors resolved to names."""
        return IncomingTerms.of(shape, self.handle.objects)

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        cluster, shape = self.handle.cluster, pod.shape
        affinity = shape.pod_affinity
        existing = PairCounts()
        for owned, index in owners_covering(cluster, "antiRequired", shape, self._namespace_labels(shape.namespace)):
            existing.add(owned.term.topology_key, index.by_domain(cluster.nodes.labels.column(owned.term.topology_key)))
        if not affinity.required and not affinity.anti_required and existing.is_empty:
            return PreFilterResult(SKIP)
        terms = self.terms(shape)
        counts = Counts(terms, existing_anti=existing)
        if terms.required:
            matching_all = terms.index_matching_all(cluster)
            for term in terms.required:
                column = cluster.nodes.labels.column(term.topology_key)
                counts.affinity.add(term.topology_key, matching_all.by_domain(column))
        for term in terms.anti_required:
            column = cluster.nodes.labels.column(term.topology_key)
            counts.anti.add(term.topology_key, terms.index(cluster, term).by_domain(column))
        state.data[self.name] = counts
        return PreFilterResult()

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        counts: Counts = state.data[self.name]
        return Verdicts.first_of(
            Verdicts.where(self._misses_affinity(counts, pod.shape, rows), Code.UNRESOLVABLE, _AFFINITY),
            Verdicts.where(self._hits_anti(counts, rows), Code.UNSCHEDULABLE, _ANTI),
            Verdicts.where(self._hits_existing(counts, pod.shape, rows), Code.UNSCHEDULABLE, _EXISTING),
        )

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        counts: Counts = state.data[self.name]
        found = [
            *affinity_facts(counts.terms, counts.affinity, pod.shape, row),
            *anti_affinity_facts(counts.terms, row),
        ]
        labels = self._namespace_labels(pod.namespace)
        change = self._owned_delta(pod.shape, row)
        for key in dict.fromkeys([*counts.existing_anti.topology_keys, *change]):
            ids = row.label_ids(key)
            if ids[0] >= 0:
                count = int(counts.existing_anti.at(key, ids)[0]) + int(change[key][0] if key in change else 0)
                found.append(existing_fact(row, key, count, lambda s, k=key: owns_anti_term(s, pod.shape, labels, k)))  # type: ignore[misc]
        return found

    @staticmethod
    def _misses_affinity(counts: Counts, shape: PodShape, rows: Rows) -> Bools:
        terms = counts.terms.required
        missing = np.zeros(len(rows), dtype=np.bool_)
        if not terms:
            return missing
        keyless = np.zeros(len(rows), dtype=np.bool_)
        change = counts.terms.delta_matching_all(rows)
        total = np.full(len(rows), counts.affinity.total, dtype=np.int64)
        times = {key: sum(1 for t in terms if t.topology_key == key) for key in counts.affinity.topology_keys}
        for key, often in times.items():
            ids = rows.label_ids(key)
            keyless |= ids < 0
            own = np.where(ids >= 0, change * often, 0)
            total += own
            missing |= counts.affinity.at(key, ids) + own <= 0
        alone = (total == 0) & counts.terms.matches_itself(shape)
        misses: Bools = keyless | (missing & ~alone)
        return misses

    @staticmethod
    def _hits_anti(counts: Counts, rows: Rows) -> Bools:
        hits = np.zeros(len(rows), dtype=np.bool_)
        change: dict[str, Ints] = {}
        for term in counts.terms.anti_required:
            own = counts.terms.delta(rows, term)
            change[term.topology_key] = change.get(term.topology_key, 0) + own
        for key, own in change.items():
            ids = rows.label_ids(key)
            hits |= (ids >= 0) & (counts.anti.at(key, ids) + own > 0)
        return hits

    def _hits_existing(self, counts: Counts, shape: PodShape, rows: Rows) -> Bools:
        hits = np.zeros(len(rows), dtype=np.bool_)
        change = self._owned_delta(shape, rows)
        for key in dict.fromkeys([*counts.existing_anti.topology_keys, *change]):
            ids = rows.label_ids(key)
            hits |= (ids >= 0) & (counts.existing_anti.at(key, ids) + change.get(key, 0) > 0)
        return hits

    def _owned_delta(self, shape: PodShape, rows: Rows) -> dict[str, Ints]:
        """Per topology key (k,) required anti-affinity terms against this Pod that the hypothetical Pods bring or
        take."""
        delta = rows.delta
        if delta is None or not len(delta.pods):
            return {}
        labels = self._namespace_labels(shape.namespace)
        changes: dict[str, Ints] = {}
        table = rows.cluster.pods
        for position, number, sign in zip(
            delta.positions.tolist(), delta.pods.tolist(), delta.signs.tolist(), strict=True
        ):
            for term in table.pod(number).shape.pod_affinity.anti_required:
                if term_matches(term, shape, labels):
                    own = changes.setdefault(term.topology_key, np.zeros(len(rows), dtype=np.int64))
                    own[position] += sign
        return changes

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        affinity = pod.shape.pod_affinity
        prefers = bool(affinity.preferred or affinity.anti_preferred)
        if self.args.ignore_existing and not prefers:
            return SKIP
        sums = PairCounts()
        labels = self._namespace_labels(pod.namespace)
        recorded = add_preferences(
            sums, rows.cluster, self.terms(pod.shape) if prefers else None, pod.shape, labels, self.args.hard_weight
        )
        if not recorded:
            return SKIP
        state.data[_SCORING] = sums
        return SUCCESS

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        sums: PairCounts = state.data[_SCORING]
        scores = np.zeros(len(rows), dtype=np.int64)
        for key in sums.topology_keys:
            scores += sums.at(key, rows.label_ids(key))
        return scores

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        affinity = pod.shape.pod_affinity
        own = self.terms(pod.shape) if affinity.preferred or affinity.anti_preferred else None
        labels = self._namespace_labels(pod.namespace)
        found = preferences(rows.cluster, own, pod.shape, labels, self.args.hard_weight)
        parts = preference_parts(list(found), rows.subset(np.array([position])))
        return Formula.of("inter_pod_affinity.score", sum(part["part"] for part in parts), parts=parts)

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        if not len(scores):
            return scores
        smallest = int(scores.min())
        span = int(scores.max()) - smallest
        if span <= 0:
            return np.zeros(len(scores), dtype=np.int64)
        return (float(MAX_SCORE) * ((scores - smallest) / span)).astype(np.int64)

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        return Formula.of(
            "normalize.affinity",
            self.normalize(state, pod, rows, scores)[position],
            raw=int(scores[position]),
            largest=int(scores.max()),
            smallest=int(scores.min()),
        )

    def events(self) -> Sequence[EventInterest]:
        pods = Action.ADD | Action.DELETE | Action.UPDATE_POD_LABEL
        return (
            EventInterest(ClusterEvent(POD, pods), self._pod_changed),
            EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL), self._node_changed),
        )

    def _pod_changed(self, pod: Pod, old: Pod | None, new: Pod | None) -> Hint:
        affinity = pod.shape.pod_affinity
        other = new if new is not None else old
        assert other is not None
        if old is not None and new is not None and new.uid == pod.uid:
            return Hint.QUEUE
        if not other.node_name:
            return Hint.SKIP
        if new is None:
            freed = matches_all(affinity.anti_required, other.shape) or matches_all(
                other.shape.pod_affinity.anti_required, pod.shape
            )
            return Hint.QUEUE if freed else Hint.SKIP
        if old is None:
            return Hint.QUEUE if matches_all(affinity.required, new.shape) else Hint.SKIP
        starts = not matches_all(affinity.required, old.shape) and matches_all(affinity.required, new.shape)
        stops = matches_all(affinity.anti_required, old.shape) and not matches_all(affinity.anti_required, new.shape)
        return Hint.QUEUE if starts or stops else Hint.SKIP

    def _node_changed(self, pod: Pod, old: Node | None, new: Node) -> Hint:
        affinity = pod.shape.pod_affinity
        for term in affinity.required:
            key = term.topology_key
            if key in new.labels and (old is None or old.labels.get(key) != new.labels[key]):
                return Hint.QUEUE
        if not affinity.anti_required:
            return Hint.SKIP
        if old is None:
            return Hint.QUEUE
        changed = any(
            term.topology_key in old.labels and old.labels[term.topology_key] != new.labels.get(term.topology_key)
            for term in affinity.anti_required
        )
        return Hint.QUEUE if changed else Hint.SKIP


def matches_all(terms: Iterable[PodAffinityTerm], shape: PodShape) -> bool:
    """Whether a Pod matches all terms (False for no terms), namespace selectors seen without labels as kube's hints
    do."""
    terms = tuple(terms)
    return bool(terms) and all(term_matches(term, shape, {}) for term in terms)

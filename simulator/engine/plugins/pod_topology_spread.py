"""PodTopologySpread: keep matching Pods evenly over zones, hosts or any other label.

Decides: Filter by DoNotSchedule constraints (count + self - smallest count must not exceed maxSkew); Score by
ScheduleAnyway constraints, fewer matching Pods is better, small domain sets weigh less. Kubernetes counterpart:
kube-scheduler 1.36 PodTopologySpread, weight 2; args defaultingType, defaultConstraints. Simplified here: nothing.
Reads: node labels and taints, Pods everywhere, Services and controllers (for default constraints). Writes: nothing.
Wakes on: assigned Pods of the namespace that match come, go or change labels; nodes of the domains come, go or
change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.labels import LabelColumn
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import MOST_NAMES, Fact, Formula
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
from simulator.engine.framework.shape_check import Path
from simulator.engine.framework.status import MAX_SCORE, SKIP, SUCCESS, Code, Reason, Scores, Status, Verdicts
from simulator.engine.objects.affinity import SpreadConstraint
from simulator.engine.objects.node import HOSTNAME, Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.selectors import selector_text
from simulator.engine.plugins.spread_constraints import (
    HARD,
    SOFT,
    SYSTEM,
    SpreadArgs,
    column_of,
    constraints_of,
    counts_per_domain,
    eligible,
    has_keys,
    index_for,
    read_spread_args,
)

NO_DOMAIN = 2**31 - 1
_SKEW = Reason("pod_topology_spread.skew")
_MISSING = Reason("pod_topology_spread.missing_label")
_SCORING = "PodTopologySpread/score"


@dataclass(frozen=True, slots=True)
class HardState:
    """One DoNotSchedule constraint, counted; `present` (values,) are the domains there are.

    `others` (values,) is the smallest count among the other domains.
    """

    constraint: SpreadConstraint
    column: LabelColumn
    counts: Ints
    present: Bools
    smallest: int
    others: Ints
    forced_zero: bool
    self_match: int
    counted: Bools


@dataclass(frozen=True, slots=True)
class SoftState:
    """One ScheduleAnyway constraint: `counts` (k,) for the feasible rows, `has_key` (k,), the number of domains and
    the weight that follows from it."""

    constraint: SpreadConstraint
    counts: Ints
    has_key: Bools
    domains: int
    weight: float


class PodTopologySpread(PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin):
    name = "PodTopologySpread"
    normalizes = True
    without_pre_filter = "pod_topology_spread.no_state"
    without_pre_score = "pod_topology_spread.no_score_state"
    args: SpreadArgs

    @classmethod
    def read_args(cls, args: Mapping[str, Any], root: Path = ()) -> SpreadArgs:
        return read_spread_args(args, root)

    def constraints(self, shape: PodShape, action: str) -> tuple[SpreadConstraint, ...]:
        return constraints_of(shape, action, self.args, self.handle)

    def _eligible(self, constraint: SpreadConstraint, shape: PodShape, rows: Rows) -> Bools | None:
        comparison = self.handle.gate("TaintTolerationComparisonOperators")
        return eligible(constraint, shape, rows, comparison=comparison)

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        constraints = self.constraints(pod.shape, HARD)
        if not constraints:
            return PreFilterResult(SKIP)
        rows = self.handle.cluster.all_rows()
        keyed = has_keys(constraints, rows)
        state.data[self.name] = [self._hard(pod.shape, constraint, rows, keyed) for constraint in constraints]
        return PreFilterResult()

    def _hard(self, shape: PodShape, constraint: SpreadConstraint, rows: Rows, keyed: Bools) -> HardState:
        column = column_of(rows.cluster, constraint)
        policy = self._eligible(constraint, shape, rows)
        counted = keyed if policy is None else keyed & policy
        index = index_for(rows.cluster, shape.namespace, constraint.selector)
        counts, present = counts_per_domain(column, index, counted)
        counts = np.where(present, counts, 0)
        smallest, others = _minima(counts, present)
        return HardState(
            constraint,
            column,
            counts,
            present,
            smallest,
            others,
            int(present.sum()) < constraint.min_domains,
            int(constraint.selector.matches(shape.labels)),
            counted,
        )

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        hard: list[HardState] = state.data[self.name]
        verdicts = []
        for item in hard:
            ids, count, smallest = self.skew_terms(item, pod.shape, rows)
            verdicts.append(Verdicts.where(ids < 0, Code.UNRESOLVABLE, _MISSING))
            over = (ids >= 0) & (count + item.self_match - smallest > item.constraint.max_skew)
            verdicts.append(Verdicts.where(over, Code.UNSCHEDULABLE, _SKEW))
        return Verdicts.first_of(*verdicts)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        hard: list[HardState] = state.data[self.name]
        return [self._constraint_fact(item, pod.shape, row) for item in hard]

    def _constraint_fact(self, item: HardState, shape: PodShape, row: Rows) -> Fact:
        constraint, key = item.constraint, item.constraint.topology_key
        terms = (values[0].item() for values in self.skew_terms(item, shape, row))
        domain, count, smallest = terms
        if domain < 0:
            return Fact.of("pod_topology_spread.key", False, key=key)
        skew = count + item.self_match - smallest
        at_least = [item.column.values[index] for index in np.flatnonzero(item.present & (item.counts == smallest))]
        return Fact.of(
            "pod_topology_spread.constraint",
            skew <= constraint.max_skew,
            key=key,
            domain=item.column.values[domain],
            selector=selector_text(constraint.selector),
            count=count,
            own=item.self_match,
            smallest=smallest,
            smallest_in=at_least[:MOST_NAMES],
            skew=skew,
            max_skew=constraint.max_skew,
            domains=int(item.present.sum()),
            min_domains=constraint.min_domains,
        )

    @staticmethod
    def skew_terms(item: HardState, shape: PodShape, rows: Rows) -> tuple[Ints, Ints, Ints]:
        """(domain id, Pods in the row's domain, smallest count of all domains) for each row, its delta counted."""
        ids = rows.label_ids(item.constraint.topology_key)
        count = np.append(item.counts, 0)[ids]
        smallest = np.full(len(rows), item.smallest, dtype=np.int64)
        if rows.delta is not None and len(rows.delta.pods):
            change = _delta_counts(item, shape, rows)
            count = count + change
            changed = change != 0
            smallest = np.where(changed, np.minimum(np.append(item.others, 0)[ids], count), smallest)
        if item.forced_zero:
            smallest = np.zeros(len(rows), dtype=np.int64)
        return ids, count, smallest

    def pre_score(self, state: CycleState, pod: Pod, rows: Rows) -> Status:
        constraints = self.constraints(pod.shape, SOFT)
        if not constraints:
            return SKIP
        require_all = bool(pod.shape.spread) or self.args.defaulting != SYSTEM
        everywhere = rows.cluster.all_rows()
        ignored = ~has_keys(constraints, rows) if require_all else np.zeros(len(rows), dtype=np.bool_)
        keyed = has_keys(constraints, everywhere) if require_all else np.ones(len(everywhere), dtype=np.bool_)
        soft = [self._soft(pod.shape, constraint, rows, ignored, keyed) for constraint in constraints]
        state.data[_SCORING] = (soft, ignored)
        return SUCCESS

    def _soft(
        self, shape: PodShape, constraint: SpreadConstraint, rows: Rows, ignored: Bools, keyed: Bools
    ) -> SoftState:
        cluster = rows.cluster
        column = column_of(cluster, constraint)
        ids = column.ids[rows.ids]
        index = index_for(cluster, shape.namespace, constraint.selector)
        if constraint.topology_key == HOSTNAME:
            size = len(rows) - int(ignored.sum())
            counts = np.zeros(len(rows), dtype=np.int64) if index is None or rows.bare else index.counts[rows.ids]
            return SoftState(constraint, counts, ids >= 0, size, math.log(size + 2))
        seen = np.zeros(len(column.values) + 1, dtype=np.bool_)
        seen[_empty_for_missing(column, ids[~ignored])] = True
        everywhere = cluster.all_rows()
        policy = self._eligible(constraint, shape, everywhere)
        counted = keyed if policy is None else keyed & policy
        sums, _ = counts_per_domain(column, index, counted)
        empty = column.id_of("")
        if empty >= 0 and index is not None:
            sums = sums.copy()
            sums[empty] += int(index.counts[counted & (column.ids < 0)].sum())
        counts = np.append(np.where(seen[:-1], sums, 0), 0)[ids]
        size = int(seen.sum())
        return SoftState(constraint, counts, ids >= 0, size, math.log(size + 2))

    def score(self, state: CycleState, pod: Pod, rows: Rows) -> Scores:
        soft, ignored = state.data[_SCORING]
        total = np.zeros(len(rows), dtype=np.float64)
        for item in soft:
            part = item.counts * item.weight + float(item.constraint.max_skew - 1)
            total += np.where(item.has_key, part, 0.0)
        scores = np.trunc(total)
        scores += (total - scores) >= 0.5
        scores[ignored] = 0
        return scores.astype(np.int64)

    def score_facts(self, state: CycleState, pod: Pod, rows: Rows, position: int) -> Formula:
        soft, ignored = state.data[_SCORING]
        row = rows.subset(np.array([position]))
        parts = [_soft_part(item, row, position) for item in soft]
        return Formula.of(
            "pod_topology_spread.score",
            self.score(state, pod, rows)[position],
            ignored=bool(ignored[position]),
            constraints=parts,
            total=sum((part["part"] for part in parts), 0.0),
        )

    def normalize(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores) -> Scores:
        _, ignored = state.data[_SCORING]
        valid = scores[~ignored]
        largest = int(valid.max(initial=0))
        if largest == 0:
            normalized = np.full(len(scores), MAX_SCORE, dtype=np.int64)
        else:
            normalized = MAX_SCORE * (largest + int(valid.min()) - scores) // largest
        normalized[ignored] = 0
        return normalized

    def normalize_facts(self, state: CycleState, pod: Pod, rows: Rows, scores: Scores, position: int) -> Formula:
        _, ignored = state.data[_SCORING]
        valid = scores[~ignored]
        return Formula.of(
            "normalize.spread",
            self.normalize(state, pod, rows, scores)[position],
            raw=int(scores[position]),
            largest=int(valid.max(initial=0)),
            smallest=int(valid.min()) if len(valid) else 0,
            ignored=bool(ignored[position]),
        )

    def events(self) -> Sequence[EventInterest]:
        pods = Action.ADD | Action.DELETE | Action.UPDATE_POD_LABEL | Action.UPDATE_POD_TOLERATION
        nodes = Action.ADD | Action.DELETE | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_TAINT
        return (
            EventInterest(ClusterEvent(POD, pods), self._pod_changed),
            EventInterest(ClusterEvent(NODE, nodes), self._node_changed),
        )

    def _pod_changed(self, pod: Pod, old: Pod | None, new: Pod | None) -> Hint:
        other = new if new is not None else old
        assert other is not None
        own = other.uid == pod.uid
        if not own and (not other.node_name or other.namespace != pod.namespace):
            return Hint.SKIP
        constraints = self.constraints(pod.shape, HARD)
        if old is not None and new is not None:
            return self._pod_updated(constraints, old, new, own=own)
        matched = any(constraint.selector.matches(other.labels) for constraint in constraints)
        return Hint.QUEUE if matched else Hint.SKIP

    @staticmethod
    def _pod_updated(constraints: Sequence[SpreadConstraint], old: Pod, new: Pod, *, own: bool) -> Hint:
        tolerations = own and old.shape.tolerations != new.shape.tolerations
        if tolerations and any(constraint.honor_taints for constraint in constraints):
            return Hint.QUEUE
        flips = any(c.selector.matches(old.labels) != c.selector.matches(new.labels) for c in constraints)
        return Hint.QUEUE if flips else Hint.SKIP

    def _node_changed(self, pod: Pod, old: Node | None, new: Node | None) -> Hint:
        keys = [constraint.topology_key for constraint in self.constraints(pod.shape, HARD)]
        had = old is not None and all(key in old.labels for key in keys)
        has = new is not None and all(key in new.labels for key in keys)
        if old is None or new is None:
            return Hint.QUEUE if had or has else Hint.SKIP
        if had != has:
            return Hint.QUEUE
        moved = any(old.labels.get(key) != new.labels.get(key) for key in keys)
        return Hint.QUEUE if has and (moved or old.taints != new.taints) else Hint.SKIP


def _empty_for_missing(column: LabelColumn, ids: Ints) -> Ints:
    """Value ids with those of nodes without the key replaced by that of the empty value, which kube takes for them."""
    return np.where(ids < 0, column.id_of(""), ids)


def _soft_part(item: SoftState, row: Rows, position: int) -> dict[str, Any]:
    """One ScheduleAnyway constraint's contribution: count · weight + (maxSkew - 1) where the node has the key."""
    column = column_of(row.cluster, item.constraint)
    domain, has_key = int(column.ids[int(row.ids[0])]), bool(item.has_key[position])
    count = int(item.counts[position])
    return {
        "key": item.constraint.topology_key,
        "domain": column.values[domain] if domain >= 0 else None,
        "selector": selector_text(item.constraint.selector),
        "count": count,
        "domains": item.domains,
        "weight": item.weight,
        "max_skew": item.constraint.max_skew,
        "part": count * item.weight + float(item.constraint.max_skew - 1) if has_key else 0.0,
    }


def _minima(counts: Ints, present: Bools) -> tuple[int, Ints]:
    """The smallest count of the present domains, and for each domain the smallest count of the other ones."""
    values = counts[present]
    if not len(values):
        return NO_DOMAIN, np.full(len(counts), NO_DOMAIN, dtype=np.int64)
    two = np.partition(values, 1)[:2] if len(values) > 1 else np.array([values[0], NO_DOMAIN])
    first, second = int(two[0]), int(two[1])
    return first, np.where(present & (counts == first), second, first).astype(np.int64)


def _delta_counts(item: HardState, shape: PodShape, rows: Rows) -> Ints:
    """(k,) by how much the hypothetical Pods change the count of the row's own domain."""
    delta = rows.delta
    assert delta is not None
    shapes = rows.cluster.pods.shapes.shapes
    selector = item.constraint.selector
    matches = [int(s.namespace == shape.namespace and selector.matches(s.labels)) for s in shapes]
    values = np.array(matches, dtype=np.int64)[rows.cluster.pods.shape.data[delta.pods]] * delta.signs
    change = np.zeros(len(rows), dtype=np.int64)
    np.add.at(change, delta.positions, values)
    change[~item.counted[rows.ids]] = 0
    return change

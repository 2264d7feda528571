"""Topology spread constraints of a Pod: its own or the profile's defaults, and the counts they need.

Source: kube-scheduler 1.36 `podtopologyspread/common.go`, `helper/spread.go`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.indexes import PodIndex
from simulator.engine.cluster.labels import LabelColumn
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.plugin import Handle
from simulator.engine.framework.shape_check import Checker, Path
from simulator.engine.objects.affinity import SpreadConstraint
from simulator.engine.objects.names import label_key_problems
from simulator.engine.objects.node import HOSTNAME, ZONE
from simulator.engine.objects.pod import PodShape
from simulator.engine.objects.selectors import LabelSelector
from simulator.engine.objects.taints import HARD_EFFECTS, first_untolerated
from simulator.engine.plugins.node_affinity import required_matches

HARD, SOFT = "DoNotSchedule", "ScheduleAnyway"
SYSTEM, LIST = "System", "List"

SYSTEM_DEFAULTS = (
    SpreadConstraint(3, HOSTNAME, SOFT, LabelSelector()),
    SpreadConstraint(5, ZONE, SOFT, LabelSelector()),
)


@dataclass(frozen=True, slots=True)
class SpreadArgs:
    """`defaults` have no selector of their own: it is deduced for each Pod."""

    defaulting: str = SYSTEM
    defaults: tuple[SpreadConstraint, ...] = SYSTEM_DEFAULTS


def read_spread_args(args: Mapping[str, Any], root: Path = ()) -> SpreadArgs:
    """PodTopologySpreadArgs. Raises `ConfigError`."""
    check = Checker(root)
    check.mapping((), args, {"defaultConstraints": list, "defaultingType": str})
    check.raise_problems()
    kind = args.get("defaultingType") or SYSTEM
    items = args.get("defaultConstraints") or ()
    if kind not in (SYSTEM, LIST):
        check.unsupported(("defaultingType",), kind, (SYSTEM, LIST), "config.defaulting_type")
    if kind == SYSTEM and items:
        text = "when .defaultConstraints are not empty"
        check.invalid(("defaultingType",), kind, text, "config.defaulting_system")
    defaults = tuple(_default(check, index, item) for index, item in enumerate(items))
    _check_duplicates(check, defaults)
    check.raise_problems()
    return SpreadArgs() if kind == SYSTEM else SpreadArgs(kind, defaults)


def _default(check: Checker, index: int, item: Any) -> SpreadConstraint:
    path = ("defaultConstraints", index)
    fields = {"maxSkew": int, "topologyKey": str, "whenUnsatisfiable": str, "labelSelector": dict}
    if not check.mapping(path, item, fields):
        return SYSTEM_DEFAULTS[0]
    skew, action = item.get("maxSkew") or 0, item.get("whenUnsatisfiable") or ""
    if skew <= 0:
        check.invalid((*path, "maxSkew"), skew, "not in valid range (0, inf)", "config.max_skew")
    _check_topology_key(check, (*path, "topologyKey"), item.get("topologyKey") or "")
    if not action:
        check.required((*path, "whenUnsatisfiable"), "can not be empty")
    elif action not in (HARD, SOFT):
        check.unsupported((*path, "whenUnsatisfiable"), action, (HARD, SOFT), "config.unsatisfiable")
    if item.get("labelSelector") is not None:
        text = "Forbidden: constraint must not define a selector, as they deduced for each pod"
        check.about((*path, "labelSelector"), text, "config.default_selector")
    return SpreadConstraint(skew, item.get("topologyKey") or "", action, LabelSelector())


def _check_topology_key(check: Checker, path: Path, key: str) -> None:
    if not key:
        check.required(path, "can not be empty")
        return
    for problem in label_key_problems(key):
        check.invalid(path, key, problem.text, "config.topology_key")


def _check_duplicates(check: Checker, defaults: Sequence[SpreadConstraint]) -> None:
    seen = set()
    for index, constraint in enumerate(defaults):
        pair = (constraint.topology_key, constraint.when_unsatisfiable)
        if pair in seen:
            check.duplicate(("defaultConstraints", index), f"{{{pair[0]}, {pair[1]}}}")
        seen.add(pair)


def constraints_of(shape: PodShape, action: str, args: SpreadArgs, handle: Handle) -> tuple[SpreadConstraint, ...]:
    """The constraints with `action`: the Pod's own, or the defaults where it has none of any kind."""
    own = shape.spread
    if own:
        return tuple(constraint for constraint in own if constraint.when_unsatisfiable == action)
    defaults = [constraint for constraint in args.defaults if constraint.when_unsatisfiable == action]
    if not defaults:
        return ()
    selector = default_selector(shape, handle)
    if selector.is_empty:
        return ()
    return tuple(replace(constraint, selector=selector) for constraint in defaults)


def default_selector(shape: PodShape, handle: Handle) -> LabelSelector:
    """The selectors of the Services that select the Pod, and that of its controller (`helper.DefaultSelector`)."""
    merged: dict[str, str] = {}
    for service in handle.objects.list("Service", shape.namespace):
        labels = (service.get("spec") or {}).get("selector")
        if labels is not None and LabelSelector.of(labels).matches(shape.labels):
            merged |= labels
    selector = LabelSelector.of(merged)
    if shape.controller is None:
        return selector
    kind, name = shape.controller
    owner = handle.objects.get(kind, shape.namespace, name)
    wanted = (owner or {}).get("spec", {}).get("selector")
    if kind == "ReplicationController" and wanted:
        return LabelSelector.of({**merged, **wanted})
    if kind in ("ReplicaSet", "StatefulSet") and wanted:
        return selector.joined(LabelSelector.parse(wanted))
    return selector


def index_for(cluster: Cluster, namespace: str, selector: LabelSelector) -> PodIndex | None:
    """Counts per node of the Pods that a constraint counts, None where it counts none (an empty selector)."""
    if selector.nothing or selector.is_empty:
        return None
    return cluster.indexes.get(
        ("spread", namespace, selector),
        lambda shape: int(shape.namespace == namespace and selector.matches(shape.labels)),
        count_terminating=False,
    )


def eligible(constraint: SpreadConstraint, shape: PodShape, rows: Rows, *, comparison: bool) -> Bools | None:
    """(k,) whether the constraint's inclusion policies count each row, None for all of them.

    `comparison` is the gate TaintTolerationComparisonOperators.
    """
    counted: Bools | None = None
    honors_affinity = shape.node_selector is not None or shape.node_affinity.required is not None
    if constraint.honor_affinity and honors_affinity:
        counted = required_matches(shape, rows)
    if constraint.honor_taints:
        sets = rows.cluster.nodes.taints
        clean = [
            first_untolerated(taints, shape.tolerations, HARD_EFFECTS, comparison=comparison) is None for taints in sets
        ]
        tolerated = np.array(clean, dtype=np.bool_)[rows.taint_sets]
        counted = tolerated if counted is None else counted & tolerated
    return counted


def has_keys(constraints: Sequence[SpreadConstraint], rows: Rows) -> Bools:
    """(k,) whether each row has every topology key."""
    present = np.ones(len(rows), dtype=np.bool_)
    for key in dict.fromkeys(constraint.topology_key for constraint in constraints):
        present &= rows.label_ids(key) >= 0
    return present


def column_of(cluster: Cluster, constraint: SpreadConstraint) -> LabelColumn:
    return cluster.nodes.labels.column(constraint.topology_key)


def counts_per_domain(column: LabelColumn, index: PodIndex | None, counted: Bools) -> tuple[Ints, Bools]:
    """(values,) Pods in each domain on counted rows, and whether the domain has a counted row at all."""
    size = len(column.values)
    everywhere = bool(counted.all())
    present = np.zeros(size + 1, dtype=np.bool_)
    present[column.ids if everywhere else column.ids[counted]] = True
    if index is None:
        return np.zeros(size, dtype=np.int64), present[:size]
    if everywhere:
        return index.by_domain(column)[:size], present[:size]
    sums = np.zeros(size + 1, dtype=np.int64)
    np.add.at(sums, column.ids[counted], index.counts[counted])
    return sums[:size], present[:size]

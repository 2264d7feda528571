"""Choices the real scheduler leaves to chance, races or the outside world, as one value.

The same engine runs a lab and every set of recorded decisions; only these rules differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.columns import Ints
from simulator.engine.framework.scoring import heap_root

CLUSTER_ORDER, BY_NAME, HEAP = "clusterOrder", "name", "heap"


@dataclass(frozen=True, slots=True)
class Rules:
    """tie_rule: which of several equally good nodes is taken: the first in the cluster, the smallest name, or the
    root of kube's heap. preemption_tries_all: the dry run looks at every potential node instead of stopping at enough
    candidates.
    """

    tie_rule: str = CLUSTER_ORDER
    preemption_tries_all: bool = False

    def pick(self, cluster: Cluster, rows: Sequence[int]) -> int:
        """One of `rows` (ascending), all equally good."""
        if self.tie_rule != BY_NAME or len(rows) == 1:
            return rows[0]
        name_of: Callable[[int], str] = lambda row: cluster.nodes.objects[row].name  # noqa: E731 - a key function
        return min(rows, key=name_of)

    def select(self, cluster: Cluster, feasible: Ints, totals: Ints) -> int:
        """The row among `feasible` (in the order found) that gets the Pod."""
        if self.tie_rule == HEAP:
            return int(feasible[heap_root(totals.tolist())])
        in_row_order = cluster.is_in_row_order and feasible[0] <= feasible[-1]
        if self.tie_rule == CLUSTER_ORDER and in_row_order:
            return int(feasible[totals.argmax()])
        best = feasible[totals == totals.max()]
        return self.pick(cluster, sorted(best.tolist()))

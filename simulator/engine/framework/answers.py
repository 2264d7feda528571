"""Kept answers: what a plugin said of every row for one kind of Pod, renewed only where rows changed.

Replicas ask the same question of the same nodes. Between two of them only the nodes that got or lost a Pod can answer
differently, so a cycle costs a few rows instead of all. The answers come from the plugins' ordinary methods.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.plugin import Reads
from simulator.engine.framework.status import Scores, Verdicts

FEW = 8
"""Up to so many rows a plain loop is faster than arrays."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A small least-recently-used map."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._items: dict[K, V] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        found = self._items.pop(key, None)
        if found is None:
            found = make()
            if len(self._items) >= self._limit:
                del self._items[next(iter(self._items))]
        self._items[key] = found
        return found


class Kept:
    """Something known for all rows that depends on `reads`. `stale` says where it has to be worked out again."""

    __slots__ = ("_node_count", "_reads_usage", "_structure", "_usage_count")

    def __init__(self, reads: Reads) -> None:
        self._reads_usage = Reads.USAGE in reads
        self._structure = -1
        self._node_count = 0
        self._usage_count = 0

    def is_current(self, cluster: Cluster) -> bool:
        return (
            self._structure == cluster.structure
            and self._node_count == cluster.node_changes.count
            and (not self._reads_usage or self._usage_count == cluster.usage_changes.count)
        )

    def stale(self, cluster: Cluster) -> list[int] | None:
        """Rows that changed since the last call, ascending; None for all of them."""
        rows: list[int] | None = None
        if self._structure == cluster.structure:
            limit = len(cluster) // 4 + 8
            rows = cluster.node_changes.since(self._node_count, limit)
            if rows is not None and self._reads_usage:
                used = cluster.usage_changes.since(self._usage_count, limit)
                rows = used if used is None or not rows else sorted({*rows, *used})
        self._structure = cluster.structure
        self._node_count = cluster.node_changes.count
        self._usage_count = cluster.usage_changes.count
        return rows


class KeptVerdicts(Kept):
    """A Filter plugin's verdicts for all rows."""

    __slots__ = ("verdicts",)

    def __init__(self, reads: Reads) -> None:
        super().__init__(reads)
        self.verdicts = Verdicts.passed(0)

    def renew(self, cluster: Cluster, ask: Callable[[Rows], Verdicts]) -> None:
        stale = self.stale(cluster)
        if stale is None:
            self.verdicts = ask(cluster.all_rows())
        elif stale:
            rows = cluster.rows(stale)
            new = ask(rows)
            self.verdicts.codes[rows.ids] = new.codes
            self.verdicts.bits[rows.ids] = new.bits


class KeptScores(Kept):
    """A Score plugin's raw scores for all rows."""

    __slots__ = ("_constant", "scores")

    def __init__(self, reads: Reads) -> None:
        super().__init__(reads)
        self.scores: Scores = np.zeros(0, dtype=np.int64)
        self._constant: bool | None = None

    def renew(self, cluster: Cluster, ask: Callable[[Rows], Scores]) -> None:
        stale = self.stale(cluster)
        if stale is None:
            self.scores = ask(cluster.all_rows())
            self._constant = None
        elif stale:
            rows = cluster.rows(stale)
            self.scores[rows.ids] = ask(rows)
            self._constant = None

    @property
    def is_constant(self) -> bool:
        """Whether all rows have the same score."""
        if self._constant is None:
            self._constant = len(self.scores) == 0 or bool((self.scores == self.scores[0]).all())
        return self._constant


class KeptPasses(Kept):
    """(rows,) whether a row passes all of several kept plugins."""

    __slots__ = ("passes",)

    def __init__(self, reads: Reads) -> None:
        super().__init__(reads)
        self.passes: Bools = np.zeros(0, dtype=np.bool_)

    def renew(self, cluster: Cluster, verdicts: Sequence[Verdicts]) -> None:
        """`verdicts` must be up to date."""
        stale = self.stale(cluster)
        if stale is None:
            self.passes = np.ones(len(cluster), dtype=np.bool_)
            for verdict in verdicts:
                self.passes &= verdict.codes == 0
        elif len(stale) <= FEW:
            for row in stale:
                self.passes[row] = not any(verdict.codes[row] for verdict in verdicts)
        else:
            rows = np.array(stale, dtype=np.int64)
            passes = np.ones(len(rows), dtype=np.bool_)
            for verdict in verdicts:
                passes &= verdict.codes[rows] == 0
            self.passes[rows] = passes


class KeptTotals(Kept):
    """(rows,) the weighted sum of the scores of several kept plugins that need no normalization."""

    __slots__ = ("totals",)

    def __init__(self, reads: Reads) -> None:
        super().__init__(reads)
        self.totals: Scores = np.zeros(0, dtype=np.int64)

    def renew(self, cluster: Cluster, parts: Sequence[tuple[Scores, int]]) -> None:
        """`parts` are (scores, weight) and must be up to date."""
        stale = self.stale(cluster)
        if stale is None:
            self.totals = np.zeros(len(cluster), dtype=np.int64)
            for scores, weight in parts:
                self.totals += scores * weight
        elif len(stale) <= FEW:
            for row in stale:
                self.totals[row] = sum(int(scores[row]) * weight for scores, weight in parts)
        else:
            rows = np.array(stale, dtype=np.int64)
            totals = np.zeros(len(rows), dtype=np.int64)
            for scores, weight in parts:
                totals += scores[rows] * weight
            self.totals[rows] = totals

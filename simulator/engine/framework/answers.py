"""Kept answers: what a plugin said of every row for one kind of Pod, renewed only where rows changed.

Replicas ask the same question of the same nodes. Between two of them only the nodes that got or lost a Pod can answer
differently, so a cycle costs a few rows instead of all. The answers come from the plugins' ordinary methods.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import numpy as np

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.plugin import Reads
from simulator.engine.framework.status import Scores, Verdicts

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

    def clear(self) -> None:
        self._items.clear()


class Freshness:
    """Which rows have to be looked at again since the last time, for something that depends on `reads`."""

    __slots__ = ("_node_mark", "_reads", "_structure", "_usage_mark")

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._structure = -1
        self._node_mark = 0
        self._usage_mark = 0

    def stale(self, cluster: Cluster) -> list[int] | None:
        """Rows that changed since the last call, ascending; None for all of them."""
        if self._structure != cluster.structure:
            rows: list[int] | None = None
        else:
            limit = len(cluster) // 4 + 8
            rows = cluster.node_changes.since(self._node_mark, limit)
            if rows is not None and Reads.USAGE in self._reads:
                used = cluster.usage_changes.since(self._usage_mark, limit)
                rows = _union(rows, used)
        self._structure = cluster.structure
        self._node_mark = cluster.node_changes.mark
        self._usage_mark = cluster.usage_changes.mark
        return rows


def _union(left: list[int], right: list[int] | None) -> list[int] | None:
    if right is None or not left:
        return right
    return sorted({*left, *right}) if right else left


class KeptVerdicts:
    """A Filter plugin's verdicts for all rows."""

    __slots__ = ("_freshness", "verdicts")

    def __init__(self, reads: Reads) -> None:
        self._freshness = Freshness(reads)
        self.verdicts = Verdicts.passed(0)

    def renew(self, cluster: Cluster, ask: Callable[[Rows], Verdicts]) -> Verdicts:
        stale = self._freshness.stale(cluster)
        if stale is None:
            self.verdicts = ask(cluster.all_rows())
        elif stale:
            rows = cluster.rows(stale)
            new = ask(rows)
            self.verdicts.codes[rows.ids] = new.codes
            self.verdicts.bits[rows.ids] = new.bits
        return self.verdicts


class KeptScores:
    """A Score plugin's raw scores for all rows."""

    __slots__ = ("_constant", "_freshness", "scores")

    def __init__(self, reads: Reads) -> None:
        self._freshness = Freshness(reads)
        self.scores: Scores = np.zeros(0, dtype=np.int64)
        self._constant: bool | None = None

    def renew(self, cluster: Cluster, ask: Callable[[Rows], Scores]) -> Scores:
        stale = self._freshness.stale(cluster)
        if stale is None:
            self.scores = ask(cluster.all_rows())
            self._constant = None
        elif stale:
            rows = cluster.rows(stale)
            self.scores[rows.ids] = ask(rows)
            self._constant = None
        return self.scores

    @property
    def is_constant(self) -> bool:
        """Whether all rows have the same score."""
        if self._constant is None:
            self._constant = len(self.scores) == 0 or bool((self.scores == self.scores[0]).all())
        return self._constant


class KeptPasses:
    """(rows,) whether a row passes all of several kept plugins."""

    __slots__ = ("_freshness", "passes")

    def __init__(self, reads: Reads) -> None:
        self._freshness = Freshness(reads)
        self.passes: Bools = np.zeros(0, dtype=np.bool_)

    def renew(self, cluster: Cluster, verdicts: list[Verdicts]) -> Bools:
        """`verdicts` must be up to date."""
        stale = self._freshness.stale(cluster)
        if stale is None:
            self.passes = np.ones(len(cluster), dtype=np.bool_)
            for verdict in verdicts:
                self.passes &= verdict.codes == 0
        elif stale:
            rows = np.array(stale, dtype=np.int64)
            passes = np.ones(len(rows), dtype=np.bool_)
            for verdict in verdicts:
                passes &= verdict.codes[rows] == 0
            self.passes[rows] = passes
        return self.passes


class KeptTotals:
    """(rows,) the weighted sum of the scores of several kept plugins that need no normalization."""

    __slots__ = ("_freshness", "totals")

    def __init__(self, reads: Reads) -> None:
        self._freshness = Freshness(reads)
        self.totals: Scores = np.zeros(0, dtype=np.int64)

    def renew(self, cluster: Cluster, parts: list[tuple[Scores, int]]) -> Scores:
        """`parts` are (scores, weight) and must be up to date."""
        stale = self._freshness.stale(cluster)
        if stale is None:
            self.totals = np.zeros(len(cluster), dtype=np.int64)
            for scores, weight in parts:
                self.totals += scores * weight
        elif stale:
            rows = np.array(stale, dtype=np.int64)
            self.totals[rows] = sum((scores[rows] * weight for scores, weight in parts), np.zeros(len(rows), np.int64))
        return self.totals

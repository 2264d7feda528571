"""Counts of Pods per node that some predicate selects, kept up to date Pod by Pod.

A question such as "how many Pods with app=web are on each node" is asked again for every replica; its answer changes
in one place when a Pod comes or goes. So each distinct question is an index, and a Pod's arrival costs only the
indexes that count it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.labels import LabelColumn
from simulator.engine.cluster.pods import NOWHERE, PodTable
from simulator.engine.objects.pod import PodShape

Value = Callable[[PodShape], int]


class PodIndex:
    """`counts` (rows,) int64: the sum of `value(shape)` over the Pods on each node."""

    def __init__(self, key: Hashable, value: Value, *, count_terminating: bool) -> None:
        self.key = key
        self.value = value
        self.count_terminating = count_terminating
        self.counts: Ints = np.zeros(0, dtype=np.int64)
        self.total = 0
        self._domains: dict[str, Ints] = {}

    def fill(self, pods: PodTable, rows: int) -> None:
        """Count everything anew."""
        self.counts = np.zeros(rows, dtype=np.int64)
        self._domains.clear()
        values = np.array([self.value(shape) for shape in pods.shapes.shapes], dtype=np.int64)
        node = pods.node.data
        chosen = node != NOWHERE
        if not self.count_terminating:
            chosen &= ~pods.terminating.data
        if len(values):
            np.add.at(self.counts, node[chosen], values[pods.shape.data[chosen]])
        self.total = int(self.counts.sum())

    def change(self, row: int, amount: int, columns: Callable[[str], LabelColumn]) -> None:
        self.counts[row] += amount
        self.total += amount
        for key, sums in list(self._domains.items()):
            domain = columns(key).ids[row]
            if domain >= len(sums):
                del self._domains[key]
            elif domain >= 0:
                sums[domain] += amount

    def by_domain(self, column: LabelColumn) -> Ints:
        """(values of the label,) the counts summed over the nodes with each value."""
        sums = self._domains.get(column.key)
        if sums is None or len(sums) < len(column.values):
            sums = self._domains[column.key] = domain_sums(column, self.counts)
        return sums

    def append_row(self) -> None:
        self.counts = np.append(self.counts, np.int64(0))
        self._domains.clear()

    def forget_domains(self) -> None:
        self._domains.clear()


def domain_sums(column: LabelColumn, counts: Ints) -> Ints:
    """(values,) `counts` (rows,) summed over the nodes with each value of `column`."""
    sums = np.zeros(len(column.values) + 1, dtype=np.int64)
    np.add.at(sums, column.ids, counts)
    return sums[:-1]


class PodIndexes:
    """All live indexes. Those asked for by incoming Pods are dropped, least recently used first, beyond `limit`."""

    def __init__(self, pods: PodTable, columns: Callable[[str], LabelColumn], limit: int = 2048) -> None:
        self._pods = pods
        self._columns = columns
        self._limit = limit
        self._rows = 0
        self._indexes: dict[Hashable, PodIndex] = {}
        self._hits: list[list[tuple[PodIndex, int]]] = []
        self._owned: dict[Hashable, PodIndex] = {}

    def get(self, key: Hashable, value: Value, *, count_terminating: bool = True) -> PodIndex:
        """The index named `key`; `value(shape)` says how often a Pod of a shape counts and must depend on `key`
        alone."""
        found = self._indexes.get(key)
        if found is None:
            found = self._make(key, value, count_terminating=count_terminating)
            self._indexes[key] = found
            if len(self._indexes) > self._limit:
                self._drop(next(iter(self._indexes)))
        else:
            self._indexes[key] = self._indexes.pop(key)
        return found

    def owned(self) -> Iterable[tuple[Hashable, PodIndex]]:
        """The indexes of (anti-)affinity terms that Pods own, in order of first sight."""
        return self._owned.items()

    def own(self, key: Hashable, value: Value) -> None:
        """Start an index of the owners of a term, unless there is one."""
        if key not in self._owned:
            self._owned[key] = self._make(key, value, count_terminating=True)

    def _make(self, key: Hashable, value: Value, *, count_terminating: bool) -> PodIndex:
        index = PodIndex(key, value, count_terminating=count_terminating)
        index.fill(self._pods, self._rows)
        for number, hits in enumerate(self._hits):
            amount = value(self._pods.shapes.shapes[number])
            if amount:
                hits.append((index, amount))
        return index

    def _drop(self, key: Hashable) -> None:
        index = self._indexes.pop(key)
        self._hits = [[hit for hit in hits if hit[0] is not index] for hits in self._hits]

    def _all(self) -> Iterable[PodIndex]:
        yield from self._indexes.values()
        yield from self._owned.values()

    def know_shape(self, shape_id: int) -> None:
        """A shape was seen: note which indexes count it. Call once per shape, in order of ids."""
        if shape_id == len(self._hits):
            shape = self._pods.shapes.shapes[shape_id]
            self._hits.append([(index, amount) for index in self._all() if (amount := index.value(shape))])

    def count(self, number: int, sign: int) -> None:
        """The Pod `number` came to its node (`sign` 1) or leaves it (-1)."""
        hits = self._hits[int(self._pods.shape.data[number])]
        if not hits:
            return
        row, terminating = int(self._pods.node.data[number]), bool(self._pods.terminating.data[number])
        for index, amount in hits:
            if index.count_terminating or not terminating:
                index.change(row, sign * amount, self._columns)

    def append_row(self) -> None:
        self._rows += 1
        for index in self._all():
            index.append_row()

    def remove_row(self) -> None:
        """A node is gone (already taken out of the Pod table): count anew."""
        self._rows -= 1
        for index in self._all():
            index.fill(self._pods, self._rows)

    def labels_changed(self) -> None:
        for index in self._all():
            index.forget_domains()

"""Row views: nodes as they are, or as they would be with some Pods more or less on each.

A plugin decides for k rows at once. Plain filtering looks at nodes as they are; nominated Pods, preemption, gangs and
"what if" look at nodes with Pods added or taken away, row by row. Both are a `Rows`, so a plugin is written once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from simulator.engine.cluster.columns import Ints

if TYPE_CHECKING:
    from simulator.engine.cluster.cluster import Cluster
    from simulator.engine.objects.node import Node
    from simulator.engine.objects.pod import Pod

Bools = npt.NDArray[np.bool_]


class Delta:
    """Hypothetical changes: Pod `pods[i]` (a number of the Pod table) is added to (`signs[i]` 1) or taken from (-1)
    row `positions[i]`.

    Positions count within the view, not within the cluster. Entries stand in the order in which they happen.
    """

    __slots__ = ("pods", "positions", "signs")

    def __init__(self, positions: Ints, pods: Ints, signs: Ints) -> None:
        self.positions = positions
        self.pods = pods
        self.signs = signs

    @staticmethod
    def of(entries: list[tuple[int, int, int]]) -> Delta:
        """From (position, Pod number, sign) triples."""
        table = np.array(entries, dtype=np.int64).reshape(-1, 3)
        return Delta(table[:, 0], table[:, 1], table[:, 2])

    def then(self, positions: Ints, pods: Ints, sign: int) -> Delta:
        """This delta followed by the same kind of change for more Pods."""
        signs = np.full(len(pods), sign, dtype=np.int64)
        return Delta(
            np.concatenate([self.positions, positions]),
            np.concatenate([self.pods, pods]),
            np.concatenate([self.signs, signs]),
        )

    def take(self, chosen: Ints, size: int) -> Delta:
        """The delta of a view that has only the positions `chosen` (ascending) of one with `size` rows."""
        new_position = np.full(size, -1, dtype=np.int64)
        new_position[chosen] = np.arange(len(chosen))
        positions = new_position[self.positions]
        kept = positions >= 0
        return Delta(positions[kept], self.pods[kept], self.signs[kept])


class Rows:
    """k rows. `ids` (k,) are node rows of `cluster`; `whole` says they are all of them, in order.

    `bare` rows are nodes without their Pods (how a node comes back from an extender that got it in full).
    """

    __slots__ = ("bare", "cluster", "delta", "ids", "whole")

    def __init__(
        self, cluster: Cluster, ids: Ints, delta: Delta | None = None, *, whole: bool = False, bare: bool = False
    ) -> None:
        self.cluster = cluster
        self.ids = ids
        self.delta = delta
        self.whole = whole
        self.bare = bare

    def __len__(self) -> int:
        return len(self.ids)

    def _take(self, column: Ints) -> Ints:
        return column if self.whole else column[self.ids]

    @property
    def nodes(self) -> list[Node]:
        objects = self.cluster.nodes.objects
        return [objects[row] for row in self.ids.tolist()]

    def allocatable(self, resource: str) -> Ints:
        """(k,) amount of `resource`; zeros where no node has it."""
        return self._resource(self.cluster.nodes.allocatable.data, resource)

    def requested(self, resource: str) -> Ints:
        """(k,) sum of the true requests of the Pods on each row."""
        base = self._resource(self.cluster.nodes.requested.data, resource)
        if self.bare:
            base = np.zeros_like(base)
        if self.delta is None or not len(self.delta.pods):
            return base
        return base + self._change(self.cluster.shape_amounts(resource))

    def resources(self, names: list[str]) -> tuple[Ints, Ints]:
        """(allocatable, requested), each (resources, k), of several resources at once."""
        nodes = self.cluster.nodes
        ids = [nodes.resource_id(name) for name in names]
        allocatable, requested = nodes.allocatable.data[ids], nodes.requested.data[ids]
        if not self.whole:
            allocatable, requested = allocatable[:, self.ids], requested[:, self.ids]
        if self.bare:
            requested = np.zeros_like(requested)
        if self.delta is not None and len(self.delta.pods):
            requested = requested + np.array([self._change(self.cluster.shape_amounts(name)) for name in names])
        return allocatable, requested

    def nonzero(self, index: int) -> Ints:
        """(k,) milli-CPU (`index` 0) or bytes of memory (1), missing requests counted with their defaults."""
        base = self._take(self.cluster.nonzero_column(index))
        if self.bare:
            base = np.zeros_like(base)
        if self.delta is None or not len(self.delta.pods):
            return base
        return base + self._change(self.cluster.shape_nonzero(index))

    @property
    def pod_count(self) -> Ints:
        base = self._take(self.cluster.pod_count)
        if self.bare:
            base = np.zeros_like(base)
        if self.delta is None or not len(self.delta.pods):
            return base
        change = np.zeros(len(self), dtype=np.int64)
        np.add.at(change, self.delta.positions, self.delta.signs)
        return base + change

    @property
    def pod_slots(self) -> Ints:
        return self._take(self.cluster.pod_slots)

    @property
    def unschedulable(self) -> Bools:
        column = self.cluster.unschedulable
        return column if self.whole else column[self.ids]

    @property
    def taint_sets(self) -> Ints:
        """(k,) index into `cluster.nodes.taints`."""
        return self._take(self.cluster.taint_sets)

    def label_ids(self, key: str) -> Ints:
        """(k,) id of each row's value of the label, -1 where it has none."""
        return self._take(self.cluster.nodes.labels.column(key).ids)

    def pods_on(self, position: int) -> list[Pod]:
        """The Pods on one row, delta applied, in NodeInfo's order."""
        table = self.cluster.pods
        numbers = [] if self.bare else list(table.on_node[int(self.ids[position])])
        if self.delta is not None:
            at = self.delta.positions == position
            for number, sign in zip(self.delta.pods[at].tolist(), self.delta.signs[at].tolist(), strict=True):
                if sign > 0:
                    numbers.append(number)
                else:
                    numbers.remove(number)
        return [table.pod(number) for number in numbers]

    def subset(self, chosen: Ints) -> Rows:
        """The rows at positions `chosen` (ascending), with their part of the delta."""
        delta = None if self.delta is None else self.delta.take(chosen, len(self))
        return Rows(self.cluster, self.ids[chosen], delta, bare=self.bare)

    def with_delta(self, delta: Delta) -> Rows:
        return Rows(self.cluster, self.ids, delta, whole=self.whole, bare=self.bare)

    def changed_positions(self) -> Ints:
        """Positions that the delta touches, ascending, each once."""
        if self.delta is None:
            return np.zeros(0, dtype=np.int64)
        return np.unique(self.delta.positions)

    def _resource(self, data: Ints, resource: str) -> Ints:
        index = self.cluster.nodes.resources.id_of(resource)
        if index is None:
            return np.zeros(len(self), dtype=np.int64)
        return self._take(data[index])

    def _change(self, by_shape: Ints) -> Ints:
        delta = self.delta
        assert delta is not None
        change = np.zeros(len(self), dtype=np.int64)
        np.add.at(change, delta.positions, by_shape[self.cluster.pods.shape.data[delta.pods]] * delta.signs)
        return change

"""Columns of nodes: what they offer and what is used on them. Rows are in order of addition."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from simulator.engine.cluster.columns import Column, Ints, Matrix
from simulator.engine.cluster.labels import LabelColumns
from simulator.engine.objects.node import Node
from simulator.engine.objects.requests import CPU, EPHEMERAL_STORAGE, MEMORY
from simulator.engine.objects.taints import Taint

CPU_ID, MEMORY_ID, EPHEMERAL_STORAGE_ID = 0, 1, 2
NATIVE = (CPU, MEMORY, EPHEMERAL_STORAGE)


class ResourceNames:
    """Resource names as small numbers: cpu 0, memory 1, ephemeral-storage 2, then scalars in order of first sight."""

    def __init__(self) -> None:
        self.names: list[str] = list(NATIVE)
        self._ids: dict[str, int] = {name: index for index, name in enumerate(NATIVE)}

    def id_of(self, name: str) -> int | None:
        return self._ids.get(name)

    def intern(self, name: str) -> int:
        found = self._ids.get(name)
        if found is None:
            found = self._ids[name] = len(self.names)
            self.names.append(name)
        return found


class NodeTable:
    """`objects[row]` is the Node; every column has one entry per row.

    allocatable, requested  (resources, rows) in the units of `requests.amounts`
    nonzero                 (2, rows) milli-CPU and bytes with the defaults for missing requests
    taint_sets              (rows,) index into `taints`, the distinct taint lists
    """

    def __init__(self) -> None:
        self.objects: list[Node] = []
        self.row_of: dict[str, int] = {}
        self.resources = ResourceNames()
        self.labels = LabelColumns(self.objects)
        self.allocatable = Matrix(len(NATIVE))
        self.requested = Matrix(len(NATIVE))
        self.nonzero = Matrix(2)
        self.pod_slots = Column(np.int64)
        self.pod_count = Column(np.int64)
        self.unschedulable = Column(np.bool_)
        self.taint_sets = Column(np.int64)
        self.taints: list[tuple[Taint, ...]] = []
        self._taint_ids: dict[tuple[Taint, ...], int] = {}

    def __len__(self) -> int:
        return len(self.objects)

    def resource_id(self, name: str) -> int:
        """The column of `name`, made when it is new."""
        found = self.resources.id_of(name)
        if found is None:
            found = self.resources.intern(name)
            self.allocatable.add_column()
            self.requested.add_column()
        return found

    def append(self, node: Node) -> int:
        row = len(self.objects)
        self.objects.append(node)
        self.row_of[node.name] = row
        self.labels.append(node)
        for matrix in (self.allocatable, self.requested, self.nonzero):
            matrix.append()
        for column in (self.pod_slots, self.pod_count, self.unschedulable, self.taint_sets):
            column.append(0)
        self._write(row, node)
        return row

    def set(self, row: int, node: Node) -> None:
        old, self.objects[row] = self.objects[row], node
        if old.labels != node.labels:
            self.labels.set(row, node)
        self._write(row, node)

    def _write(self, row: int, node: Node) -> None:
        ids = {self.resource_id(name): amount for name, amount in node.allocatable.items()}
        column = self.allocatable.data[:, row]
        column[:] = 0
        for resource, amount in ids.items():
            column[resource] = amount
        self.pod_slots.data[row] = node.pod_slots
        self.unschedulable.data[row] = node.unschedulable
        self.taint_sets.data[row] = self._taint_set(node.taints)

    def _taint_set(self, taints: tuple[Taint, ...]) -> int:
        found = self._taint_ids.get(taints)
        if found is None:
            found = self._taint_ids[taints] = len(self.taints)
            self.taints.append(taints)
        return found

    def remove(self, row: int) -> None:
        del self.objects[row]
        self.row_of.clear()
        self.row_of.update({node.name: index for index, node in enumerate(self.objects)})
        self.labels.remove(row)
        for matrix in (self.allocatable, self.requested, self.nonzero):
            matrix.remove(row)
        for column in (self.pod_slots, self.pod_count, self.unschedulable, self.taint_sets):
            column.remove(row)

    def use(self, row: int, usage: Usage, sign: int) -> None:
        """Count one Pod's `usage` on `row` (`sign` 1) or take it away (-1)."""
        self.requested.data[usage.ids, row] += sign * usage.amounts
        self.nonzero.data[:, row] += sign * usage.nonzero
        self.pod_count.data[row] += sign

    def usage(self, on_node: Mapping[str, int], nonzero: tuple[int, int]) -> Usage:
        ids = [self.resource_id(name) for name in on_node]
        return Usage(np.array(ids, dtype=np.int64), np.array(list(on_node.values()), dtype=np.int64), nonzero)


class Usage:
    """What a Pod of one shape adds to its node: `amounts` (m,) for the resources `ids` (m,), and `nonzero` (2,).

    Arrays, since sums of absurd requests run over as in kube, without a word.
    """

    __slots__ = ("amounts", "ids", "nonzero")

    def __init__(self, ids: npt.NDArray[np.int64], amounts: Ints, nonzero: tuple[int, int]) -> None:
        self.ids = ids
        self.amounts = amounts
        self.nonzero = np.array(nonzero, dtype=np.int64)

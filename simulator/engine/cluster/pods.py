"""Columns of Pods: on which node, of which shape, how important. Numbers of removed Pods are used again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simulator.engine.cluster.columns import Column, Ints
from simulator.engine.objects.pod import Pod, PodShape

NOWHERE = -1
NO_START = np.iinfo(np.int64).max


class ShapeIds:
    """Pod shapes as small numbers, in order of first sight."""

    def __init__(self) -> None:
        self.shapes: list[PodShape] = []
        self._ids: dict[PodShape, int] = {}

    def intern(self, shape: PodShape) -> int:
        found = self._ids.get(shape)
        if found is None:
            found = self._ids[shape] = len(self.shapes)
            self.shapes.append(shape)
        return found


class PodTable:
    """`objects[number]` is the Pod (None where free); columns are by number.

    node       row of the node it counts on, -1 for none
    slot       its place in `on_node[row]`, which is NodeInfo's order (a removal moves the last Pod into the gap)
    start      start time in microseconds; a Pod without one counts as the latest
    """

    def __init__(self) -> None:
        self.objects: list[Pod | None] = []
        self.number_of: dict[str, int] = {}
        self.shapes = ShapeIds()
        self.node = Column(np.int64)
        self.slot = Column(np.int64)
        self.shape = Column(np.int64)
        self.priority = Column(np.int64)
        self.start = Column(np.int64)
        self.terminating = Column(np.bool_)
        self.on_node: list[list[int]] = []
        self._free: list[int] = []

    def add(self, pod: Pod, row: int) -> int:
        """Give `pod` a number and, unless `row` is -1, the last slot of that node."""
        number = self._free.pop() if self._free else self._grow()
        self.objects[number] = pod
        self.number_of[pod.key] = number
        self._write(number, pod)
        self.node.data[number] = row
        if row != NOWHERE:
            numbers = self.on_node[row]
            self.slot.data[number] = len(numbers)
            numbers.append(number)
        return number

    def _grow(self) -> int:
        self.objects.append(None)
        for column in (self.node, self.slot, self.shape, self.priority, self.start, self.terminating):
            column.append(0)
        return len(self.objects) - 1

    def _write(self, number: int, pod: Pod) -> None:
        self.shape.data[number] = self.shapes.intern(pod.shape)
        self.priority.data[number] = pod.priority
        self.start.data[number] = NO_START if pod.start_time is None else pod.start_time
        self.terminating.data[number] = pod.terminating

    def remove(self, number: int) -> Pod:
        pod = self.objects[number]
        assert pod is not None
        row = int(self.node.data[number])
        if row != NOWHERE:
            self._leave(number, row)
        self.objects[number] = None
        self.node.data[number] = NOWHERE
        del self.number_of[pod.key]
        self._free.append(number)
        return pod

    def _leave(self, number: int, row: int) -> None:
        numbers, slot = self.on_node[row], int(self.slot.data[number])
        last = numbers.pop()
        if last != number:
            numbers[slot] = last
            self.slot.data[last] = slot

    def rename_rows_after_removal(self, row: int) -> None:
        """Node `row`, which holds no Pod any more, is gone: later rows move down by one."""
        del self.on_node[row]
        node = self.node.data
        node[node > row] -= 1

    def pod(self, number: int) -> Pod:
        pod = self.objects[number]
        assert pod is not None
        return pod

    def numbers_on(self, rows: npt.NDArray[np.int64]) -> tuple[Ints, Ints]:
        """Pod numbers on the given node rows, row by row in slot order, and for each its position in `rows`."""
        lists = [self.on_node[row] for row in rows.tolist()]
        sizes = [len(numbers) for numbers in lists]
        flat = [number for numbers in lists for number in numbers]
        return np.array(flat, dtype=np.int64), np.repeat(np.arange(len(lists), dtype=np.int64), sizes)

"""The cluster as the scheduler sees it: nodes, the Pods on them (bound or assumed) and everything derived from both.

Source: kube-scheduler 1.36 `backend/cache`. There is one state instead of cache and snapshot, since nothing runs
beside a cycle; what the snapshot keeps longer than the cache (node order, image copies) is renewed by `snapshot()`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simulator.engine.cluster.changes import ChangeLog
from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.images import ImageStates
from simulator.engine.cluster.indexes import PodIndexes
from simulator.engine.cluster.node_tree import NodeTree
from simulator.engine.cluster.nodes import NodeTable, Usage
from simulator.engine.cluster.pods import NOWHERE, PodTable
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.cluster.terms import owned_terms
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.ports import HostPort


class Cluster:
    """Columns of nodes and Pods, their indexes and change logs.

    `structure` counts additions and removals of nodes: row numbers are valid as long as it stays the same.
    `order` (rows,) is the order in which the scheduler visits the rows.
    """

    def __init__(self) -> None:
        self.nodes = NodeTable()
        self.pods = PodTable()
        self.indexes = PodIndexes(self.pods, self.nodes.labels.column)
        self.tree = NodeTree()
        self.images = ImageStates()
        self.usage_changes = ChangeLog()
        self.node_changes = ChangeLog()
        self.structure = 0
        self.order: Ints = np.zeros(0, dtype=np.int64)
        self.used_ports: list[set[HostPort]] = []
        self._orphans: dict[str, list[Pod]] = {}
        self._usages: list[Usage] = []
        self._amounts: dict[str, Ints] = {}
        self._nonzero: dict[int, Ints] = {}
        self._ordered_structure = -1
        self._in_row_order = False
        self._all_ids: Ints = np.zeros(0, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.nodes)

    # nodes

    def add_node(self, node: Node) -> None:
        """Add a node at the end, with the Pods that were already said to run on it. A known name is an update."""
        if node.name in self.nodes.row_of:
            self.update_node(node)
            return
        self.nodes.append(node)
        self.pods.on_node.append([])
        self.used_ports.append(set())
        self.indexes.append_row()
        self.tree.add(node.name, node.zone_key)
        self.images.add(node)
        self._restructured()
        for pod in self._orphans.pop(node.name, ()):
            self.add_pod(pod)

    def update_node(self, node: Node) -> None:
        row = self.nodes.row_of[node.name]
        old = self.nodes.objects[row]
        self.tree.update(node.name, old.zone_key, node.zone_key)
        self.images.remove(old)
        self.images.add(node)
        self.nodes.set(row, node)
        if old.labels != node.labels:
            self.indexes.labels_changed()
        self.node_changes.add(row)

    def remove_node(self, name: str) -> None:
        """Remove a node. Its Pods stay known and count again if it comes back."""
        row = self.nodes.row_of[name]
        node = self.nodes.objects[row]
        left = [self.pods.pod(number) for number in self.pods.on_node[row]]
        for pod in left:
            self._take_off(self.pods.number_of[pod.key])
        if left:
            self._orphans[name] = left
        self.nodes.remove(row)
        self.pods.rename_rows_after_removal(row)
        del self.used_ports[row]
        self.indexes.remove_row()
        self.tree.remove(name, node.zone_key)
        self.images.remove(node)
        self._restructured()

    def _restructured(self) -> None:
        self.structure += 1
        self._all_ids = np.arange(len(self.nodes), dtype=np.int64)

    # Pods

    def add_pod(self, pod: Pod) -> None:
        """Count `pod` on its node; where that node is unknown, remember it for later."""
        row = self.nodes.row_of.get(pod.node_name, NOWHERE)
        self.forget_loose(pod.key)
        if row == NOWHERE:
            self._orphans.setdefault(pod.node_name, []).append(pod)
            return
        number = self._register(pod, row)
        self._count(number, row, 1)
        self.used_ports[row].update(pod.shape.host_ports)

    def remove_pod(self, key: str) -> Pod | None:
        """Take the Pod off its node. Returns it, None where it was not known."""
        number = self.pods.number_of.get(key)
        if number is not None and int(self.pods.node.data[number]) != NOWHERE:
            return self._take_off(number)
        for pods in self._orphans.values():
            for pod in pods:
                if pod.key == key:
                    pods.remove(pod)
                    return pod
        return None

    def update_pod(self, pod: Pod) -> None:
        """The Pod changed (labels, resize, deletion time): remove and add, as the scheduler's cache does."""
        self.remove_pod(pod.key)
        self.add_pod(pod)

    def remember(self) -> tuple[list[list[Pod]], list[set[HostPort]]]:
        """Which Pods are on which row, slot by slot, to be given to `restore`."""
        pods = [[self.pods.pod(number) for number in numbers] for numbers in self.pods.on_node]
        return pods, [set(ports) for ports in self.used_ports]

    def restore(self, remembered: tuple[list[list[Pod]], list[set[HostPort]]]) -> None:
        """Put the Pods back as they were when `remember` was called. Nodes must be the same."""
        pods, ports = remembered
        for row, wanted in enumerate(pods):
            present = [self.pods.pod(number) for number in self.pods.on_node[row]]
            if present == wanted:
                continue
            for pod in present:
                self.remove_pod(pod.key)
            for pod in wanted:
                self.add_pod(pod)
            self.used_ports[row] = ports[row]

    def save(self) -> dict[str, Any]:
        """What nodes and Pods observed anew would not give: orders, the Pods' slots, ports in use, image copies."""
        return {
            "rows": [node.name for node in self.nodes.objects],
            "zones": [[*zone, names] for zone, names in self.tree.zones()],
            "order": [self.nodes.objects[row].name for row in self.order.tolist()] if self._is_ordered else None,
            "slots": [[self.pods.pod(number).key for number in numbers] for numbers in self.pods.on_node],
            "ports": [sorted(str(port) for port in ports) for ports in self.used_ports],
            "images": self.images.save(),
        }

    @property
    def _is_ordered(self) -> bool:
        return self._ordered_structure == self.structure

    def load(self, saved: Mapping[str, Any]) -> None:
        """Put orders and copies back as they were saved. The same nodes and Pods must be there."""
        self._reorder_rows(saved["rows"])
        self.tree.load([((region, zone), names) for region, zone, names in saved["zones"]])
        slots = [[self.pods.pod(self.pods.number_of[key]) for key in keys] for keys in saved["slots"]]
        ports = [{HostPort.parse(text) for text in texts} for texts in saved["ports"]]
        self.restore((slots, ports))
        self.used_ports = ports
        self.images.load(saved["images"], {node.name: node for node in self.nodes.objects})
        if saved["order"] is not None:
            self._ordered_structure = self.structure
            rows = [self.nodes.row_of[name] for name in saved["order"]]
            self.order = np.array(rows, dtype=np.int64)
            self._in_row_order = rows == sorted(rows)

    def _reorder_rows(self, names: Sequence[str]) -> None:
        """Rows are in order of addition; nodes that were added anew stand in order of creation, which may differ."""
        if [node.name for node in self.nodes.objects] == list(names):
            return
        nodes = {node.name: node for node in self.nodes.objects}
        for name in names:
            self.remove_node(name)
            self.add_node(nodes[name])

    def placed(self, key: str) -> Pod | None:
        """The Pod as counted on its node, None where it is on none."""
        number = self.pods.number_of.get(key)
        if number is None or int(self.pods.node.data[number]) == NOWHERE:
            return None
        return self.pods.pod(number)

    def loose_number(self, pod: Pod) -> int:
        """A number for a Pod that is on no node, so that row views can add it. Renewed where the Pod changed."""
        number = self.pods.number_of.get(pod.key)
        if number is not None:
            if self.pods.pod(number) is pod:
                return number
            self.forget_loose(pod.key)
        return self._register(pod, NOWHERE)

    def forget_loose(self, key: str) -> None:
        number = self.pods.number_of.get(key)
        if number is not None and int(self.pods.node.data[number]) == NOWHERE:
            self.pods.remove(number)

    def _take_off(self, number: int) -> Pod:
        row = int(self.pods.node.data[number])
        self._count(number, row, -1)
        pod = self.pods.remove(number)
        self.used_ports[row].difference_update(pod.shape.host_ports)
        return pod

    def _register(self, pod: Pod, row: int) -> int:
        shape_id = self.pods.shapes.intern(pod.shape)
        if shape_id == len(self._usages):
            self._know_shape(shape_id, pod.shape)
        return self.pods.add(pod, row)

    def _know_shape(self, shape_id: int, shape: PodShape) -> None:
        requests = shape.requests
        self._usages.append(self.nodes.usage(requests.on_node, requests.nonzero))
        self.indexes.know_shape(shape_id)
        for key, value in owned_terms(shape):
            self.indexes.own(key, value)

    def _count(self, number: int, row: int, sign: int) -> None:
        self.nodes.use(row, self._usages[int(self.pods.shape.data[number])], sign)
        self.indexes.count(number, sign)
        self.images.touch(self.nodes.objects[row])
        self.usage_changes.add(row)

    # what row views read

    @property
    def nonzero(self) -> Ints:
        return self.nodes.nonzero.data

    def nonzero_column(self, index: int) -> Ints:
        return self.nodes.nonzero.column(index)

    @property
    def pod_count(self) -> Ints:
        return self.nodes.pod_count.data

    @property
    def pod_slots(self) -> Ints:
        return self.nodes.pod_slots.data

    @property
    def unschedulable(self) -> Bools:
        return self.nodes.unschedulable.data

    @property
    def taint_sets(self) -> Ints:
        return self.nodes.taint_sets.data

    def shape_amounts(self, resource: str) -> Ints:
        """(shapes,) what a Pod of each shape counts of `resource` on its node."""
        known = self._amounts.get(resource)
        shapes = self.pods.shapes.shapes
        if known is None or len(known) != len(shapes):
            amounts = [shape.requests.on_node.get(resource, 0) for shape in shapes]
            known = self._amounts[resource] = np.array(amounts, dtype=np.int64)
        return known

    def shape_nonzero(self, index: int) -> Ints:
        known = self._nonzero.get(index)
        shapes = self.pods.shapes.shapes
        if known is None or len(known) != len(shapes):
            known = self._nonzero[index] = np.array([s.requests.nonzero[index] for s in shapes], dtype=np.int64)
        return known

    # views

    def snapshot(self) -> None:
        """What happens at the start of a cycle: the visiting order and the image copies are brought up to date."""
        if self._ordered_structure != self.structure:
            self._ordered_structure = self.structure
            rows = [self.nodes.row_of[name] for name in self.tree.names()]
            self.order = np.array(rows, dtype=np.int64)
            self._in_row_order = rows == sorted(rows)
        for name in self.images.renew():
            self.node_changes.add(self.nodes.row_of[name])

    @property
    def is_in_row_order(self) -> bool:
        """Whether nodes are visited in the order of their rows (no zones, or zones that change from node to node)."""
        return self._in_row_order

    @property
    def order_of_rows(self) -> Ints:
        """0, 1, 2 ... for all rows; always the same array while nodes do not come or go."""
        return self._all_ids

    def all_rows(self) -> Rows:
        return Rows(self, self._all_ids, whole=True)

    def rows(self, ids: Sequence[int] | Ints) -> Rows:
        return Rows(self, np.asarray(ids, dtype=np.int64))

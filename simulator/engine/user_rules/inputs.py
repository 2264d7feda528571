"""The values a rule reads, for one Pod and for many rows at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from simulator.engine.cel.program import Input
from simulator.engine.cel.values import ABSENT, Map
from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.plugin import Reads
from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.user_rules import gpus

USAGE_FIELDS: Final = ("requested", "free", "podCount")
USAGE_FUNCTIONS: Final = ("freeGpus", "usedGpus", "podsOn")
OTHER_ROWS: Final = ("domain", "nvswitchDomain")
OUTSIDE_SHAPE: Final = ("name", "annotations")


def reads_of(inputs: Sequence[Input]) -> Reads:
    """What answers depend on beside the Pod's shape."""
    reads = Reads.NODE
    for one in inputs:
        variable, name = one.path[:2]
        if variable == "pod":
            if not one.call and name in OUTSIDE_SHAPE:
                reads |= Reads.ANYTHING
        elif name in (OTHER_ROWS if one.call else ()):
            reads |= Reads.ANYTHING
        elif name in (USAGE_FUNCTIONS if one.call else USAGE_FIELDS):
            reads |= Reads.USAGE
    return reads


# of the Pod


def pod_value(pod: Pod, wanted: Input) -> Any:
    _, name, *keys = wanted.path
    if wanted.call:
        return gpus.requested_gpus(pod.shape) if name == "gpus" else pod.labels.get(keys[0], "")
    if name == "name":
        return pod.name
    if name == "annotations":
        return _keyed(pod.annotations, keys)
    return shape_value(pod.shape, wanted)


def shape_value(shape: PodShape, wanted: Input) -> Any:
    """As `pod_value`, for what all Pods of one shape have in common."""
    _, name, *keys = wanted.path
    if wanted.call:
        return gpus.requested_gpus(shape) if name == "gpus" else shape.labels.get(keys[0], "")
    found = _SHAPE_FIELDS[name](shape)
    return _keyed(found, keys) if isinstance(found, Mapping) else found


_SHAPE_FIELDS: Final[Mapping[str, Callable[[PodShape], Any]]] = {
    "namespace": lambda shape: shape.namespace,
    "labels": lambda shape: shape.labels,
    "priority": lambda shape: shape.priority,
    "priorityClassName": lambda shape: shape.spec.get("priorityClassName") or "",
    "requests": lambda shape: {name: amount for name, amount in shape.requests.incoming.items() if name != "pods"},
    "nodeSelector": lambda shape: shape.spec.get("nodeSelector") or {},
    "podGroup": lambda shape: shape.pod_group or "",
}


def _keyed(items: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return items.get(keys[0], ABSENT) if keys else Map(items)


# of rows


def column(wanted: Input, rows: Rows, domains: DomainTotals) -> list[Any]:
    """(k,) the value of a node's input for every row."""
    _, name, *keys = wanted.path
    if wanted.call:
        return _call(name, keys, rows, domains)
    if name == "labels" and keys:
        return _labels(rows, keys[0])
    if name in ("allocatable", "requested", "free"):
        return _amounts(name, keys, rows)
    if name == "podCount":
        return _plain(rows.pod_count)
    read = _NODE_FIELDS[name]
    found = [read(node) for node in rows.nodes]
    return [_keyed(item, keys) for item in found] if name in ("labels", "annotations") else found


def _plain(values: Ints) -> list[int]:
    return list(values.tolist())


_NODE_FIELDS: Final[Mapping[str, Callable[[Node], Any]]] = {
    "name": lambda node: node.name,
    "labels": lambda node: node.labels,
    "annotations": lambda node: node.annotations,
    "unschedulable": lambda node: node.unschedulable,
    "taints": lambda node: tuple(Map(key=taint.key, value=taint.value, effect=taint.effect) for taint in node.taints),
}


def _labels(rows: Rows, key: str) -> list[Any]:
    values = [*rows.cluster.nodes.labels.column(key).values, ABSENT]
    return [values[index] for index in rows.label_ids(key).tolist()]


def _amounts(name: str, keys: Sequence[str], rows: Rows) -> list[Any]:
    """Amounts of the resources a node offers; what it does not offer is ABSENT."""
    nodes = rows.nodes
    if keys:
        amounts = _amount(name, keys[0], rows)
        return [amount if keys[0] in node.allocatable else ABSENT for node, amount in zip(nodes, amounts, strict=True)]
    names = sorted({resource for node in nodes for resource in node.allocatable})
    columns = {resource: _amount(name, resource, rows) for resource in names}
    return [
        Map({resource: columns[resource][index] for resource in node.allocatable}) for index, node in enumerate(nodes)
    ]


def _amount(name: str, resource: str, rows: Rows) -> list[int]:
    if name == "allocatable":
        return _plain(rows.allocatable(resource))
    requested = rows.requested(resource)
    return _plain(requested if name == "requested" else rows.allocatable(resource) - requested)


def _call(name: str, keys: Sequence[str], rows: Rows, domains: DomainTotals) -> list[Any]:
    if name == "label":
        return ["" if value is ABSENT else value for value in _labels(rows, keys[0])]
    if name in OTHER_ROWS:
        return domains.column(keys[0] if keys else None, rows)
    if name == "podsOn":
        return [tuple(_placed(pod) for pod in rows.pods_on(position)) for position in range(len(rows))]
    if name in _COUNTS:
        return _plain(_COUNTS[name](rows))
    read = _NODE_FUNCTIONS[name]
    return [read(node) for node in rows.nodes]


_COUNTS: Final[Mapping[str, Callable[[Rows], Ints]]] = {
    "gpuCount": gpus.gpu_counts,
    "usedGpus": gpus.used_gpus,
    "freeGpus": lambda rows: gpus.gpu_counts(rows) - gpus.used_gpus(rows),
}
_NODE_FUNCTIONS: Final[Mapping[str, Callable[[Node], Any]]] = {
    "gpuModel": gpus.gpu_model,
    "gpuMemoryMiB": gpus.gpu_memory,
}


def _placed(pod: Pod) -> Map:
    return Map(
        name=pod.name,
        namespace=pod.namespace,
        labels=Map(pod.labels),
        priority=pod.priority,
        podGroup=pod.shape.pod_group or "",
        gpus=sum(pod.shape.requests.on_node.get(name, 0) for name in gpus.RESOURCES),
    )


class DomainTotals:
    """Nodes, GPUs and free GPUs of all nodes with the same value, kept while nothing in the cluster changes."""

    def __init__(self) -> None:
        self._state: tuple[int, int, int] | None = None
        self._known: dict[str | None, tuple[list[str], dict[str, list[int]]]] = {}

    def column(self, key: str | None, rows: Rows) -> list[Map]:
        """(k,) the domain of each row by label `key`, or its NVSwitch domain (None).

        A row's own hypothetical Pods count; those of other rows do not.
        """
        names, totals = self._totals(key, rows)
        free = gpus.used_gpus(rows.cluster.rows(rows.ids)) - gpus.used_gpus(rows)
        return [
            _domain(names[row], totals[names[row]], change)
            for row, change in zip(rows.ids.tolist(), free.tolist(), strict=True)
        ]

    def _totals(self, key: str | None, rows: Rows) -> tuple[list[str], dict[str, list[int]]]:
        cluster = rows.cluster
        state = (cluster.structure, cluster.node_changes.count, cluster.usage_changes.count)
        if state != self._state:
            self._state = state
            self._known.clear()
        if key not in self._known:
            everything = cluster.all_rows()
            nodes = everything.nodes
            names = [gpus.nvswitch_domain(node) if key is None else node.labels.get(key, "") for node in nodes]
            counts = gpus.gpu_counts(everything)
            totals: dict[str, list[int]] = {}
            for name, count, used in zip(names, counts.tolist(), gpus.used_gpus(everything).tolist(), strict=True):
                total = totals.setdefault(name, [0, 0, 0])
                total[0] += 1
                total[1] += count
                total[2] += count - used
            self._known[key] = names, totals
        return self._known[key]


def _domain(name: str, total: Sequence[int], change: int) -> Map:
    """Nodes without the label are in no domain: all its numbers are 0."""
    if not name:
        return Map(name="", nodes=0, gpus=0, freeGpus=0)
    return Map(name=name, nodes=total[0], gpus=total[1], freeGpus=total[2] + change)

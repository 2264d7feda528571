"""Where a volume could be made for a claim: topologies of its StorageClass and free capacity of its CSI driver.

Source: kube-scheduler 1.36 `volumebinding/binder.go` checkVolumeProvisions, hasEnoughCapacity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.plugin import Lister
from simulator.engine.objects.quantity import Quantity
from simulator.engine.objects.selectors import LabelSelector, parse_node_selector
from simulator.engine.plugins.volumes import (
    CSI_DRIVER,
    CSI_STORAGE_CAPACITY,
    NO_PROVISIONER,
    STORAGE_CLASS,
    Manifest,
    name_of,
    requested_storage,
    spec_of,
    storage_class_of,
    volume_limit,
)

UNCHECKED = -1


@dataclass(frozen=True, slots=True)
class Provisioning:
    """What making a volume for one claim would meet on k rows.

    possible  (k,) there is a provisioner and the row is in one of its topologies
    enough    (k,) there is room for it, or nobody says how much there is
    pools     (k,) index into `capacities` of the pool that has room, -1 where none was looked for or found
    """

    possible: Bools
    enough: Bools
    pools: Ints
    capacities: Sequence[Manifest] = ()


def provision(objects: Lister, claim: Manifest, rows: Rows) -> Provisioning:
    everywhere = np.ones(len(rows), dtype=np.bool_)
    unchecked = np.full(len(rows), UNCHECKED, dtype=np.int64)
    storage_class = objects.get(STORAGE_CLASS, "", storage_class_of(claim)) or {}
    provisioner = storage_class.get("provisioner") or NO_PROVISIONER
    if provisioner == NO_PROVISIONER:
        return Provisioning(~everywhere, everywhere, unchecked)
    possible = _in_topologies(storage_class.get("allowedTopologies") or (), rows)
    size = requested_storage(claim)
    if size is None or not _tells_capacity(objects, provisioner):
        return Provisioning(possible, everywhere, unchecked)
    capacities = _large_enough(objects, name_of(storage_class), size)
    pools = _first_in_reach(capacities, rows)
    return Provisioning(possible, pools != UNCHECKED, pools, capacities)


def _in_topologies(terms: Sequence[Mapping[str, Any]], rows: Rows) -> Bools:
    """(k,) whether a row meets one of the StorageClass's `allowedTopologies`; no terms at all allow every row."""
    if not terms:
        return np.ones(len(rows), dtype=np.bool_)
    selector = parse_node_selector({"nodeSelectorTerms": [_as_node_selector_term(term) for term in terms]})
    return rows.cluster.nodes.labels.matches_node_selector(selector, rows.ids)


def _as_node_selector_term(term: Mapping[str, Any]) -> Manifest:
    return {"matchExpressions": [{**wish, "operator": "In"} for wish in term.get("matchLabelExpressions") or ()]}


def _tells_capacity(objects: Lister, provisioner: str) -> bool:
    return bool(spec_of(objects.get(CSI_DRIVER, "", provisioner) or {}).get("storageCapacity"))


def _large_enough(objects: Lister, storage_class: str, size: Quantity) -> list[Manifest]:
    found = []
    for capacity in objects.list(CSI_STORAGE_CAPACITY):
        limit = volume_limit(capacity)
        if capacity.get("storageClassName") == storage_class and limit is not None and limit.value() >= size.value():
            found.append(capacity)
    return found


def _first_in_reach(capacities: Iterable[Manifest], rows: Rows) -> Ints:
    """(k,) index of the first pool that the row's labels give access to, -1 for none."""
    found = np.full(len(rows), UNCHECKED, dtype=np.int64)
    for index, capacity in enumerate(capacities):
        selector = LabelSelector.parse(capacity.get("nodeTopology"))
        reach = rows.cluster.nodes.labels.matches_selector(selector, rows.ids)
        found[reach & (found == UNCHECKED)] = index
    return found

"""How full a Pod's claims would make the storage of a node.

Source: kube-scheduler 1.36 `volumebinding/scorer.go` and VolumeBinding.Score (gate StorageCapacityScoring).
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.framework.status import MAX_SCORE
from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.plugins.resource_strategies import shape_value
from simulator.engine.plugins.volume_plan import Plan
from simulator.engine.plugins.volumes import requested_storage, storage_capacity, storage_class_of

Shape = Sequence[tuple[int, int]]

DEFAULT_SHAPE: Shape = ((0, MAX_SCORE), (100, 0))


def capacity_score(made: Plan, position: int, shape: Shape) -> int:
    """0..100: the mean over the StorageClasses of what `shape` gives for the part of the capacity that is requested."""
    sums = class_sums(made, position)
    if not sums:
        return 0
    total = sum(shape_value(shape, percent(requested, capacity)) for requested, capacity in sums.values())
    return (2 * total + len(sums)) // (2 * len(sums))


def class_sums(made: Plan, position: int) -> dict[str, tuple[int, int]]:
    """StorageClass -> (bytes requested, bytes there): of the volumes taken, where there are none of the pools."""
    return _of_volumes(made, position) or _of_pools(made, position)


def percent(requested: int, capacity: int) -> int:
    return 100 if capacity == 0 or requested > capacity else requested * 100 // capacity


def _of_volumes(made: Plan, position: int) -> dict[str, tuple[int, int]]:
    """StorageClass -> (bytes requested, bytes of the volumes taken)."""
    sums: dict[str, tuple[int, int]] = {}
    for claim, volume in made.bindings(position):
        requested, capacity = sums.get(storage_class_of(volume), (0, 0))
        wanted = (requested_storage(claim) or ZERO).value()
        sums[storage_class_of(volume)] = (requested + wanted, capacity + storage_capacity(volume).value())
    return sums


def _of_pools(made: Plan, position: int) -> dict[str, tuple[int, int]]:
    """StorageClass -> (bytes requested, bytes of the pool; the last claim's, since all share it)."""
    sums: dict[str, tuple[int, int]] = {}
    for claim, pool in made.provisions(position):
        if pool is not None:
            requested, _ = sums.get(storage_class_of(claim), (0, 0))
            wanted = (requested_storage(claim) or ZERO).value()
            sums[storage_class_of(claim)] = (requested + wanted, Quantity.parse(pool.get("capacity")).value())
    return sums

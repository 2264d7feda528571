"""Placing a group of GPUs in one go: by bandwidth, by the chapter's order, or scattered as an idle-first scheduler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from simulator.engine.fabric.allocation import WIDEST_RING, choose_gpus
from simulator.engine.fabric.fabric import Fabric, Host, unit_of
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.scoring import FabricIndex, GroupPod, score_placements

BY_BANDWIDTH: Final = "bandwidth"
BY_CHAPTER: Final = "chapter"
SCATTERED: Final = "scattered"

Free = Mapping[str, Sequence[int]]
Placed = dict[str, tuple[int, ...]]


def place_group(fabric: Fabric, free: Free, count: int, order: str) -> Placed | None:
    """GPU numbers by host for a group of `count`; None if there are not as many free ones.

    Raises KeyError for an unknown order.
    """
    known = {host.name: tuple(sorted(free.get(host.name, ()))) for host in fabric.hosts}
    if count < 1 or sum(map(len, known.values())) < count:
        return None
    return _ORDERS[order](fabric, known, count)


def _by_bandwidth(fabric: Fabric, free: dict[str, tuple[int, ...]], count: int) -> Placed:
    """The fastest of: wholly on one host, grown from where the group would be fastest, the other orders' placements.

    Of equally fast ones the one on fewest hosts, then the one the chapter's order names.
    """
    whole = [
        {host.name: _widest(host, free[host.name], count)} for host in fabric.hosts if len(free[host.name]) >= count
    ]
    others = [_by_chapter(fabric, free, count), _grown(fabric, free, count), _scattered(fabric, free, count)]
    return max([*others[:1], *whole, *others[1:]], key=lambda placed: (_speed(fabric, placed), -len(placed)))


def _speed(fabric: Fabric, placed: Placed) -> float:
    busbw = group_bandwidth(fabric, placed).busbw
    return float("inf") if busbw is None else busbw.result


def _grown(fabric: Fabric, free: dict[str, tuple[int, ...]], count: int) -> Placed:
    """One GPU after the other to where the group would be fastest; then the best GPUs of each host for their number."""
    index = FabricIndex(fabric)
    names = [name for name, gpus in free.items() if gpus]
    left, placed = dict(free), dict[str, tuple[int, ...]]()
    for _ in range(count):
        scores = score_placements(index, names, left, placed, GroupPod(1, count, WIDEST_RING))
        best = scores.bandwidth_order[0]
        name, gpus = names[best], scores.gpus[best] or ()
        placed[name] = (*placed.get(name, ()), *gpus)
        left[name] = tuple(gpu for gpu in left[name] if gpu not in gpus)
    return {name: _widest(fabric.host(name), free[name], len(gpus)) for name, gpus in placed.items()}


def _widest(host: Host, free: Sequence[int], count: int) -> tuple[int, ...]:
    chosen = choose_gpus(host.shape, free, count, WIDEST_RING)
    return chosen.gpus if chosen else tuple(free[:count])


def _by_chapter(fabric: Fabric, free: dict[str, tuple[int, ...]], count: int) -> Placed:
    """On one node if one holds the group (over the fewest NUMA nodes), else in one NVSwitch domain, else on few."""
    hosts = [host for host in fabric.hosts if free[host.name]]
    holding = [host for host in hosts if len(free[host.name]) >= count]
    if holding:
        best = min(holding, key=lambda host: _numa_nodes(host, _packed(host, free[host.name], count)))
        return {best.name: _packed(best, free[best.name], count)}
    units: dict[str, list[Host]] = {}
    for host in hosts:
        units.setdefault(unit_of(host), []).append(host)
    rooms = {unit: sum(len(free[host.name]) for host in members) for unit, members in units.items()}
    whole = next((unit for unit, room in rooms.items() if room >= count), None)
    return _filled(units[whole] if whole else hosts, free, count)


def _packed(host: Host, free: Sequence[int], count: int) -> tuple[int, ...]:
    """GPUs from the NUMA nodes that have most of them free."""
    groups: dict[int, list[int]] = {}
    for gpu in free:
        groups.setdefault(host.shape.numa_of(f"GPU{gpu}"), []).append(gpu)
    ordered = [gpu for gpus in sorted(groups.values(), key=lambda gpus: -len(gpus)) for gpu in gpus]
    return tuple(sorted(ordered[:count]))


def _numa_nodes(host: Host, gpus: Sequence[int]) -> int:
    return len({host.shape.numa_of(f"GPU{gpu}") for gpu in gpus})


def _filled(hosts: Sequence[Host], free: dict[str, tuple[int, ...]], count: int) -> Placed:
    """The fullest room first."""
    placed: Placed = {}
    for host in sorted(hosts, key=lambda host: -len(free[host.name])):
        taken = _packed(host, free[host.name], min(count, len(free[host.name])))
        if taken:
            placed[host.name] = taken
            count -= len(taken)
    return placed


def _scattered(_fabric: Fabric, free: dict[str, tuple[int, ...]], count: int) -> Placed:
    """One GPU after the other to the host with most of them free."""
    left, placed = dict(free), dict[str, tuple[int, ...]]()
    for _ in range(count):
        name = max(left, key=lambda name: len(left[name]))
        placed[name] = (*placed.get(name, ()), left[name][0])
        left[name] = left[name][1:]
    return placed


_ORDERS: Final[dict[str, Callable[[Fabric, dict[str, tuple[int, ...]], int], Placed]]] = {
    BY_BANDWIDTH: _by_bandwidth,
    BY_CHAPTER: _by_chapter,
    SCATTERED: _scattered,
}

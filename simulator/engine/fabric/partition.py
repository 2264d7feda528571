"""Groups of devices: connected components in the order of their first member."""

from __future__ import annotations

from collections.abc import Iterable


def connected_groups(size: int, pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Components of the graph over 0..size-1; members ascend, groups are in the order of their first member."""
    parent = list(range(size))

    def root(item: int) -> int:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for first, second in pairs:
        low, high = sorted((root(first), root(second)))
        parent[high] = low
    groups: dict[int, list[int]] = {}
    for item in range(size):
        groups.setdefault(root(item), []).append(item)
    return list(groups.values())

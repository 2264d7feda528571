"""The order in which the scheduler visits nodes: round robin over zones.

Source: kube-scheduler 1.36 `backend/cache/node_tree.go`.
"""

from __future__ import annotations

ZoneKey = tuple[str, str]


class NodeTree:
    """Zones in order of first appearance, node names per zone in order of addition."""

    def __init__(self) -> None:
        self._zones: dict[ZoneKey, list[str]] = {}

    def add(self, name: str, zone: ZoneKey) -> None:
        names = self._zones.setdefault(zone, [])
        if name not in names:
            names.append(name)

    def remove(self, name: str, zone: ZoneKey) -> None:
        names = self._zones.get(zone, [])
        if name in names:
            names.remove(name)
            if not names:
                del self._zones[zone]

    def update(self, name: str, old: ZoneKey, new: ZoneKey) -> None:
        """Move `name` between zones. In the same zone it keeps its place."""
        if old != new:
            self.remove(name, old)
            self.add(name, new)

    def names(self) -> list[str]:
        """The first node of every zone, then the second of every zone, and so on."""
        queues = list(self._zones.values())
        longest = max((len(queue) for queue in queues), default=0)
        return [queue[turn] for turn in range(longest) for queue in queues if turn < len(queue)]

    def zones(self) -> list[tuple[ZoneKey, list[str]]]:
        return [(zone, list(names)) for zone, names in self._zones.items()]

    def load(self, zones: list[tuple[ZoneKey, list[str]]]) -> None:
        """Take over what `zones` gave."""
        self._zones = {zone: list(names) for zone, names in zones}

"""Container images on nodes, as the scheduler's snapshot knows them.

One record per image name: its size (as the first node that had it reported it) and the nodes that have it. A node
keeps a copy of size and node count from the last time its own entry was renewed, so the count it uses can be out of
date. Source: kube-scheduler 1.36 `backend/cache/cache.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.node import Node


@dataclass(slots=True)
class _Record:
    size: int
    nodes: set[str]


class ImageStates:
    """`of(name)` gives {image: (bytes, nodes that have it)} as that node's copy says."""

    def __init__(self) -> None:
        self._records: dict[str, _Record] = {}
        self._copies: dict[str, dict[str, tuple[int, int]]] = {}
        self._stale: dict[str, Node] = {}

    def add(self, node: Node) -> None:
        for image, size in node.images.items():
            self._records.setdefault(image, _Record(size, set())).nodes.add(node.name)
        self.touch(node)

    def remove(self, node: Node) -> None:
        for image in node.images:
            record = self._records.get(image)
            if record is None:
                continue
            record.nodes.discard(node.name)
            if not record.nodes:
                del self._records[image]
        self._copies.pop(node.name, None)
        self._stale.pop(node.name, None)

    def touch(self, node: Node) -> None:
        """The node's entry changed (also by a Pod): its copy is renewed at the next snapshot."""
        if node.images:
            self._stale[node.name] = node
        else:
            self._copies.pop(node.name, None)

    def renew(self) -> list[str]:
        """Take the snapshot: renew the copies of touched nodes. Returns their names."""
        renewed = list(self._stale)
        for name, node in self._stale.items():
            records = ((image, self._records.get(image)) for image in node.images)
            self._copies[name] = {image: (r.size, len(r.nodes)) for image, r in records if r is not None}
        self._stale.clear()
        return renewed

    @property
    def is_empty(self) -> bool:
        """True where no node has any image."""
        return not self._copies

    def of(self, name: str) -> dict[str, tuple[int, int]]:
        return self._copies.get(name, {})

    def save(self) -> dict[str, Any]:
        """The copies (which may be out of date), who is to be renewed, and the sizes of the records."""
        return {
            "copies": {
                name: {image: list(pair) for image, pair in copy.items()} for name, copy in self._copies.items()
            },
            "stale": list(self._stale),
            "sizes": {image: record.size for image, record in self._records.items()},
        }

    def load(self, saved: Mapping[str, Any], nodes: Mapping[str, Node]) -> None:
        """Take over what `save` gave; the records' nodes are known already."""
        copies = saved["copies"]
        self._copies = {n: {image: (pair[0], pair[1]) for image, pair in copy.items()} for n, copy in copies.items()}
        self._stale = {name: nodes[name] for name in saved["stale"]}
        for image, size in saved["sizes"].items():
            self._records[image].size = size

"""A priority queue whose entries can be found, replaced and removed by key."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator

from simulator.engine.queue.info import QueuedPod

SortKey = tuple[int, ...]


class KeyedHeap:
    """Pods in the order of `sort_key`, equal keys in order of arrival."""

    def __init__(self, sort_key: Callable[[QueuedPod], SortKey]) -> None:
        self._sort_key = sort_key
        self._entries: dict[str, tuple[SortKey, int, QueuedPod]] = {}
        self._heap: list[tuple[SortKey, int, str]] = []
        self._arrivals = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def get(self, key: str) -> QueuedPod | None:
        entry = self._entries.get(key)
        return entry[2] if entry else None

    def put(self, info: QueuedPod) -> None:
        """Add an entry, or put it in its new place."""
        self._arrivals += 1
        sort_key = self._sort_key(info)
        self._entries[info.key] = (sort_key, self._arrivals, info)
        heapq.heappush(self._heap, (sort_key, self._arrivals, info.key))

    def remove(self, key: str) -> QueuedPod | None:
        entry = self._entries.pop(key, None)
        return entry[2] if entry else None

    def peek(self) -> QueuedPod | None:
        while self._heap:
            _, arrival, key = self._heap[0]
            entry = self._entries.get(key)
            if entry is not None and entry[1] == arrival:
                return entry[2]
            heapq.heappop(self._heap)
        return None

    def pop(self) -> QueuedPod | None:
        first = self.peek()
        if first is not None:
            del self._entries[first.key]
            heapq.heappop(self._heap)
        return first

    def in_order(self) -> list[QueuedPod]:
        """All entries in the order in which they would be popped."""
        return [entry[2] for entry in sorted(self._entries.values(), key=lambda entry: entry[:2])]

    def __iter__(self) -> Iterator[QueuedPod]:
        """All entries in order of arrival; the heap must not change meanwhile."""
        return (entry[2] for entry in self._entries.values())

"""A manifest that is put together from a text that is none, with marks that lead back to that text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from simulator.engine.objects.paths import Key
from simulator.manifests.documents import Document
from simulator.manifests.marks import Marks, Spot
from simulator.manifests.remarks import Path
from simulator.manifests.source import Source


class Draft:
    """An object under construction: values are put at paths, each with the offset of what it was read from."""

    def __init__(self, api_version: str, kind: str, at: int) -> None:
        self._at = at
        self.value: dict[str, Any] = {}
        self._spots: dict[str, Any] = {}
        self.put(("apiVersion",), api_version, at)
        self.put(("kind",), kind, at)

    def put(self, path: Path, value: Any, at: int | None = None) -> None:
        """Set a value; containers on the way are made as needed, a list's next index appends.

        Without `at`, as for an assumed value, the place is the beginning of the object.
        """
        offset = self._at if at is None else at
        values: Any = self.value
        spots: Any = self._spots
        for key, after in pairwise(path):
            if not _has(values, key):
                empty: Any = list if isinstance(after, int) else dict
                _set(values, spots, key, empty(), (offset, empty()))
            values, spots = values[key], _children(spots, key)
        _set(values, spots, path[-1], value, offset)

    def get(self, path: Path) -> Any:
        """Return what stands at a path, None if nothing does."""
        value: Any = self.value
        for key in path:
            if isinstance(value, dict):
                value = value.get(key)
            elif isinstance(value, list) and isinstance(key, int) and key < len(value):
                value = value[key]
            else:
                return None
        return value

    def document(self, source: Source) -> Document:
        return Document(self.value, Marks(source, (self._at, self._spots)))


def _has(values: Any, key: Any) -> bool:
    return key in values if isinstance(values, dict) else key < len(values)


def _set(values: Any, spots: Any, key: Key, value: Any, spot: Spot) -> None:
    start = spot if isinstance(spot, int) else spot[0]
    if isinstance(values, dict):
        values[key] = value
        spots[key] = (start, spot)
    else:
        values.insert(key, value)
        spots.insert(key, spot)


def _children(spots: Any, key: Key) -> Any:
    spot = spots[key][1] if isinstance(spots, dict) else spots[key]
    return spot[1]

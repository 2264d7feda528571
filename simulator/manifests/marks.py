"""Where in the text each key and value of a document stands."""

from __future__ import annotations

from typing import TypeAlias

from simulator.engine.objects.paths import Key
from simulator.manifests.remarks import Path
from simulator.manifests.source import Place, Source

Spot: TypeAlias = "int | tuple[int, dict[str, tuple[int, Spot]]] | tuple[int, list[Spot]]"
"""Where a value starts; for a mapping also (offset of the key, spot of the value) by key, for a list its spots."""


class Marks:
    """Places of one document, told on demand: a tree of offsets as the document itself is a tree of values."""

    __slots__ = ("_root", "source")

    def __init__(self, source: Source, root: Spot) -> None:
        self.source = source
        self._root = root

    def value(self, path: Path) -> Place | None:
        """Return where the value at a path starts, None if the document has no such path."""
        found = self._follow(path)
        return None if found is None else self.source.place(_start(found[1]))

    def key(self, path: Path) -> Place | None:
        """Return where the key at a path starts (for a list item: the item), None if there is no such path."""
        found = self._follow(path)
        return None if found is None else self.source.place(found[0])

    def nearest(self, path: Path) -> Place:
        """Return the place to point at for a path of which perhaps only a beginning exists.

        A value that is there is pointed at itself; for one that is missing, the key of the closest parent.
        """
        place = self.value(path)
        while place is None:
            path = path[:-1]
            place = self.key(path)
        return place

    def below(self, path: Path) -> Marks:
        """Return the marks of a part of the document, a list's item for example; KeyError if there is no such part."""
        found = self._follow(path)
        if found is None:
            raise KeyError(path)
        return Marks(self.source, found[1])

    def _follow(self, path: Path) -> tuple[int, Spot] | None:
        """Return (offset of the key, spot of the value)."""
        found: tuple[int, Spot] = (_start(self._root), self._root)
        for key in path:
            step = _step(found[1], key)
            if step is None:
                return None
            found = step
        return found


def _start(spot: Spot) -> int:
    return spot if isinstance(spot, int) else spot[0]


def _step(spot: Spot, key: Key) -> tuple[int, Spot] | None:
    if isinstance(spot, int):
        return None
    children = spot[1]
    if isinstance(children, dict):
        return children.get(key) if isinstance(key, str) else None
    if isinstance(key, int) and 0 <= key < len(children):
        child = children[key]
        return _start(child), child
    return None

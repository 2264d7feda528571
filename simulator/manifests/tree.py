"""From a reader's events to a tree of plain values with its marks: duplicate keys, merge keys, limits."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final

from simulator.manifests.context import Context
from simulator.manifests.marks import Spot
from simulator.manifests.remarks import Param, Path, shorten


class Special(Enum):
    """What may stand where a key is expected besides the key itself."""

    NO_KEY = "the next value is a key"
    MERGE = "<<"
    UNUSABLE = "a key that was reported; its value is left out"


MERGE: Final = Special.MERGE

_Key = str | Special


class _Frame:
    """A container that is still open."""

    __slots__ = ("at", "key", "key_at", "merged", "spots", "value")

    def __init__(self, value: Any, spots: Any, at: int) -> None:
        self.value = value
        self.spots = spots
        self.at = at
        self.key: _Key = Special.NO_KEY
        self.key_at = at
        self.merged: set[str] = set()


class TreeBuilder:
    """Builds one document. `open_map`, `open_list`, `close` and `add` follow the text; mappings take key, value, key …

    `at` is always an offset in the text. What is wrong but can be passed over is reported; limits raise `Refused`.
    When the root is complete it stands in `root` with its spot.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._budget = context.budget
        self._frames: list[_Frame] = []
        self._top: _Frame | None = None
        self.root: tuple[Any, Spot] | None = None

    def open_map(self, at: int) -> None:
        self._open(_Frame({}, {}, at))

    def open_list(self, at: int) -> None:
        self._open(_Frame([], [], at))

    def close(self) -> tuple[Any, Spot]:
        """Close the innermost container and return it with its spot."""
        frame = self._frames.pop()
        self._top = self._frames[-1] if self._frames else None
        spot: Spot = (frame.at, frame.spots)
        self._put(frame.value, spot)
        return frame.value, spot

    def add(self, value: Any, at: int) -> None:
        """Add a scalar, or as a key `MERGE`."""
        self._budget.spend_node()
        self._put(value, at)

    def add_copy(self, value: Any, spot: Spot) -> None:
        """Add what an alias stands for: a value of its own, so that whoever changes it changes nothing else."""
        self._put(self._copy(value, len(self._frames)), spot)

    def expects_key(self) -> bool:
        top = self._top
        return top is not None and isinstance(top.value, dict) and top.key is Special.NO_KEY

    def path(self) -> Path:
        """Return the way to the value expected next (for an expected key: to its mapping)."""
        return tuple(self._steps())

    def error(self, code: str, at: int, **params: Param) -> None:
        self._context.error(code, at, self.path(), **params)

    def notice(self, code: str, at: int, **params: Param) -> None:
        self._context.notice(code, at, self.path(), **params)

    def _steps(self) -> Iterator[str | int]:
        for frame in self._frames:
            if isinstance(frame.value, list):
                yield len(frame.value)
            elif isinstance(frame.key, str):
                yield frame.key

    def _open(self, frame: _Frame) -> None:
        self._budget.spend_node()
        self._frames.append(frame)
        self._budget.check_depth(len(self._frames))
        self._top = frame

    def _put(self, value: Any, spot: Spot) -> None:
        frame = self._top
        if frame is None:
            self.root = (value, spot)
        elif isinstance(frame.value, list):
            frame.value.append(value)
            frame.spots.append(spot)
        elif frame.key is Special.NO_KEY:
            self._take_key(frame, value, spot)
        else:
            key, frame.key = frame.key, Special.NO_KEY
            if isinstance(key, str):
                frame.value[key] = value
                frame.spots[key] = (frame.key_at, spot)
            elif key is Special.MERGE:
                self._merge(frame, value, spot)

    def _take_key(self, frame: _Frame, value: Any, spot: Spot) -> None:
        frame.key_at = spot if isinstance(spot, int) else spot[0]
        key = value if isinstance(value, str) else self._key_of(value, frame.key_at)
        if isinstance(key, str) and key in frame.value:
            if key not in frame.merged:
                first = self._context.source.place(frame.spots[key][0])
                self.error("key.duplicate", frame.key_at, key=shorten(key), first_line=first.line)
            frame.merged.discard(key)
        frame.key = key

    def _key_of(self, value: Any, at: int) -> _Key:
        """Return the key kubectl makes of one that is no text."""
        if isinstance(value, Special):
            return value
        if value is None or isinstance(value, dict | list):
            self.error("key.not_text", at)
            return Special.UNUSABLE
        key = str(value).lower() if isinstance(value, bool) else str(value)
        self.notice("key.read_as", at, read=key)
        return key

    def _merge(self, frame: _Frame, value: Any, spot: Spot) -> None:
        """Take the entries of `<<: value` in. As with kubectl, they replace what stands before them in the mapping."""
        children: Any = () if isinstance(spot, int) else spot[1]
        maps = [value] if isinstance(value, dict) else value
        if not isinstance(maps, list) or not all(isinstance(entries, dict) for entries in maps):
            self.error("merge.not_mapping", frame.key_at)
            return
        places = [children] if isinstance(value, dict) else [child[1] for child in children]
        for entries, spots in zip(reversed(maps), reversed(places), strict=True):
            frame.value.update(entries)
            frame.spots.update(spots)
            frame.merged.update(entries)

    def _copy(self, value: Any, depth: int) -> Any:
        self._budget.spend_node()
        if isinstance(value, dict):
            self._budget.check_depth(depth + 1)
            return {key: self._copy(child, depth + 1) for key, child in value.items()}
        if isinstance(value, list):
            self._budget.check_depth(depth + 1)
            return [self._copy(child, depth + 1) for child in value]
        return value

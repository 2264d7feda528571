"""Chance that can be repeated: the same words give the same throws on every machine and in every Python version.

Python's own ``random`` promises that only for ``random()``; shuffles and ranges may change between versions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of throws made from SHA-256 over the seed words and a counter."""

    def __init__(self, *words: str | int) -> None:
        self._seed = "\x1f".join(str(word) for word in words).encode()
        self._throws = self._stream()

    def _stream(self) -> Iterator[int]:
        counter = 0
        while True:
            block = hashlib.sha256(self._seed + counter.to_bytes(8, "big")).digest()
            for start in range(0, len(block), 8):
                yield int.from_bytes(block[start : start + 8], "big")
            counter += 1

    def below(self, limit: int) -> int:
        """An integer from 0 to ``limit - 1``, each equally likely. ``limit`` is 1 … 2**32."""
        if not 1 <= limit <= 2**32:
            msg = f"limit {limit} is not in 1 … 2**32"
            raise ValueError(msg)
        fair = 2**64 - 2**64 % limit
        return next(throw for throw in self._throws if throw < fair) % limit

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items`` (not empty)."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """All of ``items`` in a fair random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return tuple(result)

    def sample(self, items: Sequence[T], count: int) -> tuple[T, ...]:
        """``count`` different ones of ``items``, in random order; all of them if there are fewer."""
        return self.shuffled(items)[:count]

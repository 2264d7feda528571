"""Which rows changed since a reader last looked, so that cached answers are renewed only there."""

from __future__ import annotations


class ChangeLog:
    """Row numbers in the order of their changes. `count` is how many there have been: the present moment, to be given
    to `since` later. Old entries are forgotten; a reader that is too late gets None.
    """

    def __init__(self, keep: int = 65536) -> None:
        self.count = 0
        self._rows: list[int] = []
        self._keep = keep

    def add(self, row: int) -> None:
        self._rows.append(row)
        self.count += 1
        if len(self._rows) > 2 * self._keep:
            del self._rows[: self._keep]

    def since(self, count: int, limit: int) -> list[int] | None:
        """The rows changed since then, ascending, each once; None where there are more than `limit` changes or they are
        forgotten."""
        changes = self.count - count
        if changes == 0:
            return []
        if changes > len(self._rows) or changes > limit:
            return None
        changed = self._rows[-changes:]
        return changed if changes == 1 else sorted(set(changed))

"""Which rows changed since a reader last looked, so that cached answers are renewed only there."""

from __future__ import annotations


class ChangeLog:
    """Row numbers in the order of their changes. Old entries are forgotten; a reader that is too late gets None."""

    def __init__(self, keep: int = 65536) -> None:
        self._rows: list[int] = []
        self._start = 0
        self._keep = keep

    @property
    def mark(self) -> int:
        """The present moment, to be given to `since` later."""
        return self._start + len(self._rows)

    def add(self, row: int) -> None:
        self._rows.append(row)
        if len(self._rows) > 2 * self._keep:
            del self._rows[: self._keep]
            self._start += self._keep

    def since(self, mark: int, limit: int) -> list[int] | None:
        """The rows changed since `mark`, ascending, each once; None where there are more than `limit` changes or they
        are forgotten."""
        count = self.mark - mark
        if count == 0:
            return []
        if mark < self._start or count > limit:
            return None
        changed = self._rows[mark - self._start :]
        return changed if count == 1 else sorted(set(changed))

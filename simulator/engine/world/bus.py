"""Changes of objects, as watchers see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ADDED, MODIFIED, DELETED = "ADDED", "MODIFIED", "DELETED"


@dataclass(frozen=True, slots=True)
class Change:
    """`old` is None for ADDED; `new` is None for DELETED. Pods and Nodes are typed, other kinds plain mappings."""

    type: str
    kind: str
    old: Any
    new: Any

    @property
    def object(self) -> Any:
        """The object as it is, or as it was last."""
        return self.new if self.new is not None else self.old


Watcher = Callable[[Change], None]

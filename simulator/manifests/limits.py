"""How much text a reader takes, and the budget that is spent while it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from simulator.manifests.remarks import ManifestError, Refused

_NODES_PER_LOOK_AT_CLOCK: Final = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What is refused.

    `max_bytes` counts the text as UTF-8; `max_documents` YAML documents, and objects once lists are taken apart;
    `max_nodes` scalars, lists and mappings of all documents after aliases are expanded; `max_depth` containers inside
    of each other; `max_seconds` wall time of one reading. After `max_remarks` errors reading stops; of so many notices
    the rest is only counted.
    """

    max_bytes: int = 1024 * 1024
    max_documents: int = 5_000
    max_nodes: int = 200_000
    max_depth: int = 64
    max_seconds: float = 5.0
    max_remarks: int = 50


DEFAULT_LIMITS: Final = Limits()
"""What a form takes."""

UPLOAD_LIMITS: Final = replace(
    DEFAULT_LIMITS, max_bytes=5 * 1024 * 1024, max_documents=25_000, max_nodes=1_000_000, max_seconds=10.0
)
"""What a file upload takes."""


class Budget:
    """What is left of the limits while one text is read. Its methods raise `Refused` when nothing is left."""

    __slots__ = ("_clock", "_deadline", "documents", "limits", "nodes")

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self.nodes = 0
        self.documents = 0
        self._clock = clock
        self._deadline = clock() + limits.max_seconds

    def spend_node(self) -> None:
        self.nodes += 1
        if self.nodes > self.limits.max_nodes:
            raise Refused(ManifestError("limits.nodes", {"limit": self.limits.max_nodes}))
        if self.nodes % _NODES_PER_LOOK_AT_CLOCK == 0:
            self.look_at_clock()

    def spend_document(self) -> None:
        self.documents += 1
        if self.documents > self.limits.max_documents:
            raise Refused(ManifestError("limits.documents", {"limit": self.limits.max_documents}))
        self.look_at_clock()

    def check_depth(self, depth: int) -> None:
        if depth > self.limits.max_depth:
            raise Refused(ManifestError("limits.depth", {"limit": self.limits.max_depth}))

    def look_at_clock(self) -> None:
        if self._clock() > self._deadline:
            raise Refused(ManifestError("limits.time", {"seconds": self.limits.max_seconds}))

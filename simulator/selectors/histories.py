"""The histories of labs kept in this process: built when needed, dropped when memory is short.

    with open_history(lab) as history:
        frame, trace = history.frame(12), history.trace(12)

A lab's history is used by one thread at a time. What it gives out (frames, traces, outlines) never changes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from simulator.engine.version import ENGINE_VERSION
from simulator.models import Lab
from simulator.selectors.lab_history import LabHistory
from simulator.selectors.replaying import begin_history, build_history, replay

MAX_MEMORY: Final = 256 * 1024 * 1024  # bytes, by a rough estimate, for all histories of this process
LONG_CATCH_UP: Final = 300  # actions


class Kept:
    """A place for one history; empty until it is built. `users` are the threads that hold it or wait for it."""

    __slots__ = ("history", "lock", "users")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.history: LabHistory | None = None
        self.users = 0


class Histories:
    """The histories kept in this process, least recently used first."""

    def __init__(self, max_memory: int = MAX_MEMORY) -> None:
        self._max_memory = max_memory
        self._kept: OrderedDict[UUID | str, Kept] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def locked(self, key: UUID | str) -> Iterator[Kept]:
        """The place of one history, for this thread alone."""
        with self._lock:
            kept = self._kept.setdefault(key, Kept())
            self._kept.move_to_end(key)
            kept.users += 1
        try:
            with kept.lock:
                yield kept
        finally:
            with self._lock:
                kept.users -= 1
                self._shrink()

    def clear(self) -> None:
        """Forget all that nobody uses right now."""
        with self._lock:
            for key in [key for key, kept in self._kept.items() if not kept.users]:
                del self._kept[key]

    def _shrink(self) -> None:
        """Forget what was not used for longest until the rest fits; the newest and what is in use stay."""
        weights = {key: kept.history.weight if kept.history else 0 for key, kept in self._kept.items()}
        total = sum(weights.values())
        for key in list(weights)[:-1]:
            kept = self._kept[key]
            if not kept.users and (kept.history is None or total > self._max_memory):
                del self._kept[key]
                total -= weights[key]


histories = Histories()


@contextmanager
def open_history(lab: Lab) -> Iterator[LabHistory]:
    """The lab's history, up to its newest command, for this thread alone. Raises `RecordedOtherwise`.

    A lab that is not stored yet shares one history with all others of the same text: look, but change nothing.
    """
    if lab.is_unborn:
        with histories.locked(lab.revision.digest) as kept:
            if kept.history is None:
                kept.history = begin_history(lab.revision)
            yield kept.history
        return
    with histories.locked(lab.pk) as kept:
        yield up_to_date(kept, lab)


def up_to_date(kept: Kept, lab: Lab) -> LabHistory:
    """Build what is missing, or catch up with commands another process stored."""
    history, kept.history = kept.history, None
    if history is None:
        history = build_history(lab)
    elif history.seq < lab.head_seq:
        history = _catch_up(history, lab)
    kept.history = history
    lab.head_seq = history.seq
    return history


def _catch_up(history: LabHistory, lab: Lab) -> LabHistory:
    """Carry out what another process stored; after a long run the snapshot that it left is quicker."""
    rows = list(lab.commands.filter(seq__gt=history.seq).order_by("seq"))
    is_long = bool(rows) and rows[-1].last - history.count > LONG_CATCH_UP
    if is_long and lab.snapshots.filter(engine=ENGINE_VERSION, seq__gt=history.seq).exists():
        return build_history(lab)
    replay(history, rows)
    return history

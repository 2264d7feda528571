"""Pods that are being scheduled, and what happened meanwhile.

An event that arrives during an attempt could be the one the Pod would have waited for; so it is kept until the
attempt is over. Source: kube-scheduler 1.36 `backend/queue/active_queue.go`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulator.engine.framework.events import ClusterEvent


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    event: ClusterEvent
    old: Any
    new: Any


class InFlight:
    """Pods popped and not done, with an ordered log of events. Events no Pod in flight needs any more are dropped."""

    def __init__(self) -> None:
        self._log: list[str | LoggedEvent] = []
        self._pods: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._pods

    def __bool__(self) -> bool:
        return bool(self._pods)

    def add(self, key: str) -> None:
        self._pods.add(key)
        self._log.append(key)

    def log(self, event: ClusterEvent, old: Any, new: Any) -> None:
        self._log.append(LoggedEvent(event, old, new))

    def events_since_pop(self, key: str) -> list[LoggedEvent]:
        """Events logged after the Pod was popped, in order."""
        if key not in self._pods:
            return []
        start = self._log.index(key)
        return [entry for entry in self._log[start + 1 :] if isinstance(entry, LoggedEvent)]

    def done(self, key: str) -> None:
        if key not in self._pods:
            return
        self._pods.discard(key)
        self._log.remove(key)
        while self._log and isinstance(self._log[0], LoggedEvent):
            del self._log[0]

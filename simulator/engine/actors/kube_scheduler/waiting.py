"""Pods that passed everything and wait at Permit: who makes them wait, and until when.

Source: kube-scheduler 1.36 `framework/runtime/waiting_pods_map.go`.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.framework.plugin import CycleState
from simulator.engine.framework.status import Status
from simulator.engine.objects.pod import Pod
from simulator.engine.queue.info import QueuedPod


@dataclass(slots=True)
class WaitingPod:
    """`deadlines` by plugin (microseconds): the Pod goes on when all plugins allowed it, and is rejected at the first
    deadline."""

    info: QueuedPod
    pod: Pod
    node: str
    state: CycleState
    since: int
    deadlines: dict[str, int]
    rejection: Status | None = None

    @property
    def deadline(self) -> int:
        return min(self.deadlines.values())

    @property
    def first_to_expire(self) -> str:
        """The plugin whose time ends first."""
        return min(self.deadlines, key=lambda plugin: (self.deadlines[plugin], plugin))

    def allow(self, plugin: str) -> bool:
        """`plugin` lets the Pod go. True where nobody else makes it wait."""
        self.deadlines.pop(plugin, None)
        return not self.deadlines


class WaitingPods:
    """By Pod key, in order of arrival."""

    def __init__(self) -> None:
        self._pods: dict[str, WaitingPod] = {}

    def add(self, waiting: WaitingPod) -> None:
        self._pods[waiting.pod.key] = waiting

    def get(self, key: str) -> WaitingPod | None:
        return self._pods.get(key)

    def remove(self, key: str) -> WaitingPod | None:
        return self._pods.pop(key, None)

    def all(self) -> list[WaitingPod]:
        return list(self._pods.values())

    def next_deadline(self) -> int | None:
        return min((waiting.deadline for waiting in self._pods.values()), default=None)

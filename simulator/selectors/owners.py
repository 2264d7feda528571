"""Whom a Pod and its GPUs belong to: its controller, else what its labels say it is part of, else itself."""

from __future__ import annotations

from typing import Final

from simulator.engine.objects.pod import Pod
from simulator.engine.world.bus import ADDED, Change
from simulator.engine.world.world import World

LABELS: Final = (
    "app.kubernetes.io/instance", "training.kubeflow.org/job-name", "job-name", "job", "team", "app",
    "app.kubernetes.io/name",
)  # fmt: skip
"""Labels that say what a Pod without a controller is part of; the first that is there counts."""


def owner_of(pod: Pod) -> str:
    """The owner's name within the namespace."""
    if pod.shape.controller is not None:
        return pod.shape.controller[1]
    if pod.shape.pod_group:
        return pod.shape.pod_group
    return next((pod.labels[label] for label in LABELS if pod.labels.get(label)), pod.name)


def owner_key(pod: Pod) -> str:
    return f"{pod.namespace}/{owner_of(pod)}"


class Owners:
    """Numbers for owners in order of first appearance: their colours stay the same however many come and go."""

    def __init__(self, world: World) -> None:
        self.numbers: dict[str, int] = {}
        for pod in world.list("Pod"):
            self._number(pod)
        world.watch(self._hear)

    def _hear(self, change: Change) -> None:
        if change.kind == "Pod" and change.type == ADDED:
            self._number(change.new)

    def _number(self, pod: Pod) -> None:
        self.numbers.setdefault(owner_key(pod), len(self.numbers))

"""The disruption controller: how many Pods of every PodDisruptionBudget may be evicted now.

Simplified here: a running Pod that is not being deleted counts as healthy; percentages are of the Pods the selector
matches.
"""

from __future__ import annotations

from typing import Any, ClassVar

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.actors.owners import Manifest, object_key
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.selectors import LabelSelector
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Patch

KIND = "PodDisruptionBudget"


class DisruptionController(Actor):
    name: ClassVar[str] = "disruption-controller"
    rank: ClassVar[int] = 15

    def __init__(self) -> None:
        self._budgets: dict[str, Manifest] = {}
        self._pods: dict[str, Pod] = {}
        self._stale = False

    def observe(self, change: Change, now: int) -> None:
        self._stale = self._stale or change.kind in (KIND, "Pod")
        if change.kind == KIND:
            if change.new is None:
                self._budgets.pop(object_key(change.old), None)
            else:
                self._budgets[object_key(change.new)] = change.new
        elif change.kind == "Pod":
            if change.new is None or change.new.terminal:
                self._pods.pop(change.object.key, None)
            else:
                self._pods[change.new.key] = change.new

    def next_wakeup(self, now: int) -> Wakeup | None:
        if self._stale and not any(self._outdated(budget) for budget in self._budgets.values()):
            self._stale = False
        return Wakeup(now) if self._stale else None

    def act(self, now: int) -> Turn | None:
        for key, budget in self._budgets.items():
            status = self._outdated(budget)
            if status:
                metadata = budget["metadata"]
                patch = Patch(KIND, metadata.get("namespace") or "default", metadata["name"], {"status": status})
                note = Note("disruption.synced", key, (("allowed", status["disruptionsAllowed"]),))
                return Turn(note, [patch])
        return None

    def _outdated(self, budget: Manifest) -> dict[str, Any] | None:
        """The right status where the present one is wrong."""
        spec, namespace = budget.get("spec") or {}, budget["metadata"].get("namespace") or "default"
        selector = LabelSelector.parse(spec.get("selector"))
        own = [pod for pod in self._pods.values() if pod.namespace == namespace and selector.matches(pod.labels)]
        healthy = sum(pod.phase == "Running" and not pod.terminating for pod in own)
        desired = desired_healthy(spec, len(own))
        status = {
            "currentHealthy": healthy,
            "desiredHealthy": desired,
            "disruptionsAllowed": max(0, healthy - desired),
            "expectedPods": len(own),
        }
        present = budget.get("status") or {}
        return None if all(present.get(name) == value for name, value in status.items()) else status


def desired_healthy(spec: Manifest, expected: int) -> int:
    """How many Pods must stay healthy."""
    if spec.get("minAvailable") is not None:
        return _count(spec["minAvailable"], expected)
    if spec.get("maxUnavailable") is not None:
        return max(0, expected - _count(spec["maxUnavailable"], expected))
    return expected


def _count(value: Any, total: int) -> int:
    """An absolute number, or a percentage of `total` rounded up."""
    if isinstance(value, str) and value.endswith("%"):
        return -(-int(value[:-1]) * total // 100)
    return int(value)

"""PodDisruptionBudgets as preemption reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.pod import Pod
from simulator.engine.objects.selectors import LabelSelector


@dataclass(frozen=True, slots=True)
class PodDisruptionBudget:
    namespace: str
    name: str
    selector: LabelSelector
    disruptions_allowed: int
    disrupted_pods: frozenset[str]

    @staticmethod
    def parse(manifest: Mapping[str, Any]) -> PodDisruptionBudget:
        metadata, status = manifest["metadata"], manifest.get("status") or {}
        return PodDisruptionBudget(
            metadata.get("namespace") or "default",
            metadata["name"],
            LabelSelector.parse((manifest.get("spec") or {}).get("selector")),
            status.get("disruptionsAllowed") or 0,
            frozenset(status.get("disruptedPods") or ()),
        )

    def counts(self, pod: Pod) -> bool:
        """Whether evicting `pod` would use up one allowed disruption."""
        return (
            pod.namespace == self.namespace
            and bool(pod.labels)
            and not self.selector.is_empty
            and self.selector.matches(pod.labels)
            and pod.name not in self.disrupted_pods
        )

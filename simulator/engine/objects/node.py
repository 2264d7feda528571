"""Nodes as typed values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from simulator.engine.objects.requests import PODS, amounts, quantities
from simulator.engine.objects.taints import Taint, parse_taints

HOSTNAME = "kubernetes.io/hostname"
ZONE, REGION = "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
BETA_ZONE, BETA_REGION = "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"


@dataclass(frozen=True, eq=False)
class Node:
    """One Node around its admitted `manifest`, which nobody changes."""

    manifest: Mapping[str, Any]

    @cached_property
    def name(self) -> str:
        return str(self.manifest["metadata"]["name"])

    @cached_property
    def labels(self) -> Mapping[str, str]:
        return self.manifest["metadata"].get("labels") or {}

    @cached_property
    def annotations(self) -> Mapping[str, str]:
        return self.manifest["metadata"].get("annotations") or {}

    @cached_property
    def taints(self) -> tuple[Taint, ...]:
        return parse_taints(self._spec.get("taints") or ())

    @cached_property
    def unschedulable(self) -> bool:
        return bool(self._spec.get("unschedulable"))

    @cached_property
    def allocatable(self) -> Mapping[str, int]:
        """Amounts by resource name (`requests.amounts`), Pod slots left out."""
        found = amounts(quantities(self._status.get("allocatable")))
        found.pop(PODS, None)
        return found

    @cached_property
    def pod_slots(self) -> int:
        return amounts(quantities(self._status.get("allocatable"))).get(PODS, 0)

    @cached_property
    def images(self) -> Mapping[str, int]:
        """Size in bytes of every image name present on the node."""
        return {
            name or "": image.get("sizeBytes") or 0
            for image in self._status.get("images") or ()
            for name in image.get("names") or ()
        }

    @cached_property
    def conditions(self) -> Mapping[str, str]:
        return {c.get("type", ""): c.get("status", "") for c in self._status.get("conditions") or ()}

    @cached_property
    def declared_features(self) -> frozenset[str]:
        return frozenset(self._status.get("declaredFeatures") or ())

    @cached_property
    def zone_key(self) -> tuple[str, str]:
        """(region, zone) of the scheduler's node tree; a present beta label wins, even when empty."""
        return (_either(self.labels, BETA_REGION, REGION), _either(self.labels, BETA_ZONE, ZONE))

    @property
    def _spec(self) -> Mapping[str, Any]:
        return self.manifest.get("spec") or {}

    @property
    def _status(self) -> Mapping[str, Any]:
        return self.manifest.get("status") or {}


def _either(labels: Mapping[str, str], first: str, second: str) -> str:
    return labels[first] if first in labels else labels.get(second, "")

"""What the registry does to an object before it is validated: label keys merged, fields of closed gates dropped.

Source: Kubernetes 1.36 `pkg/registry/core/pod/strategy.go`, `pkg/registry/scheduling/podgroup`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.objects.resource_lists import aggregate

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_GROUP_GATES: Final = {
    "schedulingConstraints": "TopologyAwareWorkloadScheduling",
    "resourceClaims": "DRAWorkloadResourceClaims",
    "disruptionMode": "WorkloadAwarePreemption",
    "priorityClassName": "WorkloadAwarePreemption",
    "priority": "WorkloadAwarePreemption",
}

GATED_MESSAGE: Final = "Scheduling is blocked due to non-empty scheduling gates"


def has_label_keys(spec: Mapping[str, Any]) -> bool:
    """Whether the Pod's labels play a part in its spec."""
    affinity = spec.get("affinity") or {}
    terms = [term for which in ("podAffinity", "podAntiAffinity") for term in _terms(affinity.get(which) or {})]
    return any(term.get("matchLabelKeys") or term.get("mismatchLabelKeys") for term in terms) or any(
        constraint.get("matchLabelKeys") for constraint in spec.get("topologySpreadConstraints") or ()
    )


def merge_label_keys(spec: Mapping[str, Any], labels: Mapping[str, str], *, spread: bool) -> dict[str, Any]:
    """Write matchLabelKeys and mismatchLabelKeys out as expressions of the label selectors beside them.

    `spread`: also those of topology spread constraints (gate MatchLabelKeysInPodTopologySpreadSelectorMerge).
    """
    merged = dict(spec)
    if spec.get("affinity"):
        merged["affinity"] = {
            which: _merge_affinity(part, labels) if which in ("podAffinity", "podAntiAffinity") else part
            for which, part in spec["affinity"].items()
        }
    if spread and spec.get("topologySpreadConstraints"):
        merged["topologySpreadConstraints"] = [_merge(each, labels) for each in spec["topologySpreadConstraints"]]
    return merged


def drop_pod_fields(spec: Mapping[str, Any], gates: frozenset[str]) -> dict[str, Any]:
    """Leave out the Pod's fields whose gate is closed, as the API server does without a word."""
    kept = dict(spec)
    if "GenericWorkload" not in gates:
        kept.pop("schedulingGroup", None)
    if "PodLevelResources" not in gates:
        kept.pop("resources", None)
    return kept


def drop_group_fields(spec: Mapping[str, Any], gates: frozenset[str]) -> dict[str, Any]:
    """Leave out the fields of a PodGroup (or of a template in a Workload) whose gate is closed."""
    return {name: value for name, value in spec.items() if _GROUP_GATES.get(name) in (None, *gates)}


def pod_status(spec: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the status of a new Pod: what was given stays, the rest is filled in."""
    status = dict(given)
    if not status.get("phase"):
        status["phase"] = "Pending"
    if not status.get("qosClass"):
        status["qosClass"] = qos_class(spec)
    if spec.get("schedulingGates") and not any(
        condition.get("type") == "PodScheduled" for condition in status.get("conditions") or ()
    ):
        gated = {"type": "PodScheduled", "status": "False", "reason": "SchedulingGated", "message": GATED_MESSAGE}
        status["conditions"] = [*(status.get("conditions") or ()), gated]
    return status


def qos_class(spec: Mapping[str, Any]) -> str:
    """Return Guaranteed, Burstable or BestEffort."""
    own = spec.get("resources")
    containers = (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    holders = [own] if own is not None else [container.get("resources") or {} for container in containers]
    requests, limits = _sum(holders, "requests"), _sum(holders, "limits")
    if not requests and not limits:
        return "BestEffort"
    limited = all(_is_limited(holder) for holder in holders)
    return "Guaranteed" if limited and requests == limits else "Burstable"


def _sum(holders: list[Mapping[str, Any]], which: str) -> dict[str, Quantity]:
    total = aggregate({"containers": [{"resources": holder} for holder in holders]}, which)
    return {name: quantity for name, quantity in total.items() if name in ("cpu", "memory") and quantity > ZERO}


def _is_limited(resources: Mapping[str, Any]) -> bool:
    limits = resources.get("limits") or {}
    return all(name in limits and Quantity.parse(limits[name]) > ZERO for name in ("cpu", "memory"))


def _terms(affinity: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    preferred = [each.get("podAffinityTerm") or {} for each in affinity.get(_PREFERRED) or ()]
    return [*(affinity.get(_REQUIRED) or ()), *preferred]


def _merge_affinity(affinity: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, Any]:
    merged = dict(affinity)
    if affinity.get(_REQUIRED):
        merged[_REQUIRED] = [_merge(term, labels) for term in affinity[_REQUIRED]]
    if affinity.get(_PREFERRED):
        merged[_PREFERRED] = [
            {**each, "podAffinityTerm": _merge(each["podAffinityTerm"], labels)}
            if each.get("podAffinityTerm")
            else each
            for each in affinity[_PREFERRED]
        ]
    return merged


def _merge(owner: Mapping[str, Any], labels: Mapping[str, str]) -> Mapping[str, Any]:
    selector = owner.get("labelSelector")
    added = [
        {"key": key, "operator": operator, "values": [labels[key]]}
        for name, operator in (("matchLabelKeys", "In"), ("mismatchLabelKeys", "NotIn"))
        for key in owner.get(name) or ()
        if key in labels
    ]
    if selector is None or not added:
        return owner
    expressions = [*(selector.get("matchExpressions") or ()), *added]
    return {**owner, "labelSelector": {**selector, "matchExpressions": expressions}}

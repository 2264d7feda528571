"""Feature gates that change what the scheduler decides, with their defaults in Kubernetes 1.36.

Source: kube-scheduler 1.36 `pkg/features/kube_features.go`.
"""

from __future__ import annotations

from collections.abc import Mapping

DEFAULT_GATES: Mapping[str, bool] = {
    "SchedulerPopFromBackoffQ": True,
    "SchedulerAsyncPreemption": True,
    "OpportunisticBatching": True,
    "NominatedNodeNameForExpectation": True,
    "MatchLabelKeysInPodTopologySpread": True,
    "MatchLabelKeysInPodTopologySpreadSelectorMerge": True,
    "PodLevelResources": True,
    "NodeDeclaredFeatures": True,
    "DRAExtendedResource": True,
    "TaintTolerationComparisonOperators": False,
    "GenericWorkload": False,
    "GangScheduling": False,
    "TopologyAwareWorkloadScheduling": False,
    "WorkloadAwarePreemption": False,
    "VolumeLimitScaling": False,
    "StorageCapacityScoring": False,
}

NEEDS: Mapping[str, str] = {
    "GangScheduling": "GenericWorkload",
    "TopologyAwareWorkloadScheduling": "GenericWorkload",
    "WorkloadAwarePreemption": "GangScheduling",
}


def with_defaults(gates: Mapping[str, bool] | None) -> dict[str, bool]:
    """The 1.36 defaults with the given gates switched. Raises ValueError for an unknown gate or one whose need is
    off."""
    merged = dict(DEFAULT_GATES)
    for name, value in (gates or {}).items():
        if name not in merged:
            raise ValueError(f"unrecognized feature gate: {name}")
        merged[name] = value
    for name, need in NEEDS.items():
        if merged[name] and not merged[need]:
            raise ValueError(f"{name} requires {need} to be enabled")
    return merged

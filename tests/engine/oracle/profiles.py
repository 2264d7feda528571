"""The oracle's merging of profiles (specification, section 7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.engine.oracle.filters import Profile

ALL = {
    "SchedulingGates": ("preEnqueue",),
    "PrioritySort": ("queueSort",),
    "NodeUnschedulable": ("filter",),
    "NodeName": ("filter",),
    "TaintToleration": ("filter", "preScore", "score"),
    "NodeAffinity": ("preFilter", "filter", "preScore", "score"),
    "NodePorts": ("preFilter", "filter"),
    "NodeResourcesFit": ("preFilter", "filter", "preScore", "score", "placementScore"),
    "VolumeRestrictions": ("preFilter", "filter"),
    "NodeVolumeLimits": ("preFilter", "filter"),
    "VolumeBinding": ("preFilter", "filter", "preScore", "score", "reserve", "preBind"),
    "VolumeZone": ("preFilter", "filter"),
    "PodTopologySpread": ("preFilter", "filter", "preScore", "score"),
    "InterPodAffinity": ("preFilter", "filter", "preScore", "score"),
    "DynamicResources": ("preEnqueue", "preFilter", "filter", "postFilter", "score", "reserve", "preBind"),
    "DefaultPreemption": ("preEnqueue", "postFilter"),
    "NodeResourcesBalancedAllocation": ("preScore", "score"),
    "ImageLocality": ("score",),
    "DefaultBinder": ("bind",),
    "NodeDeclaredFeatures": ("preFilter", "filter"),
}
WEIGHTS = {
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "DynamicResources": 2,
}
POINTS = sorted({point for points in ALL.values() for point in points})


def profiles_of(config: Mapping[str, Any] | None) -> dict[str, Profile]:
    """Scheduler name -> profile."""
    entries = (config or {}).get("profiles") or [{}]
    return {entry.get("schedulerName") or "default-scheduler": _profile(entry) for entry in entries}


def _profile(entry: Mapping[str, Any]) -> Profile:
    sets = entry.get("plugins") or {}
    multi = sets.get("multiPoint") or {}
    off = [item["name"] for item in multi.get("disabled") or ()]
    own = {item["name"]: item.get("weight") or 0 for item in multi.get("enabled") or ()}
    kept = [name for name in ALL if name not in off and "*" not in off]
    order = [(name, own.pop(name) if name in own else WEIGHTS.get(name, 1)) for name in kept]
    order += own.items()
    points: dict[str, list[str]] = {}
    weights = {name: weight or 1 for name, weight in order}
    for point in POINTS:
        chosen = sets.get(point) or {}
        explicit = [item["name"] for item in chosen.get("enabled") or ()]
        disabled = [item["name"] for item in chosen.get("disabled") or ()]
        general = [n for n, _ in order if point in ALL[n] and n not in disabled and "*" not in disabled]
        first = [n for n in explicit if n in [m for m, _ in order] and "*" not in disabled and n not in disabled]
        rest = [n for n in explicit if n not in first]
        points[point] = [*first, *(n for n in general if n not in explicit), *rest]
        if point == "score":
            weights |= {item["name"]: item.get("weight") or 1 for item in chosen.get("enabled") or ()}
    args = {item["name"]: item.get("args") or {} for item in entry.get("pluginConfig") or ()}
    return Profile(points, weights, args)

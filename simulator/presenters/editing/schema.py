"""The fields of every kind as the YAML editor's completion wants them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Final

from simulator.engine.fabric.allocation import POLICIES as DEVICE_POLICIES
from simulator.engine.fabric.device_plugin import SHARES, STRATEGIES
from simulator.engine.fabric.numa_zones import POLICIES as NUMA_POLICIES
from simulator.engine.fabric.numa_zones import SCOPES
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.objects.schema.types import ListOf, MapOf, Scalar, Special, Struct, Type
from simulator.engine.objects.scheme import KINDS

_EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_PREEMPTION: Final = ("PreemptLowerPriority", "Never")
_SELECTOR: Final = ("In", "NotIn", "Exists", "DoesNotExist")
_HONOR: Final = ("Honor", "Ignore")

VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "Taint.effect": _EFFECTS,
    "Toleration.effect": _EFFECTS,
    "Toleration.operator": ("Equal", "Exists"),
    "NodeSelectorRequirement.operator": (*_SELECTOR, "Gt", "Lt"),
    "LabelSelectorRequirement.operator": _SELECTOR,
    "TopologySpreadConstraint.whenUnsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
    "TopologySpreadConstraint.nodeAffinityPolicy": _HONOR,
    "TopologySpreadConstraint.nodeTaintsPolicy": _HONOR,
    "PodSpec.restartPolicy": ("Always", "OnFailure", "Never"),
    "PodSpec.preemptionPolicy": _PREEMPTION,
    "PriorityClass.preemptionPolicy": _PREEMPTION,
    "Container.imagePullPolicy": ("Always", "IfNotPresent", "Never"),
    "PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy": ("IfHealthyBudget", "AlwaysAllow"),
    "StorageClass.volumeBindingMode": ("Immediate", "WaitForFirstConsumer"),
    "NodeCondition.status": ("True", "False", "Unknown"),
    "NodeFabricSpec.machine": tuple(PRESETS),
    "NodeFabricSpec.devicePolicy": tuple(DEVICE_POLICIES),
    "TopologyManager.policy": tuple(NUMA_POLICIES),
    "TopologyManager.scope": tuple(SCOPES),
    "Sharing.strategy": (*STRATEGIES, SHARES),
}
"""Values that fields can have, by struct and field."""


@cache
def completion_json() -> str:
    """`{kinds: {"v1/Pod": type}, types: {type: {field: type}}, values: {"Struct.field": [...]}}`.

    A type is the name of a struct, of a scalar, `[type` for a list or `{type` for a mapping from text.
    """
    types = _Types()
    kinds = {f"{kind.api_version}/{kind.kind}": types.name_of(kind.struct) for kind in KINDS.values()}
    return json.dumps({"kinds": kinds, "types": types.fields, "values": VALUES}, separators=(",", ":"))


@cache
def completion_version() -> str:
    """Changes with the schema, for its address."""
    return hashlib.sha256(completion_json().encode()).hexdigest()[:12]


class _Types:
    """Structs by names of their own: two packages may have one of the same name."""

    def __init__(self) -> None:
        self.fields: dict[str, dict[str, str]] = {}
        self._names: dict[int, str] = {}

    def name_of(self, kind: Type) -> str:
        match kind:
            case Struct():
                return self._names.get(id(kind)) or self._add(kind)
            case ListOf():
                return f"[{self.name_of(kind.item)}"
            case MapOf():
                return "{" + self.name_of(kind.item)
            case Scalar() | Special():
                return kind.base

    def _add(self, struct: Struct) -> str:
        name = struct.name
        while name in self.fields:
            name += "~"
        self._names[id(struct)] = name
        self.fields[name] = {}
        self.fields[name] |= {field: self.name_of(inner) for field, inner in struct.fields.items()}
        return name

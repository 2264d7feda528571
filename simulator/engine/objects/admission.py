"""Admission plugins: priority, and those of a real cluster that add tolerations.

Source: Kubernetes 1.36 `plugin/pkg/admission/{priority,defaulttolerationseconds,extendedresourcetoleration}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.objects.errors import FieldError, plain_error
from simulator.engine.objects.paths import ROOT, SPEC, FieldPath
from simulator.engine.objects.requests import is_extended_resource

SYSTEM_CLASSES: Final[Mapping[str, int]] = {
    "system-node-critical": 2_000_001_000,
    "system-cluster-critical": 2_000_000_000,
}
PREEMPT_LOWER: Final = "PreemptLowerPriority"
DEFAULT_TOLERATION_SECONDS: Final = 300

_FORBIDDEN: Final = "Forbidden"
_NOT_READY: Final = "node.kubernetes.io/not-ready"
_UNREACHABLE: Final = "node.kubernetes.io/unreachable"


@dataclass(frozen=True)
class Priority:
    """What a Pod gets from its class. An empty name means that there is no class."""

    class_name: str
    value: int
    preemption_policy: str


NO_CLASS: Final = Priority("", 0, PREEMPT_LOWER)


def resolve_priority(spec: Mapping[str, Any], classes: Mapping[str, Mapping[str, Any]]) -> Priority | FieldError:
    """Find the Pod's class among `classes` (by name; the two system classes need not be there)."""
    name = spec.get("priorityClassName")
    if not name:
        found = default_class(classes.values())
    elif name in classes:
        found = _of_class(classes[name])
    elif name in SYSTEM_CLASSES:
        found = Priority(name, SYSTEM_CLASSES[name], PREEMPT_LOWER)
    else:
        return _refused("admission.no_priority_class", SPEC.child("priorityClassName"), name=name)
    given = spec.get("priority")
    if given is not None and given != found.value:
        return _refused("admission.priority_given", SPEC.child("priority"), given=given, computed=found.value)
    policy = spec.get("preemptionPolicy")
    if policy is not None and policy != found.preemption_policy:
        path = SPEC.child("preemptionPolicy")
        return _refused("admission.policy_given", path, given=policy, computed=found.preemption_policy)
    return found


def apply_priority(spec: Mapping[str, Any], priority: Priority) -> dict[str, Any]:
    """Return the spec with priority, policy and, where there is one, class name."""
    filled = {**spec, "priority": priority.value, "preemptionPolicy": priority.preemption_policy}
    if priority.class_name:
        filled["priorityClassName"] = priority.class_name
    return filled


def group_priority(spec: Mapping[str, Any], classes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any] | FieldError:
    """Return a PodGroup's spec with the priority of its class; one that is given without a class stays."""
    if spec.get("priority") is not None and not spec.get("priorityClassName"):
        return dict(spec)
    found = resolve_priority({"priorityClassName": spec.get("priorityClassName")}, classes)
    if isinstance(found, FieldError):
        return found
    given = spec.get("priority")
    if given is not None and given != found.value:
        return _refused("admission.priority_given", SPEC.child("priority"), given=given, computed=found.value)
    named = {"priorityClassName": found.class_name} if found.class_name else {}
    return {**spec, **named, "priority": found.value}


def default_class(classes: Iterable[Mapping[str, Any]]) -> Priority:
    """Return the global default class, of several the one with the lowest value."""
    found = [_of_class(each) for each in classes if each.get("globalDefault")]
    return min(found, key=lambda priority: priority.value, default=NO_CLASS)


def second_default(priority_class: Mapping[str, Any], classes: Iterable[Mapping[str, Any]]) -> FieldError | None:
    """Refuse a further global default class."""
    if not priority_class.get("globalDefault"):
        return None
    existing = default_class(classes)
    if existing is NO_CLASS or existing.class_name == priority_class["metadata"].get("name"):
        return None
    return _refused("admission.second_default", ROOT.child("globalDefault"), name=existing.class_name)


def default_tolerations(spec: Mapping[str, Any]) -> dict[str, Any]:
    """DefaultTolerationSeconds: stay 300 s on a node that is not ready or unreachable."""
    tolerations = list(spec.get("tolerations") or ())
    for key in (_NOT_READY, _UNREACHABLE):
        if not any(_tolerates_no_execute(each, key) for each in tolerations):
            tolerations.append(
                {
                    "key": key,
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": DEFAULT_TOLERATION_SECONDS,
                }
            )
    return {**spec, "tolerations": tolerations}


def extended_resource_tolerations(spec: Mapping[str, Any]) -> dict[str, Any]:
    """ExtendedResourceToleration: tolerate taints whose key is an extended resource that the Pod requests."""
    wanted: dict[str, None] = {}
    for container in (*(spec.get("containers") or ()), *(spec.get("initContainers") or ())):
        for name in (container.get("resources") or {}).get("requests") or {}:
            if is_extended_resource(name):
                wanted[name] = None
    tolerations = list(spec.get("tolerations") or ())
    for name in sorted(wanted):
        if not any(each.get("key") == name and each.get("operator") == "Exists" for each in tolerations):
            tolerations.append({"key": name, "operator": "Exists"})
    return {**spec, "tolerations": tolerations} if wanted else dict(spec)


def _of_class(found: Mapping[str, Any]) -> Priority:
    name = found["metadata"].get("name", "")
    return Priority(name, found.get("value", 0), found.get("preemptionPolicy") or PREEMPT_LOWER)


def _tolerates_no_execute(toleration: Mapping[str, Any], key: str) -> bool:
    return toleration.get("key") in (key, None, "") and toleration.get("effect") in ("NoExecute", None, "")


def _refused(code: str, path: FieldPath, **params: object) -> FieldError:
    return plain_error(_FORBIDDEN, code, path, **params)

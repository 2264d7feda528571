"""Nodes, Namespaces, disruption budgets, PriorityClasses.

Source: Kubernetes 1.36 `pkg/apis/{core,policy,scheduling}/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.admission import SYSTEM_CLASSES
from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import (
    cidr_problems,
    dns_label_problems,
    dns_subdomain_problems,
    percent_problems,
)
from simulator.engine.objects.paths import METADATA, ROOT, SPEC, STATUS, FieldPath
from simulator.engine.objects.quantity import Quantity
from simulator.engine.objects.validation.metadata import (
    validate_finalizer_name,
    validate_kube_finalizer,
    validate_metadata,
)
from simulator.engine.objects.validation.resources import validate_quantity
from simulator.engine.objects.validation.selectors import validate_label_selector
from simulator.engine.objects.validation.taints import validate_taints

_EVICTION_POLICIES: Final = ("AlwaysAllow", "IfHealthyBudget")
_PREEMPTION_POLICIES: Final = ("PreemptLowerPriority", "Never")
_USER_PRIORITY_MAX: Final = 1_000_000_000
_SYSTEM: Final = "system-"


def validate_node(errors: Errors, node: Mapping[str, Any]) -> None:
    validate_metadata(errors, node["metadata"], dns_subdomain_problems, namespaced=False)
    validate_node_body(errors, node)
    networks = (node.get("spec") or {}).get("podCIDRs") or []
    path = SPEC.child("podCIDRs")
    for index, network in enumerate(networks):
        errors.all_invalid(path.index(index), network, cidr_problems(network))
    if len(networks) > 1:
        families = {":" in network for network in networks}
        if len(networks) > 2 or len(families) < 2:
            errors.invalid(path, networks[:20], "node.one_network_each")
        for index, network in enumerate(networks):
            if network in networks[:index][:20]:
                errors.duplicate(path.index(index), network)


def validate_node_body(errors: Errors, node: Mapping[str, Any]) -> None:
    """Check what creation and update have in common."""
    place = METADATA.child("taints").at("spec", "taints")
    validate_taints(errors, (node.get("spec") or {}).get("taints"), place)
    status = node.get("status") or {}
    for which in ("capacity", "allocatable"):
        for name, text in (status.get(which) or {}).items():
            path = FieldPath(f"status.{which}.{name}", ("status", which, name))
            validate_quantity(errors, name, Quantity.parse(text), path)
    seen: set[str] = set()
    for index, feature in enumerate(status.get("declaredFeatures") or ()):
        if feature in seen:
            errors.duplicate(STATUS.child("declaredFeatures").index(index), feature)
        seen.add(feature)


def validate_namespace(errors: Errors, namespace: Mapping[str, Any]) -> None:
    validate_metadata(errors, namespace["metadata"], dns_label_problems, namespaced=False)
    path = SPEC.child("finalizers")
    for index, finalizer in enumerate((namespace.get("spec") or {}).get("finalizers") or ()):
        place = path.at(*path.keys, index)
        validate_finalizer_name(errors, finalizer, place)
        validate_kube_finalizer(errors, finalizer, place)


def validate_budget(errors: Errors, budget: Mapping[str, Any]) -> None:
    validate_metadata(errors, budget["metadata"], dns_subdomain_problems, namespaced=True)
    spec = budget.get("spec") or {}
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        errors.invalid(SPEC, "(spec)", "budget.both")
    for field in ("minAvailable", "maxUnavailable"):
        if spec.get(field) is not None:
            validate_count_or_percent(errors, spec[field], SPEC.child(field))
            validate_not_over_100(errors, spec[field], SPEC.child(field))
    validate_label_selector(errors, spec.get("selector"), SPEC.child("selector"))
    policy = spec.get("unhealthyPodEvictionPolicy")
    if policy is not None and policy not in _EVICTION_POLICIES:
        errors.not_supported(SPEC.child("unhealthyPodEvictionPolicy"), policy, _EVICTION_POLICIES)


def validate_count_or_percent(errors: Errors, value: int | str, path: FieldPath) -> None:
    if isinstance(value, str):
        errors.all_invalid(path, value, percent_problems(value))
    elif value < 0:
        errors.invalid(path, value, "api.not_negative")


def validate_not_over_100(errors: Errors, value: int | str, path: FieldPath) -> None:
    if (
        isinstance(value, str)
        and not percent_problems(value)
        and len(value.lstrip("0")) > 3
        and value.lstrip("0") != "100%"
    ):
        errors.invalid(path, value, "budget.over_100")


def validate_priority_class(errors: Errors, priority_class: Mapping[str, Any]) -> None:
    metadata, value = priority_class["metadata"], priority_class.get("value", 0)
    validate_metadata(errors, metadata, dns_subdomain_problems, namespaced=False)
    name = metadata.get("name") or ""
    if name.startswith(_SYSTEM):
        problem = _system_class_problem(name, value, bool(priority_class.get("globalDefault")))
        if problem:
            errors.forbidden(METADATA.child("name"), "priority_class.system", error=problem)
    elif value > _USER_PRIORITY_MAX:
        errors.forbidden(ROOT.child("value"), "priority_class.maximum", max=_USER_PRIORITY_MAX)
    policy = priority_class.get("preemptionPolicy")
    if policy is not None:
        place = ROOT.child("preemptionPolicy")
        if not policy:
            errors.required(place)
        elif policy not in _PREEMPTION_POLICIES:
            errors.not_supported(place, policy, _PREEMPTION_POLICIES)


def _system_class_problem(name: str, value: int, is_default: bool) -> str:
    if name not in SYSTEM_CLASSES:
        return f"{name} is not a known system priority class"
    if value != SYSTEM_CLASSES[name]:
        return f"value of {name} PriorityClass must be {SYSTEM_CLASSES[name]}"
    return f"globalDefault of {name} PriorityClass must be false" if is_default else ""

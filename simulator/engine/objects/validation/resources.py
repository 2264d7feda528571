"""Resource requirements of containers and Pods.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_label_problems, label_key_problems
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.objects.requests import is_extended_resource
from simulator.engine.objects.resource_lists import (
    POD_LEVEL_NAMES,
    aggregate,
    is_container_standard,
    is_huge_pages,
    is_native,
    is_overcommit_allowed,
    is_page_multiple,
    is_pod_level,
    is_standard,
    is_whole,
)

ClaimNames = frozenset[str]


def validate_quantity(errors: Errors, name: str, quantity: Quantity, path: FieldPath) -> None:
    """Check one entry of a resource list: not negative, whole where the resource is counted."""
    if quantity < ZERO:
        errors.invalid(path, str(quantity), "api.not_negative")
    if is_whole(name) and not quantity.is_integer():
        errors.invalid(path, str(quantity), "api.integer")


def validate_container_resources(
    errors: Errors, resources: Mapping[str, Any] | None, claims: ClaimNames, path: FieldPath
) -> None:
    _requirements(errors, resources or {}, claims, path, pod_level=False)


def validate_overhead(errors: Errors, overhead: Mapping[str, str] | None, path: FieldPath) -> None:
    """Check overhead, which kube words as the limits of a container."""
    if overhead is None:
        return
    found = Errors()
    _requirements(found, {"limits": overhead}, frozenset(), path, pod_level=False)
    for error in found.found:
        keys = tuple(key for position, key in enumerate(error.keys) if position != len(path.keys) or key != "limits")
        errors.add(replace(error, path=error.path.at(*keys)))


def validate_pod_resources(errors: Errors, spec: Mapping[str, Any], claims: ClaimNames, path: FieldPath) -> None:
    """Check Pod-level resources, alone and against the containers'."""
    resources = spec.get("resources")
    if resources is None:
        return
    if resources.get("claims") is not None:
        errors.forbidden(path.child("claims"), "resource.pod_claims")
    _requirements(errors, resources, claims, path, pod_level=True)
    _against_containers(errors, spec, resources, path)


def _requirements(
    errors: Errors, resources: Mapping[str, Any], claims: ClaimNames, path: FieldPath, *, pod_level: bool
) -> None:
    limits = {name: Quantity.parse(text) for name, text in (resources.get("limits") or {}).items()}
    requests = {name: Quantity.parse(text) for name, text in (resources.get("requests") or {}).items()}
    for which, listed in (("limits", limits), ("requests", requests)):
        for name, quantity in listed.items():
            place = path.child(which).key(name)
            (_pod_level_name if pod_level else _container_name)(errors, name, place)
            validate_quantity(errors, name, quantity, place)
            if is_huge_pages(name) and not is_page_multiple(name, quantity):
                shown = str(quantity)
                errors.invalid(place, shown, "resource.huge_pages_multiple", quantity=shown, resource=name)
    for name, quantity in requests.items():
        _against_limit(errors, name, quantity, limits.get(name), path)
    names = {*limits, *requests}
    if any(is_huge_pages(name) for name in names) and not names & {"cpu", "memory"}:
        errors.forbidden(path, "resource.huge_pages_alone")
    _claims(errors, resources.get("claims") or (), claims, path.child("claims"))


def _against_limit(errors: Errors, name: str, request: Quantity, limit: Quantity | None, path: FieldPath) -> None:
    place = path.child("requests").at(*path.keys, "requests", name)
    overcommit = is_overcommit_allowed(name)
    if limit is None:
        if not overcommit:
            errors.required(path.child("limits"), "resource.limit_required")
    elif request != limit and not overcommit:
        errors.invalid(place, str(request), "resource.equal_limit", resource=name, limit=str(limit))
    elif request > limit:
        errors.invalid(place, str(request), "resource.over_limit", resource=name, limit=str(limit))


def _resource_name(errors: Errors, name: str, path: FieldPath) -> bool:
    problems = label_key_problems(name)
    errors.all_invalid(path, name, problems)
    if problems:
        return False
    if "/" not in name and not is_standard(name):
        errors.invalid(path, name, "resource.not_standard")
        return False
    return True


def _container_name(errors: Errors, name: str, path: FieldPath) -> None:
    _resource_name(errors, name, path)
    if name.count("/") == 0:
        if not is_container_standard(name):
            errors.invalid(path, name, "resource.not_container")
    elif not is_native(name) and not is_extended_resource(name):
        errors.invalid(path, name, "resource.not_extended")


def _pod_level_name(errors: Errors, name: str, path: FieldPath) -> None:
    if _resource_name(errors, name, path) and not is_pod_level(name):
        errors.not_supported(path, name, POD_LEVEL_NAMES)


def _claims(errors: Errors, claims: Sequence[Mapping[str, Any]], known: ClaimNames, path: FieldPath) -> None:
    whole: set[str] = set()
    parts: dict[str, set[str]] = {}
    for index, claim in enumerate(claims):
        place = path.index(index)
        name, request = claim.get("name") or "", claim.get("request") or ""
        if not name:
            errors.required(place)
            continue
        if name in whole:
            errors.duplicate(place, name)
        elif request:
            errors.all_invalid(place.child("request"), request, dns_label_problems(request))
            if request in parts.setdefault(name, set()):
                errors.duplicate(place, f"{name}/{request}")
            parts[name].add(request)
        else:
            for _ in parts.get(name, ()):
                errors.duplicate(place, name)
            whole.add(name)
        if name not in known:
            names = f": {', '.join(sorted(known))}" if known else " which is empty"
            errors.not_found(place, name, "resource.claim_unknown", names=names)


def _against_containers(errors: Errors, spec: Mapping[str, Any], resources: Mapping[str, Any], path: FieldPath) -> None:
    for which, code in (("requests", "resource.below_aggregate"), ("limits", "resource.limit_below_aggregate")):
        given = resources.get(which) or {}
        for name, total in aggregate(spec, which).items():
            if name not in given or not is_pod_level(name) or (which == "limits" and not is_huge_pages(name)):
                continue
            own = Quantity.parse(given[name])
            if total > own:
                errors.invalid(path.child(which).key(name), str(own), code, aggregate=str(total))
    limits = {name: Quantity.parse(text) for name, text in (resources.get("limits") or {}).items()}
    for index, container in enumerate(spec.get("containers") or ()):
        for name, text in ((container.get("resources") or {}).get("limits") or {}).items():
            if name in limits and Quantity.parse(text) > limits[name]:
                place = FieldPath(
                    f"{path.text}.containers[{index}][{name}].limits",
                    (*path.keys[:-1], "containers", index, "resources", "limits", name),
                )
                errors.invalid(place, text, "resource.over_pod_limit", limit=str(limits[name]))

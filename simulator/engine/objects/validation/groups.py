"""PodGroups, Workloads (scheduling.k8s.io/v1alpha2) and dynamic resource allocation.

Source: Kubernetes 1.36 `k8s.io/api/scheduling/v1alpha2` (declarative rules), `pkg/apis/resource/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_label_problems, dns_subdomain_problems, label_key_problems
from simulator.engine.objects.paths import SPEC, FieldPath
from simulator.engine.objects.validation.metadata import validate_metadata

Object = Mapping[str, Any]

_TEMPLATES_MAX: Final = 8
_CLAIMS_MAX: Final = 4
_PRIORITY_MAX: Final = 1_000_000_000
_REQUESTS_MAX: Final = 32


def validate_pod_group(errors: Errors, group: Object) -> None:
    validate_metadata(errors, group["metadata"], dns_subdomain_problems, namespaced=True)
    spec = group["spec"]
    _group(errors, spec, SPEC)
    reference = spec.get("podGroupTemplateRef")
    if reference is None:
        return
    place = SPEC.child("podGroupTemplateRef")
    workload = reference.get("workload")
    if workload is None:
        errors.invalid(place, "", "api.one_of", fields="`workload`")
        return
    for field, check in (("workloadName", dns_subdomain_problems), ("podGroupTemplateName", dns_label_problems)):
        name = workload.get(field) or ""
        if name:
            errors.all_invalid(place.child("workload").child(field), name, check(name))
        else:
            errors.required(place.child("workload").child(field))


def validate_workload(errors: Errors, workload: Object) -> None:
    validate_metadata(errors, workload["metadata"], dns_subdomain_problems, namespaced=True)
    templates = workload["spec"].get("podGroupTemplates") or ()
    path = SPEC.child("podGroupTemplates")
    if not templates:
        errors.required(path)
    if len(templates) > _TEMPLATES_MAX:
        errors.too_many(path, len(templates), _TEMPLATES_MAX)
    names: set[str] = set()
    for index, template in enumerate(templates):
        place = path.index(index)
        _unique_name(errors, template, names, place)
        _group(errors, template, place)


def _unique_name(errors: Errors, owner: Object, names: set[str], path: FieldPath) -> None:
    name = owner.get("name") or ""
    if not name:
        errors.required(path.child("name"))
    elif name in names:
        errors.duplicate(path, name)
    else:
        errors.all_invalid(path.child("name"), name, dns_label_problems(name))
    names.add(name)


def _group(errors: Errors, spec: Object, path: FieldPath) -> None:
    _policy(errors, spec.get("schedulingPolicy") or {}, path.child("schedulingPolicy"))
    topology = (spec.get("schedulingConstraints") or {}).get("topology") or ()
    place = path.child("schedulingConstraints").child("topology")
    if len(topology) > 1:
        errors.too_many(place, len(topology), 1)
    for index, constraint in enumerate(topology):
        key = constraint.get("key") or ""
        if key:
            errors.all_invalid(place.index(index).child("key"), key, label_key_problems(key))
        else:
            errors.required(place.index(index).child("key"))
    _group_claims(errors, spec.get("resourceClaims") or (), path.child("resourceClaims"))
    mode = spec.get("disruptionMode")
    if mode is not None and mode not in ("Pod", "PodGroup"):
        errors.not_supported(path.child("disruptionMode"), mode, ("Pod", "PodGroup"))
    name = spec.get("priorityClassName") or ""
    if name:
        errors.all_invalid(path.child("priorityClassName"), name, dns_subdomain_problems(name))
    priority = spec.get("priority")
    if priority is not None and priority > _PRIORITY_MAX:
        errors.invalid(path.child("priority"), priority, "api.maximum", max=_PRIORITY_MAX)


def _policy(errors: Errors, policy: Object, path: FieldPath) -> None:
    present = [name for name in ("basic", "gang") if policy.get(name) is not None]
    if not present:
        errors.invalid(path, "", "api.one_of", fields="`basic`, `gang`")
    elif len(present) > 1:
        errors.invalid(path, "{basic, gang}", "api.exactly_one_of", fields="`basic`, `gang`")
    gang = policy.get("gang")
    if gang is None:
        return
    count, place = gang.get("minCount"), path.child("gang").child("minCount")
    if not count:
        errors.required(place)
    elif count < 1:
        errors.invalid(place, count, "api.minimum", min=1)


def _group_claims(errors: Errors, claims: Sequence[Object], path: FieldPath) -> None:
    if len(claims) > _CLAIMS_MAX:
        errors.too_many(path, len(claims), _CLAIMS_MAX)
    names: set[str] = set()
    for index, claim in enumerate(claims):
        place = path.index(index)
        _unique_name(errors, claim, names, place)
        fields = ("resourceClaimName", "resourceClaimTemplateName")
        present = [field for field in fields if claim.get(field) is not None]
        shown = ", ".join(f"`{field}`" for field in fields)
        if not present:
            errors.invalid(place, "", "api.one_of", fields=shown)
        elif len(present) > 1:
            errors.invalid(place, f"{{{', '.join(present)}}}", "api.exactly_one_of", fields=shown)


def validate_resource_claim(errors: Errors, claim: Object) -> None:
    validate_metadata(errors, claim["metadata"], dns_subdomain_problems, namespaced=True)
    _device_claim(errors, claim["spec"], SPEC)


def validate_resource_claim_template(errors: Errors, template: Object) -> None:
    validate_metadata(errors, template["metadata"], dns_subdomain_problems, namespaced=True)
    _device_claim(errors, template["spec"].get("spec") or {}, SPEC.child("spec"))


def _device_claim(errors: Errors, spec: Object, path: FieldPath) -> None:
    requests = (spec.get("devices") or {}).get("requests") or ()
    place = path.child("devices").child("requests")
    if len(requests) > _REQUESTS_MAX:
        errors.too_many(place, len(requests), _REQUESTS_MAX)
    names: set[str] = set()
    for index, request in enumerate(requests):
        where = place.index(index)
        _unique_name(errors, request, names, where)
        exact, choices = request.get("exactly"), request.get("firstAvailable") or ()
        if exact is None and not choices:
            errors.required(where, "resource.exactly_or_first")
        elif exact is not None and choices:
            errors.invalid(where, None, "resource.exactly_or_first")
        if exact is not None:
            _device_request(errors, exact, where.child("exactly"))
        inner: set[str] = set()
        for position, choice in enumerate(choices):
            spot = where.child("firstAvailable").index(position)
            _unique_name(errors, choice, inner, spot)
            _device_request(errors, choice, spot)


def _device_request(errors: Errors, request: Object, path: FieldPath) -> None:
    name = request.get("deviceClassName") or ""
    if name:
        errors.all_invalid(path.child("deviceClassName"), name, dns_subdomain_problems(name))
    else:
        errors.required(path.child("deviceClassName"))
    mode, count = request.get("allocationMode") or "", request.get("count") or 0
    if mode not in ("All", "ExactCount"):
        errors.not_supported(path.child("allocationMode"), mode, ("All", "ExactCount"))
    elif mode == "ExactCount" and count <= 0:
        errors.invalid(path.child("count"), count, "api.positive")
    elif mode == "All" and count:
        errors.invalid(path.child("count"), count, "resource.count_with_all")


def validate_device_class(errors: Errors, device_class: Object) -> None:
    validate_metadata(errors, device_class["metadata"], dns_subdomain_problems, namespaced=False)


def validate_resource_slice(errors: Errors, resource_slice: Object) -> None:
    validate_metadata(errors, resource_slice["metadata"], dns_subdomain_problems, namespaced=False)
    spec = resource_slice["spec"]
    for name in ("driver",):
        if not spec.get(name):
            errors.required(SPEC.child(name))
    if not (spec.get("pool") or {}).get("name"):
        errors.required(SPEC.child("pool").child("name"))
    names: set[str] = set()
    for index, device in enumerate(spec.get("devices") or ()):
        _unique_name(errors, device, names, SPEC.child("devices").index(index))

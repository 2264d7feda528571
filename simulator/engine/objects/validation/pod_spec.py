"""Pod specs: of Pods and of Pod templates.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import (
    dns_label_problems,
    dns_search_problems,
    dns_subdomain_problems,
    ip_problems,
    label_key_problems,
    range_problems,
)
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.validation.affinity import validate_affinity, validate_spread
from simulator.engine.objects.validation.containers import Surroundings, validate_containers
from simulator.engine.objects.validation.metadata import validate_labels
from simulator.engine.objects.validation.resources import validate_overhead, validate_pod_resources
from simulator.engine.objects.validation.security import validate_pod_security
from simulator.engine.objects.validation.taints import validate_tolerations
from simulator.engine.objects.validation.volumes import validate_volumes

_RESTART_POLICIES: Final = ("Always", "OnFailure", "Never")
_DNS_POLICIES: Final = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_PREEMPTION_POLICIES: Final = ("PreemptLowerPriority", "Never")
_NAMESERVERS_MAX: Final = 3
_SEARCHES_MAX: Final = 32
_SEARCH_CHARS_MAX: Final = 2048
_INT32_MAX: Final = 2**31 - 1
_SUBDOMAINS: Final = ("serviceAccountName", "nodeName", "priorityClassName", "runtimeClassName")
_HOST_NAMESPACES: Final = (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC"))


@dataclass(frozen=True)
class PodOptions:
    """Where the spec stands, and what the feature gates allow."""

    is_pod: bool = True
    pod_name: str = ""
    comparisons: bool = False
    spread_merged: bool = True


def validate_pod_spec(errors: Errors, spec: Mapping[str, Any], path: FieldPath, options: PodOptions) -> None:
    """Check a defaulted spec. `path` is where it stands: "spec" or "spec.template.spec"."""
    volumes = validate_volumes(
        errors, spec.get("volumes"), options.pod_name, path.child("volumes"), is_pod=options.is_pod
    )
    claims = _resource_claims(errors, spec, path.child("resourceClaims"))
    surroundings = Surroundings(
        volumes=volumes,
        claims=claims,
        grace=spec.get("terminationGracePeriodSeconds"),
        restart_policy=spec.get("restartPolicy") or "",
        host_users=spec.get("hostUsers") is not False,
        is_pod=options.is_pod,
    )
    validate_containers(errors, spec, surroundings, path)
    validate_pod_resources(errors, spec, claims, path.child("resources"))
    _host_network_ports(errors, spec, path.child("containers"), is_pod=options.is_pod)
    _choices(errors, spec, path)
    validate_labels(errors, spec.get("nodeSelector"), path.child("nodeSelector"))
    validate_pod_security(errors, spec, path.child("securityContext"))
    validate_affinity(errors, spec.get("affinity"), path.child("affinity"))
    _dns(errors, spec, path.child("dnsConfig"))
    _gates(errors, spec, path)
    constraints = spec.get("topologySpreadConstraints")
    validate_spread(errors, constraints, path.child("topologySpreadConstraints"), merged=options.spread_merged)
    _host_users(errors, spec, path)
    _names(errors, spec, path)
    tolerations = spec.get("tolerations")
    validate_tolerations(errors, tolerations, path.child("tolerations"), comparisons=options.comparisons)
    validate_overhead(errors, spec.get("overhead"), path.child("overhead"))
    _operating_system(errors, spec, path)
    _scheduling_group(errors, spec, path.child("schedulingGroup"))


def _resource_claims(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> frozenset[str]:
    names: set[str] = set()
    for index, claim in enumerate(spec.get("resourceClaims") or ()):
        place = path.index(index)
        name = claim.get("name") or ""
        if not name:
            errors.required(place.child("name"))
        elif name in names:
            errors.duplicate(place.child("name"), name)
        else:
            errors.all_invalid(place.child("name"), name, dns_label_problems(name))
            names.add(name)
        _claim_source(errors, claim, place)
    return frozenset(names)


def _claim_source(errors: Errors, claim: Mapping[str, Any], path: FieldPath) -> None:
    direct, template = claim.get("resourceClaimName"), claim.get("resourceClaimTemplateName")
    if (direct is None) == (template is None):
        shown = {
            "Name": claim.get("name") or "",
            "ResourceClaimName": direct,
            "ResourceClaimTemplateName": template,
        }
        errors.invalid(path, shown, "resource.claim_neither" if direct is None else "resource.claim_both")
    for field, name in (("resourceClaimName", direct), ("resourceClaimTemplateName", template)):
        if name is not None:
            errors.all_invalid(path.child(field), name, dns_subdomain_problems(name))


def _host_network_ports(errors: Errors, spec: Mapping[str, Any], path: FieldPath, *, is_pod: bool) -> None:
    if not spec.get("hostNetwork"):
        return
    for index, container in enumerate(spec.get("containers") or ()):
        for position, port in enumerate(container.get("ports") or ()):
            host, own = port.get("hostPort") or 0, port.get("containerPort") or 0
            if (is_pod or host) and host != own:
                place = path.index(index).child("ports").index(position).child("hostPort")
                errors.invalid(place, host, "container.host_port")


def _choices(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    for field, choices in (("restartPolicy", _RESTART_POLICIES), ("dnsPolicy", _DNS_POLICIES)):
        if spec.get(field) not in choices:
            errors.not_supported(path.child(field), spec.get(field) or "", choices)
    policy = spec.get("preemptionPolicy")
    if policy is not None:
        place = path.child("preemptionPolicy")
        if not policy:
            errors.required(place)
        elif policy not in _PREEMPTION_POLICIES:
            errors.not_supported(place, policy, _PREEMPTION_POLICIES)
    deadline = spec.get("activeDeadlineSeconds")
    if deadline is not None:
        errors.all_invalid(path.child("activeDeadlineSeconds"), deadline, range_problems(deadline, 1, _INT32_MAX))


def _names(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    for field in _SUBDOMAINS:
        name = spec.get(field)
        if name or (field == "runtimeClassName" and name is not None):
            errors.all_invalid(path.child(field), name, dns_subdomain_problems(name))
    for field in ("hostname", "subdomain"):
        name = spec.get(field) or ""
        if name:
            errors.all_invalid(path.child(field), name, dns_label_problems(name))
    override = spec.get("hostnameOverride")
    if override is not None:
        errors.all_invalid(path.child("hostnameOverride"), override, dns_subdomain_problems(override))
        for field in ("hostNetwork", "setHostnameAsFQDN"):
            if spec.get(field):
                errors.forbidden(path.child("hostnameOverride"), "pod.hostname_override", other=field)
    for index, alias in enumerate(spec.get("hostAliases") or ()):
        place = path.child("hostAliases").index(index)
        address = alias.get("ip") or ""
        errors.all_invalid(place.child("ip"), address, ip_problems(address))
        for position, name in enumerate(alias.get("hostnames") or ()):
            errors.all_invalid(place.child("hostnames").index(position), name, dns_subdomain_problems(name))


def _dns(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    config = spec.get("dnsConfig")
    servers = (config or {}).get("nameservers") or []
    if spec.get("dnsPolicy") == "None":
        if config is None:
            errors.required(path, "pod.dns_required")
        elif not servers:
            errors.required(path.child("nameservers"), "pod.nameserver_required")
        if not servers:
            return
    if config is None:
        return
    if len(servers) > _NAMESERVERS_MAX:
        errors.invalid(path.child("nameservers"), servers[:20], "pod.nameservers", max=_NAMESERVERS_MAX)
    for index, server in enumerate(servers):
        errors.all_invalid(path.child("nameservers").index(index), server, ip_problems(server))
    _searches(errors, config.get("searches") or [], path.child("searches"))
    for index, option in enumerate(config.get("options") or ()):
        if not option.get("name"):
            errors.required(path.child("options").index(index), "api.not_empty")


def _searches(errors: Errors, searches: list[str], path: FieldPath) -> None:
    if len(searches) > _SEARCHES_MAX:
        errors.invalid(path, searches[:_SEARCHES_MAX], "pod.search_paths", max=_SEARCHES_MAX)
    if len(" ".join(searches)) > _SEARCH_CHARS_MAX:
        errors.invalid(path, searches[:_SEARCHES_MAX], "pod.search_chars", max=_SEARCH_CHARS_MAX)
    for index, search in enumerate(searches):
        if search != ".":
            name = search.removesuffix(".")
            errors.all_invalid(path.index(index), name, dns_search_problems(name))


def _gates(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    for index, gate in enumerate(spec.get("readinessGates") or ()):
        name = gate.get("conditionType") or ""
        place = path.child("readinessGates").index(index).child("conditionType")
        errors.all_invalid(place, name, label_key_problems(name))
    seen: set[str] = set()
    for index, gate in enumerate(spec.get("schedulingGates") or ()):
        name, place = gate.get("name") or "", path.child("schedulingGates").index(index)
        errors.all_invalid(place, name, label_key_problems(name))
        if name in seen:
            errors.duplicate(place, name)
        seen.add(name)


def _host_users(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    if spec.get("hostUsers") is not False:
        return
    for field, printed in _HOST_NAMESPACES:
        if spec.get(field):
            errors.forbidden(path.child(printed).at(*path.keys, field), "pod.host_users")


def _operating_system(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    system = spec.get("os")
    if system is None:
        return
    name = system.get("name") or ""
    if not name:
        errors.required(path.child("os").child("name"), "pod.cannot_be_empty")
    elif name not in ("linux", "windows"):
        errors.not_supported(path.child("os"), name, ("linux", "windows"))


def _scheduling_group(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    group = spec.get("schedulingGroup")
    if group is None:
        return
    name = group.get("podGroupName")
    if name is None:
        errors.invalid(path, "", "api.one_of", fields="`podGroupName`")
    else:
        errors.all_invalid(path.child("podGroupName"), name, dns_subdomain_problems(name))

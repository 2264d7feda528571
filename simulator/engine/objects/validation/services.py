"""Services.

Source: Kubernetes 1.36 `pkg/apis/core/validation`; the rules a learner is likely to meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import (
    dns_label_problems,
    dns_subdomain_problems,
    ip_problems,
    label_key_problems,
    port_number_problems,
)
from simulator.engine.objects.paths import SPEC, FieldPath
from simulator.engine.objects.validation.handlers import validate_port_number_or_name, validate_protocol
from simulator.engine.objects.validation.metadata import validate_labels, validate_metadata

Object = Mapping[str, Any]

_TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_EXTERNAL: Final = ("LoadBalancer", "NodePort")
_CHOICES: Final = {
    "sessionAffinity": ("ClientIP", "None"),
    "type": _TYPES,
    "internalTrafficPolicy": ("Cluster", "Local"),
    "ipFamilyPolicy": ("PreferDualStack", "RequireDualStack", "SingleStack"),
    "trafficDistribution": ("PreferClose", "PreferSameNode", "PreferSameZone"),
}


def validate_service(errors: Errors, service: Object) -> None:
    validate_metadata(errors, service["metadata"], dns_label_problems, namespaced=True)
    spec = service["spec"]
    kind, addresses = spec.get("type") or "", spec.get("clusterIPs") or []
    headless = addresses == ["None"]
    if not spec.get("ports") and not headless and kind != "ExternalName":
        errors.required(SPEC.child("ports"))
    if headless and kind in _EXTERNAL:
        errors.invalid(SPEC.child("clusterIPs").index(0), "None", "service.headless", type=kind)
    if kind == "ExternalName":
        _external_name(errors, spec)
    else:
        _cluster_ips(errors, spec, addresses)
    _ports(errors, spec.get("ports") or (), kind)
    validate_labels(errors, spec.get("selector"), SPEC.child("selector"))
    for field, choices in _CHOICES.items():
        value = spec.get(field)
        if value is not None and value not in choices:
            errors.not_supported(SPEC.child(field), value, choices)
    if spec.get("sessionAffinity") == "None" and spec.get("sessionAffinityConfig") is not None:
        errors.forbidden(SPEC.child("sessionAffinityConfig"), "service.affinity_config")
    _external(errors, spec, kind)


def _external_name(errors: Errors, spec: Object) -> None:
    for field in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if spec.get(field):
            errors.forbidden(SPEC.child(field), "service.external_name")
    name = (spec.get("externalName") or "").removesuffix(".")
    if name:
        errors.all_invalid(SPEC.child("externalName"), name, dns_subdomain_problems(name))
    else:
        errors.required(SPEC.child("externalName"))


def _cluster_ips(errors: Errors, spec: Object, addresses: Sequence[str]) -> None:
    path = SPEC.child("clusterIPs")
    own = spec.get("clusterIP") or ""
    if own and addresses and addresses[0] != own:
        errors.invalid(path, list(addresses), "service.ips_first")
    if not own and addresses:
        errors.invalid(path, list(addresses), "service.ips_empty")
    for index, address in enumerate(addresses):
        if index or address != "None":
            errors.all_invalid(path.index(index), address, ip_problems(address))


def _ports(errors: Errors, ports: Sequence[Object], kind: str) -> None:
    names: set[str] = set()
    seen: set[tuple[str, int]] = set()
    node_ports: set[tuple[str, int]] = set()
    for index, port in enumerate(ports):
        place = SPEC.child("ports").index(index)
        _port(errors, port, place, names, several=len(ports) > 1)
        protocol, number, node_port = port.get("protocol") or "", port.get("port") or 0, port.get("nodePort") or 0
        if node_port and kind == "ClusterIP":
            errors.forbidden(place.child("nodePort"), "service.cluster_ip_port")
        if node_port and (protocol, node_port) in node_ports:
            errors.duplicate(place.child("nodePort"), node_port)
        node_ports.add((protocol, node_port))
        if (protocol, number) in seen:
            shown = {
                "Name": "",
                "Protocol": protocol,
                "AppProtocol": None,
                "Port": number,
                "TargetPort": 0,
                "NodePort": 0,
            }
            errors.duplicate(place, shown)
        seen.add((protocol, number))


def _port(errors: Errors, port: Object, path: FieldPath, names: set[str], *, several: bool) -> None:
    name = port.get("name") or ""
    if name:
        errors.all_invalid(path.child("name"), name, dns_label_problems(name))
        if name in names:
            errors.duplicate(path.child("name"), name)
        names.add(name)
    elif several:
        errors.required(path.child("name"))
    number = port.get("port") or 0
    errors.all_invalid(path.child("port"), number, port_number_problems(number))
    validate_protocol(errors, port.get("protocol") or "", path.child("protocol"))
    validate_port_number_or_name(errors, port.get("targetPort", 0), path.child("targetPort"))
    application = port.get("appProtocol")
    if application is not None:
        errors.all_invalid(path.child("appProtocol"), application, label_key_problems(application))


def _external(errors: Errors, spec: Object, kind: str) -> None:
    for index, address in enumerate(spec.get("externalIPs") or ()):
        errors.all_invalid(SPEC.child("externalIPs").index(index), address, ip_problems(address))
    policy = spec.get("externalTrafficPolicy") or ""
    place = SPEC.child("externalTrafficPolicy")
    if kind not in _EXTERNAL and not spec.get("externalIPs"):
        if policy:
            errors.invalid(place, policy, "service.external_policy")
    elif policy and policy not in ("Cluster", "Local"):
        errors.not_supported(place, policy, ("Cluster", "Local"))
    if kind != "LoadBalancer":
        for field in ("allocateLoadBalancerNodePorts", "loadBalancerClass"):
            if spec.get(field) is not None:
                errors.forbidden(SPEC.child(field), "service.load_balancer_only")
        if spec.get("loadBalancerSourceRanges"):
            place = SPEC.child("LoadBalancerSourceRanges").at("spec", "loadBalancerSourceRanges")
            errors.forbidden(place, "service.load_balancer_only")

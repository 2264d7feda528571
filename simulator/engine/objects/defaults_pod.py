"""Defaults of Pods and Pod templates, as the API server fills them in. Changes the decoded mapping in place.

Source: Kubernetes 1.36 `pkg/apis/core/v1/defaults.go`.
"""

from __future__ import annotations

from typing import Any, Final

from simulator.engine.objects.defaults_volume import default_volume, pull_policy
from simulator.engine.objects.quantity import Quantity
from simulator.engine.objects.resource_lists import aggregate, is_huge_pages, is_overcommit_allowed, is_pod_level

Mutable = dict[str, Any]

_CONTAINER_LISTS: Final = ("initContainers", "containers", "ephemeralContainers")
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")


def default_pod_spec(spec: Mutable) -> None:
    """Fill in the spec of a Pod (not of a template: requests from limits, host ports and Pod-level requests too)."""
    for container in (*_items(spec, "containers"), *_items(spec, "initContainers")):
        _requests_from_limits(container)
    _pod_level_resources(spec)
    spec.setdefault("enableServiceLinks", True)
    if spec.get("hostNetwork"):
        for container in (*_items(spec, "containers"), *_items(spec, "initContainers")):
            _host_ports(container)
    default_template_spec(spec)


def default_template_spec(spec: Mutable) -> None:
    """Fill in what Pods and Pod templates share."""
    _empty_to(spec, "dnsPolicy", "ClusterFirst")
    _empty_to(spec, "restartPolicy", "Always")
    _empty_to(spec, "schedulerName", "default-scheduler")
    spec.setdefault("terminationGracePeriodSeconds", 30)
    spec.setdefault("securityContext", {})
    for which in _CONTAINER_LISTS:
        for container in _items(spec, which):
            _container(container)
    for volume in _items(spec, "volumes"):
        default_volume(volume)
    round_list(spec, "overhead")
    _round_resources(spec)


def round_list(owner: Mutable, name: str) -> None:
    """Round a resource list up to multiples of 0.001."""
    listed = owner.get(name)
    if listed:
        owner[name] = {key: str(Quantity.parse(text).round_up_milli()) for key, text in listed.items()}


def _items(owner: Mutable, name: str) -> list[Mutable]:
    return owner.get(name) or []


def _empty_to(owner: Mutable, name: str, value: str) -> None:
    if not owner.get(name):
        owner[name] = value


def _requests_from_limits(container: Mutable) -> None:
    resources = container.get("resources") or {}
    limits = resources.get("limits")
    if limits:
        resources["requests"] = {**(resources.get("requests") or {}), **_missing(limits, resources.get("requests"))}


def _missing(wanted: dict[str, str], given: dict[str, str] | None) -> dict[str, str]:
    return {name: text for name, text in wanted.items() if name not in (given or {})}


def _pod_level_resources(spec: Mutable) -> None:
    resources = spec.get("resources")
    if resources is None:
        return
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    if requests or limits:
        from_containers = {name: str(q) for name, q in aggregate(spec, "limits").items() if is_huge_pages(name)}
        limits |= _missing(from_containers, {**requests, **limits})
    if limits:
        from_containers = {
            name: str(quantity)
            for name, quantity in aggregate(spec, "requests").items()
            if is_pod_level(name) and is_overcommit_allowed(name)
        }
        requests |= _missing(from_containers, requests)
        requests |= _missing({name: text for name, text in limits.items() if is_pod_level(name)}, requests)
    for name, listed in (("requests", requests), ("limits", limits)):
        if listed:
            resources[name] = listed


def _host_ports(container: Mutable) -> None:
    for port in _items(container, "ports"):
        if not port.get("hostPort") and port.get("containerPort"):
            port["hostPort"] = port["containerPort"]


def _container(container: Mutable) -> None:
    _empty_to(container, "imagePullPolicy", pull_policy(container.get("image") or ""))
    _empty_to(container, "terminationMessagePath", "/dev/termination-log")
    _empty_to(container, "terminationMessagePolicy", "File")
    for port in _items(container, "ports"):
        _empty_to(port, "protocol", "TCP")
    for variable in _items(container, "env"):
        _field_version(variable.get("valueFrom") or {})
    for name in _PROBES:
        if container.get(name) is not None:
            _probe(container[name])
    for hook in (container.get("lifecycle") or {}).values():
        if isinstance(hook, dict):
            _http_get(hook)
    _round_resources(container)


def _field_version(source: Mutable) -> None:
    if source.get("fieldRef") is not None:
        _empty_to(source["fieldRef"], "apiVersion", "v1")


def _probe(probe: Mutable) -> None:
    for name, value in (("timeoutSeconds", 1), ("periodSeconds", 10), ("successThreshold", 1), ("failureThreshold", 3)):
        if not probe.get(name):
            probe[name] = value
    _http_get(probe)
    if probe.get("grpc") is not None:
        probe["grpc"].setdefault("service", "")


def _http_get(handler: Mutable) -> None:
    request = handler.get("httpGet")
    if request is not None:
        _empty_to(request, "path", "/")
        _empty_to(request, "scheme", "HTTP")


def _round_resources(owner: Mutable) -> None:
    resources = owner.get("resources")
    if resources:
        round_list(resources, "requests")
        round_list(resources, "limits")

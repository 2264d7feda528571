"""Probes, lifecycle hooks, ports.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import header_name_problems, port_name_problems, port_number_problems
from simulator.engine.objects.paths import FieldPath

_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc", "sleep")
_PROBE_NUMBERS: Final = (
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
)
PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


def validate_probes(errors: Errors, container: Mapping[str, Any], path: FieldPath) -> None:
    """Check the three probes of a container that may have them."""
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        probe = container.get(name)
        if probe is None:
            continue
        place = path.child(name)
        _probe(errors, probe, place)
        if name == "readinessProbe":
            if probe.get("terminationGracePeriodSeconds") is not None:
                value = probe["terminationGracePeriodSeconds"]
                errors.invalid(place.child("terminationGracePeriodSeconds"), value, "container.readiness_grace")
        elif (probe.get("successThreshold") or 0) != 1:
            value = probe.get("successThreshold") or 0
            errors.invalid(place.child("successThreshold"), value, "container.success_threshold")


def _probe(errors: Errors, probe: Mapping[str, Any], path: FieldPath) -> None:
    _handler(errors, probe, path, None)
    for name in _PROBE_NUMBERS:
        if (probe.get(name) or 0) < 0:
            errors.invalid(path.child(name), probe[name], "api.not_negative")
    grace = probe.get("terminationGracePeriodSeconds")
    if grace is not None and grace <= 0:
        errors.invalid(path.child("terminationGracePeriodSeconds"), grace, "api.above_zero")


def validate_lifecycle(errors: Errors, lifecycle: Mapping[str, Any], grace: int | None, path: FieldPath) -> None:
    """Check both hooks; `grace` is the Pod's grace period in seconds."""
    for name in ("postStart", "preStop"):
        if lifecycle.get(name) is not None:
            _handler(errors, lifecycle[name], path.child(name), grace)


def _handler(errors: Errors, handler: Mapping[str, Any], path: FieldPath, grace: int | None) -> None:
    present = [name for name in _HANDLERS if handler.get(name) is not None]
    if not present:
        errors.required(path, "container.no_handler")
        return
    for name in present[1:]:
        errors.forbidden(path.child(name), "container.one_handler")
    name, place = present[0], path.child(present[0])
    action = handler[name]
    if name == "exec" and not action.get("command"):
        errors.required(place.child("command"))
    elif name == "httpGet":
        _http_get(errors, action, place)
    elif name == "tcpSocket":
        validate_port_number_or_name(errors, action.get("port", 0), place.child("port"))
    elif name == "grpc":
        port = action.get("port") or 0
        errors.all_invalid(place.child("port"), port, port_number_problems(port))
    elif name == "sleep" and grace is not None and not 0 <= (action.get("seconds") or 0) <= grace:
        errors.invalid(place, action["seconds"], "container.sleep", grace=grace)


def _http_get(errors: Errors, action: Mapping[str, Any], path: FieldPath) -> None:
    if not action.get("path"):
        errors.required(path.child("path"))
    validate_port_number_or_name(errors, action.get("port", 0), path.child("port"))
    scheme = action.get("scheme") or ""
    if scheme not in ("HTTP", "HTTPS"):
        errors.not_supported(path.child("scheme"), scheme, ("HTTP", "HTTPS"))
    for index, header in enumerate(action.get("httpHeaders") or ()):
        name = header.get("name") or ""
        place = path.child("httpHeaders").at(*path.keys, "httpHeaders", index, "name")
        errors.all_invalid(place, name, header_name_problems(name))


def validate_port_number_or_name(errors: Errors, port: int | str, path: FieldPath) -> None:
    problems = port_name_problems(port) if isinstance(port, str) else port_number_problems(port)
    errors.all_invalid(path, port, problems)


def validate_ports(errors: Errors, ports: Sequence[Mapping[str, Any]] | None, path: FieldPath) -> None:
    """Check a container's ports, one by one."""
    names: set[str] = set()
    for index, port in enumerate(ports or ()):
        place = path.index(index)
        name = port.get("name") or ""
        problems = port_name_problems(name) if name else ()
        errors.all_invalid(place.child("name"), name, problems)
        if name and not problems:
            if name in names:
                errors.duplicate(place.child("name"), name)
            names.add(name)
        number, host = port.get("containerPort") or 0, port.get("hostPort") or 0
        if number:
            errors.all_invalid(place.child("containerPort"), number, port_number_problems(number))
        else:
            errors.required(place.child("containerPort"))
        if host:
            errors.all_invalid(place.child("hostPort"), host, port_number_problems(host))
        validate_protocol(errors, port.get("protocol") or "", place.child("protocol"))


def validate_protocol(errors: Errors, protocol: str, path: FieldPath) -> None:
    if not protocol:
        errors.required(path)
    elif protocol not in PROTOCOLS:
        errors.not_supported(path, protocol, PROTOCOLS)


def validate_host_port_conflicts(errors: Errors, containers: Sequence[Mapping[str, Any]], path: FieldPath) -> None:
    """Find host ports taken twice among containers that run side by side."""
    taken: set[str] = set()
    for index, container in enumerate(containers):
        for position, port in enumerate(container.get("ports") or ()):
            if not port.get("hostPort"):
                continue
            shown = f"{port.get('protocol') or ''}/{port.get('hostIP') or ''}/{port['hostPort']}"
            if shown in taken:
                errors.duplicate(path.index(index).child("ports").index(position).child("hostPort"), shown)
            taken.add(shown)

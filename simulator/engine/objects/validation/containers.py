"""Containers, init containers, ephemeral containers.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_label_problems
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.validation.environment import validate_env, validate_env_from, validate_mounts
from simulator.engine.objects.validation.handlers import (
    validate_host_port_conflicts,
    validate_lifecycle,
    validate_ports,
    validate_probes,
)
from simulator.engine.objects.validation.resources import validate_container_resources
from simulator.engine.objects.validation.security import validate_container_security

_PULL_POLICIES: Final = ("Always", "IfNotPresent", "Never")
_MESSAGE_POLICIES: Final = ("File", "FallbackToLogsOnError")
_RESTART_POLICIES: Final = ("Always", "Never", "OnFailure")
_RULE_ACTIONS: Final = ("Restart", "RestartAllContainers")
_RULES_MAX: Final = 20
_EXIT_CODES_MAX: Final = 255
_SIDECAR_FIELDS: Final = ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")
_NOT_EPHEMERAL: Final = (
    "ports",
    "resources",
    "resizePolicy",
    "livenessProbe",
    "readinessProbe",
    "startupProbe",
    "lifecycle",
    "restartPolicy",
    "restartPolicyRules",
)


@dataclass(frozen=True)
class Surroundings:
    """What of the Pod its containers are checked against."""

    volumes: Mapping[str, Mapping[str, Any]]
    claims: frozenset[str]
    grace: int | None
    restart_policy: str
    host_users: bool
    is_pod: bool


def validate_containers(errors: Errors, spec: Mapping[str, Any], pod: Surroundings, path: FieldPath) -> None:
    """Check all three lists of containers of the Pod spec at `path`."""
    regular, init = spec.get("containers") or (), spec.get("initContainers") or ()
    _regular(errors, regular, pod, path.child("containers"))
    _init(errors, init, regular, pod, path.child("initContainers"))
    _ephemeral(errors, spec.get("ephemeralContainers") or (), (*regular, *init), pod, path.child("ephemeralContainers"))


def _regular(errors: Errors, containers: Sequence[Mapping[str, Any]], pod: Surroundings, path: FieldPath) -> None:
    if not containers:
        errors.required(path)
        return
    names: set[str] = set()
    for index, container in enumerate(containers):
        place = path.index(index)
        _common(errors, container, pod, place)
        name = container.get("name") or ""
        if name in names:
            errors.duplicate(place.child("name"), name)
        names.add(name)
        _running(errors, container, pod, place)
        _restart_policy(errors, container, place)
    validate_host_port_conflicts(errors, containers, path)


def _init(
    errors: Errors,
    containers: Sequence[Mapping[str, Any]],
    regular: Sequence[Mapping[str, Any]],
    pod: Surroundings,
    path: FieldPath,
) -> None:
    names = {container.get("name") or "" for container in regular}
    for index, container in enumerate(containers):
        place = path.index(index)
        _common(errors, container, pod, place)
        name = container.get("name") or ""
        if name in names:
            errors.duplicate(place.child("name"), name)
        elif name:
            names.add(name)
        _own_host_ports(errors, container, index, path)
        _restart_policy(errors, container, place)
        if container.get("restartPolicy") == "Always":
            _running(errors, container, pod, place)
            if container.get("restartPolicyRules"):
                errors.forbidden(place.child("restartPolicyRules"), "container.rules_with_always")
            continue
        for field in _SIDECAR_FIELDS:
            if container.get(field) is not None:
                errors.forbidden(place.child(field), "container.init_only")


def _own_host_ports(errors: Errors, container: Mapping[str, Any], index: int, path: FieldPath) -> None:
    """Find a host port that one init container takes twice; kube prints the index 0 for each of them."""
    found = Errors()
    validate_host_port_conflicts(found, [container], path)
    for error in found.found:
        place = error.path.at(*path.keys, index, *error.keys[len(path.keys) + 1 :])
        errors.add(replace(error, path=place))


def _ephemeral(
    errors: Errors,
    containers: Sequence[Mapping[str, Any]],
    others: Sequence[Mapping[str, Any]],
    pod: Surroundings,
    path: FieldPath,
) -> None:
    targets = {container.get("name") or "" for container in others}
    names = set(targets)
    for index, container in enumerate(containers):
        place = path.index(index)
        _common(errors, container, pod, place)
        name, target = container.get("name") or "", container.get("targetContainerName") or ""
        if name in names:
            errors.duplicate(place.child("name"), name)
        names.add(name)
        if target and target not in targets:
            errors.not_found(place.child("targetContainerName"), target)
        for field in _NOT_EPHEMERAL:
            if container.get(field):
                errors.forbidden(place.child(field), "container.ephemeral_field")
        for position, mount in enumerate(container.get("volumeMounts") or ()):
            for field in ("subPath", "subPathExpr"):
                if mount.get(field):
                    where = place.child("volumeMounts").index(position).child(field)
                    errors.forbidden(where, "container.ephemeral_field")


def _common(errors: Errors, container: Mapping[str, Any], pod: Surroundings, path: FieldPath) -> None:
    name, image = container.get("name") or "", container.get("image") or ""
    if name:
        errors.all_invalid(path.child("name"), name, dns_label_problems(name))
    else:
        errors.required(path.child("name"))
    if not image:
        errors.required(path.child("image"))
    elif pod.is_pod and image != image.strip():
        errors.invalid(path.child("image"), image, "container.whitespace")
    for field, choices in (
        ("terminationMessagePolicy", _MESSAGE_POLICIES),
        ("imagePullPolicy", _PULL_POLICIES),
    ):
        value = container.get(field) or ""
        if value not in choices:
            errors.not_supported(path.child(field), value, choices)
    validate_ports(errors, container.get("ports"), path.child("ports"))
    validate_env(errors, container.get("env"), path.child("env"))
    validate_env_from(errors, container.get("envFrom"), path.child("envFrom"))
    validate_mounts(errors, container, pod.volumes, path)
    validate_container_resources(errors, container.get("resources"), pod.claims, path.child("resources"))
    _resize_policy(errors, container, pod, path.child("resizePolicy"))
    context = container.get("securityContext")
    validate_container_security(errors, context, path.child("securityContext"), host_users=pod.host_users)


def _running(errors: Errors, container: Mapping[str, Any], pod: Surroundings, path: FieldPath) -> None:
    """Check what only containers that keep running may have."""
    if container.get("lifecycle") is not None:
        validate_lifecycle(errors, container["lifecycle"], pod.grace, path.child("lifecycle"))
    validate_probes(errors, container, path)


def _resize_policy(errors: Errors, container: Mapping[str, Any], pod: Surroundings, path: FieldPath) -> None:
    seen: set[str] = set()
    for index, policy in enumerate(container.get("resizePolicy") or ()):
        name, restart = policy.get("resourceName") or "", policy.get("restartPolicy") or ""
        place = path.at(*path.keys, index)
        if name in seen:
            errors.duplicate(path.index(index), name)
        seen.add(name)
        _choice(errors, name, ("cpu", "memory"), place)
        _choice(errors, restart, ("NotRequired", "RestartContainer"), place)
        if pod.restart_policy == "Never" and restart != "NotRequired":
            errors.invalid(place, restart, "container.resize_never")


def _choice(errors: Errors, value: str, choices: Sequence[str], path: FieldPath) -> None:
    if not value:
        errors.required(path)
    elif value not in choices:
        errors.not_supported(path, value, choices)


def _restart_policy(errors: Errors, container: Mapping[str, Any], path: FieldPath) -> None:
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules") or ()
    if policy is None:
        if rules:
            errors.required(path.child("restartPolicy"), "container.rules_need_policy")
    elif policy not in _RESTART_POLICIES:
        errors.not_supported(path.child("restartPolicy"), policy, _RESTART_POLICIES)
    if len(rules) > _RULES_MAX:
        errors.too_many(path.child("restartPolicyRules"), len(rules), _RULES_MAX)
    for index, rule in enumerate(rules):
        _restart_rule(errors, rule, path.child("restartPolicyRules").index(index))


def _restart_rule(errors: Errors, rule: Mapping[str, Any], path: FieldPath) -> None:
    _choice(errors, rule.get("action") or "", _RULE_ACTIONS, path.child("action"))
    codes = rule.get("exitCodes")
    if codes is None:
        errors.required(path.child("exitCodes"), "container.exit_codes")
        return
    place = path.child("exitCodes")
    _choice(errors, codes.get("operator") or "", ("In", "NotIn"), place.child("operator"))
    if len(codes.get("values") or ()) > _EXIT_CODES_MAX:
        errors.too_many(place.child("values"), len(codes["values"]), _EXIT_CODES_MAX)

"""Security contexts.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import user_id_problems
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.validation.environment import validate_descending

_PROFILE_TYPES: Final = ("Localhost", "RuntimeDefault", "Unconfined")
_SYSCTL: Final = re.compile(r"([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?")
_SYSCTL_MAX: Final = 253
_POD_CHOICES: Final = {
    "fsGroupChangePolicy": ("Always", "OnRootMismatch"),
    "supplementalGroupsPolicy": ("Merge", "Strict"),
    "seLinuxChangePolicy": ("MountOption", "Recursive"),
}


def validate_pod_security(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    context = spec.get("securityContext") or {}
    for name in ("fsGroup", "runAsUser", "runAsGroup"):
        _user(errors, context, name, path)
    for index, group in enumerate(context.get("supplementalGroups") or ()):
        errors.all_invalid(path.child("supplementalGroups").index(index), group, user_id_problems(group))
    if spec.get("shareProcessNamespace") and spec.get("hostPID"):
        place = path.child("shareProcessNamespace").at(*path.keys[:-1], "shareProcessNamespace")
        errors.invalid(place, True, "pod.share_and_host_pid")
    _sysctls(errors, context, path.child("sysctls"))
    for name, choices in _POD_CHOICES.items():
        value = context.get(name)
        if value is not None and value not in choices:
            errors.not_supported(path.child(name), value, choices)
    _profiles(errors, context, path)


def validate_container_security(
    errors: Errors, context: Mapping[str, Any] | None, path: FieldPath, *, host_users: bool
) -> None:
    if context is None:
        return
    for name in ("runAsUser", "runAsGroup"):
        _user(errors, context, name, path)
    mount = context.get("procMount")
    if mount is not None:
        if mount not in ("Default", "Unmasked"):
            errors.not_supported(path.child("procMount"), mount, ("Default", "Unmasked"))
        elif mount == "Unmasked" and host_users:
            errors.invalid(path.child("procMount"), mount, "container.unmasked")
    if context.get("allowPrivilegeEscalation") is False:
        if context.get("privileged"):
            errors.invalid(path, _shown(context), "container.privileged_escalation")
        for capability in (context.get("capabilities") or {}).get("add") or ():
            if capability == "CAP_SYS_ADMIN":
                errors.invalid(path, _shown(context), "container.admin_escalation")
    _profiles(errors, context, path)


def _user(errors: Errors, context: Mapping[str, Any], name: str, path: FieldPath) -> None:
    value = context.get(name)
    if value is not None:
        errors.all_invalid(path.child(name), value, user_id_problems(value))


def _sysctls(errors: Errors, context: Mapping[str, Any], path: FieldPath) -> None:
    seen: set[str] = set()
    for index, sysctl in enumerate(context.get("sysctls") or ()):
        name, place = sysctl.get("name") or "", path.index(index).child("name")
        if not name:
            errors.required(place)
        elif len(name) > _SYSCTL_MAX or not _SYSCTL.fullmatch(name):
            errors.invalid(place, name, "pod.sysctl")
        elif name in seen:
            errors.duplicate(place, name)
        seen.add(name)


def _profiles(errors: Errors, context: Mapping[str, Any], path: FieldPath) -> None:
    for field, shown in (("seccompProfile", "seccomp"), ("appArmorProfile", "AppArmor")):
        profile = context.get(field)
        if profile is None:
            continue
        place = path.child(field)
        kind, local = profile.get("type") or "", profile.get("localhostProfile")
        if not kind:
            errors.required(place.child("type"), "pod.profile_type", profile=field)
        elif kind not in _PROFILE_TYPES:
            errors.not_supported(place.child("type"), kind, _PROFILE_TYPES)
        if kind == "Localhost":
            if not local:
                errors.required(place.child("localhostProfile"), "pod.localhost_required", profile=shown)
            elif field == "seccompProfile":
                validate_descending(errors, local, place.child("localhostProfile"))
        elif local is not None and (field == "seccompProfile" or kind in _PROFILE_TYPES):
            value = {"Type": kind, "LocalhostProfile": local} if field == "seccompProfile" else local
            errors.invalid(place.child("localhostProfile"), value, "pod.localhost_only", profile=shown)


_CONTEXT_FIELDS: Final = (
    ("Capabilities", "capabilities"),
    ("Privileged", "privileged"),
    ("SELinuxOptions", "seLinuxOptions"),
    ("WindowsOptions", "windowsOptions"),
    ("RunAsUser", "runAsUser"),
    ("RunAsGroup", "runAsGroup"),
    ("RunAsNonRoot", "runAsNonRoot"),
    ("ReadOnlyRootFilesystem", "readOnlyRootFilesystem"),
    ("AllowPrivilegeEscalation", "allowPrivilegeEscalation"),
    ("ProcMount", "procMount"),
    ("SeccompProfile", "seccompProfile"),
    ("AppArmorProfile", "appArmorProfile"),
)


def _shown(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context as Go prints the struct (nested structs with their lists only)."""
    shown = {go: context.get(name) for go, name in _CONTEXT_FIELDS}
    capabilities = context.get("capabilities")
    if capabilities is not None:
        shown["Capabilities"] = {"Add": capabilities.get("add"), "Drop": capabilities.get("drop")}
    return shown

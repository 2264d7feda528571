"""Environment variables and mounts of containers.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import (
    config_key_problems,
    dns_subdomain_problems,
    env_name_problems,
    label_key_problems,
    with_suffix,
)
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.quantity import Quantity

_SOURCES: Final = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_ENV_FIELDS: Final = (
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
VOLUME_FIELDS: Final = (
    "metadata.annotations",
    "metadata.labels",
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
)
_RESOURCES: Final = (
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
)
_SIZES: Final = frozenset({"1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"})
_HUGE: Final = ("requests.hugepages-", "limits.hugepages-")
_SUBSCRIPT: Final = re.compile(r"([^\[\]]+)\['(.*)'\]", re.DOTALL)


def validate_env(errors: Errors, variables: Sequence[Mapping[str, Any]] | None, path: FieldPath) -> None:
    for index, variable in enumerate(variables or ()):
        place = path.index(index)
        name = variable.get("name") or ""
        if name:
            errors.all_invalid(place.child("name"), name, env_name_problems(name))
        else:
            errors.required(place.child("name"))
        if variable.get("valueFrom") is not None:
            _value_from(errors, variable, place.child("valueFrom"))


def _value_from(errors: Errors, variable: Mapping[str, Any], path: FieldPath) -> None:
    source = variable["valueFrom"]
    present = [name for name in _SOURCES if source.get(name) is not None]
    for name in present:
        _env_source(errors, name, source[name], path.child(name))
    if not present:
        errors.invalid(path, "", "container.env_source")
    elif variable.get("value"):
        errors.invalid(path, "", "container.env_value")
    elif len(present) > 1:
        errors.invalid(path, "", "container.one_source")


def _env_source(errors: Errors, name: str, source: Mapping[str, Any], path: FieldPath) -> None:
    if name == "fieldRef":
        validate_field_ref(errors, source, _ENV_FIELDS, path)
    elif name == "resourceFieldRef":
        validate_resource_field_ref(errors, source, path, volume=False)
    elif name == "fileKeyRef":
        for field in ("volumeName", "path", "key"):
            if not source.get(field):
                errors.required(path.child(field))
    else:
        _key_ref(errors, source, path)


def _key_ref(errors: Errors, source: Mapping[str, Any], path: FieldPath) -> None:
    name, key = source.get("name") or "", source.get("key") or ""
    errors.all_invalid(path.child("name"), name, dns_subdomain_problems(name))
    if key:
        errors.all_invalid(path.child("key"), key, config_key_problems(key))
    else:
        errors.required(path.child("key"))


def validate_field_ref(errors: Errors, source: Mapping[str, Any], fields: Sequence[str], path: FieldPath) -> None:
    """Check a downward API field: `fields` are those that may stand alone."""
    if not source.get("apiVersion"):
        errors.required(path.child("apiVersion"))
        return
    field = source.get("fieldPath") or ""
    if not field:
        errors.required(path.child("fieldPath"))
        return
    subscripted = _SUBSCRIPT.fullmatch(field)
    if subscripted is None:
        if field not in fields:
            errors.not_supported(path.child("fieldPath"), field, sorted(fields))
    elif subscripted[1] in ("metadata.annotations", "metadata.labels"):
        key = subscripted[2].lower() if subscripted[1] == "metadata.annotations" else subscripted[2]
        errors.all_invalid(path, key, label_key_problems(key))
    else:
        errors.invalid(path, subscripted[1], "container.subscript")


def validate_resource_field_ref(errors: Errors, source: Mapping[str, Any], path: FieldPath, *, volume: bool) -> None:
    resource = source.get("resource") or ""
    if volume and not source.get("containerName"):
        errors.required(path.child("containerName"))
    elif not resource:
        errors.required(path.child("resource"))
    elif resource not in _RESOURCES and not resource.startswith(_HUGE):
        errors.not_supported(path.child("resource"), resource, _RESOURCES)
    divisor = Quantity.parse(source.get("divisor") or "0")
    code = _divisor_code(resource, str(divisor))
    if divisor and code:
        errors.invalid(path.child("divisor"), resource, code)


def _divisor_code(resource: str, divisor: str) -> str:
    if resource in ("limits.cpu", "requests.cpu"):
        return "" if divisor in ("1m", "1") else "container.divisor_cpu"
    if divisor in _SIZES:
        return ""
    if resource in ("limits.memory", "requests.memory"):
        return "container.divisor_memory"
    if resource in ("limits.ephemeral-storage", "requests.ephemeral-storage"):
        return "container.divisor_storage"
    return "container.divisor_huge_pages" if resource.startswith(_HUGE) else ""


def validate_env_from(errors: Errors, sources: Sequence[Mapping[str, Any]] | None, path: FieldPath) -> None:
    for index, source in enumerate(sources or ()):
        place = path.index(index)
        prefix = source.get("prefix") or ""
        if prefix:
            errors.all_invalid(place.child("prefix"), prefix, env_name_problems(prefix))
        present = [name for name in ("configMapRef", "secretRef") if source.get(name) is not None]
        for which in present:
            name = source[which].get("name") or ""
            if name:
                problems = with_suffix(dns_subdomain_problems, name)
                errors.all_invalid(place.child(which).child("name"), name, problems)
            else:
                errors.required(place.child(which).child("name"))
        if len(present) != 1:
            code = "container.one_source" if present else "container.env_from"
            errors.invalid(path.at(*place.keys), "", code)


def validate_mounts(
    errors: Errors, container: Mapping[str, Any], volumes: Mapping[str, Mapping[str, Any]], path: FieldPath
) -> None:
    """Check volumeMounts and volumeDevices against each other and the Pod's (valid) `volumes` by name."""
    mounts, devices = container.get("volumeMounts") or (), container.get("volumeDevices") or ()
    _mounts(errors, container, volumes, _names_and_paths(devices, "devicePath"), path.child("volumeMounts"))
    _devices(errors, devices, volumes, _names_and_paths(mounts, "mountPath"), path.child("volumeDevices"))


def _names_and_paths(entries: Sequence[Mapping[str, Any]], field: str) -> tuple[set[str], set[str]]:
    by_name = {entry.get("name") or "": entry.get(field) or "" for entry in entries}
    return set(by_name), set(by_name.values())


def _mounts(
    errors: Errors,
    container: Mapping[str, Any],
    volumes: Mapping[str, Mapping[str, Any]],
    devices: tuple[set[str], set[str]],
    path: FieldPath,
) -> None:
    seen: set[str] = set()
    for index, mount in enumerate(container.get("volumeMounts") or ()):
        place = path.index(index)
        name, mount_path = mount.get("name") or "", mount.get("mountPath") or ""
        if not name:
            errors.required(place.child("name"))
        if name not in volumes:
            errors.not_found(place.child("name"), name)
        if not mount_path:
            errors.required(place.child("mountPath"))
        if mount_path in seen:
            errors.invalid(place.child("mountPath"), mount_path, "container.unique")
        seen.add(mount_path)
        if name in devices[0]:
            errors.invalid(place.child("name"), name, "container.in_devices")
        if mount_path in devices[1]:
            errors.invalid(place.child("mountPath"), mount_path, "container.path_in_devices")
        _sub_paths(errors, mount, "image" in volumes.get(name, {}), place, path)
        _propagation(errors, mount, container, place, path)


def _sub_paths(errors: Errors, mount: Mapping[str, Any], is_image: bool, place: FieldPath, path: FieldPath) -> None:
    for field in ("subPath", "subPathExpr"):
        value = mount.get(field) or ""
        if not value:
            continue
        if is_image:
            errors.invalid(place.child(field), value, "container.image_sub_path")
        if field == "subPathExpr" and mount.get("subPath"):
            errors.invalid(place.child(field), value, "container.sub_path_both")
        validate_descending(errors, value, path.child(field).at(*place.keys, field))


def _propagation(
    errors: Errors, mount: Mapping[str, Any], container: Mapping[str, Any], place: FieldPath, path: FieldPath
) -> None:
    propagation = mount.get("mountPropagation")
    if propagation is not None:
        where = path.child("mountPropagation").at(*place.keys, "mountPropagation")
        privileged = (container.get("securityContext") or {}).get("privileged")
        if propagation not in ("Bidirectional", "HostToContainer", "None"):
            errors.not_supported(where, propagation, ("Bidirectional", "HostToContainer", "None"))
        elif propagation == "Bidirectional" and not privileged:
            errors.forbidden(where, "container.propagation")
    mode = mount.get("recursiveReadOnly")
    if mode is not None:
        where = path.child("recursiveReadOnly").at(*place.keys, "recursiveReadOnly")
        if mode not in ("Disabled", "Enabled", "IfPossible"):
            errors.not_supported(where, mode, ("Disabled", "Enabled", "IfPossible"))
        elif mode != "Disabled" and not mount.get("readOnly"):
            errors.forbidden(where, "container.recursive_read_only")


def _devices(
    errors: Errors,
    devices: Sequence[Mapping[str, Any]],
    volumes: Mapping[str, Mapping[str, Any]],
    mounts: tuple[set[str], set[str]],
    path: FieldPath,
) -> None:
    names: set[str] = set()
    paths: set[str] = set()
    for index, device in enumerate(devices):
        place = path.index(index)
        name, device_path = device.get("name") or "", device.get("devicePath") or ""
        volume = volumes.get(name)
        if not name:
            errors.required(place.child("name"))
        if name in names:
            errors.invalid(place.child("name"), name, "container.unique")
        if volume is None:
            errors.not_found(place.child("name"), name)
        elif not {"persistentVolumeClaim", "ephemeral"} & set(volume):
            errors.invalid(place.child("name"), name, "container.device_source")
        if not device_path:
            errors.required(place.child("devicePath"))
        if device_path in paths:
            errors.invalid(place.child("devicePath"), device_path, "container.unique")
        if has_backsteps(device_path):
            errors.invalid(place.child("devicePath"), device_path, "container.backsteps")
        else:
            paths.add(device_path)
        if name in mounts[0]:
            errors.invalid(place.child("name"), name, "container.in_mounts")
        if device_path in mounts[1]:
            errors.invalid(place.child("devicePath"), device_path, "container.path_in_mounts")
        if name:
            names.add(name)


def has_backsteps(path: str) -> bool:
    return ".." in path.replace("\\", "/").split("/")


def validate_descending(errors: Errors, value: str, path: FieldPath) -> None:
    """Check that a path is relative and does not climb."""
    if value.startswith("/"):
        errors.invalid(path, value, "volume.relative")
    if has_backsteps(value):
        errors.invalid(path, value, "volume.no_backsteps")

"""Volumes of Pods.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import (
    dns_label_problems,
    dns_subdomain_problems,
    range_problems,
)
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.objects.validation.claims import validate_claim_template
from simulator.engine.objects.validation.environment import (
    VOLUME_FIELDS,
    has_backsteps,
    validate_descending,
    validate_field_ref,
    validate_resource_field_ref,
)

Source = Mapping[str, Any]

_MODE_MAX: Final = 0o777
_TOKEN_MIN: Final = 600
_TOKEN_MAX: Final = 2**32
_HOST_PATH_TYPES: Final = (
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
)
_PRINTED: Final = {"gcePersistentDisk": "persistentDisk"}
_REQUIRED: Final = {
    "gitRepo": ("repository",),
    "gcePersistentDisk": ("pdName",),
    "awsElasticBlockStore": ("volumeID",),
    "secret": ("secretName",),
    "nfs": ("server", "path"),
    "glusterfs": ("endpoints", "path"),
    "persistentVolumeClaim": ("claimName",),
    "rbd": ("monitors", "image"),
    "flexVolume": ("driver",),
    "cinder": ("volumeID",),
    "cephfs": ("monitors",),
    "azureFile": ("secretName", "shareName"),
    "configMap": ("name",),
    "vsphereVolume": ("volumePath",),
    "azureDisk": ("diskName", "diskURI"),
    "photonPersistentDisk": ("pdID",),
    "portworxVolume": ("volumeID",),
    "scaleIO": ("gateway", "system", "volumeName"),
    "csi": ("driver",),
    "ephemeral": ("volumeClaimTemplate",),
    "iscsi": ("targetPortal", "iqn"),
    "local": ("path",),
}
# The order in which the API server looks at the sources: the first one counts, any further is one too many.
SOURCE_ORDER: Final = (
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image",
)


def validate_volumes(
    errors: Errors, volumes: Sequence[Source] | None, pod_name: str, path: FieldPath, *, is_pod: bool
) -> dict[str, Source]:
    """Check the volumes and return those without defects by name; `pod_name` is empty where it is not known."""
    valid: dict[str, Source] = {}
    created = {
        f"{pod_name}-{volume.get('name') or ''}" for volume in volumes or () if pod_name and "ephemeral" in volume
    }
    for index, volume in enumerate(volumes or ()):
        place = path.index(index)
        name = volume.get("name") or ""
        found = Errors()
        validate_source(found, volume, SOURCE_ORDER, place)
        _by_context(found, volume, pod_name, place, is_pod=is_pod)
        if name:
            found.all_invalid(place.child("name"), name, dns_label_problems(name))
        else:
            found.required(place.child("name"))
        if name in valid:
            found.duplicate(place.child("name"), name)
        if not found:
            valid[name] = volume
        for error in found.found:
            errors.add(error)
        claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if claim and claim in created:
            errors.invalid(place.child("persistentVolumeClaim").child("claimName"), claim, "volume.created_claim")
    return valid


def _by_context(errors: Errors, volume: Source, pod_name: str, path: FieldPath, *, is_pod: bool) -> None:
    name = volume.get("name") or ""
    if "ephemeral" in volume and pod_name and name:
        claim = f"{pod_name}-{name}"
        for problem in dns_subdomain_problems(claim):
            errors.invalid(path.child("name"), name, "volume.claim_name", name=f'"{claim}"', text=problem.text)
    if is_pod and "image" in volume and not volume["image"].get("reference"):
        errors.required(path.child("image").child("reference"))


def validate_source(errors: Errors, owner: Source, order: Sequence[str], path: FieldPath) -> None:
    """Check that there is one source, and that one."""
    present = [name for name in order if owner.get(name) is not None]
    if not present:
        errors.required(path, "volume.none")
        return
    for name in present[1:]:
        errors.forbidden(path.child(name), "volume.second")
    name = present[0]
    source = owner[name]
    place = FieldPath(f"{path.text}.{_PRINTED.get(name, name)}", (*path.keys, name))
    for field in _REQUIRED.get(name, ()):
        if not source.get(field):
            errors.required(place.child(field))
    if name in _CHECKS:
        _CHECKS[name](errors, source, place)


def _empty_dir(errors: Errors, source: Source, path: FieldPath) -> None:
    if source.get("sizeLimit") is not None and Quantity.parse(source["sizeLimit"]) < ZERO:
        errors.forbidden(path.child("sizeLimit"), "volume.size_limit")


def _host_path(errors: Errors, source: Source, path: FieldPath) -> None:
    if not source.get("path"):
        errors.required(path.child("path"))
        return
    if has_backsteps(source["path"]):
        errors.invalid(path.child("path"), source["path"], "volume.no_backsteps")
    kind = source.get("type")
    if kind is not None and kind not in _HOST_PATH_TYPES:
        errors.not_supported(path.child("type"), kind, _HOST_PATH_TYPES)


def _files(errors: Errors, source: Source, path: FieldPath) -> None:
    _mode(errors, source.get("defaultMode"), path.child("defaultMode"))
    _keys_to_paths(errors, source.get("items") or (), path.child("items"))


def _keys_to_paths(errors: Errors, items: Sequence[Source], path: FieldPath) -> None:
    for index, item in enumerate(items):
        place = path.index(index)
        if not item.get("key"):
            errors.required(place.child("key"))
        _local_path(errors, item.get("path") or "", place.child("path"))
        _mode(errors, item.get("mode"), place.child("mode"))


def _local_path(errors: Errors, value: str, path: FieldPath) -> None:
    if not value:
        errors.required(path)
        return
    validate_descending(errors, value, path)
    if value.startswith("..") and not value.startswith("../"):
        errors.invalid(path, value, "volume.no_backstep_start")


def _mode(errors: Errors, mode: int | None, path: FieldPath) -> None:
    if mode is not None and not 0 <= mode <= _MODE_MAX:
        errors.invalid(path, mode, "volume.mode")


def _downward(errors: Errors, source: Source, path: FieldPath) -> None:
    _mode(errors, source.get("defaultMode"), path.child("defaultMode"))
    _downward_items(errors, source.get("items") or (), path)


def _downward_items(errors: Errors, items: Sequence[Source], path: FieldPath) -> None:
    for index, item in enumerate(items):
        place = path.at(*path.keys, "items", index)
        _local_path(errors, item.get("path") or "", place.child("path"))
        field, resource = item.get("fieldRef"), item.get("resourceFieldRef")
        if field is not None:
            validate_field_ref(errors, field, VOLUME_FIELDS, place.child("fieldRef"))
            if resource is not None:
                errors.invalid(place, "resource", "volume.both_references")
        elif resource is not None:
            validate_resource_field_ref(errors, resource, place.child("resourceFieldRef"), volume=True)
        else:
            errors.required(place.child("fieldRef"), "volume.no_reference")
        _mode(errors, item.get("mode"), place.child("mode"))


def _projected(errors: Errors, source: Source, path: FieldPath) -> None:
    _mode(errors, source.get("defaultMode"), path.child("defaultMode"))
    for index, projection in enumerate(source.get("sources") or ()):
        place = path.child("sources").index(index)
        present = [name for name in projection if projection[name] is not None]
        for name in present[1:]:
            errors.forbidden(place.child(name), "volume.one_projection")
        for name in present:
            _projection(errors, name, projection[name], place.child(name))


def _projection(errors: Errors, name: str, source: Source, path: FieldPath) -> None:
    if name in ("secret", "configMap"):
        if not source.get("name"):
            errors.required(path.child("name"))
        _keys_to_paths(errors, source.get("items") or (), path.child("items"))
    elif name == "downwardAPI":
        _downward_items(errors, source.get("items") or (), path)
    elif name == "serviceAccountToken":
        seconds = source.get("expirationSeconds") or 0
        if seconds < _TOKEN_MIN:
            errors.invalid(path.child("expirationSeconds"), seconds, "volume.token_seconds")
        if seconds > _TOKEN_MAX:
            errors.invalid(path.child("expirationSeconds"), seconds, "volume.token_seconds_max")
        if not source.get("path"):
            errors.required(path.child("path"))
        else:
            validate_descending(errors, source["path"], path.child("path"))


def _iscsi(errors: Errors, source: Source, path: FieldPath) -> None:
    name = source.get("iqn") or ""
    if name and not name.startswith(("iqn", "eui", "naa")):
        errors.invalid(path.child("iqn"), name, "volume.iqn")
    lun = source.get("lun") or 0
    errors.all_invalid(path.child("lun"), lun, range_problems(lun, 0, 255))
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and source.get("secretRef") is None:
        errors.required(path.child("secretRef"))


def _fibre_channel(errors: Errors, source: Source, path: FieldPath) -> None:
    names, ids = source.get("targetWWNs") or [], source.get("wwids") or []
    if not names and not ids:
        errors.required(path.child("targetWWNs"), "volume.fc_one")
    if names and ids:
        errors.invalid(path.child("targetWWNs"), list(names), "volume.fc_both")
    if names:
        lun = source.get("lun")
        if lun is None:
            errors.required(path.child("lun"), "volume.fc_lun")
        else:
            errors.all_invalid(path.child("lun"), lun, range_problems(lun, 0, 255))


def _disk(errors: Errors, source: Source, path: FieldPath) -> None:
    partition = source.get("partition") or 0
    errors.all_invalid(path.child("partition"), partition, range_problems(partition, 0, 255))


def _nfs(errors: Errors, source: Source, path: FieldPath) -> None:
    value = source.get("path") or ""
    if not value.startswith("/"):
        errors.invalid(path.child("path"), value, "volume.absolute")


def _local(errors: Errors, source: Source, path: FieldPath) -> None:
    value = source.get("path") or ""
    if has_backsteps(value):
        errors.invalid(path.child("path"), value, "volume.no_backsteps")


def _csi(errors: Errors, source: Source, path: FieldPath) -> None:
    validate_driver_name(errors, source.get("driver") or "", path.child("driver"))
    secret = source.get("nodePublishSecretRef")
    if secret is not None and not secret.get("name"):
        errors.required(path.child("nodePublishSecretRef").child("name"))


def validate_driver_name(errors: Errors, name: str, path: FieldPath) -> None:
    """Check the name of a CSI driver; that it is required is told elsewhere."""
    if len(name) > 63:
        errors.too_long(path, 63)
    errors.all_invalid(path, name, dns_subdomain_problems(name.lower()))


def _image(errors: Errors, source: Source, path: FieldPath) -> None:
    policy = source.get("pullPolicy") or ""
    if policy not in ("Always", "IfNotPresent", "Never"):
        errors.not_supported(path.child("pullPolicy"), policy, ("Always", "IfNotPresent", "Never"))


def _ephemeral(errors: Errors, source: Source, path: FieldPath) -> None:
    if source.get("volumeClaimTemplate") is not None:
        validate_claim_template(errors, source["volumeClaimTemplate"], path.child("volumeClaimTemplate"))


_CHECKS: Final[dict[str, Callable[[Errors, Source, FieldPath], None]]] = {
    "emptyDir": _empty_dir,
    "hostPath": _host_path,
    "secret": _files,
    "configMap": _files,
    "downwardAPI": _downward,
    "projected": _projected,
    "iscsi": _iscsi,
    "fc": _fibre_channel,
    "gcePersistentDisk": _disk,
    "awsElasticBlockStore": _disk,
    "nfs": _nfs,
    "local": _local,
    "csi": _csi,
    "image": _image,
    "ephemeral": _ephemeral,
}

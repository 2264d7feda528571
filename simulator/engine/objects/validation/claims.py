"""PersistentVolumeClaims.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_label_problems, dns_subdomain_problems
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.objects.validation.metadata import validate_annotations, validate_labels
from simulator.engine.objects.validation.selectors import validate_label_selector

_ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
VOLUME_MODES: Final = ("Block", "Filesystem")


def validate_claim_template(errors: Errors, template: Mapping[str, Any], path: FieldPath) -> None:
    metadata = template.get("metadata") or {}
    place = path.child("metadata")
    validate_annotations(errors, metadata.get("annotations"), place.child("annotations"))
    validate_labels(errors, metadata.get("labels"), place.child("labels"))
    for name in metadata:
        if name not in ("annotations", "labels"):
            errors.forbidden(place.child(name), "volume.template_field")
    validate_claim_spec(errors, template.get("spec") or {}, path.child("spec"))


def validate_claim_spec(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    modes = spec.get("accessModes") or ()
    if not modes:
        errors.required(path.child("accessModes"), "claim.access_modes")
    validate_label_selector(errors, spec.get("selector"), path.child("selector"))
    validate_access_modes(errors, modes, path.child("accessModes"))
    requests = (spec.get("resources") or {}).get("requests") or {}
    place = path.child("resources").key("storage").at(*path.keys, "resources", "requests", "storage")
    if "storage" not in requests:
        errors.required(place)
    elif Quantity.parse(requests["storage"]) <= ZERO:
        errors.invalid(place, requests["storage"], "api.positive")
    for field in ("storageClassName", "volumeAttributesClassName"):
        name = spec.get(field) or ""
        if name:
            errors.all_invalid(path.child(field), name, dns_subdomain_problems(name))
    validate_volume_mode(errors, spec, path)
    for field in ("dataSource", "dataSourceRef"):
        if spec.get(field) is not None:
            _data_source(errors, spec[field], path.child(field))


def validate_access_modes(errors: Errors, modes: Sequence[str], path: FieldPath) -> None:
    for index, mode in enumerate(modes):
        if mode not in _ACCESS_MODES:
            errors.not_supported(path.at(*path.keys, index), mode, _ACCESS_MODES)
    if "ReadWriteOncePod" in modes and any(mode in _ACCESS_MODES and mode != "ReadWriteOncePod" for mode in modes):
        errors.forbidden(path, "claim.once_pod")


def validate_volume_mode(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    mode = spec.get("volumeMode")
    if mode is not None and mode not in VOLUME_MODES:
        errors.not_supported(path.child("volumeMode"), mode, VOLUME_MODES)


def _data_source(errors: Errors, source: Mapping[str, Any], path: FieldPath) -> None:
    for field in ("name", "kind"):
        if not source.get(field):
            errors.required(path.child(field))
    group, kind = source.get("apiGroup") or "", source.get("kind") or ""
    if not group and kind != "PersistentVolumeClaim":
        errors.invalid(path, kind, "claim.data_source_kind")
    if group:
        errors.all_invalid(path.child("apiGroup"), group, dns_subdomain_problems(group))
    namespace = source.get("namespace") or ""
    if namespace:
        errors.all_invalid(path.child("namespace"), namespace, dns_label_problems(namespace))

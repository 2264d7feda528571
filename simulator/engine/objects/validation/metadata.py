"""Object metadata: names, labels, annotations, owners, finalizers.

Source: Kubernetes 1.36 apimachinery `pkg/api/validation/objectmeta.go`, `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.golang import to_json
from simulator.engine.objects.names import (
    NameCheck,
    dns_label_problems,
    label_key_problems,
    label_value_problems,
    with_suffix,
)
from simulator.engine.objects.paths import METADATA, FieldPath

ANNOTATIONS_MAX: Final = 256 * 1024
_STANDARD_FINALIZERS: Final = frozenset({"kubernetes", "orphan", "foregroundDeletion"})
_OWNER_FIELDS: Final = ("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")


def validate_metadata(errors: Errors, metadata: Mapping[str, Any], name_check: NameCheck, *, namespaced: bool) -> None:
    """Check the metadata of a new object."""
    _names(errors, metadata, name_check)
    namespace = metadata.get("namespace") or ""
    if not namespaced and namespace:
        errors.forbidden(METADATA.child("namespace"), "metadata.no_namespace")
    elif namespaced and not namespace:
        errors.required(METADATA.child("namespace"))
    elif namespaced:
        errors.all_invalid(METADATA.child("namespace"), namespace, dns_label_problems(namespace))
    if (metadata.get("generation") or 0) < 0:
        errors.invalid(METADATA.child("generation"), metadata["generation"], "api.not_negative")
    validate_labels(errors, metadata.get("labels"), METADATA.child("labels"))
    validate_annotations(errors, metadata.get("annotations"), METADATA.child("annotations"))
    _owners(errors, metadata.get("ownerReferences") or ())
    _finalizers(errors, metadata.get("finalizers") or ())


def _names(errors: Errors, metadata: Mapping[str, Any], name_check: NameCheck) -> None:
    prefix, name = metadata.get("generateName") or "", metadata.get("name") or ""
    if prefix:
        errors.all_invalid(METADATA.child("generateName"), prefix, with_suffix(name_check, prefix))
    if name:
        errors.all_invalid(METADATA.child("name"), name, name_check(name))
    else:
        errors.required(METADATA.child("name"), "metadata.name_required")


def validate_labels(errors: Errors, labels: Mapping[str, str] | None, path: FieldPath) -> None:
    """Check keys and values of labels, a node selector or a matchLabels map."""
    for key, value in (labels or {}).items():
        place = FieldPath(path.text, (*path.keys, key))
        errors.all_invalid(place, key, label_key_problems(key))
        errors.all_invalid(place, value, label_value_problems(value))


def validate_annotations(errors: Errors, annotations: Mapping[str, str] | None, path: FieldPath) -> None:
    size = 0
    for key, value in (annotations or {}).items():
        errors.all_invalid(FieldPath(path.text, (*path.keys, key)), key, label_key_problems(key.lower()))
        size += len(key.encode()) + len(value.encode())
    if size > ANNOTATIONS_MAX:
        errors.too_long(path, ANNOTATIONS_MAX)


def _owners(errors: Errors, owners: Sequence[Mapping[str, Any]]) -> None:
    path = METADATA.child("ownerReferences")
    controller = ""
    for index, owner in enumerate(owners):
        _owner(errors, owner, path.at(*path.keys, index))
        if not owner.get("controller"):
            continue
        current = f"{owner.get('kind') or ''}/{owner.get('name') or ''}"
        if controller:
            shown = [{name: each[name] for name in _OWNER_FIELDS if name in each} for each in owners[:20]]
            errors.invalid(path, shown, "metadata.two_controllers", first=controller, second=current)
        else:
            controller = current


def _owner(errors: Errors, owner: Mapping[str, Any], place: FieldPath) -> None:
    api_version, kind = owner.get("apiVersion") or "", owner.get("kind") or ""
    group, _, version = api_version.rpartition("/")
    if not version or "/" in group:
        errors.invalid(place.child("apiVersion"), api_version, "metadata.version_empty")
    for name in ("kind", "name", "uid"):
        if not owner.get(name):
            errors.invalid(place.child(name), "", "api.not_empty")
    if (api_version, kind) == ("v1", "Event"):
        errors.invalid(place, dict(owner), "metadata.banned_owner", owner="/v1, Kind=Event")


def _finalizers(errors: Errors, finalizers: Sequence[str]) -> None:
    path = METADATA.child("finalizers")
    for index, finalizer in enumerate(finalizers):
        validate_finalizer_name(errors, finalizer, path.at(*path.keys, index))
        validate_kube_finalizer(errors, finalizer, path.index(index))
    if {"orphan", "foregroundDeletion"} <= set(finalizers):
        errors.invalid(path, list(finalizers), "metadata.both_finalizers")


def validate_finalizer_name(errors: Errors, finalizer: str, path: FieldPath) -> None:
    errors.all_invalid(path, finalizer, label_key_problems(finalizer))


def validate_kube_finalizer(errors: Errors, finalizer: str, path: FieldPath) -> None:
    """Names without a prefix must be one of the old standard names."""
    if "/" not in finalizer and finalizer not in _STANDARD_FINALIZERS:
        errors.invalid(path, finalizer, "metadata.finalizer")


def validate_metadata_update(errors: Errors, new: Mapping[str, Any], old: Mapping[str, Any]) -> None:
    """Check what may not change in metadata."""
    finalizers = METADATA.child("finalizers")
    if old.get("deletionTimestamp"):
        added = sorted(set(new.get("finalizers") or ()) - set(old.get("finalizers") or ()))
        if added:
            errors.forbidden(finalizers, "metadata.no_new_finalizers", found=to_json(added))
    for name in ("name", "namespace", "uid", "creationTimestamp"):
        if new.get(name) and new[name] != old.get(name):
            errors.invalid(METADATA.child(name), new[name], "api.immutable")
    if (new.get("generation") or 0) < (old.get("generation") or 0):
        errors.invalid(METADATA.child("generation"), new.get("generation") or 0, "metadata.generation")
    validate_labels(errors, new.get("labels"), METADATA.child("labels"))
    validate_annotations(errors, new.get("annotations"), METADATA.child("annotations"))
    _owners(errors, new.get("ownerReferences") or ())
    for index, finalizer in enumerate(new.get("finalizers") or ()):
        validate_kube_finalizer(errors, finalizer, finalizers.index(index))

"""Pods on creation, and Pod templates.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.golang import sorted_map
from simulator.engine.objects.names import dns_subdomain_problems
from simulator.engine.objects.paths import METADATA, SPEC, FieldPath
from simulator.engine.objects.validation.metadata import validate_annotations, validate_labels, validate_metadata
from simulator.engine.objects.validation.pod_spec import PodOptions, validate_pod_spec
from simulator.engine.objects.validation.selectors import (
    is_empty_selector,
    selector_json,
    validate_label_selector,
)

_DELETION_COST: Final = "controller.kubernetes.io/pod-deletion-cost"
_MIRROR: Final = "kubernetes.io/config.mirror"
_INT32: Final = re.compile(r"0|-?[1-9][0-9]{0,9}")
SPECIAL_ANNOTATIONS: Final = (_DELETION_COST, _MIRROR)


def validate_pod_metadata(errors: Errors, pod: Mapping[str, Any]) -> None:
    validate_metadata(errors, pod["metadata"], dns_subdomain_problems, namespaced=True)


def validate_pod_body(errors: Errors, pod: Mapping[str, Any], options: PodOptions) -> None:
    """Check all of a new Pod but its metadata."""
    spec = pod["spec"]
    _annotations(errors, pod["metadata"].get("annotations") or {}, spec, METADATA.child("annotations"))
    validate_pod_spec(errors, spec, SPEC, options)
    _token_volumes(errors, spec, SPEC.child("volumes"))
    if spec.get("ephemeralContainers"):
        errors.forbidden(SPEC.child("ephemeralContainers"), "pod.ephemeral_on_create")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        errors.forbidden(SPEC.child("nodeName"), "pod.gates_and_node")


def _annotations(errors: Errors, annotations: Mapping[str, str], spec: Mapping[str, Any], path: FieldPath) -> None:
    if _MIRROR in annotations and not spec.get("nodeName"):
        errors.invalid(path.key(_MIRROR), annotations[_MIRROR], "pod.mirror")
    cost = annotations.get(_DELETION_COST)
    if cost is not None and not (_INT32.fullmatch(cost) and -(2**31) <= int(cost) < 2**31):
        errors.invalid(path.key(_DELETION_COST), cost, "pod.deletion_cost")


def _token_volumes(errors: Errors, spec: Mapping[str, Any], path: FieldPath) -> None:
    if spec.get("serviceAccountName"):
        return
    for index, volume in enumerate(spec.get("volumes") or ()):
        for position, source in enumerate((volume.get("projected") or {}).get("sources") or ()):
            if source.get("serviceAccountToken") is not None:
                place = path.index(index).child("projected").child("sources").index(position)
                errors.forbidden(place.child("serviceAccountToken"), "pod.token_needs_account")


def validate_template(errors: Errors, template: Mapping[str, Any], path: FieldPath, options: PodOptions) -> None:
    """Check a controller's Pod template."""
    metadata, spec = template.get("metadata") or {}, template.get("spec") or {}
    where = FieldPath(path.text, (*path.keys, "metadata"))
    validate_labels(errors, metadata.get("labels"), where.child("labels"))
    validate_annotations(errors, metadata.get("annotations"), where.child("annotations"))
    _annotations(errors, metadata.get("annotations") or {}, spec, where.child("annotations"))
    validate_pod_spec(errors, spec, path.child("spec"), replace(options, is_pod=False, pod_name=""))
    if spec.get("ephemeralContainers"):
        errors.forbidden(path.child("spec").child("ephemeralContainers"), "pod.ephemeral_in_template")


def validate_selector_and_template(
    errors: Errors, spec: Mapping[str, Any], path: FieldPath, options: PodOptions, kind: str
) -> None:
    """Check selector and template of an apps/v1 controller, and that they fit."""
    selector, template = spec.get("selector"), spec.get("template") or {}
    if selector is None:
        errors.required(path.child("selector"))
    else:
        validate_label_selector(errors, selector, path.child("selector"))
        if is_empty_selector(selector):
            errors.invalid(path.child("selector"), selector_json(selector), "selector.empty", kind=kind)
    place = path.child("template")
    validate_template(errors, template, place, options)
    labels = (template.get("metadata") or {}).get("labels") or {}
    if selector is None or not (is_empty_selector(selector) or _matches(selector, labels)):
        where = place.child("metadata").child("labels")
        errors.invalid(where, sorted_map(dict(labels)) or None, "selector.no_match")


def _matches(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Whether the labels satisfy the selector; one that is not valid is reported elsewhere."""
    if any(labels.get(key) != value for key, value in (selector.get("matchLabels") or {}).items()):
        return False
    for expression in selector.get("matchExpressions") or ():
        key, values = expression.get("key"), expression.get("values") or ()
        operator = expression.get("operator")
        if operator == "In" and labels.get(key) not in values:
            return False
        if operator == "NotIn" and key in labels and labels[key] in values:
            return False
        if (operator == "Exists" and key not in labels) or (operator == "DoesNotExist" and key in labels):
            return False
    return True

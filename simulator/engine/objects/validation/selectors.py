"""Label selectors and node selectors.

Source: Kubernetes 1.36 apimachinery `metav1/validation`, `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_subdomain_problems, label_key_problems, label_value_problems
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.validation.metadata import validate_labels

_NAME_FIELD: Final = "metadata.name"


def validate_label_selector(errors: Errors, selector: Mapping[str, Any] | None, path: FieldPath) -> None:
    if selector is None:
        return
    validate_labels(errors, selector.get("matchLabels"), path.child("matchLabels"))
    for index, requirement in enumerate(selector.get("matchExpressions") or ()):
        _requirement(errors, requirement, path.child("matchExpressions").index(index), numeric=False)


def is_empty_selector(selector: Mapping[str, Any] | None) -> bool:
    return not selector or not (selector.get("matchLabels") or selector.get("matchExpressions"))


def selector_json(selector: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the selector as Go prints it."""
    selector = selector or {}
    shown: dict[str, Any] = {}
    if selector.get("matchLabels"):
        shown["matchLabels"] = dict(sorted(selector["matchLabels"].items()))
    if selector.get("matchExpressions"):
        shown["matchExpressions"] = [
            {name: each[name] for name in ("key", "operator", "values") if each.get(name)}
            for each in selector["matchExpressions"][:20]
        ]
    return shown


def validate_node_selector(errors: Errors, selector: Mapping[str, Any], path: FieldPath) -> None:
    terms_path = path.child("nodeSelectorTerms")
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        errors.required(terms_path, "selector.no_terms")
    for index, term in enumerate(terms):
        validate_node_selector_term(errors, term, terms_path.index(index), values=True)


def validate_node_selector_term(errors: Errors, term: Mapping[str, Any], path: FieldPath, *, values: bool) -> None:
    """Check one term; `values`: also that the values could be label values."""
    for index, requirement in enumerate(term.get("matchExpressions") or ()):
        place = path.child("matchExpressions").index(index)
        _requirement(errors, requirement, place, numeric=True, check_values=values)
    for index, requirement in enumerate(term.get("matchFields") or ()):
        _field_requirement(errors, requirement, path.child("matchFields").index(index))


def _requirement(
    errors: Errors, requirement: Mapping[str, Any], path: FieldPath, *, numeric: bool, check_values: bool = True
) -> None:
    operator, values = requirement.get("operator") or "", requirement.get("values") or ()
    if operator in ("In", "NotIn"):
        if not values:
            errors.required(path.child("values"), "selector.values_required")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            errors.forbidden(path.child("values"), "selector.values_forbidden")
    elif numeric and operator in ("Gt", "Lt"):
        if len(values) != 1:
            errors.required(path.child("values"), "selector.single_value")
    else:
        errors.invalid(path.child("operator"), operator, "selector.operator")
    key = requirement.get("key") or ""
    errors.all_invalid(path.child("key"), key, label_key_problems(key))
    if check_values:
        for index, value in enumerate(values):
            errors.all_invalid(path.child("values").index(index), value, label_value_problems(value))


def _field_requirement(errors: Errors, requirement: Mapping[str, Any], path: FieldPath) -> None:
    operator, values = requirement.get("operator") or "", requirement.get("values") or ()
    if operator in ("In", "NotIn"):
        if len(values) != 1:
            errors.required(path.child("values"), "selector.field_value")
    else:
        errors.invalid(path.child("operator"), operator, "selector.operator")
    key = requirement.get("key") or ""
    if key != _NAME_FIELD:
        errors.invalid(path.child("key"), key, "selector.field_key")
        return
    for index, value in enumerate(values):
        errors.all_invalid(path.child("values").index(index), value, dns_subdomain_problems(value))


def validate_topology_terms(errors: Errors, terms: list[Mapping[str, Any]] | None, path: FieldPath) -> None:
    """Check a StorageClass's allowedTopologies."""
    seen: set[frozenset[tuple[str, frozenset[str]]]] = set()
    for index, term in enumerate(terms or ()):
        place = path.index(index).child("matchLabelExpressions")
        requirements = term.get("matchLabelExpressions") or ()
        keys: set[str] = set()
        for position, requirement in enumerate(requirements):
            _topology_requirement(errors, requirement, place.index(position), keys)
        meaning = frozenset((each.get("key") or "", frozenset(each.get("values") or ())) for each in requirements)
        if meaning in seen:
            errors.duplicate(place, "")
        seen.add(meaning)


def _topology_requirement(errors: Errors, requirement: Mapping[str, Any], path: FieldPath, keys: set[str]) -> None:
    values = requirement.get("values") or ()
    if not values:
        errors.required(path.child("values"))
    seen: set[str] = set()
    for index, value in enumerate(values):
        if value in seen:
            errors.duplicate(path.child("values").index(index), value)
        seen.add(value)
    key = requirement.get("key") or ""
    errors.all_invalid(path.child("key"), key, label_key_problems(key))
    if key in keys:
        errors.duplicate(path.child("key"), key)
    keys.add(key)

"""Affinity and topology spread constraints.

Source: Kubernetes 1.36 `pkg/apis/core/validation`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_label_problems, label_key_problems
from simulator.engine.objects.paths import FieldPath
from simulator.engine.objects.validation.selectors import (
    validate_label_selector,
    validate_node_selector,
    validate_node_selector_term,
)

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
_DO_NOT_SCHEDULE: Final = "DoNotSchedule"


def validate_affinity(errors: Errors, affinity: Mapping[str, Any] | None, path: FieldPath) -> None:
    affinity = affinity or {}
    if affinity.get("nodeAffinity") is not None:
        _node_affinity(errors, affinity["nodeAffinity"], path.child("nodeAffinity"))
    for which in ("podAffinity", "podAntiAffinity"):
        if affinity.get(which) is not None:
            _pod_affinity(errors, affinity[which], path.child(which))


def _node_affinity(errors: Errors, affinity: Mapping[str, Any], path: FieldPath) -> None:
    if affinity.get(_REQUIRED) is not None:
        validate_node_selector(errors, affinity[_REQUIRED], path.child(_REQUIRED))
    for index, term in enumerate(affinity.get(_PREFERRED) or ()):
        place = path.child(_PREFERRED).index(index)
        _weight(errors, term, place)
        validate_node_selector_term(errors, term.get("preference") or {}, place.child("preference"), values=False)


def _pod_affinity(errors: Errors, affinity: Mapping[str, Any], path: FieldPath) -> None:
    for index, term in enumerate(affinity.get(_REQUIRED) or ()):
        _pod_term(errors, term, path.child(_REQUIRED).index(index))
    for index, weighted in enumerate(affinity.get(_PREFERRED) or ()):
        place = path.child(_PREFERRED).index(index)
        _weight(errors, weighted, place)
        _pod_term(errors, weighted.get("podAffinityTerm") or {}, place.child("podAffinityTerm"))


def _weight(errors: Errors, term: Mapping[str, Any], path: FieldPath) -> None:
    weight = term.get("weight") or 0
    if not 1 <= weight <= 100:
        errors.invalid(path.child("weight"), weight, "affinity.weight")


def _pod_term(errors: Errors, term: Mapping[str, Any], path: FieldPath) -> None:
    validate_label_selector(errors, term.get("labelSelector"), path.child("labelSelector"))
    validate_label_selector(errors, term.get("namespaceSelector"), path.child("namespaceSelector"))
    for index, name in enumerate(term.get("namespaces") or ()):
        place = path.child("namespace").at(*path.keys, "namespaces", index)
        errors.all_invalid(place, name, dns_label_problems(name))
    match, mismatch = term.get("matchLabelKeys") or (), term.get("mismatchLabelKeys") or ()
    _label_keys(errors, match, term.get("labelSelector"), path.child("matchLabelKeys"))
    _label_keys(errors, mismatch, term.get("labelSelector"), path.child("mismatchLabelKeys"))
    _keys_in_selector(errors, match, term.get("labelSelector"), path)
    unwanted = set(mismatch)
    for index, key in enumerate(match):
        if key in unwanted:
            errors.invalid(path.child("matchLabelKeys").index(index), key, "affinity.key_in_both")
    topology_key = term.get("topologyKey") or ""
    if not topology_key:
        errors.required(path.child("topologyKey"), "affinity.topology_key")
    errors.all_invalid(path.child("topologyKey"), topology_key, label_key_problems(topology_key))


def _label_keys(errors: Errors, keys: Sequence[str], selector: Mapping[str, Any] | None, path: FieldPath) -> None:
    if keys and selector is None:
        errors.forbidden(path, "affinity.keys_without_selector")
        return
    for index, key in enumerate(keys):
        errors.all_invalid(path.index(index), key, label_key_problems(key))


def _keys_in_selector(errors: Errors, keys: Sequence[str], selector: Mapping[str, Any] | None, path: FieldPath) -> None:
    """Find keys that the selector names beside the expression which the API server merged into it."""
    if selector is None:
        return
    positions = {key: index for index, key in enumerate(keys)}
    named = set(selector.get("matchLabels") or ())
    for expression in selector.get("matchExpressions") or ():
        key = expression.get("key") or ""
        if key in positions and key in named:
            index = positions[key]
            place = path.printed(f"[{index}]").at(*path.keys, "matchLabelKeys", index)
            errors.invalid(place, key, "affinity.key_in_selector")
        named.add(key)


def validate_spread(
    errors: Errors, constraints: Sequence[Mapping[str, Any]] | None, path: FieldPath, *, merged: bool
) -> None:
    """Check the constraints; `merged`: matchLabelKeys stand in the selectors already."""
    later = Counter(_pair(constraint) for constraint in constraints or ())
    for index, constraint in enumerate(constraints or ()):
        place = path.index(index)
        later[_pair(constraint)] -= 1
        _constraint(errors, constraint, place)
        if later[_pair(constraint)]:
            shown = "{{{}, {}}}".format(*_pair(constraint))
            errors.duplicate(place.printed(".{topologyKey, whenUnsatisfiable}"), shown)
        _spread_keys(errors, constraint, place, merged=merged)
        validate_label_selector(errors, constraint.get("labelSelector"), place.child("labelSelector"))


def _pair(constraint: Mapping[str, Any]) -> tuple[str, str]:
    return constraint.get("topologyKey") or "", constraint.get("whenUnsatisfiable") or ""


def _constraint(errors: Errors, constraint: Mapping[str, Any], path: FieldPath) -> None:
    skew = constraint.get("maxSkew") or 0
    if skew <= 0:
        errors.invalid(path.child("maxSkew"), skew, "api.positive")
    topology_key, action = _pair(constraint)
    if not topology_key:
        errors.required(path.child("topologyKey"), "affinity.topology_key")
    if action not in (_DO_NOT_SCHEDULE, "ScheduleAnyway"):
        errors.not_supported(path.child("whenUnsatisfiable"), action, (_DO_NOT_SCHEDULE, "ScheduleAnyway"))
    domains = constraint.get("minDomains")
    if domains is not None:
        if domains <= 0:
            errors.invalid(path.child("minDomains"), domains, "api.positive")
        if action != _DO_NOT_SCHEDULE:
            errors.invalid(path.child("minDomains"), domains, "spread.min_domains", action=action)
    for which in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        policy = constraint.get(which)
        if policy is not None and policy not in ("Honor", "Ignore"):
            errors.not_supported(path.child(which), policy, ("Honor", "Ignore"))


def _spread_keys(errors: Errors, constraint: Mapping[str, Any], path: FieldPath, *, merged: bool) -> None:
    keys, selector = constraint.get("matchLabelKeys") or (), constraint.get("labelSelector")
    keys_path = path.child("matchLabelKeys")
    if merged or not keys:
        _label_keys(errors, keys, selector, keys_path)
        _keys_in_selector(errors, keys, selector, path)
        return
    if selector is None:
        errors.forbidden(keys_path, "affinity.keys_without_selector")
    named = {*((selector or {}).get("matchLabels") or ())}
    named |= {each.get("key") for each in (selector or {}).get("matchExpressions") or ()}
    for index, key in enumerate(keys):
        errors.all_invalid(keys_path.index(index), key, label_key_problems(key))
        if key in named:
            errors.invalid(keys_path.index(index), key, "affinity.key_in_selector")

"""What may change in an object that exists: Pods and Nodes.

Source: Kubernetes 1.36 `pkg/apis/core/validation` (ValidatePodUpdate, ValidateNodeUpdate).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.golang import sorted_map
from simulator.engine.objects.names import range_problems
from simulator.engine.objects.paths import SPEC, STATUS, FieldPath
from simulator.engine.objects.quantity import Quantity
from simulator.engine.objects.validation.cluster import validate_node_body
from simulator.engine.objects.validation.metadata import validate_metadata_update
from simulator.engine.objects.validation.pod import validate_pod_body, validate_pod_metadata
from simulator.engine.objects.validation.pod_spec import PodOptions

Object = Mapping[str, Any]

_INT32_MAX: Final = 2**31 - 1
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_QUANTITY_LISTS: Final = frozenset({"requests", "limits", "overhead", "capacity", "allocatable"})


def comparable(value: Any) -> Any:
    """Return a value in which what means the same is equal: empty is absent, quantities are numbers."""
    if isinstance(value, dict):
        found = {}
        for key, item in value.items():
            if key in _QUANTITY_LISTS and isinstance(item, dict):
                compared: Any = {name: Quantity.parse(text) for name, text in item.items()}
            else:
                compared = comparable(item)
            if compared not in (None, "", [], {}):
                found[key] = compared
        return found
    return [comparable(item) for item in value] if isinstance(value, list) else value


def validate_pod_update(errors: Errors, new: Object, old: Object, options: PodOptions) -> None:
    validate_metadata_update(errors, new["metadata"], old["metadata"])
    validate_pod_metadata(errors, new)
    found = Errors()
    validate_pod_body(found, new, options)
    for error in found.found:
        if error.code not in ("pod.gates_and_node", "pod.ephemeral_on_create"):
            errors.add(error)
    new_spec, old_spec = new["spec"], old["spec"]
    for which in ("containers", "initContainers"):
        if len(new_spec.get(which) or ()) != len(old_spec.get(which) or ()):
            errors.forbidden(SPEC.child(which), "update.containers")
            return
    if not _deadline(errors, new_spec, old_spec):
        return
    _tolerations(errors, new_spec.get("tolerations") or (), old_spec.get("tolerations") or ())
    _gates(errors, new_spec.get("schedulingGates") or (), old_spec.get("schedulingGates") or ())
    munged = _munged(new_spec, old_spec)
    if old_spec.get("schedulingGates"):
        munged = _gated_changes(errors, munged, old_spec)
    before, after = comparable(old_spec), comparable(munged)
    if before != after:
        changed = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
        place = SPEC.at("spec", changed[0])
        errors.forbidden(place, "update.pod_spec", changed=tuple(changed))


def _deadline(errors: Errors, new: Object, old: Object) -> bool:
    """Check activeDeadlineSeconds; False ends the validation, as in kube."""
    path = SPEC.child("activeDeadlineSeconds")
    after, before = new.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds")
    if after is None:
        if before is not None:
            errors.invalid(path, None, "update.deadline_unset")
        return True
    problems = range_problems(after, 0, _INT32_MAX)
    errors.all_invalid(path, after, problems)
    if not problems and before is not None and before < after:
        errors.invalid(path, after, "update.deadline")
        return False
    return not problems


def _tolerations(errors: Errors, new: Sequence[Object], old: Sequence[Object]) -> None:
    kept = {_without_seconds(toleration) for toleration in new}
    if any(_without_seconds(toleration) not in kept for toleration in old):
        errors.forbidden(SPEC.child("tolerations"), "update.toleration")


def _without_seconds(toleration: Object) -> tuple[str, ...]:
    return tuple(toleration.get(name) or "" for name in ("key", "operator", "value", "effect"))


def _gates(errors: Errors, new: Sequence[Object], old: Sequence[Object]) -> None:
    known = {gate.get("name") for gate in old}
    for index, gate in enumerate(new):
        if gate.get("name") not in known:
            place = SPEC.child("schedulingGates").index(index).child("name")
            errors.forbidden(place, "update.gate", gate=gate.get("name") or "")


def _munged(new: Object, old: Object) -> dict[str, Any]:
    """Return the new spec with everything that may change set back to the old value."""
    munged = dict(new)
    for which in ("containers", "initContainers"):
        if new.get(which):
            pairs = zip(new[which], old[which], strict=True)
            munged[which] = [{**after, "image": before.get("image")} for after, before in pairs]
    for field in ("activeDeadlineSeconds", "schedulingGates", "tolerations"):
        munged[field] = old.get(field)
    if (old.get("terminationGracePeriodSeconds") or 0) < 0 and new.get("terminationGracePeriodSeconds") == 1:
        munged["terminationGracePeriodSeconds"] = old["terminationGracePeriodSeconds"]
    return munged


def _gated_changes(errors: Errors, munged: dict[str, Any], old: Object) -> dict[str, Any]:
    """Allow what may be narrowed while a Pod is gated: node selector and required node affinity."""
    new_selector, old_selector = munged.get("nodeSelector") or {}, old.get("nodeSelector") or {}
    if any(new_selector.get(key) != value for key, value in old_selector.items()):
        errors.invalid(SPEC.child("nodeSelector"), sorted_map(new_selector) or None, "update.node_selector")
    affinity = dict(munged.get("affinity") or {})
    old_affinity = old.get("affinity") or {}
    _narrowed(errors, affinity.get("nodeAffinity") or {}, old_affinity.get("nodeAffinity") or {})
    affinity["nodeAffinity"] = old_affinity.get("nodeAffinity")
    return {**munged, "nodeSelector": old.get("nodeSelector"), "affinity": affinity}


def _narrowed(errors: Errors, new: Object, old: Object) -> None:
    path = SPEC.child("affinity").child("nodeAffinity").child(_REQUIRED).child("nodeSelectorTerms")
    old_terms = (old.get(_REQUIRED) or {}).get("nodeSelectorTerms") or []
    new_terms = (new.get(_REQUIRED) or {}).get("nodeSelectorTerms") or []
    if not old_terms:
        return
    if len(old_terms) != len(new_terms):
        errors.invalid(path, [_term_json(term) for term in new_terms[:20]] or None, "update.affinity_terms")
        return
    for index, (after, before) in enumerate(zip(new_terms, old_terms, strict=True)):
        if not _only_added(after, before):
            errors.invalid(path.index(index), _term_json(after), "update.affinity_term")


def _only_added(new: Object, old: Object) -> bool:
    kinds = ("matchExpressions", "matchFields")
    if not any(old.get(which) for which in kinds):
        return not any(new.get(which) for which in kinds)
    return all(
        comparable((new.get(which) or [])[: len(old[which])]) == comparable(old[which])
        for which in kinds
        if old.get(which)
    )


def _term_json(term: Object) -> dict[str, Any]:
    """Return a node selector term as Go prints the internal struct."""
    return {
        go: [{"Key": r.get("key"), "Operator": r.get("operator"), "Values": r.get("values")} for r in term[name]]
        if term.get(name)
        else None
        for go, name in (("MatchExpressions", "matchExpressions"), ("MatchFields", "matchFields"))
    }


def validate_node_update(errors: Errors, new: Object, old: Object) -> None:
    validate_metadata_update(errors, new["metadata"], old["metadata"])
    validate_node_body(errors, new)
    _addresses(errors, (new.get("status") or {}).get("addresses") or ())
    new_spec, old_spec = new.get("spec") or {}, old.get("spec") or {}
    networks = old_spec.get("podCIDRs") or []
    if networks and networks != (new_spec.get("podCIDRs") or []):
        errors.forbidden(SPEC.child("podCIDRs"), "update.pod_cidr")
    if old_spec.get("providerID") and old_spec["providerID"] != new_spec.get("providerID"):
        errors.forbidden(SPEC.child("providerID"), "update.provider_id")
    if (old_spec.get("externalID") or "") != (new_spec.get("externalID") or ""):
        errors.forbidden(SPEC.child("externalID"), "update.external_id")


def _addresses(errors: Errors, addresses: Sequence[Object]) -> None:
    seen: set[tuple[str, str]] = set()
    path: FieldPath = STATUS.child("addresses")
    for index, address in enumerate(addresses):
        pair = (address.get("type") or "", address.get("address") or "")
        if pair in seen:
            errors.duplicate(path.index(index), {"Type": pair[0], "Address": pair[1]})
        seen.add(pair)

"""What may change in an object that exists: all kinds but Pods and Nodes.

Source: Kubernetes 1.36 `pkg/apis/*/validation`; the rules a learner is likely to meet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.paths import ROOT, SPEC, FieldPath
from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.objects.validation.kinds import validate_object
from simulator.engine.objects.validation.metadata import validate_metadata_update
from simulator.engine.objects.validation.pod_spec import PodOptions
from simulator.engine.objects.validation.selectors import selector_json
from simulator.engine.objects.validation.updates import comparable

Object = Mapping[str, Any]

_STATEFUL_FREE: Final = (
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)
_CLAIM_FREE: Final = ("resources", "volumeAttributesClassName")
_VOLUME_FREE: Final = (
    "capacity",
    "accessModes",
    "claimRef",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "mountOptions",
    "volumeMode",
    "nodeAffinity",
    "volumeAttributesClassName",
)


def validate_update(errors: Errors, kind: str, new: Object, old: Object, options: PodOptions) -> None:
    """Check a change of an object of any kind but Pod and Node."""
    validate_metadata_update(errors, new["metadata"], old["metadata"])
    if kind == "Namespace":
        return
    validate_object(errors, kind, new, options)
    if kind in _UPDATES:
        _UPDATES[kind](errors, new, old)


def _immutable(errors: Errors, new: Any, old: Any, path: FieldPath, shown: Any = None) -> None:
    if comparable({"value": new}) != comparable({"value": old}):
        errors.invalid(path, new if shown is None else shown, "api.immutable")


def _selector(errors: Errors, new: Object, old: Object) -> None:
    after, before = new["spec"].get("selector"), old["spec"].get("selector")
    _immutable(errors, after, before, SPEC.child("selector"), selector_json(after))


def _spec(errors: Errors, new: Object, old: Object) -> None:
    for field in sorted({*new["spec"], *old["spec"]}):
        _immutable(errors, new["spec"].get(field), old["spec"].get(field), SPEC.child(field))


def _stateful_set(errors: Errors, new: Object, old: Object) -> None:
    if _changed(new["spec"], old["spec"], _STATEFUL_FREE):
        errors.forbidden(SPEC, "workload.stateful_update")


def _changed(new: Object, old: Object, free: tuple[str, ...]) -> bool:
    after, before = ({k: v for k, v in spec.items() if k not in free} for spec in (new, old))
    return bool(comparable(after) != comparable(before))


def _job(errors: Errors, new: Object, old: Object) -> None:
    after, before = new["spec"], old["spec"]
    if after.get("completionMode") != "Indexed":
        _immutable(errors, after.get("completions"), before.get("completions"), SPEC.child("completions"))
    _selector(errors, new, old)
    if not before.get("suspend"):
        _immutable(errors, after.get("template"), before.get("template"), SPEC.child("template"))
    _immutable(errors, after.get("completionMode"), before.get("completionMode"), SPEC.child("completionMode"))


def _claim(errors: Errors, new: Object, old: Object) -> None:
    unset = [field for field in ("volumeName", "storageClassName") if not old["spec"].get(field)]
    if _changed(new["spec"], old["spec"], (*_CLAIM_FREE, *unset)):
        errors.forbidden(SPEC, "claim.spec_immutable")
    sizes = [
        Quantity.parse(((each["spec"].get("resources") or {}).get("requests") or {}).get("storage"))
        for each in (new, old)
    ]
    bound = Quantity.parse(((old.get("status") or {}).get("capacity") or {}).get("storage"))
    if sizes[0] < sizes[1] and (bound == ZERO or sizes[0] <= bound):
        place = SPEC.child("resources").child("requests").child("storage")
        errors.forbidden(place, "claim.shrink")


def _persistent_volume(errors: Errors, new: Object, old: Object) -> None:
    after, before = new["spec"], old["spec"]
    if _changed(after, before, _VOLUME_FREE):
        errors.forbidden(SPEC.child("persistentvolumesource").at("spec"), "persistent_volume.source_immutable")
    _immutable(
        errors, after.get("volumeMode"), before.get("volumeMode"), ROOT.child("volumeMode").at("spec", "volumeMode")
    )
    if before.get("nodeAffinity") and comparable(after.get("nodeAffinity")) != comparable(before["nodeAffinity"]):
        place = ROOT.child("nodeAffinity").at("spec", "nodeAffinity")
        errors.invalid(place, after.get("nodeAffinity"), "persistent_volume.affinity_immutable")


def _priority_class(errors: Errors, new: Object, old: Object) -> None:
    if new.get("value", 0) != old.get("value", 0):
        errors.forbidden(ROOT.child("Value").at("value"), "priority_class.value")
    policy = ROOT.child("preemptionPolicy")
    _immutable(errors, new.get("preemptionPolicy"), old.get("preemptionPolicy"), policy)


def _storage_class(errors: Errors, new: Object, old: Object) -> None:
    for field in ("parameters", "provisioner", "reclaimPolicy"):
        if comparable({"value": new.get(field)}) != comparable({"value": old.get(field)}):
            errors.forbidden(ROOT.child(field), "update.storage_class", field=field)
    for field in ("volumeBindingMode", "allowedTopologies"):
        _immutable(errors, new.get(field), old.get(field), ROOT.child(field))


def _service(errors: Errors, new: Object, old: Object) -> None:
    before, after = old["spec"].get("clusterIPs") or [], new["spec"].get("clusterIPs") or []
    external = "ExternalName" in (old["spec"].get("type"), new["spec"].get("type"))
    if before and not external and before[:1] != after[:1]:
        errors.invalid(SPEC.child("clusterIPs").index(0), after or None, "service.ip_immutable")


_UPDATES: Final[dict[str, Callable[[Errors, Object, Object], None]]] = {
    "Deployment": _selector,
    "ReplicaSet": _selector,
    "DaemonSet": _selector,
    "StatefulSet": _stateful_set,
    "Job": _job,
    "PersistentVolumeClaim": _claim,
    "PersistentVolume": _persistent_volume,
    "PriorityClass": _priority_class,
    "StorageClass": _storage_class,
    "Service": _service,
    "PodGroup": _spec,
    "Workload": _spec,
    "ResourceClaim": _spec,
    "ResourceClaimTemplate": _spec,
}

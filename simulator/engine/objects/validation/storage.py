"""PersistentVolumes, claims, StorageClasses, CSI objects.

Source: Kubernetes 1.36 `pkg/apis/{core,storage}/validation`; the rules a learner is likely to meet.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_subdomain_problems, label_key_problems
from simulator.engine.objects.paths import ROOT, SPEC
from simulator.engine.objects.quantity import ZERO, Quantity
from simulator.engine.objects.validation.claims import (
    validate_access_modes,
    validate_claim_spec,
    validate_volume_mode,
)
from simulator.engine.objects.validation.metadata import validate_metadata
from simulator.engine.objects.validation.selectors import (
    validate_label_selector,
    validate_node_selector,
    validate_topology_terms,
)
from simulator.engine.objects.validation.volumes import validate_driver_name, validate_source

Object = Mapping[str, Any]

_RECLAIM_POLICIES: Final = ("Delete", "Recycle", "Retain")
_BINDING_MODES: Final = ("Immediate", "WaitForFirstConsumer")
PERSISTENT_SOURCES: Final = (
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
)


def validate_claim(errors: Errors, claim: Object) -> None:
    validate_metadata(errors, claim["metadata"], dns_subdomain_problems, namespaced=True)
    validate_claim_spec(errors, claim["spec"], SPEC)


def validate_persistent_volume(errors: Errors, volume: Object) -> None:
    validate_metadata(errors, volume["metadata"], dns_subdomain_problems, namespaced=False)
    spec = volume["spec"]
    if not spec.get("accessModes"):
        errors.required(SPEC.child("accessModes"))
    validate_access_modes(errors, spec.get("accessModes") or (), SPEC.child("accessModes"))
    _capacity(errors, spec.get("capacity") or {})
    policy = spec.get("persistentVolumeReclaimPolicy") or ""
    if policy and policy not in _RECLAIM_POLICIES:
        errors.not_supported(SPEC.child("persistentVolumeReclaimPolicy"), policy, _RECLAIM_POLICIES)
    affinity = spec.get("nodeAffinity")
    if affinity is not None:
        place = SPEC.child("nodeAffinity").child("required")
        if affinity.get("required") is None:
            errors.required(place, "persistent_volume.affinity_required")
        else:
            validate_node_selector(errors, affinity["required"], place)
    validate_source(errors, spec, PERSISTENT_SOURCES, SPEC)
    if spec.get("csi") is not None and not spec["csi"].get("volumeHandle"):
        errors.required(SPEC.child("csi").child("volumeHandle"))
    if spec.get("local") is not None and affinity is None:
        errors.required(SPEC.child("nodeAffinity"), "persistent_volume.local_affinity")
    host_path = (spec.get("hostPath") or {}).get("path")
    if host_path and posixpath.normpath(host_path) == "/" and policy == "Recycle":
        errors.forbidden(SPEC.child("persistentVolumeReclaimPolicy"), "persistent_volume.recycle_root")
    name = spec.get("storageClassName") or ""
    if name:
        errors.all_invalid(SPEC.child("storageClassName"), name, dns_subdomain_problems(name))
    validate_volume_mode(errors, spec, SPEC)


def _capacity(errors: Errors, capacity: Mapping[str, str]) -> None:
    path = SPEC.child("capacity")
    if not capacity:
        errors.required(path)
    if "storage" not in capacity or len(capacity) > 1:
        errors.not_supported(path, dict(sorted(capacity.items())) or None, ("storage",))
    for name, text in capacity.items():
        quantity = Quantity.parse(text)
        if quantity.value() < 0:
            errors.invalid(path.key(name), quantity.value(), "resource.valid_quantity")
        if quantity <= ZERO:
            errors.invalid(path.key(name), text, "api.positive")


def validate_storage_class(errors: Errors, storage_class: Object) -> None:
    validate_metadata(errors, storage_class["metadata"], dns_subdomain_problems, namespaced=False)
    provisioner = storage_class.get("provisioner") or ""
    if provisioner:
        errors.all_invalid(ROOT.child("provisioner"), provisioner, label_key_problems(provisioner.lower()))
    else:
        errors.required(ROOT.child("provisioner"))
    policy = storage_class.get("reclaimPolicy") or ""
    if policy not in ("Delete", "Retain"):
        errors.not_supported(ROOT.child("reclaimPolicy"), policy, ("Delete", "Retain"))
    mode = storage_class.get("volumeBindingMode")
    if mode is None:
        errors.required(ROOT.child("volumeBindingMode"))
    elif mode not in _BINDING_MODES:
        errors.not_supported(ROOT.child("volumeBindingMode"), mode, _BINDING_MODES)
    validate_topology_terms(errors, storage_class.get("allowedTopologies"), ROOT.child("allowedTopologies"))


def validate_csi_node(errors: Errors, node: Object) -> None:
    validate_metadata(errors, node["metadata"], dns_subdomain_problems, namespaced=False)
    names: set[str] = set()
    for index, driver in enumerate((node.get("spec") or {}).get("drivers") or ()):
        place = SPEC.child("drivers").index(index)
        name = driver.get("name") or ""
        if not name:
            errors.required(place.child("name"))
        validate_driver_name(errors, name, place.child("name"))
        if name in names:
            errors.duplicate(place.child("name"), name)
        names.add(name)
        if not driver.get("nodeID"):
            errors.required(place.child("nodeID"))
        count = (driver.get("allocatable") or {}).get("count")
        if count is not None and count < 0:
            errors.invalid(place.child("allocatable").child("count"), count, "api.not_negative")


def validate_csi_driver(errors: Errors, driver: Object) -> None:
    validate_metadata(errors, driver["metadata"], dns_subdomain_problems, namespaced=False)


def validate_csi_capacity(errors: Errors, capacity: Object) -> None:
    validate_metadata(errors, capacity["metadata"], dns_subdomain_problems, namespaced=True)
    validate_label_selector(errors, capacity.get("nodeTopology"), ROOT.child("nodeTopology"))
    name = capacity.get("storageClassName") or ""
    errors.all_invalid(ROOT.child("storageClassName"), name, dns_subdomain_problems(name))
    for field in ("capacity", "maximumVolumeSize"):
        if capacity.get(field) is not None and Quantity.parse(capacity[field]) < ZERO:
            errors.invalid(ROOT.child(field), capacity[field], "api.not_negative")


def validate_attachment(errors: Errors, attachment: Object) -> None:
    validate_metadata(errors, attachment["metadata"], dns_subdomain_problems, namespaced=False)
    spec = attachment.get("spec") or {}
    for field in ("attacher", "nodeName"):
        if not spec.get(field):
            errors.required(SPEC.child(field))

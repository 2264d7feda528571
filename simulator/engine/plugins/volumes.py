"""What the volume plugins read from Pods, claims and PersistentVolumes: names, classes, sizes, who belongs to whom.

Claims and volumes are plain manifests. Source: component-helpers `storage/volume` and `storage/ephemeral` of Kubernetes
1.36.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.objects.quantity import ZERO, Quantity

Manifest = Mapping[str, Any]

CLAIM, VOLUME, STORAGE_CLASS = "PersistentVolumeClaim", "PersistentVolume", "StorageClass"
CSI_NODE, CSI_DRIVER, CSI_STORAGE_CAPACITY = "CSINode", "CSIDriver", "CSIStorageCapacity"
VOLUME_ATTACHMENT = "VolumeAttachment"

BIND_COMPLETED = "pv.kubernetes.io/bind-completed"
BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller"
SELECTED_NODE = "volume.kubernetes.io/selected-node"
BETA_CLASS = "volume.beta.kubernetes.io/storage-class"
WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer"
READ_WRITE_ONCE_POD = "ReadWriteOncePod"
NO_PROVISIONER = "kubernetes.io/no-provisioner"

_STORAGE = "storage"


class ClaimUse(NamedTuple):
    """A volume of a Pod that stands for a claim. An `ephemeral` claim is made for this very Pod, named after it."""

    claim: str
    ephemeral: bool = False


def claim_use(pod: Pod, volume: Manifest) -> ClaimUse | None:
    """The claim behind a volume of `pod`, None where there is none."""
    if volume.get("persistentVolumeClaim") is not None:
        return ClaimUse(volume["persistentVolumeClaim"].get("claimName") or "")
    if volume.get("ephemeral") is not None:
        return ClaimUse(f"{pod.name}-{volume['name']}", ephemeral=True)
    return None


def claim_uses(pod: Pod) -> list[ClaimUse]:
    """The claims behind a Pod's volumes, in order, with repetitions."""
    uses = (claim_use(pod, volume) for volume in pod.shape.volumes)
    return [use for use in uses if use is not None]


def named_claims(shape: PodShape) -> list[str]:
    """Names of the claims a Pod refers to itself (no ephemeral ones), with repetitions."""
    sources = (volume.get("persistentVolumeClaim") for volume in shape.volumes)
    return [source.get("claimName") or "" for source in sources if source is not None]


def uses_claim(pod: Pod, claim: Manifest) -> bool:
    """Whether `claim` is behind one of the Pod's volumes, ephemeral ones included."""
    return namespace_of(claim) == pod.namespace and name_of(claim) in {use.claim for use in claim_uses(pod)}


def names_claim(pod: Pod, claim: Manifest) -> bool:
    """Whether the Pod refers to `claim` by name."""
    return namespace_of(claim) == pod.namespace and name_of(claim) in named_claims(pod.shape)


def metadata_of(manifest: Manifest) -> Manifest:
    return manifest.get("metadata") or {}


def spec_of(manifest: Manifest) -> Manifest:
    return manifest.get("spec") or {}


def name_of(manifest: Manifest) -> str:
    return metadata_of(manifest).get("name") or ""


def namespace_of(manifest: Manifest) -> str:
    return metadata_of(manifest).get("namespace") or ""


def annotations_of(manifest: Manifest) -> Mapping[str, str]:
    return metadata_of(manifest).get("annotations") or {}


def labels_of(manifest: Manifest) -> Mapping[str, str]:
    return metadata_of(manifest).get("labels") or {}


def phase_of(manifest: Manifest) -> str:
    return (manifest.get("status") or {}).get("phase") or ""


def is_being_deleted(manifest: Manifest) -> bool:
    return metadata_of(manifest).get("deletionTimestamp") is not None


def is_made_for(claim: Manifest, pod: Pod) -> bool:
    """Whether the Pod is the controller of `claim`, as it must be of the claims of its ephemeral volumes."""
    owners = metadata_of(claim).get("ownerReferences") or ()
    controller = next((owner for owner in owners if owner.get("controller")), None)
    return controller is not None and namespace_of(claim) == pod.namespace and controller.get("uid") == pod.uid


def storage_class_of(manifest: Manifest) -> str:
    """The StorageClass of a claim or a volume, "" for none. The old annotation goes before the field."""
    annotations = annotations_of(manifest)
    if BETA_CLASS in annotations:
        return annotations[BETA_CLASS]
    return spec_of(manifest).get("storageClassName") or ""


def is_fully_bound(claim: Manifest) -> bool:
    return bool(spec_of(claim).get("volumeName")) and BIND_COMPLETED in annotations_of(claim)


def requested_storage(claim: Manifest) -> Quantity | None:
    requests = (spec_of(claim).get("resources") or {}).get("requests") or {}
    return Quantity.parse(requests[_STORAGE]) if _STORAGE in requests else None


def storage_capacity(volume: Manifest) -> Quantity:
    """The capacity of a PersistentVolume."""
    capacity = spec_of(volume).get("capacity") or {}
    return Quantity.parse(capacity[_STORAGE]) if _STORAGE in capacity else ZERO


def volume_limit(capacity: Manifest) -> Quantity | None:
    """The largest volume a CSIStorageCapacity has room for."""
    limit = capacity.get("maximumVolumeSize")
    limit = capacity.get("capacity") if limit is None else limit
    return None if limit is None else Quantity.parse(limit)


def is_bound_to(volume: Manifest, claim: Manifest) -> bool:
    """Whether the `claimRef` of `volume` means `claim`. One without uid means any claim of that name."""
    reference = spec_of(volume).get("claimRef")
    if reference is None:
        return False
    named = (reference.get("namespace") or "", reference.get("name") or "")
    uid = reference.get("uid") or ""
    return named == (namespace_of(claim), name_of(claim)) and uid in ("", metadata_of(claim).get("uid") or "")


def reference_to(claim: Manifest) -> Manifest:
    """What a volume's `spec.claimRef` says of the claim that owns it."""
    metadata = metadata_of(claim)
    reference = {"kind": CLAIM, "apiVersion": "v1", "namespace": namespace_of(claim), "name": name_of(claim)}
    return reference | {name: metadata[name] for name in ("uid", "resourceVersion") if metadata.get(name)}


def taken_by(volume: Manifest, claim: Manifest) -> Manifest:
    """`volume` reserved for `claim`, as the scheduler writes it; the very same manifest where it is already."""
    reference = reference_to(claim)
    old = spec_of(volume).get("claimRef") or {}
    identity = ("namespace", "name", "uid")
    if is_bound_to(volume, claim) and all((old.get(name) or "") == reference.get(name, "") for name in identity):
        return volume
    changed = {**volume, "spec": {**spec_of(volume), "claimRef": reference}}
    return changed if is_bound_to(volume, claim) else _annotated(changed, BOUND_BY_CONTROLLER, "yes")


def sent_to(claim: Manifest, node: str) -> Manifest:
    """`claim` with the node where its volume is to be made."""
    return _annotated(claim, SELECTED_NODE, node)


def _annotated(manifest: Manifest, key: str, value: str) -> Manifest:
    annotations = {**annotations_of(manifest), key: value}
    return {**manifest, "metadata": {**metadata_of(manifest), "annotations": annotations}}

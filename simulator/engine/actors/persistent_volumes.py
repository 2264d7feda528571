"""The controllers behind volumes: PersistentVolumes become available, claims are bound, provisioned and made for Pods.

Simplified here: a new volume is there at once and reaches every node its class allows; reclaim policies, protection
finalizers and resizing are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.objects.pod import Pod
from simulator.engine.plugins.volumes import (
    BIND_COMPLETED,
    BOUND_BY_CONTROLLER,
    CLAIM,
    NO_PROVISIONER,
    SELECTED_NODE,
    STORAGE_CLASS,
    VOLUME,
    WAIT_FOR_FIRST_CONSUMER,
    annotations_of,
    is_being_deleted,
    is_bound_to,
    is_fully_bound,
    name_of,
    namespace_of,
    phase_of,
    reference_to,
    requested_storage,
    spec_of,
    storage_capacity,
    storage_class_of,
)
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Create, Decision, Patch

Manifest = Mapping[str, Any]
Objects = dict[tuple[str, str], Manifest]
KINDS = (CLAIM, VOLUME, STORAGE_CLASS)


class VolumeController(Actor):
    """One turn carries out the first thing that is to be done, claims and volumes in order of creation."""

    name: ClassVar[str] = "persistent-volume-controller"
    rank: ClassVar[int] = 25

    def __init__(self) -> None:
        self._objects: dict[str, Objects] = {kind: {} for kind in KINDS}
        self._pods: dict[str, Pod] = {}
        self._stale = False

    def observe(self, change: Change, now: int) -> None:
        if change.kind == "Pod":
            self._observe_pod(change)
        elif change.kind in KINDS:
            key = (namespace_of(change.object), name_of(change.object))
            self._stale = True
            if change.new is None:
                self._objects[change.kind].pop(key, None)
            else:
                self._objects[change.kind][key] = change.new

    def _observe_pod(self, change: Change) -> None:
        pod: Pod | None = change.new
        if pod is not None and any(volume.get("ephemeral") for volume in pod.shape.volumes):
            self._pods[pod.key] = pod
            self._stale = True
        else:
            self._pods.pop(change.object.key, None)

    def next_wakeup(self, now: int) -> Wakeup | None:
        if self._stale and next(self._work(), None) is None:
            self._stale = False
        return Wakeup(now) if self._stale else None

    def act(self, now: int) -> Turn | None:
        return next(self._work(), None)

    def _work(self) -> Iterator[Turn]:
        for pod in self._pods.values():
            yield from self._missing_claims(pod)
        for volume in self._objects[VOLUME].values():
            if phase_of(volume) in ("", "Pending") and not spec_of(volume).get("claimRef"):
                yield _turn("volumes.available", name_of(volume), _phase(VOLUME, volume, "Available"))
        for claim in self._objects[CLAIM].values():
            turn = self._bind(claim)
            if turn is not None:
                yield turn

    def _missing_claims(self, pod: Pod) -> Iterator[Turn]:
        """The claims of a Pod's ephemeral volumes."""
        for volume in pod.shape.volumes:
            template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate")
            name = f"{pod.name}-{volume.get('name')}"
            if template is None or (pod.namespace, name) in self._objects[CLAIM]:
                continue
            owner = {"apiVersion": "v1", "kind": "Pod", "name": pod.name, "uid": pod.uid, "controller": True}
            metadata = {**(template.get("metadata") or {}), "name": name, "namespace": pod.namespace}
            metadata["ownerReferences"] = [{**owner, "blockOwnerDeletion": True}]
            manifest = {"apiVersion": "v1", "kind": CLAIM, "metadata": metadata, "spec": template.get("spec") or {}}
            yield _turn("volumes.claim_made", f"{pod.namespace}/{name}", Create(manifest))

    def _bind(self, claim: Manifest) -> Turn | None:
        """What is to be done for a claim that is not bound."""
        if is_fully_bound(claim) or is_being_deleted(claim):
            return None
        volume = self._meant_for(claim)
        if volume is None and not self._waits(claim):
            volume = self._smallest_free(claim)
        if volume is not None:
            return _binding(claim, volume)
        if self._waits(claim) and SELECTED_NODE not in annotations_of(claim):
            return None
        return self._provision(claim)

    def _class(self, claim: Manifest) -> Manifest | None:
        return self._objects[STORAGE_CLASS].get(("", storage_class_of(claim)))

    def _waits(self, claim: Manifest) -> bool:
        """Whether the claim is bound only once a Pod that uses it has a node."""
        return (self._class(claim) or {}).get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER

    def _meant_for(self, claim: Manifest) -> Manifest | None:
        """The volume that names this claim, or that this claim names."""
        wanted = spec_of(claim).get("volumeName")
        if wanted:
            return self._objects[VOLUME].get(("", wanted))
        volumes = self._objects[VOLUME].values()
        return next((volume for volume in volumes if is_bound_to(volume, claim)), None)

    def _smallest_free(self, claim: Manifest) -> Manifest | None:
        size = requested_storage(claim)
        fitting = [
            volume
            for volume in self._objects[VOLUME].values()
            if not spec_of(volume).get("claimRef")
            and phase_of(volume) == "Available"
            and storage_class_of(volume) == storage_class_of(claim)
            and set(spec_of(claim).get("accessModes") or ()) <= set(spec_of(volume).get("accessModes") or ())
            and (size is None or size <= storage_capacity(volume))
        ]
        return min(fitting, key=storage_capacity, default=None)

    def _provision(self, claim: Manifest) -> Turn | None:
        storage_class = self._class(claim)
        provisioner = (storage_class or {}).get("provisioner")
        if storage_class is None or not provisioner or provisioner == NO_PROVISIONER:
            return None
        name = f"pvc-{namespace_of(claim)}-{name_of(claim)}"
        size = ((spec_of(claim).get("resources") or {}).get("requests") or {}).get("storage", "1Gi")
        spec = {
            "capacity": {"storage": size},
            "accessModes": spec_of(claim).get("accessModes") or ["ReadWriteOnce"],
            "storageClassName": name_of(storage_class),
            "csi": {"driver": provisioner, "volumeHandle": name},
            "claimRef": reference_to(claim),
        }
        manifest = {"apiVersion": "v1", "kind": VOLUME, "metadata": {"name": name}, "spec": spec}
        return _turn("volumes.provisioned", name, Create(manifest))


def _binding(claim: Manifest, volume: Manifest) -> Turn:
    """Both sides of a binding are completed."""
    key = f"{namespace_of(claim)}/{name_of(claim)}"
    annotations = {BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"}
    patch = {
        "metadata": {"annotations": annotations},
        "spec": {"volumeName": name_of(volume)},
        "status": {"phase": "Bound"},
    }
    own = {"spec": {"claimRef": reference_to(claim)}, "status": {"phase": "Bound"}}
    return _turn(
        "volumes.bound",
        key,
        Patch(VOLUME, "", name_of(volume), own),
        Patch(CLAIM, namespace_of(claim), name_of(claim), patch),
        volume=name_of(volume),
    )


def _phase(kind: str, manifest: Manifest, phase: str) -> Patch:
    return Patch(kind, namespace_of(manifest), name_of(manifest), {"status": {"phase": phase}})


def _turn(code: str, key: str, *decisions: Decision, **params: Any) -> Turn:
    return Turn(Note(code, key, tuple(params.items())), list(decisions))

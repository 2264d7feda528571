"""Which CSI volumes a Pod attaches to a node, by driver: what the limits of a node count.

Source: kube-scheduler 1.36 `nodevolumelimits/csi.go`.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

from simulator.engine.framework.plugin import Lister
from simulator.engine.framework.status import Status, error, unresolvable
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.plugins.csi_migration import (
    TranslationError,
    counts_as_csi,
    in_tree_driver,
    in_tree_plugin,
    inline_handle,
    volume_handle,
)
from simulator.engine.plugins.volumes import (
    CLAIM,
    STORAGE_CLASS,
    VOLUME,
    VOLUME_ATTACHMENT,
    ClaimUse,
    Manifest,
    claim_use,
    is_made_for,
    name_of,
    namespace_of,
    spec_of,
    storage_class_of,
)


class CsiVolume(NamedTuple):
    """One attachable volume. Two Pods with the same driver and handle share it."""

    driver: str
    handle: str


Attachments = Mapping[str, Set[CsiVolume]]


_PENDING = "pending"
"""Stands before the made-up handle of a claim that has no volume yet."""


class UnknownVolumesError(Exception):
    """The volumes of a Pod cannot be told; `status` says why."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.reasons[0].code)
        self.status = status


def can_attach(shape: PodShape) -> bool:
    """Whether a Pod has a volume that could count: a claim, an ephemeral one, or an in-tree one that CSI took over."""
    return any(
        volume.get("persistentVolumeClaim") is not None
        or volume.get("ephemeral") is not None
        or in_tree_driver(volume) is not None
        for volume in shape.volumes
    )


def attached_volumes(objects: Lister, pod: Pod, csi_node: Manifest | None, *, incoming: bool) -> tuple[CsiVolume, ...]:
    """The volumes of `pod` on the node of `csi_node`, each once. Only an `incoming` Pod must have all its claims.

    Raises `UnknownVolumesError`.
    """
    found: dict[CsiVolume, None] = {}
    for volume in pod.shape.volumes:
        use = claim_use(pod, volume)
        if use is None:
            csi_volume = _of_inline(volume, csi_node)
        else:
            claim = _claim(objects, pod, use, incoming=incoming)
            csi_volume = None if claim is None else _of_claim(objects, claim, csi_node)
        if csi_volume is not None and csi_volume.driver and csi_volume.handle:
            found[csi_volume] = None
    return tuple(found)


def _claim(objects: Lister, pod: Pod, use: ClaimUse, *, incoming: bool) -> Manifest | None:
    if not use.claim:
        raise UnknownVolumesError(error("node_volume_limits.claim_without_name"))
    claim = objects.get(CLAIM, pod.namespace, use.claim)
    if claim is None and incoming:
        params = {"namespace": pod.namespace, "claim": use.claim}
        raise UnknownVolumesError(unresolvable("node_volume_limits.claim_not_found", **params))
    if claim is not None and use.ephemeral and not is_made_for(claim, pod):
        params = {"namespace": pod.namespace, "claim": use.claim, "pod": pod.name}
        raise UnknownVolumesError(error("node_volume_limits.not_owner", **params))
    return claim


def _of_inline(volume: Manifest, csi_node: Manifest | None) -> CsiVolume | None:
    driver = in_tree_driver(volume)
    if driver is None or not counts_as_csi(driver, csi_node):
        return None
    try:
        return CsiVolume(driver.driver, inline_handle(driver, volume))
    except TranslationError as failure:
        params = {"volume": volume["name"], "error": str(failure)}
        raise UnknownVolumesError(error("node_volume_limits.not_translated", **params)) from failure


def _of_claim(objects: Lister, claim: Manifest, csi_node: Manifest | None) -> CsiVolume | None:
    volume = objects.get(VOLUME, "", spec_of(claim).get("volumeName") or "")
    if volume is None:
        return _of_class(objects, claim, csi_node)
    source = spec_of(volume).get("csi")
    if source is not None:
        return CsiVolume(source.get("driver") or "", source.get("volumeHandle") or "")
    driver = in_tree_driver(spec_of(volume))
    if driver is None or not counts_as_csi(driver, csi_node):
        return None
    try:
        return CsiVolume(driver.driver, volume_handle(driver, volume))
    except TranslationError:
        return None


def _of_class(objects: Lister, claim: Manifest, csi_node: Manifest | None) -> CsiVolume | None:
    """A claim without a volume counts for the driver that would make one."""
    storage_class = objects.get(STORAGE_CLASS, "", storage_class_of(claim))
    if storage_class is None:
        return None
    handle = f"{_PENDING}-{namespace_of(claim)}/{name_of(claim)}"
    provisioner = storage_class.get("provisioner") or ""
    driver = in_tree_plugin(provisioner)
    if driver is None:
        return CsiVolume(provisioner, handle)
    return CsiVolume(driver.driver, handle) if counts_as_csi(driver, csi_node) else None


def attachments_by_node(objects: Lister) -> Attachments:
    """What VolumeAttachments say is attached, by node name."""
    found: dict[str, set[CsiVolume]] = {}
    for attachment in objects.list(VOLUME_ATTACHMENT):
        spec = spec_of(attachment)
        driver = spec.get("attacher") or ""
        volume = objects.get(VOLUME, "", (spec.get("source") or {}).get("persistentVolumeName") or "")
        source = None if volume is None else spec_of(volume).get("csi")
        if driver and source is not None:
            on_node = found.setdefault(spec.get("nodeName") or "", set())
            on_node.add(CsiVolume(driver, source.get("volumeHandle") or ""))
    return found


def attach_limits(csi_node: Manifest | None) -> dict[str, int]:
    """How many volumes of each driver the node can have; drivers without a limit are left out."""
    counts = {name: (entry.get("allocatable") or {}).get("count") for name, entry in drivers_on(csi_node).items()}
    return {name: count for name, count in counts.items() if count is not None}


def drivers_on(csi_node: Manifest | None) -> dict[str, Manifest]:
    """The CSI drivers installed on a node, by name."""
    return {entry.get("name") or "": entry for entry in spec_of(csi_node or {}).get("drivers") or ()}

"""NodeVolumeLimits: a node takes only as many volumes of a CSI driver as its CSINode allows.

Decides: Filter by the number of distinct volumes per driver: those of the Pods on the node, those in VolumeAttachments,
and the ones the Pod adds. A claim without a volume counts for the driver that would make one.
Kubernetes counterpart: kube-scheduler 1.36 NodeVolumeLimits; gate VolumeLimitScaling (off) refuses nodes that lack a
driver that must be there. As in 1.36.3, a volume only a VolumeAttachment names counts again for a Pod that wants it.
Simplified here: nothing.
Reads: pod volumes, claims, PersistentVolumes, StorageClasses, CSINodes, CSIDrivers, VolumeAttachments, Pods on nodes.
Writes: nothing.
Wakes on: CSINode added or a limit raised; an assigned Pod with such volumes deleted; a claim of the Pod added; a
VolumeAttachment deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from simulator.engine.cluster.rows import Rows
from simulator.engine.framework.events import POD, Action, ClusterEvent
from simulator.engine.framework.facts import Fact
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Handle,
    Hint,
    Lister,
    PreFilterPlugin,
    PreFilterResult,
)
from simulator.engine.framework.status import SKIP, SUCCESS, Status, Verdicts, unschedulable
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.plugins.attached_volumes import (
    Attachments,
    CsiVolume,
    UnknownVolumesError,
    attach_limits,
    attached_volumes,
    attachments_by_node,
    can_attach,
    drivers_on,
)
from simulator.engine.plugins.csi_migration import in_tree_driver
from simulator.engine.plugins.volumes import (
    CLAIM,
    CSI_DRIVER,
    CSI_NODE,
    VOLUME_ATTACHMENT,
    Manifest,
    named_claims,
    spec_of,
    uses_claim,
)

_EXCEEDED = unschedulable("node_volume_limits.exceeded")
_INDEX = "NodeVolumeLimits/volumes"
_MAX_REASONS = 63
_UNSURE = 1 << 32

NOTHING: Set[CsiVolume] = frozenset()


class NodeVolumeLimits(PreFilterPlugin, FilterPlugin):
    name = "NodeVolumeLimits"
    may_fail = True

    def __init__(self, args: Any, handle: Handle) -> None:
        super().__init__(args, handle)
        self._limits = _Limits()

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        if not can_attach(pod.shape):
            return PreFilterResult(SKIP)
        state.data[self.name] = attachments_by_node(self.handle.objects)
        return PreFilterResult()

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        attachments: Attachments | None = state.data.get(self.name)
        if attachments is None:
            attachments = attachments_by_node(self.handle.objects)
        wanted = _Wanted(self.handle.objects, pod)
        at_most = _used_at_most(rows)
        statuses = []
        for position, node in enumerate(rows.nodes):
            csi_node = self.handle.objects.get(CSI_NODE, "", node.name)
            attached = attachments.get(node.name, NOTHING)
            try:
                added = wanted.on(csi_node)
                status = self._required_drivers(added, csi_node)
                limits = self._limits.of(node.name, csi_node)
                if status.is_success and not _surely_fit(added, limits, at_most[position] + len(attached)):
                    status = self._count(added, csi_node, rows.pods_on(position), attached)
            except UnknownVolumesError as failure:
                status = failure.status
            statuses.append(status)
        return _verdicts(statuses)

    def _required_drivers(self, added: Iterable[CsiVolume], csi_node: Manifest | None) -> Status:
        """Whether the node has every driver that Pods may not do without."""
        if not self.handle.gate("VolumeLimitScaling"):
            return SUCCESS
        installed = drivers_on(csi_node)
        for volume in added:
            driver = self.handle.objects.get(CSI_DRIVER, "", volume.driver) or {}
            if spec_of(driver).get("preventPodSchedulingIfMissing") and volume.driver not in installed:
                return unschedulable("node_volume_limits.no_driver", driver=volume.driver)
        return SUCCESS

    def _count(
        self,
        added: Iterable[CsiVolume],
        csi_node: Manifest | None,
        others: Iterable[Pod],
        attached: Set[CsiVolume],
    ) -> Status:
        objects = self.handle.objects
        there, new = _counts(objects, added, csi_node, others, attached)
        limits = attach_limits(csi_node)
        exceeded = any(there[driver] + new[driver] > limits[driver] for driver in new if driver in limits)
        return _EXCEEDED if exceeded else SUCCESS

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        node, objects = row.nodes[0], self.handle.objects
        csi_node = objects.get(CSI_NODE, "", node.name)
        attached = attachments_by_node(objects).get(node.name, NOTHING)
        try:
            added = attached_volumes(objects, pod, csi_node, incoming=True)
            missing = self._required_drivers(added, csi_node)
            there, new = _counts(objects, added, csi_node, row.pods_on(0), attached)
        except UnknownVolumesError as failure:
            return (_reason_fact("node_volume_limits.unknown", failure.status),)
        if not missing.is_success:
            return (_reason_fact("node_volume_limits.driver", missing),)
        limits = attach_limits(csi_node)
        return [
            Fact.of(
                "node_volume_limits.volumes",
                driver not in limits or there[driver] + new[driver] <= limits[driver],
                driver=driver,
                there=there[driver],
                new=new[driver],
                limit=limits.get(driver),
            )
            for driver in sorted(new)
        ]

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(CSI_NODE, Action.ADD)),
            EventInterest(ClusterEvent(CSI_NODE, Action.UPDATE), self._limit_grew),
            EventInterest(ClusterEvent(POD, Action.DELETE), self._volumes_left),
            EventInterest(ClusterEvent(CLAIM, Action.ADD), self._claim_added),
            EventInterest(ClusterEvent(VOLUME_ATTACHMENT, Action.DELETE), self._detached),
        )

    @staticmethod
    def _limit_grew(_pod: Pod, old: Manifest, new: Manifest) -> Hint:
        before = attach_limits(old)
        grew = any(count > before.get(driver, 0) for driver, count in attach_limits(new).items())
        return Hint.QUEUE if grew else Hint.SKIP

    @staticmethod
    def _volumes_left(_pod: Pod, old: Pod, _new: Pod | None) -> Hint:
        assigned = old.node_name or old.nominated_node_name
        return Hint.QUEUE if assigned and can_attach(old.shape) else Hint.SKIP

    @staticmethod
    def _claim_added(pod: Pod, _old: Manifest | None, new: Manifest) -> Hint:
        return Hint.QUEUE if uses_claim(pod, new) else Hint.SKIP

    @staticmethod
    def _detached(pod: Pod, old: Manifest, _new: Manifest | None) -> Hint:
        drivers = [in_tree_driver(volume) for volume in pod.shape.volumes]
        attacher = spec_of(old).get("attacher")
        same = any(driver is not None and driver.driver == attacher for driver in drivers)
        return Hint.QUEUE if same or named_claims(pod.shape) else Hint.SKIP


def _reason_fact(code: str, status: Status) -> Fact:
    return Fact.of(code, False, reason=status.reasons[0].code, **status.reasons[0].values)


def _counts(
    objects: Lister,
    added: Iterable[CsiVolume],
    csi_node: Manifest | None,
    others: Iterable[Pod],
    attached: Set[CsiVolume],
) -> tuple[Counter[str], Counter[str]]:
    """Volumes by driver: (on the node already, new ones the Pod brings). Raises `UnknownVolumesError`."""
    used = {volume for other in others for volume in attached_volumes(objects, other, csi_node, incoming=False)}
    there = Counter(volume.driver for volume in used | attached)
    return there, Counter(volume.driver for volume in added if volume not in used)


class _Wanted:
    """The incoming Pod's volumes, worked out once for nodes with a CSINode and once for those without."""

    def __init__(self, objects: Lister, pod: Pod) -> None:
        self._objects = objects
        self._pod = pod
        self._known: dict[bool, tuple[CsiVolume, ...]] = {}

    def on(self, csi_node: Manifest | None) -> tuple[CsiVolume, ...]:
        key = csi_node is None
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = attached_volumes(self._objects, self._pod, csi_node, incoming=True)
        return found


class _Limits:
    """The limits of nodes, read anew where a CSINode was replaced."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Manifest | None, dict[str, int]]] = {}

    def of(self, node: str, csi_node: Manifest | None) -> Mapping[str, int]:
        known = self._known.get(node)
        if known is None or known[0] is not csi_node:
            known = self._known[node] = (csi_node, attach_limits(csi_node))
        return known[1]


def _volume_count(shape: PodShape) -> int:
    """How many volumes a Pod attaches at most; `_UNSURE` where that takes a closer look (it may even be an error)."""
    if any(volume.get("ephemeral") is not None or in_tree_driver(volume) is not None for volume in shape.volumes):
        return _UNSURE
    return len(named_claims(shape))


def _used_at_most(rows: Rows) -> list[int]:
    """(k,) a number of volumes that the Pods on a row do not exceed."""
    index = rows.cluster.indexes.get(_INDEX, _volume_count)
    used = np.zeros(len(rows), dtype=np.int64) if rows.bare else index.counts[rows.ids]
    used[rows.changed_positions()] = _UNSURE
    found: list[int] = used.tolist()
    return found


def _surely_fit(added: Sequence[CsiVolume], limits: Mapping[str, int], at_most: int) -> bool:
    """Whether there is room however many of `at_most` volumes count, so that nobody has to look which they are."""
    if not added or not limits:
        return True
    return at_most + len(added) <= min((limits.get(volume.driver, _UNSURE) for volume in added), default=_UNSURE)


def _verdicts(statuses: Sequence[Status]) -> Verdicts:
    """One status per row, each with at most one reason. Beyond 63 different ones the rest is told as the 63rd."""
    reasons = tuple(dict.fromkeys(reason for status in statuses for reason in status.reasons))[:_MAX_REASONS]
    bits = {reason: 1 << index for index, reason in enumerate(reasons)}
    last = 1 << (_MAX_REASONS - 1)
    return Verdicts(
        np.array([status.code for status in statuses], dtype=np.int8),
        np.array([bits.get(s.reasons[0], last) if s.reasons else 0 for s in statuses], dtype=np.int64),
        reasons,
    )

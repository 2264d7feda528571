"""VolumeRestrictions: disks and claims that only one Pod can use.

Decides: Filter by in-tree disks of Pods on the node (GCE persistent disk, EBS, iSCSI, RBD) and, over the whole cluster,
by claims with access mode ReadWriteOncePod that another Pod uses.
Kubernetes counterpart: kube-scheduler 1.36 VolumeRestrictions. As there, Pods taken away or added in thought change the
number of uses by claim name alone, whatever their namespace, while the uses of one claim count as one.
Simplified here: nothing.
Reads: pod volumes, claims' access modes, Pods on the node and in the cluster. Writes: nothing.
Wakes on: a Pod of the same namespace deleted that used such a disk or one of the Pod's claims; node added; a claim of
the Pod added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from simulator.engine.cluster.columns import Ints
from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.events import NODE, POD, Action, ClusterEvent
from simulator.engine.framework.facts import MOST_NAMES, Fact
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PreFilterPlugin,
    PreFilterResult,
)
from simulator.engine.framework.status import SKIP, Code, Reason, Verdicts, unresolvable
from simulator.engine.objects.pod import Pod, PodShape
from simulator.engine.plugins.volumes import (
    CLAIM,
    READ_WRITE_ONCE_POD,
    Manifest,
    named_claims,
    names_claim,
    spec_of,
)

_DISK = Reason("volume_restrictions.disk")
_IN_USE = Reason("volume_restrictions.in_use")
_NO_STATE = Reason("volume_restrictions.no_state")
_DISKS_INDEX = "VolumeRestrictions/disks"


@dataclass(frozen=True, slots=True)
class ExclusiveClaims:
    """The Pod's ReadWriteOncePod claims, and how many of them some placed Pod uses."""

    names: frozenset[str]
    used: int


class VolumeRestrictions(PreFilterPlugin, FilterPlugin):
    name = "VolumeRestrictions"

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        exclusive: dict[str, None] = {}
        for name in named_claims(pod.shape):
            claim = self.handle.objects.get(CLAIM, pod.namespace, name)
            if claim is None:
                return PreFilterResult(unresolvable("volume_restrictions.claim_not_found", claim=name))
            if READ_WRITE_ONCE_POD in (spec_of(claim).get("accessModes") or ()):
                exclusive[name] = None
        used = sum(self._is_used(pod.namespace, name) for name in exclusive)
        if not used and not disks_of(pod.shape):
            return PreFilterResult(SKIP)
        state.data[self.name] = ExclusiveClaims(frozenset(exclusive), used)
        return PreFilterResult()

    def _is_used(self, namespace: str, claim: str) -> bool:
        key = ("VolumeRestrictions/claim", namespace, claim)
        return self.handle.cluster.indexes.get(key, _uses(namespace, claim)).total > 0

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        disks = Verdicts.where(_meets_disk(pod, rows), Code.UNSCHEDULABLE, _DISK)
        exclusive: ExclusiveClaims | None = state.data.get(self.name)
        if exclusive is None:
            return Verdicts.first_of(disks, Verdicts.where(np.ones(len(rows), np.bool_), Code.ERROR, _NO_STATE))
        in_use = exclusive.used + _change_in_uses(exclusive.names, rows) > 0
        return Verdicts.first_of(disks, Verdicts.where(in_use, Code.UNSCHEDULABLE, _IN_USE))

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        found = []
        if disks_of(pod.shape):
            users = [other.key for other in row.pods_on(0) if clash(pod.shape, other.shape)]
            disks = [f"{kind} {_disk_name(source)}" for kind, source in disks_of(pod.shape)]
            found.append(Fact.of("volume_restrictions.disks", not users, disks=disks, pods=users[:MOST_NAMES]))
        exclusive: ExclusiveClaims = state.data[self.name]
        if exclusive.names:
            uses = exclusive.used + int(_change_in_uses(exclusive.names, row)[0])
            names = sorted(exclusive.names)
            users = self._users(pod.namespace, exclusive.names)
            found.append(Fact.of("volume_restrictions.claims", uses <= 0, claims=names, uses=uses, pods=users))
        return found

    def _users(self, namespace: str, claims: frozenset[str]) -> list[str]:
        """Keys of some placed Pods that use one of the claims."""
        table = self.handle.cluster.pods
        placed = (table.pod(number) for numbers in table.on_node for number in numbers)
        using = (p.key for p in placed if p.namespace == namespace and claims & set(named_claims(p.shape)))
        return list(islice(using, MOST_NAMES))

    def events(self) -> Sequence[EventInterest]:
        return (
            EventInterest(ClusterEvent(POD, Action.DELETE), self._freed),
            EventInterest(ClusterEvent(NODE, Action.ADD)),
            EventInterest(ClusterEvent(CLAIM, Action.ADD), self._claim_added),
        )

    @staticmethod
    def _freed(pod: Pod, old: Pod, _new: Pod | None) -> Hint:
        if old.namespace != pod.namespace:
            return Hint.SKIP
        shared = set(named_claims(pod.shape)) & set(named_claims(old.shape))
        return Hint.QUEUE if shared or clash(pod.shape, old.shape) else Hint.SKIP

    @staticmethod
    def _claim_added(pod: Pod, _old: Manifest | None, new: Manifest) -> Hint:
        return Hint.QUEUE if names_claim(pod, new) else Hint.SKIP


def _uses(namespace: str, claim: str) -> Callable[[PodShape], int]:
    return lambda shape: int(shape.namespace == namespace and claim in named_claims(shape))


def _has_disks(shape: PodShape) -> int:
    return int(bool(disks_of(shape)))


def _meets_disk(pod: Pod, rows: Rows) -> Bools:
    """(k,) whether a Pod on the row uses a disk that `pod` wants for itself."""
    found = np.zeros(len(rows), dtype=np.bool_)
    if not disks_of(pod.shape):
        return found
    suspect = found.copy() if rows.bare else rows.cluster.indexes.get(_DISKS_INDEX, _has_disks).counts[rows.ids] > 0
    suspect[rows.changed_positions()] = True
    for position in np.flatnonzero(suspect).tolist():
        found[position] = any(clash(pod.shape, other.shape) for other in rows.pods_on(position))
    return found


def _change_in_uses(claims: frozenset[str], rows: Rows) -> Ints:
    """(k,) by how much the hypothetical Pods change the number of uses of `claims`."""
    change = np.zeros(len(rows), dtype=np.int64)
    delta = rows.delta
    if delta is None or not claims:
        return change
    table = rows.cluster.pods
    uses = [sum(name in claims for name in named_claims(table.pod(number).shape)) for number in delta.pods.tolist()]
    np.add.at(change, delta.positions, np.array(uses, dtype=np.int64) * delta.signs)
    return change


Disk = tuple[str, Manifest]


def disks_of(shape: PodShape) -> list[Disk]:
    """(source field, source) of the in-tree disks that cannot be shared freely."""
    return [(kind, volume[kind]) for volume in shape.volumes for kind in _SAME_DISK if volume.get(kind) is not None]


def _disk_name(source: Manifest) -> str:
    names = (source.get(field) for field in ("pdName", "volumeID", "iqn", "image"))
    return str(next((name for name in names if name), ""))


def clash(wanted: PodShape, there: PodShape) -> bool:
    """Whether two Pods cannot be on one node because of a disk."""
    others = disks_of(there)
    return any(
        kind == other_kind and _SAME_DISK[kind](disk, other) and not _both_can_read(kind, disk, other)
        for kind, disk in disks_of(wanted)
        for other_kind, other in others
    )


def _both_can_read(kind: str, one: Manifest, other: Manifest) -> bool:
    """Two that only read can share a disk, but for EBS."""
    return kind != "awsElasticBlockStore" and bool(one.get("readOnly") and other.get("readOnly"))


def _same(*fields: str) -> Callable[[Manifest, Manifest], bool]:
    return lambda one, other: all((one.get(field) or "") == (other.get(field) or "") for field in fields)


def _same_image(one: Manifest, other: Manifest) -> bool:
    share_monitor = bool(set(one.get("monitors") or ()) & set(other.get("monitors") or ()))
    return share_monitor and _same("pool", "image")(one, other)


_SAME_DISK: dict[str, Callable[[Manifest, Manifest], bool]] = {
    "gcePersistentDisk": _same("pdName"),
    "awsElasticBlockStore": _same("volumeID"),
    "iscsi": _same("iqn"),
    "rbd": _same_image,
}

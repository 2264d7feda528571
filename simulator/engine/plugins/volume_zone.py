"""VolumeZone: a Pod goes where its volumes are, by the zone and region labels of its PersistentVolumes.

Decides: Filter by the labels of the volumes its claims are bound to; a value may list several zones joined by two
underscores. Nodes without any zone or region label take every volume.
Kubernetes counterpart: kube-scheduler 1.36 VolumeZone. A beta label of a volume also matches the node's GA label.
Simplified here: nothing. As in 1.36.3, ephemeral volumes are not looked at.
Reads: pod claims, PersistentVolume labels, StorageClass binding mode, node labels. Writes: nothing.
Wakes on: StorageClass that waits for the first consumer added; node added or relabelled; PersistentVolume added or its
zone labels changed; a claim of the Pod added or changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simulator.engine.cluster.rows import Bools, Rows
from simulator.engine.framework.events import NODE, Action, ClusterEvent
from simulator.engine.framework.facts import Fact
from simulator.engine.framework.plugin import (
    CycleState,
    EventInterest,
    FilterPlugin,
    Hint,
    PreFilterPlugin,
    PreFilterResult,
)
from simulator.engine.framework.status import SKIP, SUCCESS, Code, Reason, Status, Verdicts, unresolvable
from simulator.engine.objects.node import BETA_REGION, BETA_ZONE, REGION, ZONE
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.selectors import Requirement
from simulator.engine.plugins.csi_migration import ZONE_SEPARATOR
from simulator.engine.plugins.volumes import (
    CLAIM,
    STORAGE_CLASS,
    VOLUME,
    WAIT_FOR_FIRST_CONSUMER,
    Manifest,
    labels_of,
    named_claims,
    names_claim,
    spec_of,
    storage_class_of,
)

_CONFLICT = Reason("volume_zone.conflict")
_GA_OF = {BETA_ZONE: ZONE, BETA_REGION: REGION}
_TOPOLOGY_LABELS = (BETA_ZONE, BETA_REGION, ZONE, REGION)


class Place(NamedTuple):
    """A node label and the values of it that a volume can be used under."""

    key: str
    values: tuple[str, ...]


class VolumeZone(PreFilterPlugin, FilterPlugin):
    name = "VolumeZone"

    def pre_filter(self, state: CycleState, pod: Pod) -> PreFilterResult:
        places, problem = self._places(pod)
        if not problem.is_success:
            return PreFilterResult(problem)
        if not places:
            return PreFilterResult(SKIP)
        state.data[self.name] = places
        return PreFilterResult()

    def _places(self, pod: Pod) -> tuple[list[Place], Status]:
        """Where the Pod's volumes are, and the first thing wrong with its claims."""
        found: list[Place] = []
        for name in named_claims(pod.shape):
            if not name:
                return [], unresolvable("volume_zone.claim_without_name")
            claim = self.handle.objects.get(CLAIM, pod.namespace, name)
            if claim is None:
                return [], _not_found("persistentvolumeclaim", name)
            volume_name = spec_of(claim).get("volumeName")
            if not volume_name:
                problem = self._may_be_unbound(claim)
                if problem.is_success:
                    continue
                return [], problem
            volume = self.handle.objects.get(VOLUME, "", volume_name)
            if volume is None:
                return [], _not_found("persistentvolume", volume_name)
            found.extend(places_of(volume))
        return found, SUCCESS

    def _may_be_unbound(self, claim: Manifest) -> Status:
        """Success where the claim's class leaves binding to the scheduler."""
        name = storage_class_of(claim)
        if not name:
            return unresolvable("volume_zone.claim_without_volume")
        storage_class = self.handle.objects.get(STORAGE_CLASS, "", name)
        if storage_class is None:
            return _not_found("storageclass.storage.k8s.io", name)
        mode = storage_class.get("volumeBindingMode")
        if mode is None:
            return unresolvable("volume_zone.no_binding_mode", storage_class=name)
        return SUCCESS if mode == WAIT_FOR_FIRST_CONSUMER else unresolvable("volume_zone.volume_without_name")

    def filter(self, state: CycleState, pod: Pod, rows: Rows) -> Verdicts:
        places: list[Place] | None = state.data.get(self.name)
        if places is None:
            places, problem = self._places(pod)
            if not problem.is_success:
                return Verdicts.where(np.ones(len(rows), dtype=np.bool_), problem.code, problem.reasons[0])
        labelled = np.zeros(len(rows), dtype=np.bool_)
        for key in _TOPOLOGY_LABELS:
            labelled |= rows.label_ids(key) >= 0
        matched = np.ones(len(rows), dtype=np.bool_)
        for place in places:
            matched &= _is_at(place, rows)
        return Verdicts.where(labelled & ~matched, Code.UNRESOLVABLE, _CONFLICT)

    def facts(self, state: CycleState, pod: Pod, row: Rows) -> Sequence[Fact]:
        labels = row.nodes[0].labels
        if not any(key in labels for key in _TOPOLOGY_LABELS):
            return (Fact.of("volume_zone.unlabelled", True),)
        places: list[Place] = state.data[self.name]
        return [
            Fact.of(
                "volume_zone.place",
                _is_at(place, row)[0],
                key=place.key,
                values=list(place.values),
                have=labels.get(place.key, labels.get(_GA_OF.get(place.key, ""))),
            )
            for place in places
        ]

    def events(self) -> Sequence[EventInterest]:
        changes = Action.ADD | Action.UPDATE
        return (
            EventInterest(ClusterEvent(STORAGE_CLASS, Action.ADD), self._class_added),
            EventInterest(ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL)),
            EventInterest(ClusterEvent(CLAIM, changes), self._claim_changed),
            EventInterest(ClusterEvent(VOLUME, changes), self._volume_changed),
        )

    @staticmethod
    def _class_added(_pod: Pod, _old: Manifest | None, new: Manifest) -> Hint:
        return Hint.QUEUE if new.get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER else Hint.SKIP

    @staticmethod
    def _claim_changed(pod: Pod, _old: Manifest | None, new: Manifest) -> Hint:
        return Hint.QUEUE if names_claim(pod, new) else Hint.SKIP

    @staticmethod
    def _volume_changed(_pod: Pod, old: Manifest | None, new: Manifest) -> Hint:
        return Hint.QUEUE if old is None or places_of(old) != places_of(new) else Hint.SKIP


def places_of(volume: Manifest) -> list[Place]:
    """The places in a PersistentVolume's labels. A list with an empty entry is ignored."""
    labels = labels_of(volume)
    found = []
    for key in _TOPOLOGY_LABELS:
        if key in labels:
            values = [value.strip() for value in labels[key].split(ZONE_SEPARATOR)]
            if all(values):
                found.append(Place(key, tuple(sorted(set(values)))))
    return found


def _is_at(place: Place, rows: Rows) -> Bools:
    """(k,) whether a row's label has one of the place's values; where it lacks a beta label, its GA label counts."""
    labels = rows.cluster.nodes.labels
    matched = labels.matches(Requirement(place.key, "In", place.values), rows.ids)
    other = _GA_OF.get(place.key)
    if other is None:
        return matched
    lacks = rows.label_ids(place.key) < 0
    return matched | (lacks & labels.matches(Requirement(other, "In", place.values), rows.ids))


def _not_found(kind: str, name: str) -> Status:
    return unresolvable("volume_zone.not_found", kind=kind, name=name)

"""Pods as typed values.

A `PodShape` is all that scheduling reads and that the replicas of one template share; it is interned, so that plugins
parse and evaluate it once, however many Pods have it. A `Pod` adds its name and its status.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from simulator.engine.objects.affinity import (
    NodeAffinity,
    PodAffinity,
    SpreadConstraint,
    parse_node_affinity,
    parse_pod_affinity,
    parse_spread,
)
from simulator.engine.objects.ports import HostPort, host_ports
from simulator.engine.objects.requests import PodRequests, pod_requests, resource_names
from simulator.engine.objects.selectors import LabelSelector
from simulator.engine.objects.taints import Toleration, parse_tolerations
from simulator.engine.objects.times import format_time, parse_time

DEFAULT_SCHEDULER = "default-scheduler"
TERMINAL_PHASES = frozenset({"Succeeded", "Failed"})
GRACE_SECONDS = "deletionGracePeriodSeconds"
"""In a deleted Pod's metadata (`rest`): the grace period it was deleted with, where that is not its own."""


class PodShape:
    """What the replicas of one Pod template share: namespace, labels, spec without node name, controller, resize
    status.

    Compared by identity: take shapes from one `ShapeInterner`.
    """

    def __init__(
        self,
        namespace: str,
        labels: Mapping[str, str],
        spec: Mapping[str, Any],
        controller: tuple[str, str] | None,
        resize: Mapping[str, Any],
    ) -> None:
        self.namespace = namespace
        self.labels = labels
        self.spec = spec
        self.controller = controller
        self.resize = resize
        self.priority: int = spec.get("priority") or 0
        self.scheduler_name: str = spec.get("schedulerName") or DEFAULT_SCHEDULER
        self.preemption_policy: str = spec.get("preemptionPolicy") or "PreemptLowerPriority"
        self.scheduling_gates = tuple(gate["name"] for gate in spec.get("schedulingGates") or ())
        self.pod_group: str | None = (spec.get("schedulingGroup") or {}).get("podGroupName")

    def parse(self) -> None:
        """Parse what every cycle reads, so that it is done when the Pod arrives and not when it is scheduled."""
        _ = self.requests, self.tolerations, self.node_selector, self.node_affinity, self.pod_affinity, self.spread
        _ = self.host_ports, self.volumes

    @cached_property
    def requests(self) -> PodRequests:
        return pod_requests(self.spec, self.resize)

    @cached_property
    def tolerations(self) -> tuple[Toleration, ...]:
        return parse_tolerations(self.spec.get("tolerations") or ())

    @cached_property
    def node_selector(self) -> LabelSelector | None:
        """`spec.nodeSelector`, None where absent or empty."""
        labels = self.spec.get("nodeSelector")
        return LabelSelector.of(labels) if labels else None

    @cached_property
    def node_affinity(self) -> NodeAffinity:
        return parse_node_affinity(self.spec.get("affinity"))

    @cached_property
    def pod_affinity(self) -> PodAffinity:
        return parse_pod_affinity(self.spec.get("affinity"), self.namespace)

    @cached_property
    def spread(self) -> tuple[SpreadConstraint, ...]:
        return parse_spread(self.spec.get("topologySpreadConstraints") or (), self.labels)

    @cached_property
    def host_ports(self) -> tuple[HostPort, ...]:
        return host_ports(self.spec)

    @cached_property
    def volumes(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(self.spec.get("volumes") or ())

    @cached_property
    def resources_named(self) -> frozenset[str]:
        """Every resource some container or init container requests or limits (extenders ask for these)."""
        containers = [*(self.spec.get("containers") or ()), *(self.spec.get("initContainers") or ())]
        return frozenset(resource_names(containers))


@dataclass(frozen=True, slots=True)
class Condition:
    type: str
    status: str
    reason: str = ""
    message: str = ""
    since: int | None = None

    def to_manifest(self) -> dict[str, Any]:
        manifest: dict[str, Any] = {"type": self.type, "status": self.status}
        if self.reason:
            manifest["reason"] = self.reason
        if self.message:
            manifest["message"] = self.message
        if self.since is not None:
            manifest["lastTransitionTime"] = format_time(self.since)
        return manifest


@dataclass(frozen=True, slots=True)
class Pod:
    """One Pod. Times are microseconds; `deletion_time` is set while it terminates, `rest` keeps metadata nobody
    schedules by, `reason` and `message` are those of its status as a whole (why the kubelet rejected it)."""

    name: str
    uid: str
    shape: PodShape
    node_name: str = ""
    phase: str = "Pending"
    nominated_node_name: str = ""
    creation_time: int = 0
    start_time: int | None = None
    deletion_time: int | None = None
    conditions: tuple[Condition, ...] = ()
    annotations: Mapping[str, str] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    message: str = ""

    @property
    def namespace(self) -> str:
        return self.shape.namespace

    @property
    def labels(self) -> Mapping[str, str]:
        return self.shape.labels

    @property
    def priority(self) -> int:
        return self.shape.priority

    @property
    def key(self) -> str:
        return f"{self.shape.namespace}/{self.name}"

    @property
    def terminating(self) -> bool:
        return self.deletion_time is not None

    @property
    def terminal(self) -> bool:
        return self.phase in TERMINAL_PHASES

    def condition(self, kind: str) -> Condition | None:
        return next((c for c in self.conditions if c.type == kind), None)

    def with_condition(self, condition: Condition) -> Pod:
        """This Pod with `condition` set; an unchanged status keeps its transition time."""
        old = self.condition(condition.type)
        if old is None:
            return replace(self, conditions=(*self.conditions, condition))
        if old.status == condition.status:
            condition = replace(condition, since=old.since)
        return replace(self, conditions=tuple(condition if c is old else c for c in self.conditions))

    def to_manifest(self) -> dict[str, Any]:
        """The Pod as `kubectl get -o yaml` shows it, without server bookkeeping."""
        shape = self.shape
        metadata: dict[str, Any] = {"name": self.name, "namespace": shape.namespace}
        if self.uid:
            metadata["uid"] = self.uid
        metadata["creationTimestamp"] = format_time(self.creation_time)
        if self.deletion_time is not None:
            metadata["deletionTimestamp"] = format_time(self.deletion_time)
        for name, value in (("labels", shape.labels), ("annotations", self.annotations)):
            if value:
                metadata[name] = dict(value)
        metadata |= self.rest
        spec = dict(shape.spec)
        if self.node_name:
            spec["nodeName"] = self.node_name
        return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": self._status()}

    def _status(self) -> dict[str, Any]:
        texts = {"phase": self.phase, "reason": self.reason, "message": self.message}
        status: dict[str, Any] = {name: text for name, text in texts.items() if text}
        if self.start_time is not None:
            status["startTime"] = format_time(self.start_time)
        if self.nominated_node_name:
            status["nominatedNodeName"] = self.nominated_node_name
        resize = {name: value for name, value in self.shape.resize.items() if name != "conditions"}
        conditions = [c.to_manifest() for c in self.conditions]
        if conditions:
            status["conditions"] = conditions
        return status | resize


_META = ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "labels", "annotations")
_RESIZE = ("containerStatuses", "initContainerStatuses", "resources", "allocatedResources")


class ShapeInterner:
    """Gives equal Pod templates one `PodShape`, and makes Pods from manifests."""

    def __init__(self) -> None:
        self._shapes: dict[str, PodShape] = {}

    def shape(self, manifest: Mapping[str, Any]) -> PodShape:
        metadata = manifest.get("metadata") or {}
        spec = {name: value for name, value in (manifest.get("spec") or {}).items() if name != "nodeName"}
        parts = (
            metadata.get("namespace") or "default",
            metadata.get("labels") or {},
            spec,
            _controller(metadata),
            _resize(manifest.get("status") or {}),
        )
        key = json.dumps(parts, sort_keys=True)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = PodShape(*parts)
        return shape

    def pod(self, manifest: Mapping[str, Any]) -> Pod:
        """A Pod from an admitted manifest. Raises ValueError for times that are none."""
        metadata, status = manifest.get("metadata") or {}, manifest.get("status") or {}
        return Pod(
            name=metadata.get("name", ""),
            uid=metadata.get("uid") or "",
            shape=self.shape(manifest),
            node_name=(manifest.get("spec") or {}).get("nodeName") or "",
            phase=status.get("phase") or "Pending",
            nominated_node_name=status.get("nominatedNodeName") or "",
            creation_time=_time(metadata.get("creationTimestamp")) or 0,
            start_time=_time(status.get("startTime")),
            deletion_time=_time(metadata.get("deletionTimestamp")),
            conditions=tuple(_condition(c) for c in status.get("conditions") or ()),
            annotations=metadata.get("annotations") or {},
            rest={name: value for name, value in metadata.items() if name not in _META},
            reason=status.get("reason") or "",
            message=status.get("message") or "",
        )


def _controller(metadata: Mapping[str, Any]) -> tuple[str, str] | None:
    for owner in metadata.get("ownerReferences") or ():
        if owner.get("controller"):
            return (owner.get("kind", ""), owner.get("name", ""))
    return None


def _resize(status: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a Pod's status that changes what it counts on its node."""
    found = {name: status[name] for name in _RESIZE if status.get(name) is not None}
    if found:
        found["conditions"] = [c for c in status.get("conditions") or () if c.get("type") == "PodResizePending"]
    return found


def _time(text: str | None) -> int | None:
    return None if text is None else parse_time(text)


def _condition(item: Mapping[str, Any]) -> Condition:
    return Condition(
        item.get("type", ""),
        item.get("status", ""),
        item.get("reason") or "",
        item.get("message") or "",
        _time(item.get("lastTransitionTime")),
    )

"""The oracle's cluster: nodes with lists of Pods, copied wherever something is tried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.engine.oracle.objects import CPU, DISK, MEMORY, counted, host_ports, quantity, requests, whole

Manifest = Mapping[str, Any]


class OraclePod:
    """A Pod and what is read off it again and again."""

    def __init__(self, manifest: Manifest, start: str | None = None) -> None:
        metadata, spec, status = manifest["metadata"], manifest["spec"], manifest.get("status") or {}
        self.manifest = manifest
        self.name: str = metadata["name"]
        self.namespace: str = metadata.get("namespace") or "default"
        self.key = f"{self.namespace}/{self.name}"
        self.labels: Mapping[str, str] = metadata.get("labels") or {}
        self.terminating = metadata.get("deletionTimestamp") is not None
        self.priority: int = spec.get("priority") or 0
        self.node: str = spec.get("nodeName") or ""
        self.nominated: str = status.get("nominatedNodeName") or ""
        self.start: str = start or status.get("startTime") or "9999"
        self.scheduler: str = spec.get("schedulerName") or "default-scheduler"
        self.gates = [gate["name"] for gate in spec.get("schedulingGates") or ()]
        self.incoming = requests(manifest, use_status=False, pod_level=True, defaults=False)
        self.on_node = requests(manifest, use_status=True, pod_level=True, defaults=False)
        self.nonzero = requests(manifest, use_status=True, pod_level=True, defaults=True, node_rule=True)
        self.scoring = requests(manifest, use_status=False, pod_level=False, defaults=True)
        self.ports = host_ports(manifest)

    def affinity_terms(self, kind: str, when: str) -> list[Manifest]:
        part = (self.manifest["spec"].get("affinity") or {}).get(kind) or {}
        return list(part.get(f"{when}DuringSchedulingIgnoredDuringExecution") or ())


@dataclass
class OracleNode:
    """`ports` is a set, as the real scheduler keeps it: one of two equal users frees the port by leaving."""

    manifest: Manifest
    pods: list[OraclePod] = field(default_factory=list)
    ports: set[tuple[str, str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.name: str = self.manifest["metadata"]["name"]
        self.labels: Mapping[str, str] = self.manifest["metadata"].get("labels") or {}
        allocatable = (self.manifest.get("status") or {}).get("allocatable") or {}
        self.allocatable = {n: whole(n, quantity(q)) for n, q in allocatable.items() if counted(n) or n == "pods"}

    def copy(self) -> OracleNode:
        return OracleNode(self.manifest, list(self.pods), set(self.ports))

    def add(self, pod: OraclePod) -> None:
        self.pods.append(pod)
        self.ports |= pod.ports

    def remove(self, pod: OraclePod) -> None:
        """The last Pod takes the place of the one that goes, as in the real scheduler's node info."""
        index, last = self.pods.index(pod), self.pods.pop()
        if last is not pod:
            self.pods[index] = last
        self.ports -= pod.ports

    def used(self, resource: str) -> int:
        return sum(pod.on_node.get(resource, 0) for pod in self.pods)

    def used_nonzero(self, resource: str) -> int:
        if resource in (CPU, MEMORY):
            return sum(pod.nonzero.get(resource, 0) for pod in self.pods)
        return self.used(resource)


@dataclass
class OracleCluster:
    """Nodes in order; the objects of other kinds; Pods nominated to nodes, in order of nomination."""

    nodes: list[OracleNode]
    objects: list[Manifest]
    nominated: dict[str, OraclePod] = field(default_factory=dict)

    def of_kind(self, kind: str, namespace: str | None = None) -> list[Manifest]:
        return [
            item
            for item in self.objects
            if item["kind"] == kind
            and (namespace is None or (item["metadata"].get("namespace") or "default") == namespace)
        ]

    def namespace_labels(self, name: str) -> Mapping[str, str]:
        for item in self.of_kind("Namespace"):
            if item["metadata"]["name"] == name:
                return item["metadata"].get("labels") or {}
        return {"kubernetes.io/metadata.name": name}

    def node(self, name: str) -> OracleNode | None:
        return next((node for node in self.nodes if node.name == name), None)


NATIVE = (CPU, MEMORY, DISK)

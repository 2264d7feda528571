"""Pod groups and their members, as the scheduler's cache knows them.

Source: kube-scheduler 1.36 `backend/cache/podgroupstate.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.objects.pod import Pod

Manifest = Mapping[str, Any]


@dataclass(slots=True)
class PodGroupState:
    """Members by key: waiting for a node, assumed on one, or assigned by the API."""

    unscheduled: dict[str, Pod] = field(default_factory=dict)
    assumed: dict[str, Pod] = field(default_factory=dict)
    assigned: dict[str, Pod] = field(default_factory=dict)

    @property
    def known(self) -> int:
        return len(self.unscheduled) + len(self.assumed) + len(self.assigned)

    @property
    def scheduled(self) -> int:
        return len(self.assumed) + len(self.assigned)

    def drop(self, key: str) -> None:
        for pods in (self.unscheduled, self.assumed, self.assigned):
            pods.pop(key, None)


class PodGroupStates:
    """Group key (namespace/name) -> PodGroup object and members. Either may be there before the other."""

    def __init__(self) -> None:
        self._objects: dict[str, Manifest] = {}
        self._states: dict[str, PodGroupState] = {}

    @staticmethod
    def key_of(pod: Pod) -> str | None:
        """The key of the Pod's group, None where it has none."""
        group = pod.shape.pod_group
        return f"{pod.namespace}/{group}" if group else None

    def put_group(self, manifest: Manifest) -> None:
        self._objects[_key(manifest)] = manifest

    def delete_group(self, manifest: Manifest) -> None:
        self._objects.pop(_key(manifest), None)

    def object(self, key: str) -> Manifest | None:
        return self._objects.get(key)

    def object_of(self, pod: Pod) -> Manifest | None:
        """The PodGroup of a Pod, None where it has none or the object does not exist."""
        key = self.key_of(pod)
        return None if key is None else self._objects.get(key)

    def state(self, key: str) -> PodGroupState:
        return self._states.setdefault(key, PodGroupState())

    def put_pod(self, pod: Pod) -> None:
        """A member appeared or changed. An assumed Pod stays assumed until the API has its node."""
        key = self.key_of(pod)
        if key is None:
            return
        state = self.state(key)
        if not pod.node_name and pod.key in state.assumed:
            return
        state.drop(pod.key)
        (state.assigned if pod.node_name else state.unscheduled)[pod.key] = pod

    def delete_pod(self, pod: Pod) -> None:
        key = self.key_of(pod)
        if key is not None:
            self.state(key).drop(pod.key)

    def assume(self, pod: Pod) -> None:
        key = self.key_of(pod)
        if key is not None:
            state = self.state(key)
            state.drop(pod.key)
            state.assumed[pod.key] = pod

    def forget(self, pod: Pod) -> None:
        key = self.key_of(pod)
        if key is not None and self.state(key).assumed.pop(pod.key, None) is not None:
            self.state(key).unscheduled[pod.key] = pod


def _key(manifest: Manifest) -> str:
    metadata = manifest["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata['name']}"


def min_count(group: Manifest) -> int | None:
    """How many members a gang needs, None for the basic policy."""
    gang = ((group.get("spec") or {}).get("schedulingPolicy") or {}).get("gang")
    return None if gang is None else int(gang.get("minCount") or 1)


def topology_key(group: Manifest) -> str | None:
    """The label whose domains the group must stay within, None where it has no such constraint."""
    topology = ((group.get("spec") or {}).get("schedulingConstraints") or {}).get("topology") or ()
    return str(topology[0]["key"]) if topology else None


def group_priority(group: Manifest) -> int:
    return int((group.get("spec") or {}).get("priority") or 0)


def disrupted_together(group: Manifest) -> bool:
    """Whether the group's Pods are only evicted all at once."""
    return bool((group.get("spec") or {}).get("disruptionMode") == "PodGroup")

"""The API server's side: all objects, a virtual clock, the Events written, and everybody who watches.

Pods and Nodes are typed values, other kinds plain mappings; nobody changes an object, a new version takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.objects.node import Node
from simulator.engine.objects.patch import json_merge_patch
from simulator.engine.objects.pod import Pod, ShapeInterner
from simulator.engine.objects.times import floor_second, format_time
from simulator.engine.world.bus import ADDED, DELETED, MODIFIED, Change, Watcher
from simulator.engine.world.decisions import (
    Announce,
    Bind,
    Create,
    Decision,
    Delete,
    DeletePod,
    Patch,
    PatchPodStatus,
)

Manifest = Mapping[str, Any]
CLUSTER_SCOPED = frozenset(
    {"Node", "Namespace", "PersistentVolume", "PriorityClass", "StorageClass", "CSINode", "CSIDriver", "DeviceClass",
     "VolumeAttachment", "RuntimeClass", "ResourceSlice"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Event:
    """An Event object as `kubectl get events` lists it. `time` is when it was last seen."""

    time: int
    type: str
    reason: str
    kind: str
    key: str
    message: str
    source: str
    action: str = ""
    count: int = 1


@dataclass(frozen=True, slots=True)
class WorldRules:
    """What happens around the scheduler. start: bound Pods run at once. graceful: deleted Pods get their grace period."""

    graceful: bool = True


class World:
    """Objects by kind and (namespace, name), in order of creation; `now` is microseconds since 1970."""

    def __init__(self, now: int, rules: WorldRules) -> None:
        self.now = now
        self.rules = rules
        self.interner = ShapeInterner()
        self.events: list[Event] = []
        self._objects: dict[str, dict[tuple[str, str], Any]] = {}
        self._watchers: list[Watcher] = []

    def watch(self, watcher: Watcher) -> None:
        self._watchers.append(watcher)

    # reading

    def get(self, kind: str, namespace: str, name: str) -> Any:
        return self._objects.get(kind, {}).get((namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Any]:
        """Objects of a kind in order of creation, as a list that later changes do not touch."""
        found = self._objects.get(kind, {})
        return [item for (own, _), item in found.items() if namespace is None or own == namespace]

    def kinds(self) -> list[str]:
        return [kind for kind, objects in self._objects.items() if objects]

    def pod(self, key: str) -> Pod | None:
        namespace, _, name = key.partition("/")
        return self.get("Pod", namespace, name)  # type: ignore[no-any-return]

    # writing

    def create(self, manifest: Manifest) -> Any:
        """Store an admitted object. A Pod or Node becomes a typed value."""
        kind, metadata = manifest["kind"], manifest["metadata"]
        namespace = "" if kind in CLUSTER_SCOPED else metadata.get("namespace") or "default"
        uid = metadata.get("uid") or self._uid(kind, namespace, metadata["name"])
        completed = {**metadata, "uid": uid}
        completed.setdefault("creationTimestamp", format_time(self.now))
        if kind not in CLUSTER_SCOPED:
            completed["namespace"] = namespace
        item = self._typed({**manifest, "metadata": completed})
        self._put(kind, namespace, metadata["name"], item)
        return item

    @staticmethod
    def _uid(kind: str, namespace: str, name: str) -> str:
        return f"uid-{namespace}-{name}" if kind == "Pod" else f"uid-{kind.lower()}-{namespace}-{name}"

    def _typed(self, manifest: Manifest) -> Any:
        if manifest["kind"] == "Pod":
            return self.interner.pod(manifest)
        return Node(manifest) if manifest["kind"] == "Node" else manifest

    def _put(self, kind: str, namespace: str, name: str, item: Any) -> None:
        objects = self._objects.setdefault(kind, {})
        old = objects.get((namespace, name))
        objects[(namespace, name)] = item
        self._tell(Change(ADDED if old is None else MODIFIED, kind, old, item))

    def remove(self, kind: str, namespace: str, name: str) -> Any:
        """Take an object out of the store at once. Returns it, None where there is none."""
        old = self._objects.get(kind, {}).pop((namespace, name), None)
        if old is not None:
            self._tell(Change(DELETED, kind, old, None))
        return old

    def _tell(self, change: Change) -> None:
        for watcher in self._watchers:
            watcher(change)

    def replace_pod(self, pod: Pod) -> None:
        self._put("Pod", pod.namespace, pod.name, pod)

    def patch(self, kind: str, namespace: str, name: str, patch: Mapping[str, Any]) -> Any:
        """JSON merge patch. None where the object does not exist."""
        old = self.get(kind, namespace, name)
        if old is None:
            return None
        manifest = manifest_of(old)
        item = self._typed(json_merge_patch(manifest, patch))
        self._put(kind, namespace, name, item)
        return item

    def announce(self, event: Event) -> None:
        """Write an Event; one that repeats the last about the same object is counted up."""
        for index in range(len(self.events) - 1, max(-1, len(self.events) - 50), -1):
            last = self.events[index]
            if (last.key, last.reason, last.message) == (event.key, event.reason, event.message):
                del self.events[index]
                event = replace(event, count=last.count + 1)
                break
        self.events.append(event)

    # decisions

    def carry_out(self, decision: Decision, source: str) -> None:
        """Do to the API what an actor decided. What it concerns may be gone by now: then nothing happens."""
        match decision:
            case Bind():
                self._bind(decision)
            case PatchPodStatus():
                self._patch_pod_status(decision)
            case DeletePod():
                self.delete_pod(decision.pod, decision.uid, decision)
            case Announce():
                event = Event(
                    self.now, decision.type, decision.reason, decision.kind, decision.key, decision.message, source,
                    decision.action,
                )  # fmt: skip
                self.announce(event)
            case Create():
                self.create(decision.manifest)
            case Patch():
                self.patch(decision.kind, decision.namespace, decision.name, decision.patch)
            case Delete():
                self.remove(decision.kind, decision.namespace, decision.name)

    def _bind(self, decision: Bind) -> None:
        pod = self.pod(decision.pod)
        if pod is not None and pod.uid == decision.uid and not pod.node_name:
            start = floor_second(self.now)
            conditions = tuple(c for c in pod.conditions if c.type != "PodScheduled")
            bound = replace(
                pod, node_name=decision.node, phase="Running", start_time=start, conditions=conditions,
                nominated_node_name="",
            )  # fmt: skip
            self.replace_pod(bound)

    def _patch_pod_status(self, decision: PatchPodStatus) -> None:
        pod = self.pod(decision.pod)
        if pod is None or pod.uid != decision.uid:
            return
        changed = pod if decision.condition is None else pod.with_condition(decision.condition)
        if decision.nominated is not None and decision.nominated != pod.nominated_node_name:
            changed = replace(changed, nominated_node_name=decision.nominated)
        if changed != pod:
            self.replace_pod(changed)

    def delete_pod(self, key: str, uid: str = "", decision: DeletePod | None = None) -> None:
        """Start the deletion of a Pod. Without grace (or without a node) it is gone at once."""
        pod = self.pod(key)
        if pod is None or (uid and pod.uid != uid):
            return
        if decision is not None and decision.condition is not None and self.rules.graceful:
            pod = pod.with_condition(decision.condition)
        if not self.rules.graceful or not pod.node_name:
            self.remove("Pod", pod.namespace, pod.name)
            return
        if not pod.terminating:
            self.replace_pod(replace(pod, deletion_time=self.now))


def manifest_of(item: Any) -> Manifest:
    """Any stored object as a plain mapping."""
    if isinstance(item, Pod):
        return item.to_manifest()
    if isinstance(item, Node):
        return item.manifest
    return item  # type: ignore[no-any-return]

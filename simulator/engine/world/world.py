"""The API server's side: all objects, a virtual clock, the Events written, and everybody who watches.

Pods and Nodes are typed values, other kinds plain mappings; nobody changes an object, a new version takes its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.objects.api import Admitted, ApiServer, Refusal
from simulator.engine.objects.node import Node
from simulator.engine.objects.patch import json_merge_patch
from simulator.engine.objects.pod import GRACE_SECONDS, Condition, Pod, ShapeInterner
from simulator.engine.objects.scheme import KINDS
from simulator.engine.objects.times import floor_second, format_time
from simulator.engine.world.bus import ADDED, DELETED, MODIFIED, Change, Watcher
from simulator.engine.world.decisions import (
    AnnotatePod,
    Announce,
    Bind,
    Create,
    Decision,
    Delete,
    DeletePod,
    FinishPod,
    Patch,
    PatchPodStatus,
    Put,
    RemovePod,
)

Manifest = Mapping[str, Any]
CLUSTER_WIDE = frozenset(kind.kind for kind in KINDS.values() if not kind.namespaced)
KEPT_EVENTS = 2000
_LOOK_BACK = 50


@dataclass(frozen=True, slots=True)
class Event:
    """An Event object as `kubectl get events` lists it. `time` is when it was last seen, `first` when first."""

    time: int
    type: str
    reason: str
    kind: str
    key: str
    message: str
    source: str
    action: str = ""
    count: int = 1
    first: int = 0


@dataclass(frozen=True, slots=True)
class WorldRules:
    """What happens around the scheduler. graceful: deleted Pods on nodes get their grace period instead of
    vanishing."""

    graceful: bool = True


class World:
    """Objects by kind and (namespace, name), in order of creation; `now` is microseconds since 1970.

    `server` admits what controllers create; without one everything is stored as it comes.
    """

    def __init__(self, now: int, rules: WorldRules, server: ApiServer | None = None) -> None:
        self.now = now
        self.rules = rules
        self.server = server
        self.interner = ShapeInterner()
        self.events: list[Event] = []
        self.created = 0
        self._objects: dict[str, dict[tuple[str, str], Any]] = {}
        self._watchers: list[Watcher] = []

    def copy(self) -> World:
        """A world with the same objects that nobody watches, to try something out in."""
        copied = World(self.now, self.rules, self.server)
        copied.created, copied.events = self.created, list(self.events)
        copied._objects = {kind: dict(objects) for kind, objects in self._objects.items()}
        return copied

    def watch(self, watcher: Watcher) -> None:
        self._watchers.append(watcher)

    # reading

    def get(self, kind: str, namespace: str, name: str) -> Any:
        return self._objects.get(kind, {}).get((namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> list[Any]:
        """Objects of a kind in order of creation, as a list that later changes do not touch."""
        found = self._objects.get(kind, {})
        return [item for (own, _), item in found.items() if namespace is None or own == namespace]

    def objects(self) -> Iterator[tuple[str, str, Any]]:
        """(kind, namespace, object) of everything, kind by kind."""
        for kind, objects in self._objects.items():
            for (namespace, _), item in objects.items():
                yield kind, namespace, item

    def pod(self, key: str) -> Pod | None:
        namespace, _, name = key.partition("/")
        found: Pod | None = self.get("Pod", namespace, name)
        return found

    # writing

    def create(self, manifest: Manifest) -> Any:
        """Store an admitted object with what the server adds. A Pod or Node becomes a typed value.

        Where there is a server, a Pod that comes with a node starts at once, as one that is bound does.
        """
        kind, metadata = manifest["kind"], dict(manifest["metadata"])
        namespace = "" if kind in CLUSTER_WIDE else metadata.get("namespace") or "default"
        self.created += 1
        if not metadata.get("uid"):
            metadata["uid"] = self._uid(kind, namespace, metadata["name"])
        if not metadata.get("creationTimestamp"):
            metadata["creationTimestamp"] = format_time(self.now)
        if namespace:
            metadata["namespace"] = namespace
        item = self._typed({**manifest, "metadata": metadata})
        if self.server is not None and kind == "Pod" and item.node_name and item.phase == "Pending":
            item = replace(item, phase="Running", start_time=floor_second(self.now))
        self._put(kind, namespace, metadata["name"], item)
        return item

    def _uid(self, kind: str, namespace: str, name: str) -> str:
        """A unique, repeatable uid. In recorded runs Pods have a fixed one."""
        if self.server is None:
            return f"uid-{namespace}-{name}" if kind == "Pod" else f"uid-{kind.lower()}-{namespace}-{name}"
        return f"{self.created:08x}-0000-4000-8000-{abs(self.now) % (1 << 48):012x}"

    def _typed(self, manifest: Manifest) -> Any:
        if manifest["kind"] == "Pod":
            return self.interner.pod(manifest)
        return Node(manifest) if manifest["kind"] == "Node" else manifest

    def admit(self, manifest: Manifest) -> Admitted | Refusal:
        """Whether and as what the API server would store a new object."""
        assert self.server is not None
        return self.server.admit(manifest, Registry(self), number=self.created)

    def admit_update(self, manifest: Manifest) -> Admitted | Refusal:
        assert self.server is not None
        return self.server.admit_update(manifest, Registry(self))

    def put(self, manifest: Manifest) -> Any:
        """Store a new version of an object, or the object itself, exactly as given."""
        kind, metadata = manifest["kind"], manifest["metadata"]
        namespace = "" if kind in CLUSTER_WIDE else metadata.get("namespace") or "default"
        item = self._typed(manifest)
        self._put(kind, namespace, metadata["name"], item)
        return item

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
        item = self._typed(json_merge_patch(manifest_of(old), patch))
        if kind == "Pod":
            item = replace(item, **_exact_times(old))
        self._put(kind, namespace, name, item)
        return item

    def announce(self, event: Event) -> None:
        """Write an Event; one that repeats a recent one about the same object is counted up."""
        for index in range(len(self.events) - 1, max(-1, len(self.events) - _LOOK_BACK), -1):
            last = self.events[index]
            if (last.key, last.reason, last.message) == (event.key, event.reason, event.message):
                del self.events[index]
                event = replace(event, count=last.count + 1, first=last.first)
                break
        self.events.append(event)
        if len(self.events) > 2 * KEPT_EVENTS:
            del self.events[:KEPT_EVENTS]

    # decisions

    def carry_out(self, decision: Decision, source: str) -> None:
        """Do to the API what an actor decided. What it concerns may be gone by now: then nothing happens."""
        match decision:
            case Bind():
                self._bind(decision)
            case PatchPodStatus():
                self._patch_pod_status(decision)
            case DeletePod():
                self.delete_pod(decision.pod, decision.uid, decision.condition)
            case FinishPod() | RemovePod():
                self._end(decision)
            case AnnotatePod():
                self._annotate(decision)
            case Announce():
                about = (decision.type, decision.reason, decision.kind, decision.key, decision.message)
                self.announce(Event(self.now, *about, source, decision.action, first=self.now))
            case Create():
                self._create_for(decision.manifest, source)
            case Put():
                self.put(decision.manifest)
            case Patch():
                self.patch(decision.kind, decision.namespace, decision.name, decision.patch)
            case Delete():
                self.remove(decision.kind, decision.namespace, decision.name)

    def _create_for(self, manifest: Manifest, source: str) -> None:
        """Create what a controller made; a refusal becomes an Event about the owner."""
        if self.server is None:
            self.create(manifest)
            return
        answer = self.admit(manifest)
        if isinstance(answer, Admitted):
            self.create(answer.manifest)
            return
        owners = manifest["metadata"].get("ownerReferences")
        if not owners:
            raise ValueError(f"{source} made an object that is refused: {answer.message}")
        owner = owners[0]
        key = f"{manifest['metadata']['namespace']}/{owner['name']}"
        text = f"Error creating: {answer.message}"
        self.announce(Event(self.now, "Warning", "FailedCreate", owner["kind"], key, text, source, first=self.now))

    def _bind(self, decision: Bind) -> None:
        pod = self.pod(decision.pod)
        if pod is None or pod.uid != decision.uid or pod.node_name:
            return
        start = floor_second(self.now)
        bound = replace(pod, node_name=decision.node, phase="Running", start_time=start, nominated_node_name="")
        self.replace_pod(bound.with_condition(Condition("PodScheduled", "True", since=start)))

    def _patch_pod_status(self, decision: PatchPodStatus) -> None:
        pod = self.pod(decision.pod)
        if pod is None or pod.uid != decision.uid or pod.node_name:
            return
        changed = pod if decision.condition is None else pod.with_condition(decision.condition)
        if decision.nominated is not None:
            changed = replace(changed, nominated_node_name=decision.nominated)
        if changed != pod:
            self.replace_pod(changed)

    def delete_pod(
        self, key: str, uid: str = "", condition: Condition | None = None, *, grace: int | None = None
    ) -> None:
        """Start the deletion of a Pod. Without grace, or without a node, it is gone at once.

        `grace` in seconds instead of the Pod's own.
        """
        pod = self.pod(key)
        if pod is None or (uid and pod.uid != uid):
            return
        if not self.rules.graceful or not pod.node_name or pod.terminal or grace == 0:
            self.remove("Pod", pod.namespace, pod.name)
            return
        changed = pod if condition is None else pod.with_condition(condition)
        if grace is not None:
            changed = replace(changed, rest={**changed.rest, GRACE_SECONDS: grace})
        if not pod.terminating:
            changed = replace(changed, deletion_time=self.now)
        if changed != pod:
            self.replace_pod(changed)

    def _end(self, decision: FinishPod | RemovePod) -> None:
        pod = self.pod(decision.pod)
        if pod is None or pod.uid != decision.uid:
            return
        if isinstance(decision, RemovePod):
            self.remove("Pod", pod.namespace, pod.name)
        else:
            self.replace_pod(replace(pod, phase=decision.phase, reason=decision.reason, message=decision.message))

    def _annotate(self, decision: AnnotatePod) -> None:
        pod = self.pod(decision.pod)
        if pod is not None and pod.uid == decision.uid:
            annotations = {**pod.annotations, **dict(decision.annotations)}
            kept = {name: text for name, text in annotations.items() if text is not None}
            self.replace_pod(replace(pod, annotations=kept))


class Registry:
    """The world as the API server's admission looks at it: plain mappings."""

    def __init__(self, world: World) -> None:
        self._world = world

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        item = self._world.get(kind, namespace, name)
        return None if item is None else manifest_of(item)

    def all(self, kind: str) -> Iterable[Manifest]:
        return [manifest_of(item) for item in self._world.list(kind)]


def _exact_times(pod: Pod) -> dict[str, int | None]:
    """Times that manifests cut to whole seconds."""
    return {"creation_time": pod.creation_time, "start_time": pod.start_time, "deletion_time": pod.deletion_time}


def manifest_of(item: Any) -> Manifest:
    """Any stored object as a plain mapping."""
    if isinstance(item, Pod):
        return item.to_manifest()
    if isinstance(item, Node):
        return item.manifest
    manifest: Manifest = item
    return manifest

"""What the controllers of Pods share: which Pods an object owns, when there is work, and Pods made from a template."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.objects.pod import Pod
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Create, Decision, DeletePod

Manifest = Mapping[str, Any]

BURST: Final = 500
"""Pods that one turn of a controller makes at most. Source: `BurstReplicas` of the ReplicaSet controller,
`MaxPodCreateDeletePerSync` of the Job controller."""


class OwnedPods:
    """The Pods of every owner of one kind, by owner key (namespace/name), in order of creation."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._pods: dict[str, dict[str, Pod]] = {}

    def observe(self, change: Change) -> str | None:
        """Follow a Pod's change. Returns the key of the owner concerned, None where there is none of this kind."""
        if change.kind != "Pod":
            return None
        controller = change.object.shape.controller
        if controller is None or controller[0] != self._kind:
            return None
        key = f"{change.object.namespace}/{controller[1]}"
        pods = self._pods.setdefault(key, {})
        if change.new is None:
            pods.pop(change.old.key, None)
        else:
            pods[change.new.key] = change.new
        return key

    def of(self, key: str) -> list[Pod]:
        return list(self._pods.get(key, {}).values())


class PodController(Actor):
    """A controller that keeps the Pods of every object of one kind as the object wants them.

    `work(key)` says what is to be done for one object; it is asked again whenever the object or one of its Pods
    changed. created: the number in the name of the last Pod made, by object.
    """

    kind: ClassVar[str]
    code: ClassVar[str]

    def __init__(self) -> None:
        self.objects: dict[str, Manifest] = {}
        self.pods = OwnedPods(self.kind)
        self.created: dict[str, int] = {}
        self._dirty: dict[str, None] = {}
        self._taken: set[str] = set()

    @abstractmethod
    def work(self, key: str) -> list[Decision]: ...

    def observe(self, change: Change, now: int) -> None:
        if change.kind == self.kind:
            key = object_key(change.object)
            if change.new is None:
                self.objects.pop(key, None)
            else:
                self.objects[key] = change.new
            self._dirty[key] = None
            return
        if change.kind == "Pod":
            (self._taken.discard if change.new is None else self._taken.add)(change.object.key)
        owner = self.pods.observe(change)
        if owner is not None:
            self._dirty[owner] = None

    def next_wakeup(self, now: int) -> Wakeup | None:
        for key in list(self._dirty):
            if self.work(key):
                return Wakeup(now)
            del self._dirty[key]
        return None

    def act(self, now: int) -> Turn | None:
        for key in list(self._dirty):
            del self._dirty[key]
            decisions = self.work(key)
            if decisions:
                made = [decision for decision in decisions if isinstance(decision, Create)]
                gone = sum(isinstance(decision, DeletePod) for decision in decisions)
                if made:
                    self.created[key] = int(made[-1].manifest["metadata"]["name"].rpartition("-")[2])
                return Turn(Note(self.code, key, (("created", len(made)), ("deleted", gone))), decisions)
        return None

    def active(self, key: str) -> list[Pod]:
        """The object's Pods that are neither finished nor on their way out."""
        return [pod for pod in self.pods.of(key) if not pod.terminating and not pod.terminal]

    def next_names(self, key: str, count: int) -> list[str]:
        """Names for new Pods, at most BURST: the object's name and a number that counts up past those taken."""
        names = (f"{key}-{number}" for number in itertools.count(self.created.get(key, 0) + 1))
        free = itertools.islice((name for name in names if name not in self._taken), min(count, BURST))
        return [name.partition("/")[2] for name in free]

    def save(self) -> Any:
        return {"created": dict(self.created), "dirty": list(self._dirty)}

    def load(self, saved: Any) -> None:
        self.created = dict(saved["created"])
        self._dirty = dict.fromkeys(saved["dirty"])


def object_key(manifest: Manifest) -> str:
    metadata = manifest["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata['name']}"


def pod_from_template(owner: Manifest, kind: str, api_version: str, name: str) -> dict[str, Any]:
    """A Pod manifest as the controller of `owner` creates it."""
    template = owner["spec"]["template"]
    metadata = {k: v for k, v in (template.get("metadata") or {}).items() if k in ("labels", "annotations")}
    reference = {
        "apiVersion": api_version,
        "kind": kind,
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"].get("uid") or "",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    metadata |= {
        "name": name,
        "namespace": owner["metadata"].get("namespace") or "default",
        "ownerReferences": [reference],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": dict(template.get("spec") or {})}

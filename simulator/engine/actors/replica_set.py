"""The ReplicaSet controller: as many Pods as the spec says, new ones for those that are gone.

Simplified here: names count up (`web-1`, `web-2`, ...) instead of ending in random letters; surplus Pods without a
node go first, then the youngest.
"""

from __future__ import annotations

from typing import Any, ClassVar

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.actors.owners import Manifest, OwnedPods, object_key, pod_from_template
from simulator.engine.objects.pod import Pod
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Create, Decision, DeletePod, Patch

KIND, API_VERSION = "ReplicaSet", "apps/v1"


class ReplicaSetController(Actor):
    name: ClassVar[str] = "replicaset-controller"
    rank: ClassVar[int] = 30

    def __init__(self) -> None:
        self._sets: dict[str, Manifest] = {}
        self._pods = OwnedPods(KIND)
        self._dirty: dict[str, None] = {}
        self._created: dict[str, int] = {}

    def observe(self, change: Change, now: int) -> None:
        if change.kind == KIND:
            key = object_key(change.object)
            if change.new is None:
                self._sets.pop(key, None)
            else:
                self._sets[key] = change.new
            self._dirty[key] = None
            return
        owner = self._pods.observe(change)
        if owner is not None:
            self._dirty[owner] = None

    def next_wakeup(self, now: int) -> Wakeup | None:
        for key in list(self._dirty):
            if self._work(key):
                return Wakeup(now)
            del self._dirty[key]
        return None

    def act(self, now: int) -> Turn | None:
        for key in list(self._dirty):
            del self._dirty[key]
            decisions = self._work(key)
            if decisions:
                made = sum(isinstance(decision, Create) for decision in decisions)
                self._created[key] = self._created.get(key, 0) + made
                gone = sum(isinstance(decision, DeletePod) for decision in decisions)
                return Turn(Note("replica_set.synced", key, (("created", made), ("deleted", gone))), decisions)
        return None

    def _work(self, key: str) -> list[Decision]:
        """What is to be done for one ReplicaSet."""
        active = [pod for pod in self._pods.of(key) if not pod.terminating and not pod.terminal]
        manifest = self._sets.get(key)
        if manifest is None:
            return [DeletePod(pod.key, pod.uid) for pod in active]
        wanted = manifest["spec"].get("replicas")
        wanted = 1 if wanted is None else int(wanted)
        if len(active) > wanted:
            return [DeletePod(pod.key, pod.uid) for pod in _surplus(active, len(active) - wanted)]
        if len(active) < wanted:
            first = self._created.get(key, 0) + 1
            return [Create(self._pod(manifest, first + index)) for index in range(wanted - len(active))]
        return self._status(manifest, len(active))

    @staticmethod
    def _status(manifest: Manifest, replicas: int) -> list[Decision]:
        if (manifest.get("status") or {}).get("replicas") == replicas:
            return []
        metadata = manifest["metadata"]
        patch = {"status": {"replicas": replicas}}
        return [Patch(KIND, metadata.get("namespace") or "default", metadata["name"], patch)]

    @staticmethod
    def _pod(manifest: Manifest, number: int) -> dict[str, Any]:
        return pod_from_template(manifest, KIND, API_VERSION, f"{manifest['metadata']['name']}-{number}")

    def save(self) -> Any:
        return {"created": dict(self._created), "dirty": list(self._dirty)}

    def load(self, saved: Any) -> None:
        self._created = dict(saved["created"])
        self._dirty = dict.fromkeys(saved["dirty"])


def _surplus(pods: list[Pod], count: int) -> list[Pod]:
    """The Pods to go: those without a node before those with one, younger before older."""
    order = sorted(range(len(pods)), key=lambda index: (bool(pods[index].node_name), -index))
    return [pods[index] for index in order[:count]]

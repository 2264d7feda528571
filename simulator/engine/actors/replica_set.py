"""The ReplicaSet controller: as many Pods as the spec says, new ones for those that are gone.

Simplified here: names count up (`web-1`, `web-2`, ...) instead of ending in random letters; surplus Pods without a node
go first, then the youngest.
"""

from __future__ import annotations

from typing import ClassVar

from simulator.engine.actors.owners import Manifest, PodController, pod_from_template
from simulator.engine.objects.pod import Pod
from simulator.engine.world.decisions import Create, Decision, DeletePod, Patch

KIND, API_VERSION = "ReplicaSet", "apps/v1"


class ReplicaSetController(PodController):
    name: ClassVar[str] = "replicaset-controller"
    rank: ClassVar[int] = 30
    kind: ClassVar[str] = KIND
    code: ClassVar[str] = "replica_set.synced"

    def work(self, key: str) -> list[Decision]:
        active, manifest = self.active(key), self.objects.get(key)
        if manifest is None:
            return [DeletePod(pod.key, pod.uid) for pod in active]
        wanted = manifest["spec"].get("replicas")
        wanted = 1 if wanted is None else int(wanted)
        if len(active) > wanted:
            return [DeletePod(pod.key, pod.uid) for pod in _surplus(active, len(active) - wanted)]
        names = self.next_names(key, wanted - len(active))
        if names:
            return [Create(pod_from_template(manifest, KIND, API_VERSION, name)) for name in names]
        return _status(manifest, len(active))


def _status(manifest: Manifest, replicas: int) -> list[Decision]:
    if (manifest.get("status") or {}).get("replicas") == replicas:
        return []
    metadata = manifest["metadata"]
    patch = {"status": {"replicas": replicas}}
    return [Patch(KIND, metadata.get("namespace") or "default", metadata["name"], patch)]


def _surplus(pods: list[Pod], count: int) -> list[Pod]:
    """The Pods to go: those without a node before those with one, younger before older."""
    order = sorted(range(len(pods)), key=lambda index: (bool(pods[index].node_name), -index))
    return [pods[index] for index in order[:count]]

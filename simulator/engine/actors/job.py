"""The Job controller: Pods until enough of them have succeeded.

Simplified here: names count up; Indexed completion mode only adds the index annotation and label; a Pod that is gone
without having succeeded is replaced without backoff.
"""

from __future__ import annotations

from typing import Any, ClassVar

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.actors.owners import Manifest, OwnedPods, object_key, pod_from_template
from simulator.engine.objects.pod import Pod
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Create, Decision, DeletePod, Patch

KIND, API_VERSION = "Job", "batch/v1"
INDEX = "batch.kubernetes.io/job-completion-index"


class JobController(Actor):
    name: ClassVar[str] = "job-controller"
    rank: ClassVar[int] = 31

    def __init__(self) -> None:
        self._jobs: dict[str, Manifest] = {}
        self._pods = OwnedPods(KIND)
        self._dirty: dict[str, None] = {}
        self._created: dict[str, int] = {}

    def observe(self, change: Change, now: int) -> None:
        if change.kind == KIND:
            key = object_key(change.object)
            if change.new is None:
                self._jobs.pop(key, None)
            else:
                self._jobs[key] = change.new
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
                return Turn(Note("job.synced", key, (("created", made),)), decisions)
        return None

    def _work(self, key: str) -> list[Decision]:
        pods = self._pods.of(key)
        active = [pod for pod in pods if not pod.terminating and not pod.terminal]
        manifest = self._jobs.get(key)
        if manifest is None:
            return [DeletePod(pod.key, pod.uid) for pod in active]
        spec = manifest["spec"]
        succeeded = sum(pod.phase == "Succeeded" for pod in pods)
        wanted = int(spec.get("completions") or spec.get("parallelism") or 1) - succeeded
        wanted = 0 if spec.get("suspend") else min(wanted, _parallelism(spec))
        if len(active) > wanted and spec.get("suspend"):
            return [DeletePod(pod.key, pod.uid) for pod in active]
        if len(active) < wanted:
            return [Create(pod) for pod in self._new_pods(manifest, key, pods, wanted - len(active))]
        return _status(manifest, len(active), succeeded)

    def _new_pods(self, manifest: Manifest, key: str, pods: list[Pod], count: int) -> list[dict[str, Any]]:
        first = self._created.get(key, 0) + 1
        name = manifest["metadata"]["name"]
        made = [pod_from_template(manifest, KIND, API_VERSION, f"{name}-{first + index}") for index in range(count)]
        if manifest["spec"].get("completionMode") == "Indexed":
            for pod, index in zip(made, _free_indexes(pods), strict=False):
                pod["metadata"]["annotations"] = {**(pod["metadata"].get("annotations") or {}), INDEX: str(index)}
                pod["metadata"]["labels"] = {**(pod["metadata"].get("labels") or {}), INDEX: str(index)}
        return made

    def save(self) -> Any:
        return {"created": dict(self._created), "dirty": list(self._dirty)}

    def load(self, saved: Any) -> None:
        self._created = dict(saved["created"])
        self._dirty = dict.fromkeys(saved["dirty"])


def _parallelism(spec: Manifest) -> int:
    value = spec.get("parallelism")
    return 1 if value is None else int(value)


def _free_indexes(pods: list[Pod]) -> list[int]:
    taken = {pod.labels.get(INDEX) for pod in pods if not pod.terminating}
    return [index for index in range(len(pods) + 10_000) if str(index) not in taken]


def _status(manifest: Manifest, active: int, succeeded: int) -> list[Decision]:
    status = manifest.get("status") or {}
    if (status.get("active") or 0, status.get("succeeded") or 0) == (active, succeeded):
        return []
    metadata = manifest["metadata"]
    patch = {"status": {"active": active, "succeeded": succeeded}}
    return [Patch(KIND, metadata.get("namespace") or "default", metadata["name"], patch)]

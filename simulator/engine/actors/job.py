"""The Job controller: Pods until enough of them have succeeded.

Simplified here: names count up; Indexed completion mode only adds the index annotation and label; a Pod that is gone
without having succeeded is replaced without backoff.
"""

from __future__ import annotations

from itertools import count, islice
from typing import Any, ClassVar

from simulator.engine.actors.owners import Manifest, PodController, pod_from_template
from simulator.engine.objects.pod import Pod
from simulator.engine.world.decisions import Create, Decision, DeletePod, Patch

KIND, API_VERSION = "Job", "batch/v1"
INDEX = "batch.kubernetes.io/job-completion-index"


class JobController(PodController):
    name: ClassVar[str] = "job-controller"
    rank: ClassVar[int] = 31
    kind: ClassVar[str] = KIND
    code: ClassVar[str] = "job.synced"

    def work(self, key: str) -> list[Decision]:
        active, manifest = self.active(key), self.objects.get(key)
        if manifest is None:
            return [DeletePod(pod.key, pod.uid) for pod in active]
        spec, pods = manifest["spec"], self.pods.of(key)
        succeeded = sum(pod.phase == "Succeeded" for pod in pods)
        if spec.get("suspend") and active:
            return [DeletePod(pod.key, pod.uid) for pod in active]
        missing = _wanted(spec, succeeded) - len(active)
        if missing > 0:
            return [Create(pod) for pod in self._new_pods(manifest, key, pods, missing)]
        return _status(manifest, len(active), succeeded)

    def _new_pods(self, manifest: Manifest, key: str, pods: list[Pod], missing: int) -> list[dict[str, Any]]:
        names = self.next_names(key, missing)
        made = [pod_from_template(manifest, KIND, API_VERSION, name) for name in names]
        if manifest["spec"].get("completionMode") == "Indexed":
            for pod, index in zip(made, _free_indexes(pods, len(made)), strict=True):
                for part in ("annotations", "labels"):
                    pod["metadata"][part] = {**(pod["metadata"].get(part) or {}), INDEX: str(index)}
        return made


def _wanted(spec: Manifest, succeeded: int) -> int:
    """How many Pods should run now."""
    if spec.get("suspend"):
        return 0
    parallelism = spec.get("parallelism")
    parallelism = 1 if parallelism is None else int(parallelism)
    completions = spec.get("completions")
    left = (parallelism if completions is None else int(completions)) - succeeded
    return max(0, min(left, parallelism))


def _free_indexes(pods: list[Pod], wanted: int) -> list[int]:
    taken = {pod.labels.get(INDEX) for pod in pods if not pod.terminating}
    return list(islice((index for index in count() if str(index) not in taken), wanted))


def _status(manifest: Manifest, active: int, succeeded: int) -> list[Decision]:
    status = manifest.get("status") or {}
    if (status.get("active") or 0, status.get("succeeded") or 0) == (active, succeeded):
        return []
    metadata = manifest["metadata"]
    patch = {"status": {"active": active, "succeeded": succeeded}}
    return [Patch(KIND, metadata.get("namespace") or "default", metadata["name"], patch)]

"""Which Pods belong together as one job, and how many GPUs they want in all.

A team is a pod group (`spec.schedulingGroup`), else the Pods with the same value of a label, else the Pods of a Job.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from simulator.engine.cluster.pod_groups import min_count
from simulator.engine.cluster.pods import NOWHERE
from simulator.engine.framework.plugin import Handle
from simulator.engine.objects.pod import Pod, PodShape

TeamKey = tuple[str, str, str]
POD_GROUP, LABEL, JOB = "podGroup", "label", "job"
DEFAULT_LABEL: Final = "scheduling.x-k8s.io/pod-group"


class Teams:
    """Finds a Pod's team. `label` names teams of Pods without a pod group."""

    def __init__(self, handle: Handle, label: str = DEFAULT_LABEL) -> None:
        self._handle = handle
        self._label = label
        self._shapes: dict[TeamKey, list[int]] = {}
        self._seen = 0

    def key(self, shape: PodShape) -> TeamKey | None:
        """The team a Pod of this shape is in, None for a Pod on its own."""
        if shape.pod_group:
            return (POD_GROUP, shape.namespace, shape.pod_group)
        named = shape.labels.get(self._label)
        if named:
            return (LABEL, shape.namespace, named)
        if shape.controller is not None and shape.controller[0] == "Job":
            return (JOB, shape.namespace, shape.controller[1])
        return None

    def size(self, key: TeamKey) -> int:
        """How many Pods the team has or is to have."""
        kind, namespace, name = key
        if kind == POD_GROUP:
            return self._group_size(f"{namespace}/{name}")
        return self._job_size(namespace, name) if kind == JOB else self._label_size(key)

    def placed(self, key: TeamKey) -> list[tuple[Pod, str]]:
        """Members on nodes (assumed ones too) with the node's name, in the order of the Pod table."""
        cluster = self._handle.cluster
        table = cluster.pods
        for number in range(self._seen, len(table.shapes.shapes)):
            team = self.key(table.shapes.shapes[number])
            if team is not None:
                self._shapes.setdefault(team, []).append(number)
        self._seen = len(table.shapes.shapes)
        shapes = np.array(self._shapes.get(key, ()), dtype=np.int64)
        members = np.flatnonzero(np.isin(table.shape.data, shapes) & (table.node.data != NOWHERE))
        nodes = cluster.nodes.objects
        return [(table.pod(number), nodes[int(table.node.data[number])].name) for number in members.tolist()]

    def _group_size(self, key: str) -> int:
        group = self._handle.groups.object(key)
        needed = min_count(group) if group is not None else None
        return max(needed or 0, self._handle.groups.state(key).known)

    def _label_size(self, key: TeamKey) -> int:
        pods = self._handle.objects.list("Pod", key[1])
        return sum(isinstance(pod, Pod) and not pod.terminal and self.key(pod.shape) == key for pod in pods)

    def _job_size(self, namespace: str, name: str) -> int:
        job = self._handle.objects.get("Job", namespace, name)
        spec = (job or {}).get("spec") or {}
        parallelism, completions = spec.get("parallelism"), spec.get("completions")
        size = 1 if parallelism is None else int(parallelism)
        return size if completions is None else min(size, int(completions))

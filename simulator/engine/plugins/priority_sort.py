"""PrioritySort: more important Pods first, among equals the one that waits longest.

Decides: QueueSort: higher priority first, then the earlier queue timestamp.
Kubernetes counterpart: kube-scheduler 1.36 PrioritySort.
Simplified here: nothing.
Reads: pod priority, queue timestamp. Writes: nothing. Wakes on: nothing.
"""

from __future__ import annotations

from simulator.engine.framework.plugin import QueueSortPlugin
from simulator.engine.objects.pod import Pod


class PrioritySort(QueueSortPlugin):
    name = "PrioritySort"

    def sort_key(self, pod: Pod, timestamp: int) -> tuple[int, ...]:
        return (-pod.priority, timestamp)

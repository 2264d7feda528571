"""A Pod in the scheduling queue with its history of attempts.

Source: kube-scheduler 1.36 `framework.QueuedPodInfo`. Times are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simulator.engine.objects.pod import Pod


@dataclass(slots=True)
class QueuedPod:
    """timestamp: when it last came to the queue (not when it moves between queues). counts: attempts that ended in a
    rejection or error, for the backoff. rejectors, pending: plugins that rejected it at the last attempt, the second
    with status Pending. gate: the PreEnqueue plugin that holds it. woken_by: the event that last moved it, for the
    page. seen: how many changes of the cluster had been seen when it was last tried.
    """

    pod: Pod
    timestamp: int
    sequence: int
    attempts: int = 0
    unschedulable_count: int = 0
    error_count: int = 0
    backoff_until: int | None = None
    rejectors: set[str] = field(default_factory=set)
    pending: set[str] = field(default_factory=set)
    gate: str = ""
    first_attempt: int | None = None
    woken_by: str = ""
    seen: int = -1

    @property
    def key(self) -> str:
        return self.pod.key

    @property
    def gated(self) -> bool:
        return bool(self.gate)

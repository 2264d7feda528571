"""The kubelets of all nodes: Pods that end after their run seconds, and Pods whose grace period is over.

Bound Pods start at once. The annotation `gpuschedlab.io/run-seconds` on a Pod lets it succeed that long after its
start; without it a Pod runs on. A deleted Pod is gone when its grace period has passed.
"""

from __future__ import annotations

import heapq
from typing import ClassVar

from simulator.engine.actors.actor import Actor, Note, Turn, Wakeup
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.times import SECOND
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Decision, FinishPod, RemovePod

RUN_SECONDS = "gpuschedlab.io/run-seconds"
DEFAULT_GRACE = 30


def grace(pod: Pod) -> int:
    """Microseconds between a Pod's deletion and its end."""
    seconds = pod.shape.spec.get("terminationGracePeriodSeconds")
    return (DEFAULT_GRACE if seconds is None else int(seconds)) * SECOND


def run_time(pod: Pod) -> int | None:
    """Microseconds a Pod runs, None for ever."""
    text = pod.annotations.get(RUN_SECONDS, "")
    return int(text) * SECOND if text.isdecimal() and len(text) <= 9 else None


class Kubelet(Actor):
    name: ClassVar[str] = "kubelet"
    rank: ClassVar[int] = 20

    def __init__(self) -> None:
        self._ends: dict[str, tuple[int, Pod]] = {}
        self._due: list[tuple[int, str]] = []

    def observe(self, change: Change, now: int) -> None:
        if change.kind != "Pod":
            return
        pod: Pod | None = change.new
        end = None if pod is None else self._end(pod)
        if end is None:
            self._ends.pop(change.object.key, None)
        else:
            assert pod is not None
            self._ends[pod.key] = (end, pod)
            heapq.heappush(self._due, (end, pod.key))

    @staticmethod
    def _end(pod: Pod) -> int | None:
        if not pod.node_name:
            return None
        if pod.deletion_time is not None:
            return pod.deletion_time + grace(pod)
        duration = run_time(pod)
        if duration is None or pod.start_time is None or pod.terminal:
            return None
        return pod.start_time + duration

    def next_wakeup(self, now: int) -> Wakeup | None:
        first = self._first()
        return None if first is None else Wakeup(max(now, first[0]))

    def _first(self) -> tuple[int, str] | None:
        """The next end and its Pod; entries that are out of date are dropped."""
        while self._due:
            end, key = self._due[0]
            if key in self._ends and self._ends[key][0] == end:
                return end, key
            heapq.heappop(self._due)
        return None

    def act(self, now: int) -> Turn | None:
        first = self._first()
        if first is None or first[0] > now:
            return None
        heapq.heappop(self._due)
        pod = self._ends.pop(first[1])[1]
        decision: Decision = (
            RemovePod(pod.key, pod.uid) if pod.terminating else FinishPod(pod.key, pod.uid, "Succeeded")
        )
        code = "kubelet.terminated" if pod.terminating else "kubelet.succeeded"
        return Turn(Note(code, pod.key, (("node", pod.node_name),)), [decision])

"""How long a Pod that failed has to wait: 1 s, 2 s, 4 s ... up to 10 s.

Source: kube-scheduler 1.36 `backend/queue/backoff_queue.go`.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.objects.times import SECOND, floor_second
from simulator.engine.queue.info import QueuedPod


@dataclass(frozen=True, slots=True)
class Backoff:
    """Initial and longest backoff in microseconds.

    `aligned` (gate SchedulerPopFromBackoffQ): ends are cut to whole seconds, so that Pods of one second stay in
    priority order.
    """

    initial: int = SECOND
    longest: int = 10 * SECOND
    aligned: bool = True

    def duration(self, count: int) -> int:
        """The backoff after `count` failures."""
        if count == 0:
            return 0
        shift = count - 1
        if shift >= 63 or self.initial > self.longest >> shift:
            return self.longest
        return self.initial << shift

    def until(self, info: QueuedPod) -> int:
        """When the Pod's backoff ends; 0 where it has none."""
        if info.backoff_until is None:
            count = info.error_count or info.unschedulable_count
            info.backoff_until = self._align(info.timestamp + self.duration(count)) if count else 0
        return info.backoff_until

    def _align(self, time: int) -> int:
        return floor_second(time) if self.aligned else time

    def is_backing_off(self, info: QueuedPod, now: int) -> bool:
        return self.until(info) >= self._align(now)

"""placeholder until the pod-group cycle stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.engine.actors.actor import Turn
from simulator.engine.queue.info import QueuedPod

if TYPE_CHECKING:
    from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler


def schedule_group(scheduler: KubeScheduler, info: QueuedPod, now: int) -> Turn:
    raise NotImplementedError

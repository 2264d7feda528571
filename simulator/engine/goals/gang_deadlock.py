"""gangDeadlock: some members of a gang hold their nodes while the rest find no room, so that nobody can start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.fields import EVERY_POD, Field, Number, Pods, PodSelector, Problems, Text
from simulator.engine.goals.gangs import gang_of, validate_gang
from simulator.engine.goals.goal import Goal, Progress, counted
from simulator.engine.goals.run import Run


@dataclass(frozen=True)
class GangDeadlock(Goal):
    kind: ClassVar[str] = "gangDeadlock"
    fields: ClassVar[Mapping[str, Field]] = {
        "podGroup": Text(default=""),
        "pods": Pods(),
        "size": Number(default=0, least=1),
        "bound": Number(default=0, least=1),
    }
    pod_group: str = ""
    pods: PodSelector = EVERY_POD
    size: int = 0
    bound: int = 0

    def validate(self, path: Path, problems: Problems) -> None:
        validate_gang(self.pod_group, self.pods, path, problems)

    def check(self, run: Run) -> Progress:
        gang = gang_of(run, self.pod_group, self.pods, self.size)
        stuck = [key for key in gang.waiting if _lacks_room(run, key)]
        wanted = self.bound or len(gang.bound)
        halved = 0 < len(gang.bound) < gang.size and len(gang.bound) == wanted
        params = {"bound": len(gang.bound), "size": gang.size, "stuck": len(stuck), "waiting": len(gang.waiting)}
        deadlocked = halved and bool(stuck) and len(stuck) == len(gang.waiting)
        return counted(int(deadlocked), 1, "goal.deadlock", **params)


def _lacks_room(run: Run, key: str) -> bool:
    """Whether the Pod waits because no node has what it requests."""
    info = run.simulation.scheduler.queue.find(key)
    return info is not None and "NodeResourcesFit" in info.rejectors

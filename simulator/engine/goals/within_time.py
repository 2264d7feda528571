"""withinTime: the virtual clock has not gone beyond so many seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from simulator.engine.goals.fields import Field, Number
from simulator.engine.goals.goal import KEPT, LOST, Goal, Progress
from simulator.engine.goals.run import Run
from simulator.engine.objects.times import SECOND


@dataclass(frozen=True)
class WithinTime(Goal):
    kind: ClassVar[str] = "withinTime"
    fields: ClassVar[Mapping[str, Field]] = {"seconds": Number(required=True, least=1, most=10_000_000)}
    seconds: int

    def check(self, run: Run) -> Progress:
        elapsed = run.simulation.elapsed
        late = elapsed > self.seconds * SECOND
        return Progress(LOST if late else KEPT, int(not late), 1, "goal.elapsed", {"elapsed": elapsed})

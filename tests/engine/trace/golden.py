"""Recorded scenarios, run so that every attempt can be looked at before its Pod is bound.

GOLDEN_DIR names another folder of golden sets; GOLDEN_EVERY=1 takes every scenario instead of a sample.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from simulator.engine.conformance.timeline import Timeline
from simulator.engine.conformance.tries import Tries
from simulator.engine.framework.attempt import Attempt, attempt
from simulator.engine.framework.runtime import Framework

GOLDEN = Path(os.environ.get("GOLDEN_DIR") or Path(__file__).parents[2] / "golden") / "kube-scheduler"
EVERY = int(os.environ.get("GOLDEN_EVERY") or 6)
TRIES = ["C00", *(f"F{number:02d}" for number in range(1, 19) if number not in (11, 13, 14))]
TIMELINES = [f"F{number}" for number in range(19, 23)]

Look = Callable[[Framework, Attempt], None]


class WatchedTries(Tries):
    """`look` sees every attempt while the cluster is as it was for it."""

    look: Look

    def _try(self, framework: Framework, key: str) -> dict[str, Any]:
        self.in_flight = key
        self.look(framework, attempt(framework, self.pending[key], 0, detail=True))
        return super()._try(framework, key)


def scenarios(family: str) -> Iterator[Mapping[str, Any]]:
    with gzip.open(GOLDEN / f"golden-{family}.jsonl.gz", "rt") as lines:
        for number, line in enumerate(lines):
            if number % EVERY == 0:
                yield json.loads(line)["scenario"]


def look_at_tries(family: str, look: Look) -> None:
    for scenario in scenarios(family):
        run = WatchedTries(scenario)
        run.look = look
        run.run()


def look_at_timelines(family: str, look: Look) -> None:
    for scenario in scenarios(family):
        run = Timeline(scenario)
        for framework in run.scheduler.frameworks.values():
            framework.handle.detail = True
        told = run.scheduler.observed_attempt

        def both(framework: Framework, tried: Attempt, told: Look | None = told) -> None:
            look(framework, tried)
            if told is not None:
                told(framework, tried)

        run.scheduler.observed_attempt = both
        run.run()

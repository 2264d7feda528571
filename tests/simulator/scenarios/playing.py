"""Scenarios of the catalogue, played without the web: from a file to what happened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.goals.goal import Progress
from simulator.engine.goals.registry import read_goals
from simulator.engine.goals.run import Run
from simulator.engine.trace.records import AttemptDetail
from simulator.engine.trace.tracer import Tracer
from simulator.engine.world.history import History
from simulator.manifests.bundle import Bundle, read_bundle
from simulator.selectors.replaying import way_out
from simulator.selectors.setups import setup_of

FOLDER = Path(__file__).parents[3] / "fixtures" / "scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))
EXERCISES_BEFORE = 100
"""Files with a lower number are the chapter's own exercises and the free lab: there, to run is the task."""

MOST_TURNS = 150
"""A gang that waits is tried again for ever, so a run with one never comes to rest."""


def slug(path: Path) -> str:
    return path.stem.partition("-")[2]


def is_puzzle(path: Path) -> bool:
    return int(path.stem[:3]) >= EXERCISES_BEFORE


PUZZLES = [path for path in FILES if is_puzzle(path)]


@cache
def bundle_of(path: Path) -> Bundle:
    return read_bundle(path.read_text(encoding="utf-8"))


def engine_command(command: Mapping[str, Any]) -> dict[str, Any]:
    """A bundle's command as the engine takes it."""
    return {"type": command["command"], **{key: value for key, value in command.items() if key != "command"}}


def short(key: str) -> str:
    return key.removeprefix("default/")


class Play:
    """A scenario from its start; `attempts` are all tries of every Pod in order, `failures` and
    `first_failures` each Pod's last and first message."""

    def __init__(self, bundle: Bundle) -> None:
        self._goals = bundle.spec.get("goals") or ()
        self.history = History.begin(setup_of(bundle.spec), port=way_out())
        self.attempts: dict[str, list[AttemptDetail]] = defaultdict(list)
        self.failures: dict[str, str] = {}
        self.first_failures: dict[str, str] = {}
        self._seen = 0
        self._give({"type": "apply", "objects": list(bundle.objects)})

    def do(self, commands: Iterable[Mapping[str, Any]]) -> Play:
        for command in commands:
            self._give(engine_command(command))
        return self

    def settle(self) -> Play:
        """Go on until nothing is due but the routine sweep of Pods that wait."""
        for _ in range(MOST_TURNS):
            if self.history.head.is_idle:
                break
            self._give({"type": "run", "turns": 1})
        return self

    def _give(self, command: Mapping[str, Any]) -> None:
        tracer = Tracer()
        self.history.head.scheduler.trace_with(tracer)
        self.history.apply(command)
        self.history.head.scheduler.trace_with(None)
        for attempt in tracer.trace.attempts:
            self.attempts[short(attempt.pod)].append(attempt)
        for action in self.history.actions[self._seen :]:
            if isinstance(action.record, Cycle):
                for failure in action.record.failures:
                    self.failures[short(failure.pod)] = failure.message
                    self.first_failures.setdefault(short(failure.pod), failure.message)
        self._seen = len(self.history.actions)

    @property
    def run(self) -> Run:
        return Run.of(self.history)

    @property
    def progress(self) -> list[Progress]:
        run = self.run
        return [goal.check(run) for goal in read_goals(self._goals)]

    @property
    def open_goals(self) -> list[int]:
        """Positions of the goals that are not met."""
        return [index for index, progress in enumerate(self.progress) if not progress.is_met]

    @property
    def bound(self) -> dict[str, str]:
        pods = self.history.head.world.list("Pod")
        return {short(pod.key): pod.node_name for pod in pods if pod.node_name}

    @property
    def pending(self) -> dict[str, str | None]:
        """Pods without a node and their last message, None where they were never tried."""
        pods = self.history.head.world.list("Pod")
        names = [short(pod.key) for pod in pods if not pod.node_name]
        return {name: self.failures.get(name) for name in names}

    @property
    def evicted(self) -> list[str]:
        return [short(eviction.pod) for eviction in self.run.evictions()]


@cache
def started(path: Path) -> Play:
    """Nothing done, nothing run."""
    return Play(bundle_of(path))


@cache
def left_alone(path: Path) -> Play:
    """Nothing done but let it run."""
    return Play(bundle_of(path)).settle()


@cache
def solved(path: Path) -> Play:
    """After the recorded solution."""
    bundle = bundle_of(path)
    return Play(bundle).do(bundle.spec.get("solution") or ())

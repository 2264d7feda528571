"""A turn's story is the same whether it is told live or derived again later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simulator.engine.trace.records import Trace
from simulator.engine.trace.tracer import Tracer
from simulator.engine.world.history import History
from simulator.engine.world.simulation import Simulation
from tests.engine.trace import labs

NOTHING_TRIED = {"gated", "gang that waits"}


def told_live(history: History) -> list[Trace]:
    """The commands of a history once more, every turn with a tracer of its own that listens while it happens."""
    simulation = Simulation(history.setup)
    traces: list[Trace] = []
    for applied in history.applied:
        if applied.command["type"] == "run":
            for _ in range(applied.command["turns"]):
                tracer = Tracer()
                simulation.scheduler.trace_with(tracer)
                simulation.step()
                traces.append(tracer.trace)
        else:
            simulation.scheduler.trace_with(None)
            simulation.apply(applied.command)
            traces.extend([Trace()] * (applied.last - applied.first))
    assert simulation.digest == history.head.digest
    return traces


@pytest.mark.parametrize("name", labs.ALL)
def test_trace_derived_again_equals_the_one_seen_live(name: str) -> None:
    history = labs.ALL[name]()
    runs = [a for a in history.applied if a.command["type"] == "run"]
    live = told_live(history)
    assert len(live) == history.count
    told = 0
    for applied in runs:
        for index in range(applied.first, applied.last):
            trace = history.trace(index)
            assert trace.records == live[index].records
            assert trace.attempts == live[index].attempts
            told += len(trace.records)
    assert (told == 0) == (name in NOTHING_TRIED)


@pytest.mark.parametrize("make", [labs.placed, labs.preempted])
def test_trace_derived_from_a_fork_is_the_same(make: Callable[[], History]) -> None:
    history = make()
    fork = history.fork(history.count)
    for index in range(history.count):
        assert fork.trace(index) == history.trace(index)

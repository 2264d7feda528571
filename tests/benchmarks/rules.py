"""Learners' rules: hostile ones at the end of their budget, over one node and over many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time

from simulator.engine.cel.compiler import compile_source
from simulator.engine.cel.errors import CelError
from simulator.engine.cel.program import Program
from simulator.engine.user_rules.declarations import DECLARATIONS
from simulator.engine.user_rules.plugin import MOST_STEPS, steps_for
from tests.engine.cel.test_limits import BOMBS, HOSTILE_SOURCES

LIMIT_MS = 50


def measure() -> Iterator[str]:
    """Lines with what was measured and the limit it must keep."""
    programs = {name: compile_source(source, DECLARATIONS) for name, source in BOMBS.items()}
    one = {name: _milliseconds(lambda p=program: p.run([], MOST_STEPS)) for name, program in programs.items()}
    yield _worst(f"a hostile rule about one node ({MOST_STEPS} steps)", one)
    for nodes in (30, 2_000):
        many = {name: _milliseconds(partial(_ask, program, nodes)) for name, program in programs.items()}
        yield _worst(f"a hostile rule about {nodes} nodes", many)
    yield _worst("refusing a hostile source", {s[:20]: _milliseconds(lambda s=s: _refused(s)) for s in HOSTILE_SOURCES})


def _ask(program: Program, nodes: int) -> None:
    limit = steps_for(nodes)
    for _ in range(nodes):
        program.run([], limit)


def _refused(source: str) -> None:
    try:
        compile_source(source, DECLARATIONS)
    except CelError:
        return
    raise AssertionError("a hostile source was not refused")


def _worst(what: str, times: dict[str, float]) -> str:
    slowest = max(times, key=lambda name: times[name])
    return f"{what}: at most {times[slowest]:.1f} ms ({slowest}; limit {LIMIT_MS} ms)"


def _milliseconds(work: Callable[[], object]) -> float:
    """The best of three, without what other processes took in between."""
    taken = []
    for _ in range(3):
        started = process_time()
        work()
        taken.append(process_time() - started)
    return min(taken) * 1000

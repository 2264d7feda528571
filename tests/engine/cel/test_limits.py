"""A hostile rule ends at its budget, whatever it is and however many nodes there are.

Counted here: steps, calls of functions (a few per step, whatever the sizes of values), bytes. How long that takes is
measured by `python -m tests.benchmarks rules`.
"""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable

import pytest

from simulator.engine.cel.compiler import compile_source
from simulator.engine.cel.errors import CelError
from simulator.engine.user_rules.declarations import DECLARATIONS
from simulator.engine.user_rules.plugin import LEAST_STEPS, MOST_STEPS, STEPS, steps_for
from tests.engine.cel.expressions import run

CALLS_A_STEP = 6
CALLS_OF_A_SOURCE = 100_000
"""What reading the longest source that is allowed may take."""

MANY = "'" + "1," * 100 + "1'.split(',').map(s, int(s))"
DOUBLED = "['" + "x" * 200 + "']" + ".map(s, s + s)" * 50

BOMBS = {
    "nested macros": f"{MANY}.all(a, {MANY}.all(b, {MANY}.all(c, a + b + c > 0)))",
    "macros over a bound list": (
        f"cel.bind(l, {MANY}, l.map(a, l.map(b, l.map(c, l.map(d, l.map(e, a + b + c + d + e))))).size() > 0)"
    ),
    "a text that doubles": DOUBLED + "[0].size() > 0",
    "a list that doubles": f"[{MANY}]" + ".map(l, l + l)" * 50 + "[0].size() > 0",
    "lists in lists": "cel.bind(a, [1], " + "cel.bind(a, [[a].size(), 1], " * 10 + "a == a" + ")" * 11,
    "replace that grows": "['aaaaaaaaaa']" + ".map(s, s.replace('a', 'aaaaaaaaaa'))" * 40 + "[0].size() > 0",
    "replace of nothing": "['aaaaaaaaaa']" + ".map(s, s.replace('', s))" * 40 + "[0].size() > 0",
    "join that grows": f"[{MANY}.map(i, string(i))]" + ".map(l, [l.join(l.join('-'))] + l)" * 20 + "[0].size() > 0",
    "split and join": "['" + "a," * 900 + "']" + ".map(s, s.split(',').map(p, s).join(s))" * 20 + "[0].size() > 0",
    "contains of long texts": f"'{'a' * 1500}b'.contains('{'a' * 800}c') || " * 1
    + f"cel.bind(s, '{'a' * 900}', {MANY}.exists(i, (s + s + s).contains(s + 'b')))",
    "regular expression": f"cel.bind(s, '{'a' * 1000}', {MANY}.exists(i, s.matches('(a|aa)*(a|b)*(.*)*c')))",
    "comparing long lists": f"cel.bind(l, {MANY}, l.exists(i, l.exists(j, [l, l, l] != [l, l, l])))",
    "membership in long lists": f"cel.bind(l, {MANY}, l.all(i, l.all(j, !(0 in l))))",
    "sorting out sums": f"cel.bind(l, {MANY}, l.map(i, l.map(j, l.sum()).sum()).sum() == 0)",
}


HOSTILE_SOURCES = [
    "(" * 4000,
    "[" * 4000,
    "!" * 3999 + "a",
    "-" * 3999 + "1",
    "a?" * 1999 + "b",
    "a." * 1999 + "b",
    "1+" * 1999 + "1",
    "f(" * 1999,
    "{1:" * 1333,
    "'" + "\\u4e2d" * 600,
    "x[" * 2000,
    "'a'.matches('" + "(a?){100}" * 300 + "')",
    "'a'.matches('" + "a" * 3900 + "')",
    "1" * 4000,
    "0x" + "f" * 3990,
    "1e" + "9" * 3990,
    "/" * 4000,
    "\U0010ffff" * 4000,
]


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_bomb_ends_at_its_budget(source: str) -> None:
    program = compile_source(source, DECLARATIONS)
    result = program.run([], MOST_STEPS)
    assert result.problem is None or result.problem.code == "cel.cost"
    assert result.cost <= MOST_STEPS
    assert calls_of(lambda: program.run([], MOST_STEPS)) <= CALLS_A_STEP * MOST_STEPS


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_bomb_on_all_nodes_together_stays_within_the_budget_of_a_question(source: str) -> None:
    """One question about 30 nodes that all differ: the whole budget, without any answer known yet."""
    program = compile_source(source, DECLARATIONS)
    limit = steps_for(30)
    assert limit == STEPS // 30
    assert sum(program.run([], limit).cost for _ in range(30)) <= STEPS


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, of Python and of C."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("source", BOMBS.values(), ids=BOMBS)
def test_bomb_stays_below_16_mb(source: str) -> None:
    tracemalloc.start()
    try:
        run(source, limit=MOST_STEPS)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 16 * 1024 * 1024


@pytest.mark.parametrize("source", HOSTILE_SOURCES)
def test_hostile_source_is_refused_after_little_work(source: str) -> None:
    def refuse() -> None:
        with pytest.raises(CelError):
            compile_source(source, DECLARATIONS)

    assert calls_of(refuse) <= CALLS_OF_A_SOURCE


def test_budget_of_a_node_depends_on_the_number_of_nodes_alone() -> None:
    assert steps_for(1) == MOST_STEPS
    assert steps_for(1_000) == 200
    assert steps_for(10_000) == LEAST_STEPS
    assert steps_for(0) == MOST_STEPS


def test_cost_is_the_same_every_time() -> None:
    source = "[1, 2, 3].map(i, string(i)).join('-').matches('1.*3')"
    assert {run(source).cost for _ in range(5)} == {run(source).cost}

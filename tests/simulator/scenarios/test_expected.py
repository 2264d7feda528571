"""What the scenarios' texts and hints say, worked out by hand in `expected/`, against the engine.

A table there has `idle` (nothing done but run), `solved`, `wrong` (attempts that leave the goals `open`, by position)
and `other_ways` (attempts that are right as well). See `CHECKS` for what each may hold.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from simulator.engine.actors.kube_scheduler.cycle import Cycle
from simulator.engine.objects.times import SECOND
from tests.simulator.scenarios.playing import PUZZLES, Play, bundle_of, left_alone, short, slug, solved

FOLDER = Path(__file__).parent / "expected"
FABRIC_FROM = 600

TABLED = [path for path in PUZZLES if (FOLDER / f"{slug(path)}.yaml").exists()]

every_table = pytest.mark.parametrize("path", TABLED, ids=slug)


@cache
def expected(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return found


def _attempts(kind: str) -> list[Any]:
    return [
        pytest.param(path, attempt, id=f"{slug(path)}-{number}")
        for path in TABLED
        for number, attempt in enumerate(expected(slug(path)).get(kind) or ())
    ]


def _tried(path: Path, attempt: dict[str, Any]) -> Play:
    """Another way than the recorded one: commands between switches to profiles of the scenario."""
    bundle = bundle_of(path)
    profiles = {profile["name"]: profile["configuration"] for profile in bundle.spec.get("profiles") or ()}
    play = Play(bundle)
    for name, commands in (("profile", attempt["commands"]), ("then_profile", [])):
        if name in attempt:
            play.do([{"command": "configure", "config": profiles[attempt[name]]}])
        play.do(commands)
    return play if attempt.get("at_once") else play.settle()


def test_every_table_belongs_to_a_scenario() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {slug(path) for path in TABLED}


def test_every_scheduling_scenario_has_a_table() -> None:
    """Those of the fabric have figures of their own."""
    assert [slug(path) for path in PUZZLES if int(path.stem[:3]) < FABRIC_FROM and path not in TABLED] == []


@every_table
def test_left_alone(path: Path) -> None:
    _check(left_alone(path), expected(slug(path))["idle"])


@every_table
def test_solved(path: Path) -> None:
    _check(solved(path), expected(slug(path))["solved"])


@pytest.mark.parametrize(("path", "attempt"), _attempts("wrong"))
def test_wrong_attempt_leaves_goals_open(path: Path, attempt: dict[str, Any]) -> None:
    """Each is a mistake that the text or a hint speaks to."""
    play = _tried(path, attempt)
    assert attempt["open"]
    assert play.open_goals == attempt["open"]
    _check(play, attempt)


@pytest.mark.parametrize(("path", "attempt"), _attempts("other_ways"))
def test_other_way_reaches_every_goal(path: Path, attempt: dict[str, Any]) -> None:
    play = _tried(path, attempt)
    assert play.open_goals == []
    _check(play, attempt)


def _check(play: Play, table: dict[str, Any]) -> None:
    """Compare what a table holds; see `CHECKS`."""
    for name, check in CHECKS.items():
        if name in table:
            check(play, table[name])


def _bound(play: Play, table: dict[str, str | None]) -> None:
    assert set(play.bound) == set(table)
    named = {pod: node for pod, node in table.items() if node is not None}
    assert {pod: play.bound[pod] for pod in named} == named


def _bound_on(play: Play, table: dict[str, int]) -> None:
    assert Counter(play.bound.values()) == table


def _bound_in(play: Play, table: dict[str, int]) -> None:
    assert {prefix: sum(pod.startswith(prefix) for pod in play.bound) for prefix in table} == table


def _order(play: Play, table: list[str]) -> None:
    assert list(play.attempts) == table


def _scheduled_at(play: Play, table: dict[str, int]) -> None:
    found = {
        short(binding.pod): (action.time - play.history.setup.start_time) // SECOND
        for action in play.history.actions
        if isinstance(action.record, Cycle)
        for binding in action.record.bindings
    }
    assert {pod: found.get(pod) for pod in table} == table


def _first(play: Play, table: dict[str, dict[str, Any]]) -> None:
    for pod, facts in table.items():
        detail = play.attempts[pod][0]
        if "passing" in facts:
            assert sorted(detail.feasible) == sorted(facts["passing"]), pod
        if "totals" in facts:
            assert detail.totals == facts["totals"], pod
        for plugin, scores in (facts.get("scores") or {}).items():
            column = next(column for column in detail.scores if column.plugin == plugin)
            assert column.normalized == scores, (pod, plugin)
        if "message" in facts:
            assert play.first_failures[pod] == facts["message"], pod


CHECKS = {
    "bound": _bound,
    "bound_on": _bound_on,
    "bound_in": _bound_in,
    "pending": lambda play, table: _same(play.pending, table),
    "evicted": lambda play, table: _same(play.evicted, table),
    "free": lambda play, table: _same({node: free for node, (free, _) in play.run.free_gpus("").items()}, table),
    "order": _order,
    "scheduled_at": _scheduled_at,
    "first": _first,
    "tries": lambda play, table: _same({pod: len(play.attempts[pod]) for pod in table}, table),
    "woken": lambda play, pod: _same(len(play.attempts[pod]) > 1, True),
}
"""What a table may hold.

bound         every Pod with a node: the node, null for any
bound_on      node -> how many Pods
bound_in      beginning of names -> how many Pods with a node
pending       every Pod without a node: its last message, null where it was never tried
evicted       Pods that were evicted, in order
free          node -> free GPUs, for every node that has some
order         Pods in the order of their first attempt
scheduled_at  Pod -> whole seconds after the start
first         Pod -> its first attempt: passing nodes, scores before weights, totals, message
tries         Pod -> how many attempts there were; woken: a Pod that was tried more than once
"""


def _same(found: object, wanted: object) -> None:
    assert found == wanted

"""Scores and waiting times that a scene's text states come out of its scenario."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import pytest

from lessons.situations.runs import ScenarioRun
from simulator.engine.trace.records import AttemptDetail
from simulator.manifests.bundle import read_bundle
from simulator.selectors.setups import setup_of
from tests.architecture.source import ROOT
from tests.content.texts import SLUGS, lesson

SCENARIOS: Final = {
    path.stem.partition("-")[2]: path for path in sorted((ROOT / "fixtures" / "scenarios").glob("*.yaml"))
}
SCORED: Final = [
    (slug, piece.data)
    for slug in SLUGS
    for piece in lesson(slug).texts["en"].pieces("scene")
    if piece.data["start"]["point"] == "score"
]


@cache
def _run(scenario: str) -> ScenarioRun:
    if scenario not in SCENARIOS:
        pytest.skip(f"no scenario {scenario} yet")
    bundle = read_bundle(SCENARIOS[scenario].read_text(encoding="utf-8"))
    return ScenarioRun(setup_of(bundle.spec), bundle.objects)


def _attempt(scene: dict[str, Any]) -> AttemptDetail:
    run, start = _run(scene["scenario"]), scene["start"]
    turns = [turn for turn in run.turns() if f"default/{start['pod']}" in turn.pods]
    detail = run.detail(turns[start["cycle"] - 1], start["pod"])
    assert detail is not None
    return detail


def _captions(slug: str, scene: str) -> list[str]:
    pieces = [piece for text in lesson(slug).texts.values() for piece in text.pieces("scene")]
    return [f"{piece.data['caption']} {piece.data['expect']}" for piece in pieces if piece.data["id"] == scene]


@pytest.mark.parametrize(("slug", "scene"), SCORED, ids=[scene["id"] for _, scene in SCORED])
def test_totals_are_told(slug: str, scene: dict[str, Any]) -> None:
    """The winner's total, and the best of those it beat."""
    totals = _attempt(scene).totals
    best = max(totals.values())
    others = [total for total in totals.values() if total < best]
    if not others:
        return
    for said in _captions(slug, scene["id"]):
        assert str(best) in said
        assert str(max(others)) in said


def test_the_deadlock_is_half_and_half() -> None:
    places = {pod.name: pod.node_name for pod in _run("gang-deadlock").end.world.list("Pod")}
    for job in "ab":
        mine = [node for name, node in places.items() if name.startswith(f"job-{job}-")]
        assert sorted(map(bool, mine)) == [False] * 4 + [True] * 4


def test_native_gang_is_all_or_nothing() -> None:
    places = {pod.name: pod.node_name for pod in _run("gang-native").end.world.list("Pod")}
    whole = {job: {bool(node) for name, node in places.items() if name.startswith(f"job-{job}-")} for job in "ab"}
    assert whole == {"a": {True}, "b": {False}}


def test_the_later_team_waits_twenty_minutes() -> None:
    run = _run("one-team-fills")
    simulation = run.history.at(run.start)
    simulation.apply({"type": "advance", "seconds": 1190})
    assert next(pod for pod in simulation.world.list("Pod") if pod.name == "team-b-0").node_name == ""
    simulation.apply({"type": "advance", "seconds": 20})
    assert next(pod for pod in simulation.world.list("Pod") if pod.name == "team-b-0").node_name == "gpu-1"


def test_a_lost_nomination_costs_a_minute() -> None:
    """polite-0 takes what urgent-0 cleared at 30 s; urgent-0 is bound at 60 s."""
    run = _run("preemption-never")
    simulation = run.history.at(run.start)
    simulation.apply({"type": "advance", "seconds": 45})
    assert _places(simulation, "polite-0", "urgent-0") == ["gpu-1", ""]
    simulation.apply({"type": "advance", "seconds": 20})
    assert _places(simulation, "polite-0", "urgent-0") == ["gpu-1", "gpu-1"]


def _places(simulation: Any, *names: str) -> list[str]:
    places = {pod.name: pod.node_name for pod in simulation.world.list("Pod")}
    return [places[name] for name in names]


@pytest.mark.parametrize(
    ("command", "wakes"),
    [
        ({"type": "label", "kind": "Node", "name": "gpu-1", "labels": {"rack": "r1"}}, False),
        ({"type": "cordon", "kind": "Node", "name": "gpu-2", "on": True}, True),
    ],
    ids=["label", "cordon"],
)
def test_what_wakes_a_pod_that_lacks_cards(command: dict[str, Any], wakes: bool) -> None:
    run = _run("backoff-and-events")
    simulation = run.history.at(run.start)
    simulation.apply({"type": "advance", "seconds": 20})
    before = sum(action.actor == "kube-scheduler" for action in simulation.actions)
    simulation.apply(command)
    simulation.apply({"type": "advance", "seconds": 20})
    after = sum(action.actor == "kube-scheduler" for action in simulation.actions)
    assert (after > before) is wakes

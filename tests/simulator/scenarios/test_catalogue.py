"""Every scenario of the catalogue: complete, in both languages, solvable, and not solved by waiting."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from simulator.engine.fabric.accelerators import UNKNOWN, accelerator_of_product
from simulator.engine.framework.config import read_config
from simulator.presenters.scenarios import TOPICS
from simulator.rules import ALWAYS_ALLOWED
from tests.simulator.scenarios.playing import (
    FILES,
    PUZZLES,
    Play,
    bundle_of,
    is_puzzle,
    left_alone,
    slug,
    solved,
    started,
)

MOST_WORDS = 120
MOST_CHARACTERS = 260

every_file = pytest.mark.parametrize("path", FILES, ids=slug)
every_puzzle = pytest.mark.parametrize("path", PUZZLES, ids=slug)

_HAN = r"\u4e00-\u9fff"
_NO_SPACE = re.compile(rf"[{_HAN}][A-Za-z0-9`]|[A-Za-z0-9`%][{_HAN}]")
_HALF_WIDTH = re.compile(rf"[{_HAN}`][,;:?!]|[{_HAN}]\.(?!\w)|[{_HAN}]\(|\)[{_HAN}]")


def _texts(value: Any) -> list[dict[str, str]]:
    """Every text for readers in a front matter."""
    if isinstance(value, dict):
        if set(value) == {"zh-hans", "en"}:
            return [value]
        return [text for child in value.values() for text in _texts(child)]
    return [text for child in value for text in _texts(child)] if isinstance(value, list) else []


@every_file
def test_file_reads_without_a_remark(path: Path) -> None:
    bundle = bundle_of(path)
    assert (bundle.errors, bundle.notices) == ((), ())
    assert (bundle.kind, bundle.name) == ("Scenario", slug(path))


def test_enough_scenarios_each_with_a_place_of_its_own() -> None:
    assert len(PUZZLES) >= 24
    assert len({path.stem[:3] for path in FILES}) == len(FILES)


@every_puzzle
def test_nothing_is_missing(path: Path) -> None:
    spec = bundle_of(path).spec
    for field in ("title", "summary", "text", "level", "topics", "minutes", "goals", "solution", "allowedCommands"):
        assert spec.get(field), field
    assert set(spec["topics"]) <= TOPICS.keys()
    assert 2 <= len(spec["hints"]) <= 4
    assert spec["predictions"]["gates"]
    assert all(goal.get("title") for goal in spec["goals"])
    assert all(profile.get("title") for profile in spec.get("profiles") or ())


@every_file
def test_chinese_is_set_as_it_should_be(path: Path) -> None:
    """A space between 汉字 and Latin letters or digits; full-width punctuation."""
    for text in _texts(dict(bundle_of(path).spec)):
        chinese = text["zh-hans"]
        for wrong in (_NO_SPACE, _HALF_WIDTH):
            found = wrong.search(chinese)
            assert found is None, chinese[max(0, found.start() - 10) : found.end() + 10]


@every_puzzle
def test_task_is_short(path: Path) -> None:
    text = bundle_of(path).spec["text"]
    assert len(text["en"].split()) <= MOST_WORDS
    assert len(re.sub(r"[\s`]", "", text["zh-hans"])) <= MOST_CHARACTERS


@every_file
def test_no_goal_is_met_before_it_begins(path: Path) -> None:
    assert started(path).open_goals


@every_puzzle
def test_waiting_does_not_solve_it(path: Path) -> None:
    assert left_alone(path).open_goals


@every_file
def test_solution_reaches_every_goal(path: Path) -> None:
    if path.stem == "005-free-lab":
        assert "solution" not in bundle_of(path).spec
        return
    assert [progress for progress in solved(path).progress if not progress.is_met] == []


@every_file
def test_solution_uses_allowed_commands(path: Path) -> None:
    spec = bundle_of(path).spec
    allowed = spec.get("allowedCommands")
    used = {command["command"] for command in spec.get("solution") or ()}
    assert allowed is None or used <= {*allowed, *ALWAYS_ALLOWED}
    assert "run" not in used or not is_puzzle(path), "turns change with the engine; advance the clock instead"


@every_puzzle
def test_goals_that_hold_from_the_start_can_be_lost(path: Path) -> None:
    """A goal that waiting meets is one to keep on the way, so there is at least one other."""
    alone = left_alone(path)
    kept = [index for index, progress in enumerate(alone.progress) if progress.is_met]
    assert len(kept) < len(alone.progress)
    assert all(solved(path).progress[index].is_met for index in kept)


@every_file
def test_predictions_have_a_key(path: Path) -> None:
    plays = [left_alone(path), solved(path)]
    for gate in (bundle_of(path).spec.get("predictions") or {}).get("gates") or ():
        assert any(_has_key(play, gate) for play in plays), gate


def _has_key(play: Play, gate: dict[str, str]) -> bool:
    if gate["predict"] == "nextPod":
        return "pod" not in gate and bool(play.attempts)
    tries = play.attempts.get(gate["pod"]) or []
    match gate["predict"]:
        case "winner":
            return any(attempt.chosen for attempt in tries)
        case "victims":
            return any(not attempt.feasible for attempt in tries)
        case _:
            return bool(tries)


@every_puzzle
def test_nodes_look_like_real_ones(path: Path) -> None:
    for manifest in bundle_of(path).objects:
        if manifest["kind"] == "Node":
            labels, allocatable = manifest["metadata"]["labels"], manifest["status"]["allocatable"]
            assert labels["kubernetes.io/hostname"] == manifest["metadata"]["name"]
            if "nvidia.com/gpu" in allocatable:
                assert labels["nvidia.com/gpu.count"] == allocatable["nvidia.com/gpu"]
                assert accelerator_of_product(labels["nvidia.com/gpu.product"]) is not UNKNOWN


@every_file
def test_profiles_can_be_used(path: Path) -> None:
    for profile in bundle_of(path).spec.get("profiles") or ():
        read_config(profile["configuration"])

"""Every verdict follows from its facts, every score from its formula, over recorded scenarios of the real scheduler."""

from __future__ import annotations

import numpy as np
import pytest

from simulator.engine.cluster.rows import Delta, Rows
from simulator.engine.framework.attempt import Attempt
from simulator.engine.framework.facts import Fact
from simulator.engine.framework.filtering import nominated_delta
from simulator.engine.framework.plugin import FilterPlugin
from simulator.engine.framework.runtime import Framework
from simulator.engine.framework.status import Code, Status
from simulator.engine.trace.explain import score_sheet
from tests.engine.trace import judge
from tests.engine.trace.golden import TIMELINES, TRIES, look_at_timelines, look_at_tries


def check_verdicts(framework: Framework, tried: Attempt, rows: Rows) -> None:
    for plugin in framework.filters_for(tried.state):
        verdicts = plugin.filter(tried.state, tried.pod, rows)
        for position, node in enumerate(rows.nodes):
            facts = plugin.facts(tried.state, tried.pod, rows.subset(np.array([position])))
            check_verdict(plugin, node.name, facts, verdicts.status(position))


def check_verdict(plugin: FilterPlugin, node: str, facts: list[Fact], status: Status) -> None:
    where = (plugin.name, node, status, facts)
    for fact in facts:
        assert judge.holds(fact, node) == fact.holds, where
    assert all(fact.holds for fact in facts) == status.is_success, where
    if plugin.name == "NodeResourcesFit":
        check_fit(facts, status)
    if plugin.name == "PodTopologySpread" and not status.is_success:
        first = next(fact for fact in facts if not fact.holds)
        hopeless = first.code == "pod_topology_spread.key"
        assert status.code == (Code.UNRESOLVABLE if hopeless else Code.UNSCHEDULABLE), where


def check_fit(facts: list[Fact], status: Status) -> None:
    missing = [fact.params.get("resource") for fact in facts if not fact.holds]
    assert [reason.values.get("resource") for reason in status.reasons] == missing
    if not status.is_success:
        hopeless = any(fact.params.get("hopeless") for fact in facts if not fact.holds)
        assert status.code == (Code.UNRESOLVABLE if hopeless else Code.UNSCHEDULABLE)


def look_at_verdicts(framework: Framework, tried: Attempt) -> None:
    search, cluster = tried.search, framework.handle.cluster
    if search is None or not search.pre_filter.status.is_success:
        return
    rows = cluster.all_rows()
    check_verdicts(framework, tried, rows)
    delta, positions = nominated_delta(framework, tried.pod, rows)
    if len(positions):
        check_verdicts(framework, tried, rows.with_delta(delta).subset(positions))
    without = lower_priority_removed(tried, rows)
    if without is not None:
        check_verdicts(framework, tried, without)


def lower_priority_removed(tried: Attempt, rows: Rows) -> Rows | None:
    """The rows of a preemption's dry run: every less important Pod taken off."""
    table = rows.cluster.pods
    numbers, positions = table.numbers_on(rows.ids)
    lower = table.priority.data[numbers] < tried.pod.priority
    if not lower.any():
        return None
    numbers, positions = numbers[lower], positions[lower]
    return rows.with_delta(Delta(positions, numbers, np.full(len(numbers), -1, dtype=np.int64)))


def look_at_scores(framework: Framework, tried: Attempt) -> None:
    if tried.scoring is None or tried.search is None or tried.error is not None:
        return
    layers = {layer.plugin: layer for layer in tried.scoring.layers}
    for position, row in enumerate(tried.search.feasible.tolist()):
        sheet = score_sheet(framework, tried, framework.handle.cluster.nodes.objects[row].name)
        assert sheet is not None
        assert [part.plugin for part in sheet.parts] == list(layers)
        for part in sheet.parts:
            layer = layers[part.plugin]
            assert judge.value(part.raw) == part.raw.value == layer.raw[position], part
            assert judge.value(part.normalized) == part.normalized.value == layer.normalized[position], part
            assert part.weight == layer.weight
        if layers:
            assert sum(p.weighted for p in sheet.parts) + sum(sheet.outside.values()) == sheet.total


def look(framework: Framework, tried: Attempt) -> None:
    look_at_verdicts(framework, tried)
    look_at_scores(framework, tried)


@pytest.mark.parametrize("family", TRIES)
def test_every_verdict_and_score_follows_from_its_explanation(family: str) -> None:
    look_at_tries(family, look)


@pytest.mark.parametrize("family", TIMELINES)
def test_explanations_hold_during_runs_with_groups_and_extenders(family: str) -> None:
    look_at_timelines(family, look)

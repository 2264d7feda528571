"""The dry run of a preemption, explained step by step: who was offered a place back, and why it stays or goes."""

from __future__ import annotations

import pytest

from simulator.engine.framework.attempt import Attempt, run_post_filter
from simulator.engine.framework.runtime import Framework
from simulator.engine.preemption.story import Story
from simulator.engine.trace.explain import explain_reprieves
from simulator.engine.trace.explain_record import explain_record
from tests.engine.trace import judge, labs
from tests.engine.trace.golden import look_at_tries


@pytest.mark.parametrize("family", ["F10", "F12", "F18"])
def test_every_recorded_reprieve_follows_from_its_explanation(family: str) -> None:
    kept = evicted = 0

    def look(framework: Framework, tried: Attempt) -> None:
        nonlocal kept, evicted
        if tried.found or tried.search is None or tried.error is not None:
            return
        for _, result in run_post_filter(framework, tried).results:
            for candidate in result.story.candidates if isinstance(result.story, Story) else ():
                steps = [(step.pod.key, step.kept) for step in candidate.reprieves]
                explained = explain_reprieves(framework, tried, candidate.node, steps)
                assert [(item.victim, item.kept) for item in explained] == steps
                for item in explained:
                    assert all(check.status.is_success for check in item.checks) == item.kept
                    facts = [fact for check in item.checks for fact in check.facts]
                    assert all(judge.holds(fact, candidate.node) for fact in facts) == item.kept
                    kept, evicted = kept + item.kept, evicted + (not item.kept)

    look_at_tries(family, look)
    assert kept
    assert evicted


def test_record_of_a_victim_names_what_would_be_short() -> None:
    history = labs.preempted()
    index = next(a.index for a in history.actions if getattr(a.record, "result", "") == "nominated")
    trace = history.trace(index)
    record = next(r for r in trace.records if r.code == "preemption.victim")
    found = explain_record(history, index, record, trace).check
    assert found is not None
    short = next(fact for fact in found.facts if not fact.holds)
    assert (short.params["resource"], short.params["requested"], short.params["free"]) == (labs.GPU, 8, 4)
    assert short.params["users"] == [(record.params["victim"], 4)]


def test_record_of_a_verdict_gives_the_plugins_own_facts() -> None:
    history = labs.unschedulable()
    trace = history.trace(3)
    told = [r for r in trace.records if r.code == "filter.verdict"]
    for record in told:
        found = explain_record(history, 3, record).check
        assert found is not None
        assert (found.plugin, found.status) == (record.plugin, record.status)
    assert {r.plugin for r in told if not r.status.is_success} == {
        "NodeAffinity",
        "NodeResourcesFit",
        "NodeUnschedulable",
        "TaintToleration",
    }


def test_record_of_the_choice_gives_the_whole_sheet() -> None:
    history = labs.placed()
    trace = history.trace(2)
    record = next(r for r in trace.records if r.code == "select.best")
    node = explain_record(history, 2, record, trace).node
    assert node is not None
    assert node.scores is not None
    assert node.scores.total == record.params["total"]

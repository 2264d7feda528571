"""Places in scenarios: the right turn, its facts, and the picture; values worked out by hand."""

from __future__ import annotations

import pytest

from lessons.assessment.scenes import Scene
from lessons.generators.objects import node, pod, priority_class
from lessons.situations.facts import scene_facts
from lessons.situations.picture import picture_of
from lessons.situations.runs import NoSuchPlace, ScenarioRun
from simulator.engine.world.setup import Setup


@pytest.fixture(scope="module")
def run() -> ScenarioRun:
    """Two nodes of 8 cards, one tainted; `first` fits, `second` has to evict it, `third` never fits."""
    taint = {"key": "team", "value": "a", "effect": "NoSchedule"}
    return ScenarioRun(
        Setup(),
        [
            priority_class("high", 1000),
            node("gpu-1", gpus=8),
            node("gpu-2", gpus=8, taints=[taint]),
            pod("busy", gpus=8, on="gpu-1"),
            pod("second", gpus=8, priority_class="high"),
            pod("third", gpus=9),
        ],
    )


def test_turns_are_in_order(run: ScenarioRun) -> None:
    assert [turn.pods[0] for turn in run.turns()][:2] == ["default/second", "default/third"]


def test_facts_at_preemption(run: ScenarioRun) -> None:
    facts = scene_facts(run, Scene("s", "PostFilter", "second"))
    assert [fact.name for fact in facts.nodes if fact.passes] == []
    assert facts.victims == ("busy",)
    assert [fact.name for fact in facts.pods] == ["busy"]
    assert "gpu-2" in str(facts.nodes[1].reason)


def test_point_counts_only_the_turns_that_come_to_it(run: ScenarioRun) -> None:
    assert run.turn_of(Scene("s", "PostFilter")).pods == ("default/second",)
    assert run.turn_of(Scene("s", "Filter", "", 2)).pods == ("default/third",)
    with pytest.raises(NoSuchPlace):
        run.turn_of(Scene("s", "Score"))
    with pytest.raises(NoSuchPlace):
        run.turn_of(Scene("s", "Filter", "nobody"))


def test_queue_is_the_order_of_the_next_tries(run: ScenarioRun) -> None:
    assert scene_facts(run, Scene("s", "Start")).queue == ("second", "third")
    assert scene_facts(run, Scene("s", "End")).queue == ()


def test_picture_is_the_cluster_before_the_outcome(run: ScenarioRun) -> None:
    picture = picture_of(run.before(Scene("s", "PostFilter", "second")), "default/second")
    first, second = picture["nodes"]
    assert first["resources"]["nvidia.com/gpu"] == [8, 8]
    assert [one["name"] for one in first["pods"]] == ["busy"]
    assert second["taints"] == ["team=a:NoSchedule"]
    assert picture["pod"]["priority"] == 1000
    assert [one["name"] for one in picture["waiting"]] == ["third"]


def test_groups_that_are_tried_in_vain_do_not_go_on_for_ever() -> None:
    group = {
        "apiVersion": "scheduling.k8s.io/v1alpha2",
        "kind": "PodGroup",
        "metadata": {"name": "job"},
        "spec": {"schedulingPolicy": {"gang": {"minCount": 3}}},
    }
    members = [pod(f"w-{n}", gpus=1, spec={"schedulingGroup": {"podGroupName": "job"}}) for n in range(3)]
    gates = {"GenericWorkload": True, "GangScheduling": True}
    run = ScenarioRun(Setup(gates=gates), [node("gpu-1", gpus=2), group, *members])
    assert run.history.count < 200
    assert all(not item.node_name for item in run.end.world.list("Pod"))

"""Goals over small runs whose outcome can be worked out by hand: open, reached, kept, lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from simulator.engine.fabric.presets import node_manifest, preset_host
from simulator.engine.goals.fields import GoalError
from simulator.engine.goals.goal import KEPT, LOST, OPEN, REACHED, Progress
from simulator.engine.goals.registry import GOALS, read_goal
from simulator.engine.goals.run import Run
from simulator.engine.world import snapshot
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from tests.engine.trace import labs
from tests.engine.trace.labs import apply, lab, node, pod, run

TRAIN, LOW = {"name": "train"}, {"labels": {"app": "low"}}


def check(history: History, goal: dict[str, Any], at: int | None = None) -> Progress:
    return read_goal(goal).check(Run.of(history, at))


def deadlock() -> History:
    """Two gangs of four single-GPU Pods on four GPUs, taking turns: two of each get one."""
    pods = [pod(f"{team}-{i}", gpus=1, labels={"team": team}) for i in range(4) for team in ("a", "b")]
    return lab(apply(node("n1", gpus=4)), apply(*pods), run())


def packed() -> History:
    most = {"type": "MostAllocated", "resources": [{"name": "nvidia.com/gpu", "weight": 1}]}
    args = {"scoringStrategy": most}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [
            {
                "pluginConfig": [{"name": "NodeResourcesFit", "args": args}],
                "plugins": {"score": {"enabled": [{"name": "NodeResourcesFit", "weight": 10}]}},
            }
        ],
    }
    nodes = [node("n1", gpus=8), node("n2", gpus=8)]
    pods = [pod(f"p{index}", gpus=1) for index in range(3)]
    return lab(apply(*nodes), apply(*pods), run(), setup=Setup(config=config))


def bridged() -> History:
    """Two of four A100 PCIe cards joined by a bridge (12 NVLinks of 20 GB/s), and one card of the other pair."""
    own = node_manifest(preset_host("a100-pcie-4", "n1"))
    return lab(apply(own), apply(pod("train", gpus=2), pod("alone", gpus=1)), run())


def spread() -> History:
    zones = [node("a1", labels={"zone": "a"}), node("a2", labels={"zone": "a"}), node("b1", labels={"zone": "b"})]
    constraint = {
        "maxSkew": 1,
        "topologyKey": "zone",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "web"}},
    }
    pods = [pod(f"w{i}", labels={"app": "web"}, topologySpreadConstraints=[constraint]) for i in range(4)]
    return lab(apply(*zones), apply(*pods), run())


def ended() -> History:
    return lab(apply(node("n1")), apply(pod("job", run_seconds=5)), run())


MET: list[tuple[Callable[[], History], dict[str, Any], str]] = [
    (labs.placed, {"kind": "allBound"}, REACHED),
    (labs.unschedulable, {"kind": "allBound"}, OPEN),
    (labs.placed, {"kind": "boundToNode", "pods": {"name": "a"}, "node": "h100-1"}, REACHED),
    (labs.placed, {"kind": "boundToNode", "pods": {"name": "a"}, "node": "h100-2"}, OPEN),
    (spread, {"kind": "boundToNodeWith", "pods": {"name": "w1"}, "nodeLabels": {"zone": "b"}}, REACHED),
    (spread, {"kind": "boundToNodeWith", "pods": {"name": "w1"}, "nodeLabels": {"zone": "c"}}, OPEN),
    (labs.unschedulable, {"kind": "notBound", "pods": TRAIN}, REACHED),
    (labs.placed, {"kind": "notBound", "pods": {"name": "a"}}, OPEN),
    (labs.placed, {"kind": "notBound", "pods": {"name": "nobody"}}, OPEN),
    (ended, {"kind": "finished", "pods": {"name": "job"}}, REACHED),
    (labs.placed, {"kind": "finished", "pods": {"name": "a"}}, OPEN),
    (labs.placed, {"kind": "podCount", "node": "h100-1", "atLeast": 2}, REACHED),
    (labs.placed, {"kind": "podCount", "node": "h100-1", "atMost": 1}, OPEN),
    (labs.placed, {"kind": "podCount", "node": "t4-1", "atMost": 0}, KEPT),
    (packed, {"kind": "sameDomain", "pods": {"namespace": "default"}}, REACHED),
    (spread, {"kind": "sameDomain", "pods": {"labels": {"app": "web"}}, "topologyKey": "zone"}, OPEN),
    (spread, {"kind": "maxPerDomain", "pods": {"labels": {"app": "web"}}, "topologyKey": "zone", "atMost": 2}, REACHED),
    (packed, {"kind": "maxPerDomain", "pods": {"namespace": "default"}, "atMost": 2}, OPEN),
    (packed, {"kind": "binpacked", "atMostNodes": 1}, REACHED),
    (labs.placed, {"kind": "binpacked", "atMostNodes": 1}, OPEN),
    (lambda: labs.gang(size=2, members=3, nodes=2), {"kind": "gangComplete", "podGroup": "train"}, REACHED),
    (lambda: labs.gang(size=2, members=2, nodes=1), {"kind": "gangComplete", "podGroup": "train"}, OPEN),
    (deadlock, {"kind": "gangComplete", "pods": {"labels": {"team": "a"}}, "size": 2}, REACHED),
    (deadlock, {"kind": "gangComplete", "pods": {"labels": {"team": "a"}}}, OPEN),
    (deadlock, {"kind": "gangDeadlock", "pods": {"labels": {"team": "a"}}, "bound": 2}, REACHED),
    (deadlock, {"kind": "gangDeadlock", "pods": {"labels": {"team": "b"}}, "bound": 3}, OPEN),
    (labs.placed, {"kind": "gangDeadlock", "pods": {"namespace": "default"}}, OPEN),
    (labs.placed, {"kind": "noneEvicted"}, KEPT),
    (labs.preempted, {"kind": "noneEvicted"}, LOST),
    (labs.preempted, {"kind": "noneEvicted", "pods": TRAIN}, KEPT),
    (labs.preempted, {"kind": "evicted", "pods": {"name": "low-0"}}, REACHED),
    (labs.preempted, {"kind": "evicted", "pods": {"name": "low-1"}}, OPEN),
    (labs.preempted, {"kind": "evicted", "pods": LOW, "atLeast": 2}, REACHED),
    (labs.preempted, {"kind": "evicted", "pods": LOW, "atLeast": 3}, OPEN),
    (labs.preempted, {"kind": "preemptedFor", "pods": TRAIN, "victims": LOW, "atMost": 2}, REACHED),
    (labs.preempted, {"kind": "preemptedFor", "pods": TRAIN, "atMost": 1}, LOST),
    (labs.placed, {"kind": "preemptedFor", "pods": {"name": "a"}}, OPEN),
    (labs.workloads, {"kind": "evicted", "pods": {"labels": {"app": "web"}}, "atLeast": 3}, REACHED),
    (labs.placed, {"kind": "gpuNodesKeptFromCpuPods"}, OPEN),
    (packed, {"kind": "gpuNodesKeptFromCpuPods"}, KEPT),
    (bridged, {"kind": "bandwidth", "pods": TRAIN, "atLeast": 240}, REACHED),
    (bridged, {"kind": "bandwidth", "pods": TRAIN, "atLeast": 241}, OPEN),
    (bridged, {"kind": "bandwidth", "pods": {"name": "alone"}, "atLeast": 1}, OPEN),
    (labs.placed, {"kind": "bandwidth", "pods": {"name": "a"}, "atLeast": 1}, OPEN),
    (labs.placed, {"kind": "wholeGpusFree", "atLeast": 6}, REACHED),
    (labs.placed, {"kind": "wholeGpusFree", "atLeast": 7}, OPEN),
    (labs.placed, {"kind": "wholeGpusFree", "atLeast": 1, "resource": "amd.com/gpu"}, OPEN),
    (labs.placed, {"kind": "wholeNodesFree", "atLeast": 1}, REACHED),
    (labs.placed, {"kind": "wholeNodesFree", "atLeast": 1, "gpus": 8}, OPEN),
    (labs.placed, {"kind": "nodeEmpty", "node": "t4-1"}, REACHED),
    (labs.placed, {"kind": "nodeEmpty", "node": "h100-1"}, OPEN),
    (labs.placed, {"kind": "nodeEmpty", "node": "nowhere"}, OPEN),
    (labs.placed, {"kind": "nodeCount", "atLeast": 2, "gpus": 8}, REACHED),
    (labs.placed, {"kind": "nodeCount", "atLeast": 3, "gpus": 8}, OPEN),
    (labs.unschedulable, {"kind": "nodeTainted", "node": "tainted", "key": "nvidia.com/gpu"}, REACHED),
    (labs.unschedulable, {"kind": "nodeTainted", "node": "small", "key": "nvidia.com/gpu"}, OPEN),
    (labs.placed, {"kind": "winner", "pod": "a", "node": "h100-1"}, REACHED),
    (labs.placed, {"kind": "winner", "pod": "b", "node": "h100-2"}, OPEN),
    (labs.placed, {"kind": "winner", "pod": "nobody", "node": "h100-2"}, OPEN),
    (labs.placed, {"kind": "totalScore", "pod": "a", "equals": 472}, REACHED),
    (labs.placed, {"kind": "totalScore", "pod": "a", "atLeast": 473}, OPEN),
    (labs.placed, {"kind": "totalScore", "pod": "b", "atLeast": 1}, OPEN),
    (labs.placed, {"kind": "eventSeen", "reason": "Scheduled", "pods": {"name": "a"}, "contains": "h100-1"}, REACHED),
    (labs.placed, {"kind": "eventSeen", "reason": "FailedScheduling"}, OPEN),
    (packed, {"kind": "usedProfile", "plugin": "NodeResourcesFit", "weight": 10}, REACHED),
    (labs.placed, {"kind": "usedProfile", "plugin": "NodeResourcesFit", "weight": 10}, OPEN),
    (labs.placed, {"kind": "usedProfile", "plugin": "ImageLocality", "enabled": False}, OPEN),
    (labs.placed, {"kind": "withinTime", "seconds": 10}, KEPT),
    (labs.preempted, {"kind": "withinTime", "seconds": 10}, LOST),
]


@pytest.mark.parametrize(("make", "goal", "state"), MET, ids=lambda value: getattr(value, "__name__", str(value)[:60]))
def test_goal_is_in_the_expected_state(make: Callable[[], History], goal: dict[str, Any], state: str) -> None:
    progress = check(make(), goal)
    assert progress.state == state
    assert progress.is_met == (state in (REACHED, KEPT))
    assert 0 <= progress.done <= progress.total
    assert (progress.done == progress.total > 0) == progress.is_met


def test_every_kind_of_goal_is_reached_and_missed_above() -> None:
    met = {goal["kind"] for _, goal, state in MET if state in (REACHED, KEPT)}
    missed = {goal["kind"] for _, goal, state in MET if state in (OPEN, LOST)}
    assert met == missed == set(GOALS)


def test_progress_ticks_with_the_run() -> None:
    history = labs.placed()
    told = [check(history, {"kind": "allBound"}, at) for at in range(1, history.count + 1)]
    assert [(p.done, p.total) for p in told] == [(0, 0), (0, 3), (1, 3), (2, 3), (3, 3)]
    assert [p.code for p in told] == ["goal.no_pods", *["goal.pods_left"] * 3, ""]
    assert told[2].params == {"pods": ["default/b", "default/c"], "count": 2}


def test_resumed_history_is_looked_at_like_a_whole_one() -> None:
    whole = labs.preempted()
    resumed = History.resume(whole.setup, snapshot.save(whole.head), whole.applied, whole.actions)
    for goal in ({"kind": "noneEvicted"}, {"kind": "evicted", "pods": LOW, "atLeast": 2}):
        assert check(resumed, goal) == check(whole, goal)


@pytest.mark.parametrize(
    ("goal", "problems"),
    [
        ("text", [((), "goal.type")]),
        ({}, [(("kind",), "goal.unknown_kind")]),
        ({"kind": "winTheLottery"}, [(("kind",), "goal.unknown_kind")]),
        ({"kind": []}, [(("kind",), "goal.unknown_kind")]),
        ({"kind": "allBound", "pod": "a"}, [(("pod",), "goal.unknown_field")]),
        ({"kind": "allBound", "pods": {}}, [(("pods",), "goal.empty")]),
        ({"kind": "allBound", "pods": {"label": "x"}}, [(("pods", "label"), "goal.unknown_field")]),
        ({"kind": "allBound", "pods": {"labels": {"a": 1}}}, [(("pods", "labels", "a"), "goal.type")]),
        ({"kind": "notBound"}, [(("pods",), "goal.missing_field")]),
        ({"kind": "boundToNode", "pods": TRAIN, "node": 3}, [(("node",), "goal.type")]),
        ({"kind": "boundToNode", "pods": TRAIN, "node": "x" * 300}, [(("node",), "goal.length")]),
        ({"kind": "wholeGpusFree", "atLeast": 0}, [(("atLeast",), "goal.range")]),
        ({"kind": "wholeGpusFree", "atLeast": True}, [(("atLeast",), "goal.type")]),
        ({"kind": "usedProfile", "plugin": "X", "enabled": "yes"}, [(("enabled",), "goal.type")]),
        ({"kind": "podCount", "node": "n"}, [((), "goal.one_of")]),
        ({"kind": "gangComplete"}, [((), "goal.one_of")]),
        ({"kind": "winner", "pod": 1, "node": 2}, [(("pod",), "goal.type"), (("node",), "goal.type")]),
    ],
)
def test_wrong_parameters_are_told_with_their_place(goal: Any, problems: list[Any]) -> None:
    with pytest.raises(GoalError) as raised:
        read_goal(goal, ("goals", 0))
    assert [(p.path, p.code) for p in raised.value.problems] == [(("goals", 0, *path), code) for path, code in problems]


def test_title_beside_a_goal_is_not_its_business() -> None:
    assert read_goal({"kind": "allBound", "title": {"zh-hans": "全部就位", "en": "All placed"}}).kind == "allBound"

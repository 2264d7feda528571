"""A learner's rule in a profile: it filters and scores like any other plugin, everywhere a plugin is asked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simulator.engine.cel.program import Result
from simulator.engine.framework.status import Code
from simulator.engine.user_rules.plugin import STEPS, steps_for
from simulator.engine.world import snapshot
from simulator.engine.world.commands import CommandError
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from tests.engine.user_rules.cluster import CLUSTER, H100, T4, attempts, config, history, node, placed, pod

MODEL_SCORE = {"name": "ModelScore", "score": 'gpuModel(node).contains("H100") ? 100 : 0'}
NO_CPU_PODS = {"name": "GpuNodesForGpuPods", "filter": "gpus(pod) > 0 || gpuCount(node) == 0"}


def test_score_rule_decides_and_is_shown_with_its_weight() -> None:
    """LeastAllocated alone prefers an empty T4 box's CPU as much; the rule adds 100 x 5 for an H100."""
    made = history(MODEL_SCORE, [*CLUSTER, pod("train", 1)])
    assert placed(made) == {"train": "h100-1"}
    detail = attempts(made, "default/train")[0]
    column = next(found for found in detail.scores if found.plugin == "ModelScore")
    assert column.weight == 5
    assert column.raw == {"t4-1": 0, "h100-1": 100, "h100-2": 100}
    without = attempts(_without(made), "default/train")[0]
    assert {name: detail.totals[name] - without.totals[name] for name in detail.totals} == {
        "t4-1": 0,
        "h100-1": 500,
        "h100-2": 500,
    }


def _without(made: History) -> History:
    other = History.begin(Setup())
    for applied in made.applied:
        other.apply(applied.command)
    return other


def test_filter_rule_stands_in_the_matrix_and_in_kubes_message() -> None:
    made = history(NO_CPU_PODS, [*CLUSTER[1:], pod("web")])
    assert placed(made) == {"web": ""}
    detail = attempts(made, "default/web")[0]
    cell = detail.matrix["t4-1"]["GpuNodesForGpuPods"]
    assert (cell.status.code, cell.reached) == (Code.UNRESOLVABLE, True)
    assert "0/3 nodes are available: 3 node(s) rejected by GpuNodesForGpuPods." in detail.message


def test_reason_of_a_filter_may_be_its_own_text() -> None:
    rule = {"name": "Explain", "filter": 'freeGpus(node) >= 4 ? "" : "only " + string(freeGpus(node)) + " free GPUs"'}
    made = history(rule, [*CLUSTER, pod("full", 8, on="h100-1"), pod("big", 4)])
    assert placed(made)["big"] == "h100-2"
    statuses = attempts(made, "default/big")[0].matrix
    told = {
        name: dict(cells["Explain"].status.reasons[0].params)["message"]
        for name, cells in statuses.items()
        if not cells["Explain"].status.is_success
    }
    assert told == {"cpu-1": "only 0 free GPUs", "t4-1": "only 2 free GPUs", "h100-1": "only 0 free GPUs"}
    assert statuses["h100-1"]["Explain"].status.code == Code.UNSCHEDULABLE


def test_rejection_by_usage_leaves_preemption_a_chance() -> None:
    """A filter that reads free GPUs is asked again with the victims gone; one that reads labels is not."""
    keep_one = {"name": "KeepOneFree", "filter": "freeGpus(node) - gpus(pod) >= 1"}
    low, high = {**pod("low", 8, on="h100-1")}, pod("high", 2)
    high["spec"]["priority"] = 1000
    high["spec"]["priorityClassName"] = "high"
    klass = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000}
    made = history(keep_one, [klass, node("h100-1", 8, H100), low, high])
    assert placed(made) == {"high": "h100-1"}


def test_pods_of_equal_facts_are_asked_once_and_changed_nodes_anew() -> None:
    """The first of equals is taken, the fullest from then on, and the next one when it has no GPU left."""
    made = history(
        {"name": "Pack", "score": "usedGpus(node)", "normalize": "largest"},
        [*CLUSTER, *(pod(f"p{index}", 1) for index in range(10))],
        weight=100,
    )
    assert Counter(placed(made).values()) == {"t4-1": 2, "h100-1": 8}


def test_domain_counts_free_gpus_of_all_its_nodes() -> None:
    rule = {"name": "WholeDomains", "score": "nvswitchDomain(node).freeGpus == nvswitchDomain(node).gpus ? 100 : 0"}
    trays = [
        node(f"tray-{i}", 4, "NVIDIA-GB200", nvidia_com__gpu_clique="rack-a" if i < 2 else "rack-b") for i in range(4)
    ]
    made = history(rule, [*trays, pod("old", 1, on="tray-0"), pod("new", 1)])
    detail = attempts(made, "default/new")[0]
    scores = next(found for found in detail.scores if found.plugin == "WholeDomains").raw
    assert scores == {"tray-0": 0, "tray-1": 0, "tray-2": 100, "tray-3": 100}


def test_domain_of_a_label_and_of_machines_with_an_nvswitch() -> None:
    rule = {
        "name": "Domains",
        "score": 'domain(node, "rack").nodes * 10 + (nvswitchDomain(node).name == node.name ? 1 : 0)',
    }
    nodes = [node("a", 8, H100, rack="r1"), node("b", 8, H100, rack="r1"), node("c", 2, T4)]
    made = history(rule, [*nodes, pod("p", 1)])
    scores = next(found for found in attempts(made, "default/p")[0].scores if found.plugin == "Domains").raw
    assert scores == {"a": 21, "b": 21, "c": 0}


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("pod.priority", 0),
        ('pod.name == "p" && pod.namespace == "default" ? 1 : 0', 1),
        ('pod.labels["app"] == "x" && label(pod, "none") == "" ? 1 : 0', 1),
        ('pod.annotations["note"] == "hi" ? 1 : 0', 1),
        ('pod.requests["cpu"] / 100', 10),
        ('node.allocatable["cpu"] / 1000', 64),
        ('(node.allocatable["memory"] - node.free["memory"]) / 1024', 0),
        ('node.requested["nvidia.com/gpu"]', 3),
        ('"amd.com/gpu" in node.allocatable ? 1 : 0', 0),
        ("node.podCount", 1),
        ("podsOn(node).map(p, p.gpus).sum()", 3),
        ("podsOn(node).filter(p, p.priority == 0 && p.podGroup == '').size()", 1),
        ("gpuMemoryMiB(node) / 1024", 79),
        ('node.taints.exists(t, t.key == "gpu" && t.effect == "PreferNoSchedule") ? 1 : 0', 1),
        ('node.labels.exists(k, k.startsWith("nvidia.com/")) ? 1 : 0', 1),
        ('domain(node, "nowhere").nodes', 0),
        ('pod.nodeSelector.size() + (pod.podGroup == "" ? 1 : 0) + (node.unschedulable ? 1 : 0)', 1),
        ('pod.priorityClassName == "" && !("note" in node.annotations) ? 1 : 0', 1),
    ],
)
def test_facts_of_pod_and_node(expression: str, wanted: int) -> None:
    one = node("only", 8, H100, nvidia_com__gpu_memory="81559")
    one["spec"] = {"taints": [{"key": "gpu", "value": "x", "effect": "PreferNoSchedule"}]}
    other = node("other", 8, H100, nvidia_com__gpu_memory="81559")
    objects = [one, other, pod("old", 3, on="only"), pod("p", 1, labels={"app": "x"}, annotations={"note": "hi"})]
    made = history({"name": "Ask", "score": expression}, objects)
    assert next(found for found in attempts(made, "default/p")[0].scores if found.plugin == "Ask").raw["only"] == wanted


@pytest.mark.parametrize(
    ("normalize", "wanted"),
    [
        ("none", {"t4-1": 2, "h100-1": 8, "h100-2": 8}),
        ("largest", {"t4-1": 25, "h100-1": 100, "h100-2": 100}),
        ("reversed", {"t4-1": 75, "h100-1": 0, "h100-2": 0}),
        ("range", {"t4-1": 0, "h100-1": 100, "h100-2": 100}),
    ],
)
def test_normalization(normalize: str, wanted: dict[str, int]) -> None:
    made = history({"name": "Count", "score": "gpuCount(node)", "normalize": normalize}, [*CLUSTER, pod("p", 1)])
    assert attempts(made, "default/p")[0].scores[-1].normalized == wanted


def test_score_outside_0_to_100_fails_as_in_kube() -> None:
    made = history({"name": "TooHigh", "score": "gpuCount(node) * 100"}, [*CLUSTER, pod("p", 1)])
    assert placed(made) == {"p": ""}
    text = 'plugin "TooHigh" returns an invalid score 200, it should in the range of [0, 100] after normalizing'
    assert any(text in event.message for event in made.head.world.events)


def test_constant_score_outside_the_range_fails_too() -> None:
    made = history({"name": "TooHigh", "score": "gpuCount(node) > 2 ? 101 : 0"}, [*CLUSTER, pod("p", 1)])
    assert placed(made) == {"p": ""}


def test_failing_rule_fails_the_cycle_with_its_place() -> None:
    made = history({"name": "Fails", "filter": 'node.labels["zone"] == "a"'}, [*CLUSTER, pod("p", 1)])
    assert placed(made) == {"p": ""}
    text = 'running "Fails" filter plugin: rule Fails, filter 1:12: no such key: zone'
    assert any(text in event.message for event in made.head.world.events)
    made = history({"name": "Fails", "score": "100 / (gpuCount(node) - 2)"}, [*CLUSTER, pod("p", 1)])
    assert any("rule Fails, score 1:5: division by zero" in event.message for event in made.head.world.events)


def test_failure_on_a_node_that_another_plugin_rejected_does_not_count() -> None:
    """cpu-1 has no product label; NodeResourcesFit has rejected it before."""
    rule = {
        "name": "Fine",
        "filter": 'node.labels["nvidia.com/gpu.product"] != ""',
        "score": 'size(node.labels["nvidia.com/gpu.product"])',
    }
    assert placed(history(rule, [*CLUSTER, pod("p", 1)]))["p"] in {"h100-1", "h100-2"}


def test_hostile_rule_costs_its_budget_and_fails() -> None:
    numbers = "'" + "1," * 300 + "1'.split(',')"
    rule = {"name": "Bomb", "score": f"{numbers}.map(a, {numbers}.map(b, a + b)).size()"}
    made = history(rule, [*CLUSTER, pod("p", 1)])
    limit = steps_for(len(CLUSTER))
    assert any(f"does too much work: more than {limit} steps" in event.message for event in made.head.world.events)


def test_facts_tell_what_the_rule_read() -> None:
    made = history({**NO_CPU_PODS, "score": "freeGpus(node) * 10"}, [*CLUSTER, pod("p", 1)])
    index = next(i for i, action in enumerate(made.actions) if action.actor == "kube-scheduler")

    def ask(framework: Any, attempt: Any) -> Any:
        plugin = framework.plugins["GpuNodesForGpuPods"]
        cluster = framework.handle.cluster
        row = cluster.rows([cluster.nodes.row_of["t4-1"]])
        return plugin.facts(attempt.state, attempt.pod, row)[0], plugin.score_facts(attempt.state, attempt.pod, row, 0)

    fact, formula = made.probe(index, 0, ask)
    assert fact.holds
    assert fact.params["inputs"] == [["gpus(pod)", 1], ["gpuCount(node)", 2]]
    assert (formula.value, formula.params["inputs"]) == (20, [["freeGpus(node)", 2]])


def test_rules_are_part_of_snapshot_digest_and_fork() -> None:
    made = history(MODEL_SCORE, [*CLUSTER, pod("a", 1)])
    assert made.head.digest != history({**MODEL_SCORE, "score": "0"}, [*CLUSTER, pod("a", 1)]).head.digest
    loaded = snapshot.load(snapshot.save(made.head))
    for simulation in (loaded, made.fork(made.count).head, made.at(made.count)):
        simulation.apply({"type": "apply", "objects": [pod("b", 1)]})
        simulation.apply({"type": "run", "turns": 10})
        assert simulation.world.pod("default/b").node_name.startswith("h100")


def test_rule_can_be_changed_by_a_command_and_back() -> None:
    made = history(MODEL_SCORE, CLUSTER)
    changed = {**MODEL_SCORE, "score": 'gpuModel(node).contains("T4") ? 100 : 0'}
    applied = made.apply({"type": "configure", "plugins": [changed]})
    made.apply({"type": "apply", "objects": [pod("a", 1)]})
    made.apply({"type": "run", "turns": 10})
    assert placed(made) == {"a": "t4-1"}
    assert applied.effect.inverse is not None
    made.apply(applied.effect.inverse)
    made.apply({"type": "apply", "objects": [pod("b", 1)]})
    made.apply({"type": "run", "turns": 10})
    assert placed(made)["b"].startswith("h100")


@pytest.mark.parametrize(
    ("plugins", "code", "path"),
    [
        ("x", "config.type", ("plugins",)),
        (["x"], "config.type", ("plugins", 0)),
        ([{"name": "lower", "score": "1"}], "user_rule.name", ("plugins", 0, "name")),
        ([{"name": "NodeName", "score": "1"}], "user_rule.name_taken", ("plugins", 0, "name")),
        ([MODEL_SCORE, MODEL_SCORE], "user_rule.name_taken", ("plugins", 1, "name")),
        ([{"name": "Empty"}], "user_rule.empty", ("plugins", 0)),
        ([{"name": "Odd", "score": "1", "normalize": "x"}], "user_rule.normalize", ("plugins", 0, "normalize")),
        ([{"name": "Odd", "score": "1", "more": "x"}], "config.unknown_field", ("plugins", 0, "more")),
        ([{"name": "Odd", "score": 1}], "config.type", ("plugins", 0, "score")),
        ([{"name": "Odd", "score": "1.5"}], "cel.wrong_type", ("plugins", 0, "score")),
        ([{"name": "Odd", "filter": "1"}], "cel.wrong_type", ("plugins", 0, "filter")),
        ([{"name": "Odd", "filter": "true\n&& node.lable == ''"}], "cel.unknown_field", ("plugins", 0, "filter")),
        ([{"name": f"Rule{index}", "score": "1"} for index in range(11)], "user_rule.too_many", ("plugins",)),
    ],
)
def test_bad_rule_is_refused_with_its_place(plugins: Any, code: str, path: tuple[Any, ...]) -> None:
    made = History.begin(Setup())
    with pytest.raises(CommandError) as caught:
        made.apply({"type": "configure", "plugins": plugins})
    problem = caught.value.problems[0]
    assert (problem.code, problem.path) == (code, path)
    if code == "cel.unknown_field":
        assert (problem.params["line"], problem.params["column"]) == (2, 9)


def test_rule_that_no_profile_enables_does_nothing() -> None:
    made = History.begin(Setup(plugins=[NO_CPU_PODS]))
    made.apply({"type": "apply", "objects": [*CLUSTER[1:], pod("web")]})
    made.apply({"type": "run", "turns": 10})
    assert placed(made)["web"]
    with pytest.raises(CommandError, match='"Gone" does not exist'):
        made.apply({"type": "configure", "config": config("Gone")})


def test_question_about_two_thousand_different_nodes_stays_within_its_budget() -> None:
    """A hostile rule for which every node is a case of its own."""
    results = results_of_a_bomb(2_000)
    assert {found.problem.code for found in results if found.problem is not None} == {"cel.cost"}
    assert len(results) == 2_000
    assert sum(found.cost for found in results) <= STEPS


def results_of_a_bomb(nodes: int) -> list[Result]:
    numbers = "[1, 2, 3, 4, 5, 6, 7, 8]"
    rule = {"name": "Bomb", "score": f"size(node.name) + {numbers}.map(a, {numbers}.map(b, a * b).size()).sum()"}
    made = History.begin(Setup(config=config("Bomb"), plugins=[rule]))
    boxes = [node(f"n{index}", 8, H100 if index % 2 else T4) for index in range(nodes)]
    made.apply({"type": "apply", "objects": boxes})
    framework = next(iter(made.head.scheduler.frameworks.values()))
    asked = made.head.world.interner.pod(pod("p", 1))
    found: list[Result] = framework.plugins["Bomb"]._score.results(asked, framework.handle.cluster.all_rows())
    return found

"""The worked examples of the specification of kube-scheduler 1.36, one after the other."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.cluster.node_tree import NodeTree
from simulator.engine.framework.filtering import feasible_to_find
from simulator.engine.framework.scoring import heap_root
from simulator.engine.objects.requests import pod_requests
from simulator.engine.objects.times import SECOND
from simulator.engine.plugins.gang_scheduling import PERMIT_TIMEOUT
from tests.engine.build import cycles, node_manifest, pod_manifest, settle, simulation

Manifest = dict[str, Any]


def container(restart: str = "", **requests: str) -> Manifest:
    made: Manifest = {"name": "c", "resources": {"requests": requests}}
    return {**made, "restartPolicy": restart} if restart else made


# requests


def test_an_init_container_is_weighed_with_the_sidecars_before_it() -> None:
    sidecar, plain = container("Always", cpu="1"), container(cpu="2.5")
    main = [container(cpu="2")]
    assert pod_requests({"containers": main, "initContainers": [sidecar, plain]}, {}).on_node == {"cpu": 3500}
    assert pod_requests({"containers": main, "initContainers": [plain, sidecar]}, {}).on_node == {"cpu": 3000}


def test_missing_requests_count_for_scoring_only_and_zero_is_a_request() -> None:
    made = pod_requests({"containers": [container(cpu="0"), container()]}, {})
    assert made.on_node == {"cpu": 0}
    assert made.nonzero == (100, 2 * 200 * 2**20)


@pytest.mark.parametrize(("reason", "cpu"), [("Deferred", 2000), ("Infeasible", 1000)])
def test_a_pod_being_resized_counts_its_largest_value_unless_infeasible(reason: str, cpu: int) -> None:
    status = {
        "containerStatuses": [
            {"name": "c", "resources": {"requests": {"cpu": "1"}}, "allocatedResources": {"cpu": "1"}}
        ],
        "conditions": [{"type": "PodResizePending", "status": "True", "reason": reason}],
    }
    assert pod_requests({"containers": [container(cpu="2")]}, status).on_node["cpu"] == cpu


def test_pod_level_requests_replace_the_sum_and_overhead_comes_on_top() -> None:
    spec = {
        "resources": {"requests": {"cpu": "3"}},
        "containers": [container(cpu="1", memory="1Gi"), container(cpu="1", memory="1Gi")],
        "overhead": {"cpu": "0.1"},
    }
    made = pod_requests(spec, {})
    assert made.on_node == {"cpu": 3100, "memory": 2 * 2**30}
    assert made.scoring["cpu"] == 2100


# the search


@pytest.mark.parametrize(
    ("nodes", "percentage", "wanted"),
    [(99, 0, 99), (100, 0, 100), (250, 0, 120), (300, 0, 144), (1000, 0, 420), (5000, 0, 500), (5625, 0, 281),
     (6000, 0, 300), (500, 30, 150), (500, 1, 100)],
)  # fmt: skip
def test_how_many_feasible_nodes_end_the_search(nodes: int, percentage: int, wanted: int) -> None:
    assert feasible_to_find(nodes, percentage) == wanted


def test_nodes_are_visited_round_robin_over_zones() -> None:
    tree = NodeTree()
    for name in ("a1", "b1", "a2", "c1", "a3", "c2"):
        tree.add(name, ("", name[0]))
    assert tree.names() == ["a1", "b1", "c1", "a2", "c2", "a3"]
    tree.remove("b1", ("", "b"))
    tree.add("b9", ("", "b"))
    assert tree.names() == ["a1", "c1", "b9", "a2", "c2", "a3"]
    tree.update("a2", ("", "a"), ("", "z"))
    assert tree.names() == ["a1", "c1", "b9", "a2", "a3", "c2"]


@pytest.mark.parametrize(
    ("totals", "winner"),
    [([5, 5, 5], 0), ([1, 2, 2], 1), ([3, 9, 9], 1), ([1, 1, 9, 9], 3), ([0, 0, 7, 7, 7, 7, 7], 3)],
)
def test_the_root_of_the_heap_is_the_first_maximum_in_pre_order(totals: list[int], winner: int) -> None:
    assert heap_root(totals) == winner


def test_the_search_goes_on_where_the_last_one_ended() -> None:
    nodes = [node_manifest(f"n{index:03}") for index in range(300)]
    made = settle(simulation(*nodes, *(pod_manifest(f"p{index}") for index in range(4))))
    assert [cycle.tries[0].start for cycle in cycles(made)] == [0, 144, 288, 132]
    assert {cycle.tries[0].feasible for cycle in cycles(made)} == {144}


# messages


def test_the_histogram_counts_reasons_and_sorts_them_as_text() -> None:
    made = settle(
        simulation(
            node_manifest("n1", taints="x:NoSchedule"),
            node_manifest("n2"), node_manifest("n3"),
            pod_manifest("a", on="n2", requests={"cpu": "4", "memory": "8Gi"}),
            pod_manifest("b", on="n3", requests={"cpu": "4"}),
            pod_manifest("p", requests={"cpu": "1", "memory": "1Gi"}),
        )
    )  # fmt: skip
    assert cycles(made)[-1].failures[0].message == (
        "0/3 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint(s), 2 Insufficient cpu. "
        "no new claims to deallocate, preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, "
        "2 No preemption victims found for incoming pod."
    )


def test_a_pod_pinned_by_name_tells_of_the_others_by_plugin() -> None:
    field = {"key": "metadata.name", "operator": "In", "values": ["n2"]}
    pinned = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [field]}]}}
    made = settle(
        simulation(
            node_manifest("n1"), node_manifest("n2"), node_manifest("n3"),
            pod_manifest("full", on="n2", requests={"cpu": "4"}),
            pod_manifest("p", requests={"cpu": "1"}, affinity={"nodeAffinity": pinned}),
        )
    )  # fmt: skip
    assert cycles(made)[-1].failures[0].message == (
        "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims "
        "to deallocate, preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, "
        "2 Preemption is not helpful for scheduling."
    )


def test_switched_off_preparation_is_an_error_in_the_plugins_words() -> None:
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}

    def message(point: str, plugin: str, pod: Manifest) -> str:
        config = {**kind, "profiles": [{"plugins": {point: {"disabled": [{"name": plugin}]}}}]}
        made = simulation(node_manifest("n1"), node_manifest("n2"), pod, config=config)
        made.step()
        failure = cycles(made)[0].failures[0]
        assert failure.code == "Error"
        return failure.message

    ports = pod_manifest("p", ports=(80,))
    assert message("preFilter", "NodePorts", ports) == (
        'running "NodePorts" filter plugin: reading "PreFilterNodePorts" from cycleState: not found'
    )
    assert message("preFilter", "NodeResourcesFit", ports) == (
        'running "NodeResourcesFit" filter plugin: error reading "PreFilterNodeResourcesFit" from cycleState: not found'
    )
    assert message("preFilter", "PodTopologySpread", ports) == (
        'running "PodTopologySpread" filter plugin: reading "PreFilterPodTopologySpread" from cycleState: not found'
    )
    assert message("preFilter", "InterPodAffinity", ports) == (
        'running "InterPodAffinity" filter plugin: error reading "PreFilterInterPodAffinity" from cycleState: not found'
    )
    assert message("preScore", "TaintToleration", ports) == (
        'running Score plugins: plugin "TaintToleration" failed with: failed to read "PreScoreTaintToleration" from '
        "cycleState: not found"
    )


# D.1 scores and D.2 the life of a preemption

D1 = [
    ("1", "2Gi", (450, 452, 462), "n3"),
    ("1", "2Gi", (450, 452, 450), "n2"),
    ("500m", "4Gi", (433, 440, 441), "n3"),
    ("2", "1Gi", (433, 417, 436), "n3"),
    ("", "", (397, 379, 355), "n1"),
    ("1", "2Gi", (447, 434, 418), "n1"),
]


def test_scores_of_six_pods_placed_one_after_the_other() -> None:
    made = simulation(
        node_manifest("n1", cpu="4", memory="8Gi"),
        node_manifest("n2", cpu="4", memory="16Gi"),
        node_manifest("n3", cpu="8", memory="16Gi"),
    )
    for index, (cpu, memory, totals, node) in enumerate(D1):
        requests = {"cpu": cpu, "memory": memory} if cpu else None
        made.apply({"type": "apply", "objects": [pod_manifest(f"p{index}", requests=requests)]})
        seen: list[Any] = []
        made.scheduler.observed_attempt = lambda _framework, tried, seen=seen: seen.append(tried)
        made.step()
        assert cycles(made)[-1].node == node
        assert tuple(seen[0].scoring.totals.tolist()) == totals


def test_a_preemption_from_the_first_attempt_to_the_binding() -> None:
    high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 10}
    made = simulation(
        high, node_manifest("n1"),
        pod_manifest("v", on="n1", requests={"cpu": "3"}, terminationGracePeriodSeconds=30),
        pod_manifest("p", requests={"cpu": "2"}, priorityClassName="high"),
    )  # fmt: skip
    made.step()
    assert cycles(made)[0].failures[0].message == "0/1 nodes are available: 1 Insufficient cpu."
    assert cycles(made)[0].victims == ["default/v"]
    waiting, victim = made.world.pod("default/p"), made.world.pod("default/v")
    assert waiting.nominated_node_name == "n1"
    assert waiting.condition("PodScheduled").reason == "Unschedulable"
    assert victim.terminating
    assert victim.condition("DisruptionTarget").reason == "PreemptionByScheduler"
    assert f"Preempted by pod {waiting.uid} on node n1" in [event.message for event in made.world.events]
    made.apply({"type": "advance", "seconds": 5})
    made.apply({"type": "apply", "objects": [pod_manifest("q", requests={"cpu": "1"}, priorityClassName="high")]})
    made.step()
    assert cycles(made)[-1].result == "nominated"
    made.apply({"type": "taint", "name": "n1", "add": [{"key": "x", "effect": "PreferNoSchedule"}]})
    made.apply({"type": "advance", "seconds": 10})
    last = [cycle for cycle in cycles(made) if cycle.pod == "default/p"][-1]
    assert last.failures[0].message == (
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to a "
        "terminating pod on the nominated node."
    )
    assert made.world.pod("default/p").nominated_node_name == "n1"
    made.apply({"type": "advance", "seconds": 30})
    assert made.world.pod("default/p").node_name == "n1"
    assert made.world.pod("default/v") is None
    assert "Successfully assigned default/p to n1" in [event.message for event in made.world.events]


# 5.8 preemption


def classes(*values: int) -> list[Manifest]:
    return [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": f"p{v}"}, "value": v}
        for v in values
    ]


def running(name: str, node: str, priority: int, cpu: str, hour: int = 10) -> Manifest:
    made = pod_manifest(name, on=node, labels={"name": name}, requests={"cpu": cpu})
    if priority:
        made["spec"]["priorityClassName"] = f"p{priority}"
    made["status"]["startTime"] = f"2025-12-31T{hour}:00:00Z"
    return made


def budget(name: str, allowed: int = 0) -> Manifest:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": f"b-{name}"},
        "spec": {"selector": {"matchLabels": {"name": name}}, "minAvailable": 1},
        "status": {
            "disruptionsAllowed": allowed, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1,
        },
    }  # fmt: skip


PREEMPTIONS = {
    "budgets first, then the most important victim": (
        5000, "4", {"n1": "4", "n2": "4"},
        [running("hi", "n1", 1000, "2"), running("lo", "n1", 10, "2"), running("mid", "n2", 100, "4")],
        ["lo", "mid"], "n2", ["mid"],
    ),
    "who violates a budget is reprieved first": (
        5000, "2", {"n1": "4"}, [running("hi", "n1", 1000, "2"), running("lo", "n1", 10, "2")], ["lo"], "n1", ["hi"],
    ),
    "as few victims as possible": (
        10, "2", {"n1": "8"},
        [running("a", "n1", 5, "4"), running("b", "n1", 3, "2"), running("c", "n1", 1, "2")], [], "n1", ["c"],
    ),
    "fewer victims by the sum of priorities": (
        10, "4", {"n1": "4", "n2": "4", "n3": "4"},
        [running("a1", "n1", 5, "2"), running("a2", "n1", 5, "2"), running("b1", "n2", 5, "2"),
         running("b2", "n2", 1, "2"), running("c1", "n3", 5, "4")],
        [], "n3", ["c1"],
    ),
    "the younger of two equals goes": (
        10, "2", {"n1": "4"}, [running("old", "n1", 1, "2", 10), running("young", "n1", 1, "2", 11)],
        [], "n1", ["young"],
    ),
    "the node whose victim started latest": (
        10, "4", {"n1": "4", "n2": "4"}, [running("old", "n1", 1, "4", 10), running("young", "n2", 1, "4", 11)],
        [], "n2", ["young"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PREEMPTIONS)
def test_choice_of_victims(name: str) -> None:
    priority, cpu, nodes, pods, budgets, node, victims = PREEMPTIONS[name]
    made = simulation(
        *classes(1, 3, 5, 10, 100, 1000, 5000),
        *(node_manifest(each, cpu=size) for each, size in nodes.items()),
        *pods,
        *(budget(each) for each in budgets),
        pod_manifest("p", requests={"cpu": cpu}, priorityClassName=f"p{priority}"),
    )
    while not cycles(made):
        assert made.step() is not None
    assert cycles(made)[0].node == node
    assert cycles(made)[0].victims == [f"default/{victim}" for victim in victims]


# 6.8 gangs

GANG = {"GenericWorkload": True, "GangScheduling": True}


def group(name: str, count: int, **spec: Any) -> Manifest:
    policy = {"schedulingPolicy": {"gang": {"minCount": count}}}
    head = {"apiVersion": "scheduling.k8s.io/v1alpha2", "kind": "PodGroup"}
    return {**head, "metadata": {"name": name}, "spec": {**policy, **spec}}


def members(name: str, count: int, **rest: Any) -> list[Manifest]:
    requests = rest.pop("requests", {"cpu": "1"})
    return [
        pod_manifest(f"{name}{index}", requests=requests, schedulingGroup={"podGroupName": name}, **rest)
        for index in range(count)
    ]


def test_min_count_is_a_threshold_and_the_rest_fail_alone() -> None:
    made = settle(simulation(node_manifest(cpu="3"), group("g", 3), *members("g", 4), gates=GANG), turns=8)
    first = next(cycle for cycle in cycles(made) if cycle.kind == "podGroup")
    assert [binding.pod for binding in first.bindings] == ["default/g0", "default/g1", "default/g2"]
    assert [failure.pod for failure in first.failures] == ["default/g3"]
    assert first.failures[0].message.startswith("0/1 nodes are available: 1 Insufficient cpu.")
    assert first.group is not None
    assert (first.group.status, first.group.reason) == ("True", "Scheduled")


def test_a_gang_that_does_not_fit_holds_nothing() -> None:
    made = simulation(node_manifest(cpu="2"), group("g", 3), *members("g", 3), gates=GANG)
    made.step()
    [cycle] = cycles(made)
    assert cycle.bindings == []
    assert [pod.node_name for pod in made.world.list("Pod")] == ["", "", ""]
    assert made.scheduler.assumed == {}
    assert cycle.group is not None
    assert (cycle.group.status, cycle.group.reason) == ("False", "Unschedulable")
    waiting = "pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, one or more plugins "
    assert cycle.failures[0].message == waiting + "asked to wait and no plugin rejected pod"


def test_members_wait_until_the_group_and_enough_of_them_exist() -> None:
    made = settle(simulation(node_manifest(), *members("g", 2), gates=GANG))
    assert {info.gate for info in made.scheduler.queue.unschedulable.values()} == {"GangScheduling"}
    made.apply({"type": "apply", "objects": [group("g", 3)]})
    assert made.is_idle
    made.apply({"type": "apply", "objects": members("g", 3)[2:]})
    settle(made)
    assert [pod.node_name for pod in made.world.list("Pod")] == ["n1", "n1", "n1"]


def test_a_single_preempting_member_sends_the_whole_group_back() -> None:
    low = pod_manifest("low", on="n1", requests={"cpu": "1"}, terminationGracePeriodSeconds=5)
    made = simulation(
        *classes(10), node_manifest(cpu="4"), low, group("g", 3), *members("g", 4, priorityClassName="p10"), gates=GANG
    )
    made.step()
    [cycle] = cycles(made)
    assert cycle.bindings == []
    assert cycle.victims == ["default/low"]
    assert cycle.group is not None
    assert cycle.group.waiting_on_preemption
    made.apply({"type": "advance", "seconds": 20})
    assert [pod.node_name for pod in made.world.list("Pod")] == ["n1"] * 4


TOPOLOGY = {**GANG, "TopologyAwareWorkloadScheduling": True}


def test_a_group_goes_to_the_domain_that_holds_it_and_follows_its_members() -> None:
    racked = group("g", 2, schedulingConstraints={"topology": [{"key": "rack"}]})
    nodes = [node_manifest("a", labels={"rack": "r1"}, cpu="1"), node_manifest("b", labels={"rack": "r2"}, cpu="4")]
    made = settle(simulation(*nodes, racked, *members("g", 2), gates=TOPOLOGY))
    assert {pod.node_name for pod in made.world.list("Pod")} == {"b"}
    made.apply({"type": "apply", "objects": [*members("g", 3)[2:], node_manifest("c", labels={"rack": "r3"}, cpu="9")]})
    settle(made)
    assert made.world.pod("default/g2").node_name == "b"


def test_members_in_two_domains_are_an_error_of_the_group() -> None:
    racked = group("g", 2, schedulingConstraints={"topology": [{"key": "rack"}]})
    nodes = [node_manifest(name, labels={"rack": name}) for name in ("a", "b")]
    placed = [pod_manifest(f"g{n}", on=n, schedulingGroup={"podGroupName": "g"}) for n in ("a", "b")]
    made = simulation(*nodes, racked, *placed, *members("g", 1), gates=TOPOLOGY)
    made.step()
    assert cycles(made)[0].failures[0].message == (
        "cannot determine domain for already scheduled pods: more than 1 domain found for pod group: a, b"
    )
    assert cycles(made)[0].group is not None
    assert cycles(made)[0].group.reason == "SchedulerError"


def test_permit_ends_after_five_minutes() -> None:
    assert PERMIT_TIMEOUT == 300 * SECOND

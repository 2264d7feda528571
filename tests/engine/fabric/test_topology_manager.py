"""The kubelet's Topology Manager against cases of its issue tracker and against trying every combination."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from simulator.engine.fabric.numa_zones import CONTAINER, POD, NodeZones, Zone
from simulator.engine.fabric.topology_manager import (
    BEST_EFFORT,
    NONE,
    RESTRICTED,
    SINGLE_NUMA_NODE,
    ContainerRequest,
    Hint,
    admit,
    merge_hints,
    resource_hints,
)

GPU = "nvidia.com/gpu"


def zones(
    *amounts: dict[str, int], policy: str, scope: str = CONTAINER, used: dict[str, int] | None = None
) -> NodeZones:
    """Zones with these capacities, of which `used` is taken in each."""
    taken = used or {}
    return NodeZones(
        "node",
        tuple(
            Zone(number, capacity, {name: value - taken.get(name, 0) for name, value in capacity.items()})
            for number, capacity in enumerate(amounts)
        ),
        policy,
        scope,
    )


def ask(name: str = "c", **amounts: int) -> ContainerRequest:
    return ContainerRequest(name, {GPU if key == "gpu" else key: value for key, value in amounts.items()})


@pytest.mark.parametrize(
    ("policy", "admitted"), [(RESTRICTED, False), (SINGLE_NUMA_NODE, False), (BEST_EFFORT, True), (NONE, True)]
)
def test_two_free_cpus_in_each_of_three_zones(policy: str, admitted: bool) -> None:
    """kubernetes/kubernetes 84597: four CPUs would fit one empty zone, so one zone is the preferred width."""
    node = zones({"cpu": 6000}, {"cpu": 6000}, {"cpu": 6000}, policy=policy, used={"cpu": 4000})

    assert admit(node, [ask(cpu=4000)], guaranteed=True).admitted is admitted


def test_restricted_admits_what_no_single_zone_could_ever_hold() -> None:
    node = zones({GPU: 4}, {GPU: 4}, policy=RESTRICTED)

    decision = admit(node, [ask(gpu=6)], guaranteed=False)

    assert decision.admitted
    assert decision.alignments[0].hint == Hint((0, 1), preferred=True)
    assert [zone.available[GPU] for zone in decision.zones.zones] == [0, 2]


def test_containers_take_zones_one_after_the_other() -> None:
    """scheduler-plugins 366: zones of 2 and 1 CPUs hold no two containers of 2; zones of 2 and 2 do."""
    containers = [ask("a", cpu=2000), ask("b", cpu=2000)]
    small = zones({"cpu": 2000}, {"cpu": 1000}, policy=SINGLE_NUMA_NODE)
    large = zones({"cpu": 2000}, {"cpu": 2000}, policy=SINGLE_NUMA_NODE)

    rejected, admitted = (admit(node, containers, guaranteed=True) for node in (small, large))

    assert (rejected.admitted, rejected.zones) == (False, small)
    assert admitted.admitted
    assert [alignment.hint.nodes for alignment in admitted.alignments] == [(0,), (1,)]


def test_pods_use_up_zones() -> None:
    """scheduler-plugins 452: two Pods of 3 GPUs go to different zones, then 1 + 1 free GPUs hold no Pod of 2."""
    node = zones({GPU: 4}, {GPU: 4}, policy=SINGLE_NUMA_NODE, scope=POD)
    decisions = []
    for size in (3, 3, 2):
        decision = admit(node, [ask(gpu=size)], guaranteed=False)
        decisions.append(decision)
        node = decision.zones

    assert [decision.admitted for decision in decisions] == [True, True, False]
    assert [decision.alignments[0].hint.nodes for decision in decisions[:2]] == [(0,), (1,)]
    assert [zone.available[GPU] for zone in node.zones] == [1, 1]


def test_scope_pod_needs_the_sum_in_one_zone() -> None:
    containers = [ask("a", gpu=3), ask("b", gpu=2)]

    assert admit(zones({GPU: 4}, {GPU: 4}, policy=SINGLE_NUMA_NODE), containers, guaranteed=False).admitted
    pod = zones({GPU: 4}, {GPU: 4}, policy=SINGLE_NUMA_NODE, scope=POD)
    assert not admit(pod, containers, guaranteed=False).admitted


def test_cpus_and_gpus_must_agree() -> None:
    """Zone 0 has the GPUs, zone 1 the CPUs."""
    state = (
        Zone(0, {"cpu": 8000, GPU: 4}, {"cpu": 1000, GPU: 4}),
        Zone(1, {"cpu": 8000, GPU: 4}, {"cpu": 8000, GPU: 0}),
    )
    request = [ask(cpu=4000, gpu=2)]

    for policy, admitted in ((SINGLE_NUMA_NODE, False), (RESTRICTED, False), (BEST_EFFORT, True)):
        assert admit(NodeZones("n", state, policy), request, guaranteed=True).admitted is admitted
    assert admit(NodeZones("n", state, SINGLE_NUMA_NODE), request, guaranteed=False).admitted


def test_fractions_of_cpus_are_not_aligned() -> None:
    node = zones({"cpu": 2000}, {"cpu": 2000}, policy=SINGLE_NUMA_NODE)

    assert admit(node, [ask(cpu=2500)], guaranteed=True).admitted
    assert not admit(node, [ask(cpu=3000)], guaranteed=True).admitted


def test_init_containers_count_but_give_back() -> None:
    node = zones({GPU: 2}, {GPU: 2}, policy=SINGLE_NUMA_NODE)

    decision = admit(node, [ask("app", gpu=2)], [ask("init", gpu=2)], guaranteed=False)

    assert decision.admitted
    assert [zone.available[GPU] for zone in decision.zones.zones] == [0, 2]
    assert not admit(node, [ask("app", gpu=1)], [ask("init", gpu=3)], guaranteed=False).admitted


def test_hints_of_eight_zones_are_merged_quickly_and_rightly() -> None:
    node = zones(*({"cpu": 32000, "memory": 64, GPU: 1} for _ in range(8)), policy=RESTRICTED)

    decision = admit(node, [ask(cpu=64000, memory=65, gpu=2)], guaranteed=True)

    assert decision.admitted
    assert decision.alignments[0].hint == Hint((0, 1), preferred=True)


def test_hints_prefer_what_the_empty_machine_would_need() -> None:
    node = zones({GPU: 4}, {GPU: 4}, policy=RESTRICTED, used={GPU: 2})

    assert resource_hints(node.zones, GPU, 2) == (
        Hint((0,), preferred=True),
        Hint((1,), preferred=True),
        Hint((0, 1), preferred=False),
    )
    assert resource_hints(node.zones, GPU, 3) == (Hint((0, 1), preferred=False),)
    assert resource_hints(node.zones, GPU, 5) == ()


def every_combination(policy: str, nodes: list[int], hints: list[list[Hint]]) -> Hint:
    """The kubelet's loop: all combinations in order, each compared with the best so far."""
    everything = tuple(nodes)
    filtered = [options or [Hint(None, preferred=False)] for options in hints]
    if policy == SINGLE_NUMA_NODE:
        filtered = [
            [hint for hint in options if hint.preferred and (hint.nodes is None or len(hint.nodes) == 1)]
            for options in filtered
        ]
    target = max(min((len(h.nodes) for h in options if h.nodes is not None), default=0) for options in filtered)
    best: Hint | None = None
    for combination in product(*filtered):
        named = [hint.nodes for hint in combination if hint.nodes is not None]
        common = tuple(node for node in everything if all(node in nodes for nodes in named))
        equal = all(nodes == named[0] for nodes in named)
        if common:
            candidate = Hint(common, equal and all(hint.preferred for hint in combination))
            best = candidate if best is None or _replaces(best, candidate, target) else best
    if best is None:
        return Hint(everything, preferred=False)
    return Hint(None, best.preferred) if policy == SINGLE_NUMA_NODE and best.nodes == everything else best


def _replaces(best: Hint, new: Hint, target: int) -> bool:
    def size(hint: Hint) -> tuple[int, int]:
        nodes = hint.nodes or ()
        return len(nodes), sum(1 << node for node in nodes)

    if best.preferred != new.preferred:
        return new.preferred
    narrower = size(new) < size(best)
    if best.preferred or size(best)[0] > target:
        return narrower
    if size(best)[0] == target:
        return size(new)[0] == target and narrower
    if size(new)[0] > target:
        return False
    return size(new)[0] > size(best)[0] or (size(new)[0] == size(best)[0] and narrower)


@pytest.mark.parametrize("seed", range(120))
def test_merging_equals_trying_every_combination(seed: int) -> None:
    random = Random(seed)
    nodes = list(range(random.randint(1, 4)))
    masks = [tuple(node for node in nodes if mask >> node & 1) for mask in range(1, 1 << len(nodes))]
    hints: list[list[Hint]] = []
    for _ in range(random.randint(1, 3)):
        options = [Hint(mask, random.random() < 0.4) for mask in masks if random.random() < 0.6]
        hints.append([Hint(None, preferred=True)] if random.random() < 0.15 else options)
    policy = random.choice([BEST_EFFORT, RESTRICTED, SINGLE_NUMA_NODE])

    assert merge_hints(policy, nodes, hints) == every_combination(policy, nodes, hints)

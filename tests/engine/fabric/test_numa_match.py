"""NodeResourceTopologyMatch: filter and scores, with the figures of the original's own tests."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.devices import zones_of_machine
from simulator.engine.fabric.distance import device_cell
from simulator.engine.fabric.machine import FABRIC, Machine
from simulator.engine.fabric.numa_match import (
    BALANCED_ALLOCATION,
    BURSTABLE,
    CANNOT_ALIGN_CONTAINER,
    CANNOT_ALIGN_INIT,
    CANNOT_ALIGN_POD,
    GUARANTEED,
    LEAST_ALLOCATED,
    LEAST_NUMA_NODES,
    MOST_ALLOCATED,
    NumaPod,
    numa_filter,
    numa_score,
    suitable_zone,
)
from simulator.engine.fabric.numa_match import BEST_EFFORT as BEST_EFFORT_QOS
from simulator.engine.fabric.numa_zones import (
    BEST_EFFORT,
    CONTAINER,
    POD,
    SINGLE_NUMA_NODE,
    NodeZones,
    Zone,
    shape_of_zones,
    zones_from_object,
    zones_to_object,
)
from simulator.engine.fabric.presets import preset_host

GPU = "nvidia.com/gpu"
MI = 1024**2
NAMES = ("cpu", "memory", "ephemeral-storage", GPU)


def pair(cpu: int, memory: int, policy: str = SINGLE_NUMA_NODE, scope: str = CONTAINER) -> NodeZones:
    """Two equal zones: whole CPUs, Mi."""
    amounts = {"cpu": cpu * 1000, "memory": memory * MI}
    return NodeZones("n", (Zone(0, amounts, amounts), Zone(1, amounts, amounts)), policy, scope)


def pod(*containers: tuple[int, int], qos: str = GUARANTEED) -> NumaPod:
    return NumaPod(qos, [{"cpu": cpu * 1000, "memory": memory * MI} for cpu, memory in containers])


@pytest.mark.parametrize(
    ("strategy", "cpu", "memory", "score"),
    [
        (MOST_ALLOCATED, 2, 50, 70),
        (LEAST_ALLOCATED, 4, 500, 73),
        (BALANCED_ALLOCATION, 6, 60, 100),
        (MOST_ALLOCATED, 4, 500, 27),
        (BALANCED_ALLOCATION, 4, 500, 89),
    ],
)
def test_zone_scores_of_the_original(strategy: str, cpu: int, memory: int, score: int) -> None:
    assert numa_score(pod((2, 20)), pair(cpu, memory), strategy) == score


@pytest.mark.parametrize(
    ("containers", "scope", "scores"),
    [
        ([(2, 50)], CONTAINER, [94, 94, 94]),
        ([(4, 50)], CONTAINER, [94, 82, 94]),
        ([(6, 50)], CONTAINER, [82, 0, 94]),
        ([(2, 50), (2, 50)], CONTAINER, [94, 94, 94]),
        ([(1, 50), (3, 50)], CONTAINER, [94, 82, 94]),
        ([(5, 50), (3, 50)], CONTAINER, [82, 0, 94]),
        ([(2, 50), (2, 50)], POD, [94, 82, 82]),
        ([(5, 50), (3, 50)], POD, [82, 0, 82]),
    ],
)
def test_fewest_zones_of_the_original(containers: list[tuple[int, int]], scope: str, scores: list[int]) -> None:
    nodes = [pair(cpu, memory, BEST_EFFORT, scope) for cpu, memory in ((4, 500), (2, 50), (6, 60))]

    assert [numa_score(pod(*containers), node, LEAST_NUMA_NODES) for node in nodes] == scores


def four_zones(gpu_zones: tuple[int, int]) -> NodeZones:
    costs = {0: {0: 10, 1: 12, 2: 20, 3: 20}, 1: {0: 12, 1: 10, 2: 20, 3: 20}}
    costs |= {2: {0: 20, 1: 20, 2: 10, 3: 12}, 3: {0: 20, 1: 20, 2: 12, 3: 10}}
    zones = []
    for number in range(4):
        amounts = {"cpu": 2000, "memory": 50 * MI, GPU: int(number in gpu_zones)}
        zones.append(Zone(number, amounts, amounts, costs[number]))
    return NodeZones("n", tuple(zones), BEST_EFFORT, CONTAINER)


@pytest.mark.parametrize(("gpus", "scores"), [(1, [94, 94]), (2, [82, 76])])
def test_far_zones_lose_the_bonus(gpus: int, scores: list[int]) -> None:
    request = NumaPod(GUARANTEED, [{"cpu": 2000, "memory": 50 * MI, GPU: gpus}])

    assert [numa_score(request, four_zones(at), LEAST_NUMA_NODES) for at in ((0, 1), (0, 2))] == scores


def test_scores_without_anything_to_compare() -> None:
    assert numa_score(pod((2, 20), qos=BURSTABLE), pair(2, 50)) == 100
    assert numa_score(pod((2, 20)), None) == 0
    assert numa_score(pod((2, 20)), pair(4, 500, BEST_EFFORT)) == 0
    only_other = NumaPod(GUARANTEED, [{"example.com/x": 1}])
    assert numa_score(only_other, pair(4, 500, BEST_EFFORT), LEAST_NUMA_NODES) == 100


def test_second_container_has_no_zone() -> None:
    """scheduler-plugins 366."""
    small = NodeZones("n", (Zone(0, {}, {"cpu": 2000}), Zone(1, {}, {"cpu": 1000})), SINGLE_NUMA_NODE)
    large = NodeZones("n", (Zone(0, {}, {"cpu": 2000}), Zone(1, {}, {"cpu": 2000})), SINGLE_NUMA_NODE)
    request = NumaPod(GUARANTEED, [{"cpu": 2000}, {"cpu": 2000}])

    assert numa_filter(request, small, NAMES) == CANNOT_ALIGN_CONTAINER
    assert numa_filter(request, large, NAMES) == ""


def test_free_gpus_in_two_zones_hold_no_pod_of_two() -> None:
    """scheduler-plugins 452."""
    node = NodeZones("n", (Zone(0, {}, {GPU: 1}), Zone(1, {}, {GPU: 1})), SINGLE_NUMA_NODE, POD)

    assert numa_filter(NumaPod(BURSTABLE, [{GPU: 2}]), node, NAMES) == CANNOT_ALIGN_POD
    assert numa_filter(NumaPod(BURSTABLE, [{GPU: 1}]), node, NAMES) == ""


def test_init_containers_are_checked_one_by_one() -> None:
    node = NodeZones("n", (Zone(0, {}, {GPU: 2}), Zone(1, {}, {GPU: 2})), SINGLE_NUMA_NODE)

    assert numa_filter(NumaPod(BURSTABLE, [{GPU: 2}], init=[{GPU: 2}, {GPU: 2}]), node, NAMES) == ""
    assert numa_filter(NumaPod(BURSTABLE, [{GPU: 2}], init=[{GPU: 3}]), node, NAMES) == CANNOT_ALIGN_INIT


def test_filter_acts_on_single_numa_node_only() -> None:
    request = pod((8, 20))

    assert numa_filter(request, pair(2, 50, BEST_EFFORT), NAMES) == ""
    assert numa_filter(request, None, NAMES) == ""
    assert numa_filter(request, pair(2, 50), NAMES) == CANNOT_ALIGN_CONTAINER
    assert numa_filter(pod((8, 20), qos=BEST_EFFORT_QOS), pair(2, 50), NAMES) == ""


def test_only_devices_count_for_other_pods() -> None:
    zones = (Zone(0, {}, {"cpu": 1000, GPU: 0}), Zone(1, {}, {"cpu": 1000, GPU: 4}))

    assert suitable_zone(zones, {"cpu": 8000, GPU: 2}, BURSTABLE, NAMES) == 1
    assert suitable_zone(zones, {"cpu": 8000, GPU: 2}, GUARANTEED, NAMES) is None


def test_what_no_zone_reports_is_ignored_and_what_the_node_lacks_fails() -> None:
    zones = (Zone(0, {}, {"cpu": 1000}),)

    assert suitable_zone(zones, {"ephemeral-storage": 5, GPU: 1}, GUARANTEED, NAMES) == 0
    assert suitable_zone(zones, {"memory": 5}, GUARANTEED, NAMES) is None
    assert suitable_zone(zones, {"example.com/fpga": 1}, GUARANTEED, NAMES) is None


def test_zone_object_round_trips() -> None:
    host = preset_host("hgx-h100-8", "n1")
    machine = Machine(host, host.shape, FABRIC, numa_policy=SINGLE_NUMA_NODE, numa_scope=POD)
    zones = zones_of_machine(machine, {"cpu": 223_500, "memory": 2**40}, ["0", "1", "4"])

    assert [zone.available[GPU] for zone in zones.zones] == [2, 3]
    assert [zone.capacity["cpu"] for zone in zones.zones] == [111_750, 111_750]
    assert zones_from_object(zones_to_object(zones)) == zones


def test_zones_tell_a_machine() -> None:
    zones = NodeZones("n", (Zone(0, {GPU: 2}, {}), Zone(1, {GPU: 1}, {})))
    shape = shape_of_zones(zones, "l40s")

    assert [shape.numa_of(gpu.name) for gpu in shape.gpus] == [0, 0, 1]
    assert [device_cell(shape, "GPU0", other) for other in ("GPU1", "GPU2")] == ["NODE", "SYS"]


@pytest.mark.parametrize(
    ("old", "policy", "scope"),
    [
        ("SingleNUMANodeContainerLevel", SINGLE_NUMA_NODE, CONTAINER),
        ("SingleNUMANodePodLevel", SINGLE_NUMA_NODE, POD),
        ("BestEffort", BEST_EFFORT, CONTAINER),
        ("Unheard", "none", CONTAINER),
    ],
)
def test_old_policy_names_are_mapped(old: str, policy: str, scope: str) -> None:
    zones = zones_from_object({"metadata": {"name": "n"}, "topologyPolicies": [old], "zones": []})

    assert (zones.policy, zones.scope, zones.max_numa_nodes) == (policy, scope, 8)


def test_attributes_win_over_old_policies() -> None:
    manifest = {
        "metadata": {"name": "n"},
        "topologyPolicies": ["BestEffort"],
        "attributes": [
            {"name": "topologyManagerPolicy", "value": "single-numa-node"},
            {"name": "topologyManagerScope", "value": "pod"},
            {"name": "topologyManagerMaxNUMANodes", "value": "16"},
        ],
        "zones": [
            {
                "name": "node-1",
                "type": "Node",
                "resources": [{"name": "cpu", "capacity": "4", "allocatable": "3", "available": "2500m"}],
                "costs": [{"name": "node-1", "value": 10}, {"name": "node-0", "value": 21}],
            },
            {"name": "gpu-0", "type": "Device"},
        ],
    }
    zones = zones_from_object(manifest)

    assert (zones.policy, zones.scope, zones.max_numa_nodes) == (SINGLE_NUMA_NODE, POD, 16)
    assert zones.zones == (Zone(1, {"cpu": 3000}, {"cpu": 2500}, {1: 10, 0: 21}),)

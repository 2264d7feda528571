"""Topology-aware scores: the group stays together, both orders, equality with the exact figure, determinism."""

from __future__ import annotations

from random import Random

import pytest

from simulator.engine.fabric.allocation import POLICIES
from simulator.engine.fabric.fabric import Fabric, Host
from simulator.engine.fabric.network import leaf_spine
from simulator.engine.fabric.placement import group_bandwidth
from simulator.engine.fabric.presets import PRESETS, preset_host, preset_rack
from simulator.engine.fabric.scoring import Disagreement, FabricIndex, GroupPod, PlacementScores, score_placements

ALL = tuple(range(8))
Free = dict[str, tuple[int, ...]]


def place_group(fabric: Fabric, free: Free, pods: int, gpus: int = 1) -> tuple[Free, float | None]:
    """Pod after Pod to the best host; the placement and its bandwidth."""
    index, placed, left = FabricIndex(fabric), Free(), dict(free)
    names = [host.name for host in fabric.hosts]
    for _ in range(pods):
        scores = score_placements(index, names, left, placed, GroupPod(gpus, pods * gpus))
        best = scores.bandwidth_order[0]
        chosen = scores.gpus[best]
        assert chosen is not None
        assert scores.scores[best] == 100
        placed[names[best]] = (*placed.get(names[best], ()), *chosen)
        left[names[best]] = tuple(gpu for gpu in left[names[best]] if gpu not in chosen)
    figure = group_bandwidth(fabric, placed).busbw
    return placed, figure.result if figure else None


def test_eight_pods_land_on_the_one_node_that_holds_them_all() -> None:
    fabric = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(4)], 4)
    free = {"n0": (0, 1, 2), "n1": (0, 1, 2, 3, 4, 5, 6), "n2": ALL, "n3": (4, 5)}

    placed, bandwidth = place_group(fabric, free, 8)

    assert {name: sorted(gpus) for name, gpus in placed.items()} == {"n2": list(ALL)}
    assert bandwidth == pytest.approx(370.8)


def test_group_larger_than_a_node_stays_below_one_leaf() -> None:
    fabric = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(6)], 2, oversubscription=4)
    free: Free = {f"n{index}": ALL for index in range(6)} | {"n0": (0, 1, 2, 3)}

    placed, bandwidth = place_group(fabric, free, 2, gpus=8)

    assert list(placed) == ["n2", "n3"]
    assert bandwidth == pytest.approx(370.8)


def test_group_fills_a_rack_before_another_machine() -> None:
    hosts = (*(preset_host("hgx-h100-8", f"n{index}") for index in range(2)), *preset_rack("gb200-tray-4", "r"))
    free: Free = {host.name: tuple(range(len(host.shape.gpus))) for host in hosts}

    placed, bandwidth = place_group(Fabric(hosts), free, 16)

    assert all(name.startswith("r-") for name in placed)
    assert bandwidth == pytest.approx(721.8)


def scored(
    fabric: Fabric, free: Free, placed: Free, pod: GroupPod, candidates: list[str] | None = None
) -> PlacementScores:
    names = candidates or [host.name for host in fabric.hosts]
    return score_placements(FabricIndex(fabric), names, free, placed, pod)


def test_chapter_counts_the_group_on_node_domain_and_numa() -> None:
    hosts = (preset_host("a100-pcie-4", "bridged"), *preset_rack("gb200-tray-4", "r"))
    placed = {"r-0": (0,), "bridged": (0,)}
    free: Free = {host.name: tuple(range(4)) for host in hosts} | {"r-0": (1, 2, 3), "bridged": (2, 3)}

    scores = scored(Fabric(hosts), free, placed, GroupPod(1, 3))
    row = {name: position for position, name in enumerate(scores.hosts)}

    assert scores.chapter[row["r-0"]].tolist() == [1, 1, 1]
    assert scores.chapter[row["r-5"]].tolist() == [0, 1, 0]
    assert scores.chapter[row["bridged"]].tolist() == [1, 1, 0]


def test_rack_neighbour_is_as_good_as_the_same_node_and_loses_the_tie() -> None:
    fabric = Fabric(preset_rack("gb200-tray-4", "r"))
    free: Free = {host.name: (0, 1, 2, 3) for host in fabric.hosts} | {"r-0": (2, 3)}

    scores = scored(fabric, free, {"r-0": (0, 1)}, GroupPod(1, 3))

    assert scores.bandwidth.tolist() == pytest.approx([721.8] * 18)
    assert scores.hosts[scores.bandwidth_order[0]] == "r-0"
    assert scores.scores.tolist() == [100] + [0] * 17
    assert scores.disagreements() == []


def test_bandwidth_prefers_the_rack_where_the_chapter_prefers_the_node() -> None:
    """The node that holds one GPU of the group has only the far socket left; a neighbour tray is one NVLink away."""
    rack = preset_rack("gb200-tray-4", "r")
    box = preset_host("rtx4090-8", "box")
    fabric = leaf_spine((box, *rack), 32)
    free: Free = {host.name: () for host in fabric.hosts} | {"box": (4, 5), "r-1": (0, 1, 2, 3)}
    placed = {"box": (0,), "r-0": (0, 1, 2, 3)}

    scores = scored(fabric, free, placed, GroupPod(1, 6), ["box", "r-1"])

    assert scores.bandwidth[0] < scores.bandwidth[1]
    assert scores.chapter[0].tolist() == [1, 1, 0]
    assert scores.chapter[1].tolist() == [0, 4, 0]
    assert scores.disagreements() == [Disagreement(by_bandwidth="r-1", by_chapter="box")]
    assert [scores.hosts[row] for row in scores.chapter_order] == ["box", "r-1"]


def test_nodes_without_room_score_nothing() -> None:
    fabric = leaf_spine([preset_host("t4-2", "a"), preset_host("t4-2", "b")], 2)

    scores = scored(fabric, {"a": (0,), "b": (0, 1)}, {}, GroupPod(2, 2))

    assert (scores.gpus, scores.bandwidth.tolist(), scores.scores.tolist()) == (
        (None, (0, 1)),
        [-1.0, 6.0],
        [0, 100],
    )


def random_fabric(random: Random) -> Fabric:
    presets = ["hgx-h100-8", "dgx-a100-8", "rtx4090-8", "a100-pcie-4", "mi300x-8"]
    hosts: list[Host] = [preset_host(random.choice(presets), f"n{index}") for index in range(random.randint(3, 8))]
    if random.random() < 0.5:
        hosts += preset_rack("gb200-tray-4", "r")[: random.randint(1, 4)]
    return leaf_spine(hosts, random.randint(1, 3), oversubscription=random.choice([1, 2, 4]))


@pytest.mark.parametrize("seed", range(80))
def test_last_pod_is_scored_with_the_exact_bandwidth(seed: int) -> None:
    """With nothing missing after it, the score's bandwidth is that of the placement."""
    random = Random(seed)
    fabric = random_fabric(random)
    placed: Free = {}
    free: Free = {}
    for host in fabric.hosts:
        gpus = list(range(len(host.shape.gpus)))
        random.shuffle(gpus)
        held = random.choice([0, 0, 1, 2, 3])
        if held:
            placed[host.name] = tuple(sorted(gpus[:held]))
        free[host.name] = tuple(sorted(gpus[held : held + random.randint(0, 5)]))
    pod = GroupPod(random.randint(1, 3), 0, random.choice(POLICIES))

    scores = scored(fabric, free, placed, pod)

    for position, name in enumerate(scores.hosts):
        chosen = scores.gpus[position]
        if chosen is None:
            assert scores.bandwidth[position] == -1
            continue
        placement = placed | {name: (*placed.get(name, ()), *chosen)}
        figure = group_bandwidth(fabric, placement).busbw
        assert scores.bandwidth[position] == pytest.approx(figure.result if figure else float("inf"))


@pytest.mark.parametrize("seed", range(20))
def test_scores_follow_the_bandwidth_order(seed: int) -> None:
    random = Random(seed)
    fabric = random_fabric(random)
    free = {host.name: tuple(range(random.randint(0, len(host.shape.gpus)))) for host in fabric.hosts}

    scores = scored(fabric, free, {}, GroupPod(1, 8))
    ordered = [int(scores.scores[row]) for row in scores.bandwidth_order]

    assert ordered == sorted(ordered, reverse=True)
    assert sorted(scores.bandwidth_order) == sorted(scores.chapter_order) == list(range(len(scores.hosts)))
    assert scored(fabric, free, {}, GroupPod(1, 8)).scores.tolist() == scores.scores.tolist()


def test_every_preset_can_be_scored() -> None:
    fabric = leaf_spine([preset_host(name, name) for name in PRESETS], 4)
    free = {host.name: host.healthy_gpus for host in fabric.hosts}

    scores = scored(fabric, free, {}, GroupPod(1, 8))

    assert scores.gpus[list(PRESETS).index("cpu-64")] is None
    assert scores.hosts[scores.bandwidth_order[0]] == "hgx-b200-8"

"""The weighted graph: what is in it, and the best way between two things."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from simulator.engine.fabric.changes import with_nvlinks
from simulator.engine.fabric.graph import Graph, fabric_graph
from simulator.engine.fabric.network import leaf_spine, rail_aligned
from simulator.engine.fabric.presets import preset_host, preset_rack


def way(graph: Graph, first: str, second: str) -> tuple[tuple[str, ...], str, float]:
    path = graph.best_path(first, second)
    assert path is not None
    bottleneck = path.bottleneck
    assert bottleneck is not None
    return path.vertices, bottleneck.kind, bottleneck.effective.per_direction


def test_graph_of_two_machines() -> None:
    graph = fabric_graph(leaf_spine([preset_host("hgx-h100-8", name) for name in "ab"], 2))

    assert Counter(vertex.kind for vertex in graph.vertices) == {
        "gpu": 16,
        "nic": 16,
        "pcie-switch": 16,
        "host-bridge": 16,
        "numa": 4,
        "socket": 4,
        "nvswitch": 2,
        "switch": 2,
    }
    nvlink = next(link for link in graph.links if link.kind == "nvlink-4")
    assert (nvlink.count, nvlink.bandwidth.per_direction, nvlink.bandwidth.both_directions) == (18, 450, 900)
    assert all(link.source and link.latency > 0 for link in graph.links)


def test_ways_inside_a_machine() -> None:
    nvswitch = fabric_graph(leaf_spine([preset_host("hgx-h100-8", "a")], 1))
    pcie = fabric_graph(leaf_spine([preset_host("rtx4090-8", "b")], 1))

    assert way(nvswitch, "a/gpu0", "a/gpu7") == (("a/gpu0", "a/nvswitch0", "a/gpu7"), "nvlink-4", pytest.approx(370.8))
    vertices, kind, width = way(pcie, "b/gpu0", "b/gpu1")
    assert (len(vertices), kind, width) == (3, "pcie-4", 24)
    vertices, kind, width = way(pcie, "b/gpu0", "b/gpu7")
    assert (kind, width) == ("cpu-skylake", 10)
    assert not any(vertex.startswith("net:") for vertex in vertices)


def test_links_between_gpus_are_taken_also_where_pcie_is_wider() -> None:
    mesh = fabric_graph(leaf_spine([preset_host("mi300x-8", "m")], 1))

    vertices, kind, width = way(mesh, "m/gpu0", "m/gpu7")
    assert (vertices, kind) == (("m/gpu0", "m/gpu7"), "xgmi-mi300")
    assert width == pytest.approx(313 / 7, abs=0.1)  # below the 48 of its PCIe slot


def test_ways_between_machines_go_over_the_rail() -> None:
    hosts = [preset_host("hgx-h100-8", f"n{index}") for index in range(4)]
    graph = fabric_graph(rail_aligned(hosts, 2, oversubscription=4))

    same_rail, kind, width = way(graph, "n0/gpu3", "n1/gpu3")
    assert same_rail[3] == "net:pod-0-rail-3"
    assert (kind, width) == ("ib-ndr", pytest.approx(47.5))
    over_spine, _, _ = way(graph, "n0/gpu3", "n2/gpu3")
    assert "net:spine" in over_spine


def test_oversubscribed_way_up_is_thinner() -> None:
    hosts = [preset_host("hgx-h100-8", f"n{index}") for index in range(4)]
    graph = fabric_graph(leaf_spine(hosts, 2, oversubscription=4))
    up = next(link for link in graph.links if link.first == "net:leaf-0" and link.second == "net:spine")

    assert up.bandwidth.per_direction == 2 * 8 * 50 / 4


def test_rack_wide_domain_joins_trays() -> None:
    rack = preset_rack("gb200-tray-4", "r")
    graph = fabric_graph(leaf_spine(rack, 18), [rack[0].name, rack[17].name])
    vertices, kind, width = way(graph, "r-0/gpu0", "r-17/gpu3")

    assert len(vertices) == 3
    assert vertices[1].startswith("domain:")
    assert (kind, width) == ("nvlink-5", pytest.approx(721.8))


def test_gpu_off_the_fabric_goes_over_pcie() -> None:
    host = preset_host("hgx-b200-8", "a")
    graph = fabric_graph(leaf_spine([replace(host, shape=with_nvlinks(host.shape, 2, 0))], 1))

    _, kind, _ = way(graph, "a/gpu2", "a/gpu5")
    assert kind in ("pcie-5", "cpu-emerald-rapids")


def test_machines_without_a_network_are_not_connected() -> None:
    fabric = leaf_spine([preset_host("t4-2", "a"), preset_host("t4-2", "b")], 1)
    alone = replace(fabric, switches=())

    assert fabric_graph(alone).best_path("a/gpu0", "b/gpu0") is None
    with pytest.raises(KeyError):
        fabric_graph(fabric).best_path("a/gpu0", "nowhere")

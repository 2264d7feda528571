"""Drawings of machines and of networks: nothing lies upon anything else, every link has both its ends."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from django.utils import translation

from simulator.engine.fabric.fabric import Fabric, Host
from simulator.engine.fabric.network import leaf_spine, rail_aligned
from simulator.engine.fabric.presets import PRESETS, preset_host, preset_rack
from simulator.presenters.fabric.machine_drawing import DrawnVertex, draw_machine
from simulator.presenters.fabric.network_drawing import GPUS_UP_TO, NetworkVertex, draw_network
from simulator.presenters.fabric.network_paths import network_path

WITH_GPUS = [name for name, preset in PRESETS.items() if preset.shape.gpus]


def _apart(vertices: list[DrawnVertex] | list[NetworkVertex], width: float, height: float) -> None:
    for one, other in itertools.combinations(vertices, 2):
        assert abs(one.x - other.x) >= width or abs(one.y - other.y) >= height, (one, other)


@pytest.mark.parametrize("name", WITH_GPUS)
def test_every_preset_can_be_drawn(name: str) -> None:
    host = preset_host(name, "m")
    drawing = draw_machine(host)

    ids = {vertex.id for vertex in drawing.vertices}
    assert len(ids) == len(drawing.vertices)
    assert [vertex.gpu for vertex in drawing.vertices if vertex.gpu is not None] == list(range(len(host.shape.gpus)))
    assert all(link.source in ids and link.target in ids for link in drawing.links)
    assert {link.id for link in drawing.links} >= {part for path in drawing.paths.values() for part in path.links}
    _apart([vertex for vertex in drawing.vertices if vertex.kind == "gpu"], 74, 50)
    _apart([vertex for vertex in drawing.vertices if vertex.kind == "nic"], 40, 22)
    _apart(list(drawing.vertices), 20, 20)


@pytest.mark.parametrize("name", WITH_GPUS)
def test_every_two_gpus_of_a_machine_have_a_way_with_its_narrowest_part(name: str) -> None:
    host = preset_host(name, "m")
    drawing = draw_machine(host)

    pairs = list(itertools.combinations(range(len(host.shape.gpus)), 2))
    assert list(drawing.paths) == pairs
    for path in drawing.paths.values():
        assert path.narrowest in path.links
        assert path.view.bandwidth > 0


def test_ways_inside_machines() -> None:
    """18 × 20.6 into the switch; 24 below one PCIe switch and 10 between Skylake's CPUs; xGMI goes straight."""
    nvswitch = draw_machine(preset_host("hgx-h100-8", "m")).paths[0, 7].view
    pcie = draw_machine(preset_host("l40s-8", "m")).paths
    mesh = draw_machine(preset_host("mi300x-8", "m")).paths[2, 3]

    assert (round(nvswitch.bandwidth, 1), nvswitch.steps) == (370.8, ("GPU0", "NVSwitch", "GPU7"))
    assert [pcie[0, other].view.bandwidth for other in (1, 2, 4)] == [24, 24, 10]
    assert mesh.links == ("m/gpu2~m/gpu3",)


def test_faults_are_drawn() -> None:
    host = preset_host("hgx-h100-8", "m")
    group = host.shape.switched[0]
    weak = replace(group, links=(9, *group.links[1:]))
    degraded = replace(host, shape=replace(host.shape, switched=(weak,)))
    labels = [link.label for link in draw_machine(degraded).links if link.family == "nvlink"]
    assert labels == ["185.4", *["370.8"] * 7]


def test_a_network_of_leaves_and_a_spine() -> None:
    fabric = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(8)], 4, oversubscription=4)
    with translation.override("en"):
        drawing = draw_network(fabric, {})

    places = {vertex.id: vertex for vertex in drawing.vertices}
    hosts = [vertex for vertex in drawing.vertices if vertex.kind == "host"]
    switches = [vertex for vertex in drawing.vertices if vertex.kind == "switch"]
    assert (len(hosts), len(switches), len(drawing.vertices)) == (8, 3, 8 + 3 + 64)
    _apart(hosts, 156, 108)
    assert all(switch.y < host.y for switch in switches for host in hosts)
    assert all(link.source in places and link.target in places for link in drawing.links)
    texts = {link.text for link in drawing.links}
    assert texts == {
        "8 × InfiniBand NDR 400 Gb/s, 380 GB/s per direction",  # 8 × 50 × 0.95
        "upwards 380 GB/s per direction, oversubscribed 4:1",  # 4 machines × 380 ÷ 4
    }


def test_rails_and_racks_are_drawn() -> None:
    rails = draw_network(rail_aligned([preset_host("hgx-h100-8", f"n{index}") for index in range(4)], 4), {})
    rack = draw_network(Fabric(tuple(preset_rack("gb200-tray-4", 18, "rack"))), {})

    assert sum(link.source.startswith("host:") for link in rails.links) == 4 * 8
    _apart([vertex for vertex in rails.vertices if vertex.kind == "switch"], 84, 30)
    domains = [vertex for vertex in rack.vertices if vertex.kind == "nvlink-domain"]
    assert len(domains) == 1
    assert sum(link.target == domains[0].id for link in rack.links) == 18
    _apart([vertex for vertex in rack.vertices if vertex.kind == "host"], 156, 76)


def test_of_many_machines_gpus_are_left_out() -> None:
    hosts = [preset_host("hgx-h100-8", f"n{index}") for index in range(GPUS_UP_TO + 1)]
    drawing = draw_network(leaf_spine(hosts, 8), {"n0": "8 of 8 free"})

    assert not [vertex for vertex in drawing.vertices if vertex.kind == "gpu"]
    assert [vertex.note for vertex in drawing.vertices if vertex.id == "host:n0"] == ["8 of 8 free"]
    assert not drawing.truncated


def test_the_way_between_machines() -> None:
    fabric = leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(4)], 2)
    drawn = {link.id for link in draw_network(fabric, {}).links}
    with translation.override("en"):
        across = network_path(fabric, "n0:0", "n3:5")
        inside = network_path(fabric, "n0:0", "n0:5")

    assert across is not None
    assert inside is not None
    assert set(across.links) <= drawn
    assert len(across.links) == 4  # up to the leaf and the spine, down again
    assert across.narrowest == across.links[0]
    assert "47.5 GB/s per direction (95 both ways)" in across.view.summary
    assert (inside.links, inside.narrowest) == ((), "")


@pytest.mark.parametrize(
    ("first", "second"),
    [("n0:0", "n0:0"), ("n0:0", "n9:0"), ("n0:8", "n0:1"), ("", "n0:1"), ("n0:x", "n0:1")],
)
def test_no_way_where_there_is_nothing(first: str, second: str) -> None:
    fabric = Fabric((preset_host("hgx-h100-8", "n0"),))
    assert network_path(fabric, first, second) is None


def test_machines_without_a_network_have_no_way() -> None:
    fabric = Fabric((Host("a", PRESETS["t4-2"].shape), Host("b", PRESETS["t4-2"].shape)))
    lonely = network_path(fabric, "a:0", "b:0")
    assert lonely is not None
    assert (lonely.view.bandwidth, lonely.links) == (0, ())

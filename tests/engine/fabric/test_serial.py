"""A fabric as a mapping, and back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from simulator.engine.fabric.changes import (
    with_failed_gpus,
    with_nic_link,
    with_nvlinks,
    with_pair_links,
    without_nic,
)
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.from_labels import pcie_box
from simulator.engine.fabric.network import leaf_spine, rail_aligned
from simulator.engine.fabric.presets import PRESETS, preset_host, preset_rack
from simulator.engine.fabric.serial import (
    FabricFormatError,
    fabric_from_mapping,
    fabric_to_mapping,
    shape_from_mapping,
    shape_to_mapping,
)


def everything() -> Fabric:
    """One host of each preset, some of them damaged, on rails; a rack; an unlisted box."""
    hosts = [preset_host(name, f"{name}-host") for name in PRESETS]
    hosts[0] = replace(hosts[0], shape=with_nvlinks(hosts[0].shape, 2, 17))
    hosts[1] = with_failed_gpus(hosts[1], 7, 1)
    hosts[3] = replace(hosts[3], shape=without_nic(with_nic_link(hosts[3].shape, 1, "ethernet-25"), 4))
    hosts[6] = replace(hosts[6], shape=with_pair_links(hosts[6].shape, 2, 3, 0))
    hosts += preset_rack("gb200-tray-4", "rack")
    hosts.append(replace(hosts[0], name="box", shape=pcie_box("l20", 5)))
    return rail_aligned(hosts, 4, oversubscription=2.5)


def test_fabric_round_trips_through_json() -> None:
    fabric = everything()

    assert fabric_from_mapping(json.loads(json.dumps(fabric_to_mapping(fabric)))) == fabric


def test_presets_are_written_by_name() -> None:
    mapping = fabric_to_mapping(leaf_spine([preset_host("hgx-h100-8", f"n{index}") for index in range(50)], 8))

    assert mapping["shapes"] == {}
    assert len(json.dumps(mapping)) < 8000


def test_shapes_of_the_same_name_are_told_apart() -> None:
    shape = PRESETS["t4-2"].shape
    other = replace(shape, cpu_link="cpu-amd")
    host = preset_host("t4-2", "a")
    fabric = Fabric((host, replace(host, name="b", shape=other)))

    assert fabric_from_mapping(fabric_to_mapping(fabric)) == fabric


@pytest.mark.parametrize(
    ("path", "value", "where", "problem"),
    [
        (["version"], 7, "version", "version"),
        (["hosts"], {}, "hosts", "type"),
        (["hosts", 0, "shape"], "unknown-box", "hosts[0].shape", "unknown"),
        (["hosts", 0, "failed"], [99], "hosts[0].failed", "range"),
        (["hosts", 0, "name"], None, "hosts[0].name", "missing"),
        (["switches", 0, "oversubscription"], 0, "switches[0].oversubscription", "range"),
        (["switches", 0, "tier"], "1", "switches[0].tier", "type"),
    ],
)
def test_wrong_mappings_name_the_place(path: list[Any], value: Any, where: str, problem: str) -> None:
    mapping = json.loads(json.dumps(fabric_to_mapping(everything())))
    target = mapping
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value

    with pytest.raises(FabricFormatError) as caught:
        fabric_from_mapping(mapping)
    assert (caught.value.path, caught.value.problem) == (where, problem)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pcie", "ib-ndr"),
        ("cpuLink", "pcie-4"),
        ("gpus", [{"model": "t4", "bridge": "nowhere"}]),
        ("bridges", [{"id": "b", "numa": 0, "parent": "later"}]),
        ("bridges", [{"id": "b", "numa": 9, "parent": None}]),
        ("pairs", [[0, 1, 2, "ib-ndr"]]),
        ("pairs", [[0, 99, 2, "nvlink-4"]]),
        ("switched", [{"gpus": [0, 1], "links": [18], "link": "nvlink-4"}]),
        ("nics", [{"index": 0, "link": "nvlink-4", "bridge": "bridge0"}]),
        ("numa", "no list"),
    ],
)
def test_wrong_shapes_are_refused(key: str, value: Any) -> None:
    mapping = shape_to_mapping(PRESETS["t4-2"].shape)
    mapping[key] = value

    with pytest.raises(FabricFormatError):
        shape_from_mapping(mapping)


@pytest.mark.parametrize("name", PRESETS)
def test_every_shape_round_trips(name: str) -> None:
    shape = PRESETS[name].shape

    assert shape_from_mapping(json.loads(json.dumps(shape_to_mapping(shape)))) == shape

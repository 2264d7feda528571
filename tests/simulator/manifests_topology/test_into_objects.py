"""From a pasted text to a command: a new node, another machine for one, links that are down."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.fabric.machine import FABRIC, Machine
from simulator.engine.fabric.presets import preset_host
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.manifests.topology import TopologyError, errors, read_topology
from simulator.manifests.topology.into_objects import Target, pasted

from .machines import BRIDGED, NPUS, ROCM, nvswitch_text
from .recorded import expectations, recorded_bytes

MATRICES = [entry["file"] for entry in expectations() if entry["kind"] in ("nvidia-topo", "npu-topo", "rocm-topo")]


def _machine(preset: str = "hgx-h100-8") -> Machine:
    host = preset_host(preset, "n1")
    return Machine(host, host.shape, FABRIC)


def _applied(command: dict[str, Any], *before: dict[str, Any]) -> Simulation:
    simulation = Simulation(Setup())
    for item in (*before, command):
        simulation.apply(item)
    return simulation


def test_a_new_node_has_the_machine_and_its_amounts() -> None:
    made = pasted(read_topology(nvswitch_text()), Target("new-1"), model="h100-80gb")
    node = _applied(made.command).world.get("Node", "", "new-1")

    assert node.allocatable["nvidia.com/gpu"] == 8
    assert node.labels["nvidia.com/gpu.product"] == "NVIDIA-H100-80GB-HBM3"
    assert node.labels["kubernetes.io/hostname"] == "new-1"


def test_a_model_that_is_not_known_is_not_labelled() -> None:
    made = pasted(read_topology(BRIDGED), Target("new-1"))
    node = _applied(made.command).world.get("Node", "", "new-1")
    assert "nvidia.com/gpu.product" not in node.labels
    assert node.allocatable["nvidia.com/gpu"] == 4


def test_a_node_keeps_its_model_and_gets_the_pasted_links() -> None:
    before = pasted(read_topology(nvswitch_text()), Target("n1"), model="h100-80gb")
    target = Target("n1", _machine(), has_fabric=True)
    made = pasted(read_topology(nvswitch_text(links=12)), target, policy="widest-ring")

    assert made.command["type"] == "patch"
    fabric = _applied(made.command, before.command).world.get("NodeFabric", "", "n1")
    assert fabric["spec"]["devicePolicy"] == "widest-ring"
    assert {gpu.model for gpu in made.shape.gpus} == {"h100-80gb"}


def test_pasting_can_be_undone() -> None:
    simulation = Simulation(Setup())
    made = pasted(read_topology(nvswitch_text()), Target("n1"), model="h100-80gb")
    effect = simulation.apply(made.command)
    assert effect.inverse is not None
    simulation.apply(effect.inverse)
    assert list(simulation.world.list("Node")) == []


def _links(gpu: int, count: int) -> str:
    lines = [f"GPU {gpu}: NVIDIA H100 80GB HBM3 (UUID: GPU-0)"]
    return "\n".join([*lines, *(f"\t Link {link}: 26.562 GB/s" for link in range(count))])


STATUS = "\n".join([*(_links(gpu, 18) for gpu in range(7)), _links(7, 9)])


def test_a_link_status_notes_the_links_that_are_down() -> None:
    made = pasted(read_topology(STATUS), Target("n1", _machine(), has_fabric=True))
    assert made.links_down == {7: 9}
    assert made.command["patch"]["spec"]["faults"]["nvlinks"] == [{"gpu": 7, "links": 9}]


@pytest.mark.parametrize("target", [Target("new"), Target("n1", _machine("l40s-8"), has_fabric=True)])
def test_a_link_status_needs_a_switch(target: Target) -> None:
    with pytest.raises(TopologyError) as caught:
        pasted(read_topology(STATUS), target)
    assert caught.value.code == errors.NO_SWITCH


@pytest.mark.parametrize("text", [nvswitch_text(), BRIDGED, NPUS, ROCM], ids=["nvswitch", "bridged", "npus", "rocm"])
def test_every_kind_of_matrix_can_be_applied(text: str) -> None:
    made = pasted(read_topology(text), Target("new-1"))
    fabric = _applied(made.command).world.get("NodeFabric", "", "new-1")
    assert len(fabric["spec"]["shape"]["gpus"]) == read_topology(text).gpus


@pytest.mark.parametrize("file", MATRICES)
def test_every_recorded_matrix_can_be_applied(file: str) -> None:
    reading = read_topology(recorded_bytes(file))
    node = _applied(pasted(reading, Target("new-1")).command).world.get("Node", "", "new-1")
    counted = [amount for name, amount in node.allocatable.items() if name not in ("cpu", "memory", "pods")]
    assert sum(counted) == reading.gpus

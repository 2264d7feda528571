"""Commands that break and repair what is inside a node: GPUs, NVLinks, network cards. They write its NodeFabric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from simulator.engine.fabric.machine import Machine, machine_of
from simulator.engine.fabric.node_fabric import (
    KIND,
    Faults,
    faults_to_mapping,
    node_fabric_manifest,
    read_node_fabric,
)
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.world.commands import (
    CREATED,
    UNCHANGED,
    Command,
    Effect,
    Outcome,
    create_object,
    find,
    refused,
    replace_object,
    text_of,
)
from simulator.engine.world.world import World

Change = Callable[[Machine], Faults]


def fail_gpu(world: World, command: Command) -> Effect:
    """`{type: failGpu, name, gpu}`: the device plugin reports this GPU of the node unhealthy."""
    gpu = _number(command, "gpu")

    def change(machine: Machine) -> Faults:
        _check_gpu(machine, gpu, "gpu")
        return replace(machine.faults, gpus=tuple(sorted({*machine.faults.gpus, gpu})))

    return _change(world, command, change)


def repair_gpu(world: World, command: Command) -> Effect:
    """`{type: repairGpu, name, gpu}`: it is healthy again."""
    gpu = _number(command, "gpu")

    def change(machine: Machine) -> Faults:
        _check_gpu(machine, gpu, "gpu")
        return replace(machine.faults, gpus=tuple(other for other in machine.faults.gpus if other != gpu))

    return _change(world, command, change)


def set_link(world: World, command: Command) -> Effect:
    """`{type: setLink, name, gpu, links}`: so many NVLinks of a GPU into its NVSwitch are up; `{…, gpu, other, links}`:
    so many between two GPUs. Without `links` all are.
    """
    gpu = _number(command, "gpu")
    other = _number(command, "other") if command.get("other") is not None else None
    links = _number(command, "links") if command.get("links") is not None else None

    def change(machine: Machine) -> Faults:
        left = None if links == _most_links(machine, gpu, other, links) else links
        if other is None:
            return replace(machine.faults, nvlinks=_set(machine.faults.nvlinks, gpu, left))
        pair = (min(gpu, other), max(gpu, other))
        return replace(machine.faults, pairs=_set(machine.faults.pairs, pair, left))

    return _change(world, command, change)


def fail_nic(world: World, command: Command) -> Effect:
    """`{type: failNic, name, nic}`: this network card is down; with `link` it came up as that kind of link."""
    nic, link = _number(command, "nic"), text_of(command, "link", default="")

    def change(machine: Machine) -> Faults:
        _check_nic(machine, nic)
        return replace(machine.faults, nics=_set(machine.faults.nics, nic, link))

    return _change(world, command, change)


def repair_nic(world: World, command: Command) -> Effect:
    """`{type: repairNic, name, nic}`: it is up as it should be."""
    nic = _number(command, "nic")

    def change(machine: Machine) -> Faults:
        _check_nic(machine, nic)
        return replace(machine.faults, nics=_set(machine.faults.nics, nic, None))

    return _change(world, command, change)


def _change(world: World, command: Command, change: Change) -> Effect:
    name = text_of(command, "name")
    node, fabric = find(world, "Node", "", name), world.get(KIND, "", name)
    machine = machine_of(node.manifest, None if fabric is None else read_node_fabric(fabric))
    if not machine.host.shape.gpus and not machine.host.shape.nics:
        raise refused("command.no_machine", f'nothing is known of the inside of node "{name}"', "name", name=name)
    faults = change(machine)
    if faults == machine.faults:
        return Effect([Outcome(KIND, "", name, UNCHANGED)])
    if fabric is None:
        return _create(world, name, machine, faults)
    return replace_object(world, {**fabric, "spec": _with_faults(fabric["spec"], faults)})


def _create(world: World, name: str, machine: Machine, faults: Faults) -> Effect:
    """The node gets a NodeFabric. Undoing keeps it, without the fault: only so the Node's amounts follow."""
    known = machine.whole.name in PRESETS and PRESETS[machine.whole.name].shape == machine.whole
    spec = {"machine": machine.whole.name} if known else {}
    created = create_object(world, node_fabric_manifest(name, _with_faults(spec, faults)))
    inverse = {"type": "restore", "put": [{**created, "spec": spec}], "remove": []}
    return Effect([Outcome(KIND, "", name, CREATED)], inverse)


def _with_faults(spec: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    kept = {name: value for name, value in spec.items() if name != "faults"}
    return {**kept, "faults": faults_to_mapping(faults)} if faults.any else kept


def _set(values: Mapping[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    """With another value, None takes it away."""
    changed = {**values, key: value}
    return {name: item for name, item in changed.items() if item is not None}


def _number(command: Command, name: str) -> int:
    value = command.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise refused("command.field", f"{name}: must be a whole number", name, field=name, wanted="number")
    return value


def _check_gpu(machine: Machine, gpu: int, field: str) -> None:
    count = len(machine.host.shape.gpus)
    if gpu >= count:
        text = f"{field}: node {machine.name} has GPUs 0 to {count - 1}"
        raise refused("command.no_gpu", text, field, node=machine.name, gpu=gpu, last=count - 1)


def _check_nic(machine: Machine, nic: int) -> None:
    cards = [card.index for card in machine.whole.nics]
    if nic not in cards:
        text = f"nic: node {machine.name} has cards {', '.join(map(str, cards))}"
        raise refused("command.no_nic", text, "nic", node=machine.name, nic=nic, cards=cards)


def _most_links(machine: Machine, gpu: int, other: int | None, links: int | None) -> int:
    """How many links there are when all are up; refused where there are none, or fewer than `links`."""
    _check_gpu(machine, gpu, "gpu")
    if other is None:
        groups = [group for group in machine.whole.switched if gpu in group.gpus]
        most = groups[0].links[groups[0].gpus.index(gpu)] if groups else 0
    else:
        _check_gpu(machine, other, "other")
        ends = sorted((gpu, other))
        most = sum(pair.links for pair in machine.whole.pairs if sorted((pair.first, pair.second)) == ends)
    if not most or (links or 0) > most:
        text = f"links: there are {most} on node {machine.name}"
        raise refused("command.no_links", text, "links", node=machine.name, gpu=gpu, most=most)
    return most

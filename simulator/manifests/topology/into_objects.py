"""From a pasted topology text to a command of the lab: a new node, another inside for one, or links that are down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.fabric.allocation import BEST_EFFORT
from simulator.engine.fabric.device_plugin import device_labels, device_resources
from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.from_matrix import Finding
from simulator.engine.fabric.machine import Machine
from simulator.engine.fabric.node_fabric import KIND, faults_to_mapping, node_fabric_manifest
from simulator.engine.fabric.serial import shape_to_mapping
from simulator.engine.fabric.shape import HostShape
from simulator.manifests.topology import errors
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.facts import shape_of
from simulator.manifests.topology.reading import NVLINK_STATUS, Reading

CPUS_PER_GPU: Final = 16
MEMORY_GIB_PER_GPU: Final = 128
PODS: Final = 110

Command = dict[str, Any]


@dataclass(frozen=True)
class Pasted:
    """What a text becomes: the machine to show, what is odd about it, and the command; `links_down` by GPU number is
    what a link status tells.
    """

    shape: HostShape
    findings: tuple[Finding, ...]
    command: Command
    links_down: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Target:
    """Where a text goes: `name` of the node, its machine (None: a new node) and whether it has a NodeFabric."""

    name: str
    machine: Machine | None = None
    has_fabric: bool = False


def pasted(
    reading: Reading, target: Target, *, model: str = "", nic_link: str = "ib-ndr", policy: str = BEST_EFFORT
) -> Pasted:
    """The command for a reading. `model` is an accelerator's id; without it a node keeps the one it has.

    Raises TopologyError for a link status that is about no machine with an NVSwitch.
    """
    if reading.kind == NVLINK_STATUS:
        return _links(reading, target)
    own = target.machine.whole.gpus if target.machine else ()
    known = model or (own[0].model if own and own[0].model != "unknown" else "")
    shape, findings = shape_of(reading, f"pasted-{target.name}", model=known, nic_link=nic_link)
    spec = {"shape": shape_to_mapping(shape), "devicePolicy": policy}
    if target.machine is None:
        objects = [_node(target.name, shape), node_fabric_manifest(target.name, spec)]
        return Pasted(shape, findings, {"type": "apply", "objects": objects}, {})
    return Pasted(shape, findings, _changed(target, {"machine": None, "faults": None, **spec}), {})


def _changed(target: Target, spec: Mapping[str, Any]) -> Command:
    """Change a node's NodeFabric, or give it one."""
    if target.has_fabric:
        return {"type": "patch", "kind": KIND, "name": target.name, "patch": {"spec": dict(spec)}}
    kept = {name: value for name, value in spec.items() if value is not None}
    return {"type": "apply", "objects": [node_fabric_manifest(target.name, kept)]}


def _links(reading: Reading, target: Target) -> Pasted:
    """Links that are not active are faults of the machine that the node is."""
    machine = target.machine
    if machine is None or not machine.whole.switched:
        raise TopologyError(errors.NO_SWITCH)
    whole = {gpu: links for group in machine.whole.switched for gpu, links in zip(group.gpus, group.links, strict=True)}
    active = {gpu: len(speeds) for gpu, speeds in (reading.nvlink_status or {}).items()}
    left = {gpu: min(active[gpu], most) for gpu, most in whole.items() if active.get(gpu, most) < most}
    faults = faults_to_mapping(machine.faults)
    faults["nvlinks"] = [{"gpu": gpu, "links": links} for gpu, links in sorted(left.items())] or None
    down = {gpu: whole[gpu] - links for gpu, links in left.items()}
    spec: dict[str, Any] = {"faults": {name: value for name, value in faults.items() if target.has_fabric or value}}
    return Pasted(machine.whole, (), _changed(target, spec), down)


def _node(name: str, shape: HostShape) -> dict[str, Any]:
    """A Node for a machine of which only the inside is known."""
    host = Host(name, shape)
    gpus = max(1, len(shape.gpus))
    amounts = {
        "cpu": str(CPUS_PER_GPU * gpus),
        "memory": f"{MEMORY_GIB_PER_GPU * gpus}Gi",
        "pods": str(PODS),
        **{resource: str(count.capacity) for resource, count in device_resources(host).items()},
    }
    known = bool(shape.gpus) and shape.gpus[0].model != "unknown"
    labels = {"kubernetes.io/hostname": name, **(device_labels(host) if known else {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {
            "capacity": amounts,
            "allocatable": dict(amounts),
            "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}],
        },
    }

"""Our own NodeFabric and NetworkSwitch, and NodeResourceTopology of topology.node.k8s.io."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from simulator.engine.fabric.machine import is_arrangeable
from simulator.engine.fabric.node_fabric import NodeFabric, read_node_fabric
from simulator.engine.fabric.numa_zones import MAX_NUMA_NODES
from simulator.engine.fabric.serial import FabricFormatError
from simulator.engine.fabric.shape import HostShape
from simulator.engine.objects.errors import Errors
from simulator.engine.objects.names import dns_subdomain_problems
from simulator.engine.objects.paths import ROOT, SPEC, FieldPath
from simulator.engine.objects.validation.metadata import validate_metadata

Object = Mapping[str, Any]

_PROBLEMS: Final = {
    "missing": "fabric.missing",
    "type": "fabric.type",
    "unknown": "fabric.unknown",
    "range": "fabric.range",
    "conflict": "fabric.conflict",
}
_MAX_TIER: Final = 8
_MAX_RATIO: Final = 1000
_PART: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def validate_node_fabric(errors: Errors, fabric: Object) -> None:
    validate_metadata(errors, fabric["metadata"], dns_subdomain_problems, namespaced=False)
    try:
        said = read_node_fabric(fabric)
    except FabricFormatError as problem:
        _refuse(errors, fabric["spec"], problem)
        return
    if said.shape is not None:
        _faults(errors, said, said.shape)
        _mig(errors, said, said.shape)


def _refuse(errors: Errors, spec: Object, problem: FabricFormatError) -> None:
    place = _place(problem.path)
    value = _value(spec, place)
    if problem.known:
        errors.not_supported(place, value, problem.known)
    else:
        errors.invalid(place, value, _PROBLEMS[problem.problem])


def _faults(errors: Errors, said: NodeFabric, shape: HostShape) -> None:
    path, last = SPEC.child("faults"), len(shape.gpus) - 1
    for name, gpus in (("gpus", said.faults.gpus), ("nvlinks", said.faults.nvlinks)):
        for gpu in gpus:
            if gpu > last:
                errors.invalid(path.child(name), gpu, "fabric.no_gpu", last=last)
    cards = [nic.index for nic in shape.nics]
    for nic in said.faults.nics:
        if nic not in cards:
            errors.invalid(path.child("nics"), nic, "fabric.no_card", cards=", ".join(map(str, cards)))
    linked = [sorted((pair.first, pair.second)) for pair in shape.pairs]
    for first, second in said.faults.pairs:
        if [first, second] not in linked:
            errors.invalid(path.child("pairs"), [first, second], "fabric.no_pair", first=first, second=second)


def _mig(errors: Errors, said: NodeFabric, shape: HostShape) -> None:
    path = SPEC.child("mig").child("instances")
    for gpu, names in (said.mig.profiles if said.mig else {}).items():
        if gpu >= len(shape.gpus):
            errors.invalid(path, gpu, "fabric.no_gpu", last=len(shape.gpus) - 1)
        elif not is_arrangeable(shape, gpu, names):
            errors.invalid(path, list(names), "fabric.mig", gpu=gpu, profiles=", ".join(names))


def validate_network_switch(errors: Errors, switch: Object) -> None:
    validate_metadata(errors, switch["metadata"], dns_subdomain_problems, namespaced=False)
    spec = switch["spec"]
    tier = spec.get("tier", 0)
    if not 1 <= tier <= _MAX_TIER:
        errors.invalid(SPEC.child("tier"), tier, "api.range", min=1, max=_MAX_TIER)
    ratio = spec.get("oversubscription", 1)
    if isinstance(ratio, bool) or not isinstance(ratio, int | float) or not 1 <= ratio <= _MAX_RATIO:
        errors.invalid(SPEC.child("oversubscription"), ratio, "api.range", min=1, max=_MAX_RATIO)
    if spec.get("parent") and spec["parent"] == switch["metadata"].get("name"):
        errors.invalid(SPEC.child("parent"), spec["parent"], "fabric.unknown")


def validate_node_resource_topology(errors: Errors, topology: Object) -> None:
    """The CustomResourceDefinition asks for names and types only; NUMA nodes are as many as the kubelet takes."""
    validate_metadata(errors, topology["metadata"], dns_subdomain_problems, namespaced=False)
    nodes = sum(zone.get("type") == "Node" for zone in topology.get("zones") or ())
    if nodes > MAX_NUMA_NODES:
        errors.too_many(ROOT.child("zones"), nodes, MAX_NUMA_NODES)
    for index, zone in enumerate(topology.get("zones") or ()):
        place = ROOT.child("zones").index(index)
        for name in ("name", "type"):
            if not zone.get(name):
                errors.required(place.child(name))
        for number, resource in enumerate(zone.get("resources") or ()):
            for name in ("name", "capacity", "allocatable", "available"):
                if not resource.get(name):
                    errors.required(place.child("resources").index(number).child(name))


def _place(path: str) -> FieldPath:
    """`faults.nics[0].link` below `spec`."""
    place = SPEC
    for number, name in _PART.findall(path):
        place = place.index(int(number)) if number else place.child(name)
    return place


def _value(spec: Any, place: FieldPath) -> Any:
    for key in place.keys[1:]:
        try:
            spec = spec[key]
        except (KeyError, IndexError, TypeError):
            return None
    return spec

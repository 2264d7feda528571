"""The fabric of a cluster: the machines of its nodes, the switches that objects name, and those that labels tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.engine.fabric.fabric import Fabric, NetworkSwitch
from simulator.engine.fabric.from_labels import TIER_LABELS, LabelledNode, tier_scheme, with_tiers
from simulator.engine.fabric.machine import Machine

Manifest = Mapping[str, Any]


def fabric_of(
    machines: Sequence[Machine], labels: Mapping[str, Mapping[str, str]], switches: Sequence[Manifest]
) -> Fabric:
    """Hosts in the order of the machines. `labels` are those of their Nodes, by name, `switches` NetworkSwitch objects.

    A machine whose NodeFabric names no leaf is where its labels say (topograph, GKE, AWS, OCI, Volcano); labels name
    switches that are no objects.
    """
    told = _labelled([machine for machine in machines if not machine.host.leaves], labels)
    hosts = tuple(told.host_by_name.get(machine.name, machine.host) for machine in machines)
    objects = tuple(map(switch_of, switches))
    names = {switch.name for switch in objects}
    return Fabric(hosts, (*objects, *(switch for switch in told.switches if switch.name not in names)))


def switch_of(manifest: Manifest) -> NetworkSwitch:
    """The switch a NetworkSwitch object describes."""
    spec = manifest["spec"]
    ratio = float(spec.get("oversubscription") or 1)
    return NetworkSwitch(manifest["metadata"]["name"], int(spec.get("tier") or 1), spec.get("parent") or None, ratio)


def _labelled(machines: Sequence[Machine], labels: Mapping[str, Mapping[str, str]]) -> Fabric:
    nodes = [LabelledNode(machine.name, labels.get(machine.name, {})) for machine in machines]
    scheme = tier_scheme(nodes)
    if scheme is None:
        return Fabric()
    tiers = {node.name: _tiers(node.labels, TIER_LABELS[scheme]) for node in nodes}
    return with_tiers([machine.host for machine in machines], tiers)


def _tiers(labels: Mapping[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(labels[key] for key in keys if labels.get(key))

"""Switches, what is plugged into them, and whole networks for the nodes there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from gpuschedlab.web.errors import BadInput
from simulator.engine.fabric.fabric import Fabric, Host
from simulator.engine.fabric.machine import Machine, machine_of
from simulator.engine.fabric.network import leaf_spine, rail_aligned
from simulator.engine.fabric.node_fabric import (
    API_VERSION,
    KIND,
    SWITCH_KIND,
    node_fabric_manifest,
    read_node_fabric,
)
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.objects.node import Node
from simulator.engine.world.commands import Command
from simulator.selectors.frames import Frame
from simulator.selectors.refs import Ref, manifests_of, node_ref
from simulator.services.plans.together import Plan, there, together

LEAF: Final = 1
SPINE: Final = 2


def switch_manifest(name: str, tier: int, parent: str = "", oversubscription: float = 1.0) -> dict[str, Any]:
    spec: dict[str, Any] = {"tier": tier}
    if parent:
        spec["parent"] = parent
    if oversubscription != 1.0:
        spec["oversubscription"] = oversubscription
    return {"apiVersion": API_VERSION, "kind": SWITCH_KIND, "metadata": {"name": name}, "spec": spec}


def new_leaf(frame: Frame, name: str) -> list[Mapping[str, Any]]:
    """The leaf of that name where there is none yet, below the spine if there is exactly one."""
    known = manifests_of(frame, SWITCH_KIND)
    if name in known:
        return []
    spines = [other for other, manifest in known.items() if tier_of(manifest) == SPINE]
    return [switch_manifest(name, LEAF, spines[0] if len(spines) == 1 else "")]


def tier_of(switch: Mapping[str, Any]) -> int:
    return int((switch.get("spec") or {}).get("tier") or LEAF)


def put_switch(name: str, tier: int, parent: str, oversubscription: float) -> Plan:
    """A switch, or another place for the one of that name."""

    def plan(frame: Frame) -> Command:
        known = manifests_of(frame, SWITCH_KIND)
        if parent == name or (parent and parent not in known):
            raise BadInput(_("There is no switch “%(name)s” above it.") % {"name": parent})
        if name in known:
            spec = {"tier": tier, "parent": parent or None, "oversubscription": oversubscription}
            return {"type": "patch", "kind": SWITCH_KIND, "name": name, "patch": {"spec": spec}}
        return {"type": "apply", "objects": [switch_manifest(name, tier, parent, oversubscription)]}

    return plan


def connect(refs: Sequence[Ref], leaf: str) -> Plan:
    """Plug all cards of these nodes into a leaf switch, made where it is not there; "" unplugs them."""

    def plan(frame: Frame) -> Command:
        leaves = new_leaf(frame, leaf) if leaf else []
        made: list[Command] = [{"type": "apply", "objects": leaves}] if leaves else []
        nodes = [item for item in there(frame, refs).values() if isinstance(item, Node)]
        return together([*made, *(plug(frame, node, [leaf] if leaf else []) for node in nodes)])

    return plan


def plug(frame: Frame, node: Node, leaves: Sequence[str]) -> Command:
    """The command that gives a node's cards these leaves: one for all, or one per card."""
    if node.name in manifests_of(frame, KIND):
        patch = {"spec": {"leaves": list(leaves) or None}}
        return {"type": "patch", "kind": KIND, "name": node.name, "patch": patch}
    whole = _machine(frame, node).whole
    known = whole.name in PRESETS and PRESETS[whole.name].shape == whole
    spec = {**({"machine": whole.name} if known else {}), "leaves": list(leaves)}
    return {"type": "apply", "objects": [node_fabric_manifest(node.name, spec)]}


def build_network(refs: Sequence[Ref], per_leaf: int, *, rails: bool, oversubscription: float) -> Plan:
    """Leaf and spine switches for these nodes (all of them where none is named), in their order.

    `rails`: card r of every node of a group goes to the group's leaf r.
    """

    def plan(frame: Frame) -> Command:
        wanted = refs or [node_ref(node.name) for node in frame.nodes]
        nodes = [item for item in there(frame, wanted).values() if isinstance(item, Node)]
        hosts = [_host(frame, node) for node in nodes]
        make = rail_aligned if rails else leaf_spine
        return _network_command(frame, nodes, make(hosts, per_leaf, oversubscription=oversubscription))

    return plan


def _network_command(frame: Frame, nodes: Sequence[Node], fabric: Fabric) -> Command:
    switches = [
        switch_manifest(switch.name, switch.tier, switch.parent or "", switch.oversubscription)
        for switch in fabric.switches
    ]
    plugs = [plug(frame, node, fabric.host(node.name).leaves) for node in nodes]
    return together([{"type": "apply", "objects": switches}, *plugs])


def _host(frame: Frame, node: Node) -> Host:
    return Host(node.name, _machine(frame, node).whole)


def _machine(frame: Frame, node: Node) -> Machine:
    said = manifests_of(frame, KIND).get(node.name)
    return machine_of(node.manifest, None if said is None else read_node_fabric(said))

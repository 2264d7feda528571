"""What the dialogs of single edits show: the present values of what is selected, at the lab's end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.fabric.node_fabric import SWITCH_KIND
from simulator.engine.goals.run import is_gpu
from simulator.engine.objects.node import Node
from simulator.engine.world.fabric_state import cluster_fabric
from simulator.engine.world.world import manifest_of
from simulator.forms.edits import EFFECTS
from simulator.selectors.frames import Frame
from simulator.selectors.moments import Moment
from simulator.selectors.refs import Ref, items_of, manifests_of
from simulator.services.plans.network import tier_of
from simulator.services.plans.nodes import RACK_LABEL

MOST_PAIRS: Final = 200
_SHOWN_AMOUNTS: Final = ("cpu", "memory", "pods", "ephemeral-storage")


@dataclass(frozen=True, slots=True)
class PairView:
    """A label, annotation or taint: how many of the selected objects have it."""

    key: str
    value: str
    count: int


@dataclass(frozen=True, slots=True)
class AmountView:
    """A resource's amounts, "" where the nodes differ; `is_reported`: the device plugin says how many there are."""

    name: str
    capacity: str
    allocatable: str
    is_reported: bool


@dataclass(frozen=True, slots=True)
class GpuView:
    """GPU number `index`: on how many of the `total` nodes that have it, it has failed."""

    index: int
    failed: int
    total: int


Context = Mapping[str, Any]


def _pairs(field: str) -> Callable[[Frame, Mapping[Ref, Any]], Context]:
    def context(_frame: Frame, found: Mapping[Ref, Any]) -> Context:
        counts: dict[tuple[str, str], int] = {}
        for item in found.values():
            for pair in (manifest_of(item)["metadata"].get(field) or {}).items():
                counts[pair] = counts.get(pair, 0) + 1
        views = [PairView(key, value, count) for (key, value), count in sorted(counts.items())]
        return {"pairs": views[:MOST_PAIRS], "all": len(found)}

    return context


def _taints(_frame: Frame, found: Mapping[Ref, Any]) -> Context:
    counts: dict[tuple[str, str, str], int] = {}
    for node in _nodes(found):
        for taint in node.taints:
            counts[(taint.key, taint.value, taint.effect)] = counts.get((taint.key, taint.value, taint.effect), 0) + 1
    pairs = [(PairView(key, value, count), effect) for (key, value, effect), count in sorted(counts.items())]
    return {"taints": pairs, "effects": EFFECTS, "all": len(found)}


def _drain(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    names = {node.name for node in _nodes(found)}
    pods = [pod for pod in frame.pods if pod.node_name in names and not pod.terminal and not pod.terminating]
    alone = sum(pod.shape.controller is None for pod in pods)
    return {"pods": len(pods), "alone": alone, "budgets": len(frame.objects.get("PodDisruptionBudget", ()))}


def _amounts(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    nodes = _nodes(found)
    reported = manifests_of(frame, NODE_FABRIC)
    names = dict.fromkeys(_SHOWN_AMOUNTS)
    statuses = [manifest_of(node).get("status") or {} for node in nodes]
    for status in statuses:
        names |= dict.fromkeys(name for name in status.get("allocatable") or {} if not name.startswith("hugepages-"))
    by_plugin = any(node.name in reported for node in nodes)
    return {
        "amounts": [
            AmountView(
                name,
                _common(statuses, "capacity", name),
                _common(statuses, "allocatable", name),
                by_plugin and is_gpu(name),
            )
            for name in names
        ],
        "reported": by_plugin,
    }


def _common(statuses: Sequence[Mapping[str, Any]], part: str, name: str) -> str:
    values = {str((status.get(part) or {}).get(name) or "") for status in statuses}
    return values.pop() if len(values) == 1 else ""


def _gpus(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    fabrics, switches = frame.objects.get(NODE_FABRIC, ()), frame.objects.get(SWITCH_KIND, ())
    machines = cluster_fabric(_nodes(found), fabrics, switches).machines.values()
    most = max((len(machine.whole.gpus) for machine in machines), default=0)
    return {
        "gpus": [
            GpuView(
                index,
                sum(index in machine.faults.gpus for machine in machines),
                sum(index < len(machine.whole.gpus) for machine in machines),
            )
            for index in range(most)
        ]
    }


def _rack(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    racks = dict.fromkeys(node.labels[RACK_LABEL] for node in frame.nodes if node.labels.get(RACK_LABEL))
    own = {node.labels.get(RACK_LABEL, "") for node in _nodes(found)}
    return {"racks": list(racks), "rack": own.pop() if len(own) == 1 else ""}


def _connect(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    fabrics = manifests_of(frame, NODE_FABRIC)
    leaves = {" ".join((fabrics.get(node.name, {}).get("spec") or {}).get("leaves") or ()) for node in _nodes(found)}
    own = leaves.pop() if len(leaves) == 1 else ""
    return {**_switches(frame), "leaf": "" if " " in own else own}


def _switch(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    manifest = next(iter(found.values()), None)
    spec = (manifest.get("spec") or {}) if isinstance(manifest, Mapping) else {}
    known = {
        "name": manifest["metadata"]["name"] if isinstance(manifest, Mapping) else "",
        "tier": tier_of(manifest) if isinstance(manifest, Mapping) else 1,
        "parent": spec.get("parent") or "",
        "oversubscription": f"{float(spec.get('oversubscription') or 1):g}",
    }
    return {**_switches(frame), **known}


def _switches(frame: Frame) -> dict[str, list[str]]:
    tiers: dict[int, list[str]] = {}
    for name, manifest in manifests_of(frame, SWITCH_KIND).items():
        tiers.setdefault(tier_of(manifest), []).append(name)
    return {"leaves": tiers.pop(1, []), "spines": [name for names in tiers.values() for name in names]}


def _network(frame: Frame, found: Mapping[Ref, Any]) -> Context:
    nodes = _nodes(found) or list(frame.nodes)
    return {"nodes": len(nodes), "per_leaf": min(4, max(1, (len(nodes) + 1) // 2)), **_switches(frame)}


def _nothing(_frame: Frame, _found: Mapping[Ref, Any]) -> Context:
    return {}


def _nodes(found: Mapping[Ref, Any]) -> list[Node]:
    return [item for item in found.values() if isinstance(item, Node)]


_CONTEXTS: Final[Mapping[str, Callable[[Frame, Mapping[Ref, Any]], Context]]] = {
    "label": _pairs("labels"),
    "annotate": _pairs("annotations"),
    "taint": _taints,
    "drain": _drain,
    "resize": _amounts,
    "gpus": _gpus,
    "rack": _rack,
    "connect": _connect,
    "switch": _switch,
    "network": _network,
    "rename": _nothing,
}
DIALOGS: Final = frozenset(_CONTEXTS)
"""Names of the dialogs; each has the template of its name."""


def present_dialog(moment: Moment, name: str, refs: Sequence[Ref]) -> Context:
    """The context of a dialog about what is selected; `later_step` is the end's number while an earlier step is
    shown."""
    found = items_of(moment.newest, refs)
    names = [ref.name for ref in found]
    return {
        "refs": " ".join(map(str, found)),
        "names": names,
        "later_step": None if moment.is_head else moment.head.action,
        **_CONTEXTS[name](moment.newest, found),
    }

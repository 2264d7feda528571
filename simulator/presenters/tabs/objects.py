"""The Objects tab: everything in the cluster, and one object as YAML with what can be done to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.engine.objects.node import Node
from simulator.engine.objects.pod import Pod
from simulator.engine.world.world import manifest_of
from simulator.manifests.writer import write
from simulator.presenters.kubectl import status_of
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.rules import allows_command
from simulator.selectors.frames import Frame
from simulator.selectors.moments import Moment

ROWS = 50
HIDDEN = frozenset({"Namespace"})
FIRST = ("Node", "Pod", "PodGroup", "ReplicaSet", "Deployment", "Job", "PriorityClass", "PodDisruptionBudget")
SCALABLE = frozenset({"ReplicaSet", "Deployment", "StatefulSet", "Job"})


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """`ref` names it in the address: kind/namespace/name."""

    ref: str
    name: str
    status: str
    where: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class KindGroup:
    kind: str
    rows: tuple[ObjectRow, ...]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The object that is shown; `does` are the commands the page offers for it."""

    kind: str
    namespace: str
    name: str
    yaml: str
    does: tuple[str, ...]
    cordoned: bool
    replicas: int | None


def _context(asked: TabRequest) -> Mapping[str, Any]:
    frame = asked.moment.frame
    wanted = asked.params.get("object", "")
    query = asked.params.get("q", "").strip().lower()
    kinds = [kind for kind in frame.objects if kind not in HIDDEN]
    kinds.sort(key=lambda kind: (FIRST.index(kind) if kind in FIRST else len(FIRST), kind))
    groups = [_group(kind, frame.objects[kind], wanted, query) for kind in kinds]
    chosen = _chosen(frame, wanted, asked)
    return {"groups": [group for group in groups if group.rows], "query": query, "chosen": chosen}


def _group(kind: str, items: Iterable[Any], wanted: str, query: str) -> KindGroup:
    found = [_row(kind, item, wanted) for item in items]
    if query:
        found = [row for row in found if query in row.name.lower() or query in kind.lower()]
    return KindGroup(kind, tuple(found[:ROWS]), len(found))


def _row(kind: str, item: Any, wanted: str) -> ObjectRow:
    namespace, name = _identity(item)
    ref = f"{kind}/{namespace}/{name}"
    shown = name if namespace in ("", "default") else f"{namespace}/{name}"
    if isinstance(item, Pod):
        return ObjectRow(ref, shown, status_of(item), item.node_name, ref == wanted)
    if isinstance(item, Node):
        status = "Ready,SchedulingDisabled" if item.unschedulable else "Ready"
        return ObjectRow(ref, shown, status, "", ref == wanted)
    return ObjectRow(ref, shown, "", "", ref == wanted)


def _identity(item: Any) -> tuple[str, str]:
    if isinstance(item, Pod):
        return item.namespace, item.name
    metadata = manifest_of(item)["metadata"]
    return metadata.get("namespace") or "", metadata["name"]


def _chosen(frame: Frame, wanted: str, asked: TabRequest) -> Chosen | None:
    kind, _slash, rest = wanted.partition("/")
    namespace, _slash, name = rest.partition("/")
    item = next((item for item in frame.objects.get(kind, ()) if _identity(item) == (namespace, name)), None)
    if item is None:
        return None
    manifest = manifest_of(item)
    spec = manifest.get("spec") or {}
    replicas = spec.get("parallelism" if kind == "Job" else "replicas") if kind in SCALABLE else None
    return Chosen(
        kind,
        namespace,
        name,
        write([manifest]),
        _does(kind, asked) if asked.can_change else (),
        isinstance(item, Node) and item.unschedulable,
        replicas,
    )


def _does(kind: str, asked: TabRequest) -> tuple[str, ...]:
    """What the scenario allows to be done to an object of that kind."""
    wanted = ["label", "delete"]
    if kind == "Node":
        wanted = ["label", "taint", "cordon", "drain", "delete"]
    elif kind in SCALABLE:
        wanted = ["scale", "label", "delete"]
    return tuple(name for name in wanted if allows_command(asked.moment.lab, name))


def _count(moment: Moment) -> int:
    return sum(len(items) for kind, items in moment.frame.objects.items() if kind not in HIDDEN)


OBJECTS = Tab("objects", _("Objects"), "simulator/tabs/objects.html", _context, _count)

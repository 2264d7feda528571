"""Copies: the same objects again under names nobody has yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.world.commands import Command
from simulator.engine.world.rename import renamed
from simulator.engine.world.world import manifest_of
from simulator.selectors.frames import Frame
from simulator.selectors.refs import Ref, items_of, ref_of
from simulator.services.plans.names import free_name
from simulator.services.plans.together import Plan, there

Manifest = Mapping[str, Any]
_OF_ITS_LIFE: Final = frozenset(
    {
        "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion",
        "ownerReferences", "managedFields", "selfLink", "generateName",
    }
)  # fmt: skip
_WRITTEN_BY_KUBELET: Final = ("gpuschedlab.io/gpus", "gpuschedlab.io/numa")
_SET_BY_SERVER: Final = {"Pod": ("nodeName", "priority", "preemptionPolicy")}


def fresh(manifest: Manifest) -> dict[str, Any]:
    """A manifest as somebody would write it to get such an object: without its life on the cluster, name kept.

    A Pod loses its node and its status; a node keeps what it has to give and loses a NodeFabric's faults.
    """
    kind = str(manifest.get("kind"))
    metadata = {key: value for key, value in manifest["metadata"].items() if key not in _OF_ITS_LIFE}
    annotations = {
        key: value for key, value in (metadata.get("annotations") or {}).items() if key not in _WRITTEN_BY_KUBELET
    }
    metadata = {key: value for key, value in metadata.items() if key != "annotations"}
    if annotations:
        metadata["annotations"] = annotations
    copied = {**manifest, "metadata": metadata}
    if kind != "Node":
        copied.pop("status", None)
    gone = _SET_BY_SERVER.get(kind, ("faults",) if kind == NODE_FABRIC else ())
    if isinstance(copied.get("spec"), Mapping):
        copied["spec"] = {key: value for key, value in copied["spec"].items() if key not in gone}
    return copied


def copied_of(frame: Frame, refs: Sequence[Ref]) -> list[dict[str, Any]]:
    """These objects as fresh manifests; a node brings its NodeFabric along."""
    found: list[dict[str, Any]] = []
    for ref, item in items_of(frame, refs).items():
        found.append(fresh(manifest_of(item)))
        inside = items_of(frame, [Ref(NODE_FABRIC, "", ref.name)]) if ref.kind == "Node" else {}
        found += [fresh(manifest_of(fabric)) for fabric in inside.values()]
    return found


def paste(manifests: Sequence[Manifest]) -> Plan:
    """Create these objects; those whose name is taken get the next free one, a NodeFabric that of its node."""

    def plan(frame: Frame) -> Command:
        taken: dict[tuple[str, str], set[str]] = {}
        for ref in (ref_of(item) for items in frame.objects.values() for item in items):
            taken.setdefault((ref.kind, ref.namespace), set()).add(ref.name)
        names: dict[str, str] = {}
        objects: list[dict[str, Any]] = []
        for manifest in sorted(manifests, key=lambda item: item.get("kind") == NODE_FABRIC):
            copied = fresh(manifest)
            kind, name = str(copied.get("kind")), str(copied["metadata"].get("name", ""))
            own = taken.setdefault((kind, _namespace(copied)), set())
            new = names[name] if kind == NODE_FABRIC and name in names else free_name(name, own)
            names |= {name: new} if kind == "Node" else {}
            own.add(new)
            objects.append(renamed(copied, new))
        return {"type": "apply", "objects": objects}

    return plan


def duplicate(refs: Sequence[Ref]) -> Plan:
    def plan(frame: Frame) -> Command:
        there(frame, refs)
        return paste(copied_of(frame, refs))(frame)

    return plan


def _namespace(manifest: Manifest) -> str:
    parsed = Ref.parse(f"{manifest.get('kind')}/{manifest['metadata'].get('namespace') or ''}/x")
    return parsed.namespace if parsed else ""

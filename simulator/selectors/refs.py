"""Names of objects in one lab, as pages and forms pass them on: `Node//h100-1`, `Pod/default/train-a`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.objects.pod import Pod
from simulator.engine.world.world import CLUSTER_WIDE, manifest_of
from simulator.selectors.frames import Frame


@dataclass(frozen=True, slots=True)
class Ref:
    """An object by kind, namespace ("" for cluster-wide kinds) and name."""

    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.namespace}/{self.name}"

    @staticmethod
    def parse(text: str) -> Ref | None:
        """The object a text names; None for what names none."""
        kind, first, rest = text.partition("/")
        namespace, second, name = rest.partition("/")
        if not (kind and first and second and name):
            return None
        return Ref(kind, "" if kind in CLUSTER_WIDE else namespace or "default", name)

    def to_mapping(self) -> dict[str, str]:
        """As commands name objects."""
        return {"kind": self.kind, "namespace": self.namespace, "name": self.name}


def node_ref(name: str) -> Ref:
    return Ref("Node", "", name)


def ref_of(item: Any) -> Ref:
    """The name of an object of a frame."""
    if isinstance(item, Pod):
        return Ref("Pod", item.namespace, item.name)
    manifest = manifest_of(item)
    metadata = manifest["metadata"]
    return Ref(manifest["kind"], metadata.get("namespace") or "", metadata["name"])


def items_of(frame: Frame, refs: Iterable[Ref]) -> dict[Ref, Any]:
    """The objects of these names that there are, in the order of the names."""
    wanted = list(dict.fromkeys(refs))
    known: dict[Ref, Any] = {}
    for kind in dict.fromkeys(ref.kind for ref in wanted):
        known |= {ref_of(item): item for item in frame.objects.get(kind, ())}
    return {ref: known[ref] for ref in wanted if ref in known}


def manifests_of(frame: Frame, kind: str) -> dict[str, Mapping[str, Any]]:
    """Name -> manifest of a cluster-wide kind's objects."""
    return {ref_of(item).name: manifest_of(item) for item in frame.objects.get(kind, ())}

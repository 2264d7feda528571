"""What controllers share: the Pods they own and Pods made from a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.engine.objects.pod import Pod
from simulator.engine.world.bus import Change

Manifest = Mapping[str, Any]


class OwnedPods:
    """The Pods of every owner of one kind, by owner key (namespace/name), in order of creation."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._pods: dict[str, dict[str, Pod]] = {}

    def observe(self, change: Change) -> str | None:
        """Follow a Pod's change. Returns the key of the owner concerned, None where there is none of this kind."""
        if change.kind != "Pod":
            return None
        controller = change.object.shape.controller
        if controller is None or controller[0] != self._kind:
            return None
        key = f"{change.object.namespace}/{controller[1]}"
        pods = self._pods.setdefault(key, {})
        if change.new is None:
            pods.pop(change.old.key, None)
        else:
            pods[change.new.key] = change.new
        return key

    def of(self, key: str) -> list[Pod]:
        return list(self._pods.get(key, {}).values())


def object_key(manifest: Manifest) -> str:
    metadata = manifest["metadata"]
    return f"{metadata.get('namespace') or 'default'}/{metadata['name']}"


def pod_from_template(owner: Manifest, kind: str, api_version: str, name: str) -> dict[str, Any]:
    """A Pod manifest as the controller of `owner` creates it."""
    template = owner["spec"]["template"]
    metadata = {k: v for k, v in (template.get("metadata") or {}).items() if k in ("labels", "annotations")}
    reference = {
        "apiVersion": api_version,
        "kind": kind,
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"].get("uid") or "",
        "controller": True,
        "blockOwnerDeletion": True,
    }
    metadata |= {
        "name": name,
        "namespace": owner["metadata"].get("namespace") or "default",
        "ownerReferences": [reference],
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": dict(template.get("spec") or {})}

"""The objects of a scenario in a plain store, as listers see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Manifest = Mapping[str, Any]


class PlainStore:
    """Objects by kind, in order of addition."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[tuple[str, str], Manifest]] = {}

    def put(self, manifest: Manifest) -> None:
        metadata = manifest["metadata"]
        key = (metadata.get("namespace") or "", metadata["name"])
        self._objects.setdefault(manifest["kind"], {})[key] = manifest

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        return self._objects.get(kind, {}).get((namespace, name))

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Manifest]:
        for (own, _), manifest in self._objects.get(kind, {}).items():
            if namespace is None or own == namespace:
                yield manifest

"""Objects as they will be once a decision is written, until the store says something newer.

Source: kube-scheduler 1.36 `util/assumecache`.
"""

from __future__ import annotations

from collections.abc import Iterable

from simulator.engine.framework.plugin import Lister, Manifest
from simulator.engine.plugins.volumes import name_of, namespace_of

Key = tuple[str, str, str]
"""(kind, namespace, name)."""


class AssumedObjects:
    """A lister over another one. What is assumed of an object holds as long as the other has it unchanged."""

    def __init__(self, objects: Lister) -> None:
        self._objects = objects
        self._assumed: dict[Key, tuple[Manifest, Manifest]] = {}

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        current = self._objects.get(kind, namespace, name)
        if not self._assumed:
            return current
        return self._latest((kind, namespace, name), current)

    def list(self, kind: str, namespace: str | None = None) -> Iterable[Manifest]:
        if not self._assumed:
            yield from self._objects.list(kind, namespace)
            return
        for current in self._objects.list(kind, namespace):
            latest = self._latest((kind, namespace_of(current), name_of(current)), current)
            yield current if latest is None else latest

    def assume(self, kind: str, manifest: Manifest) -> Key:
        """From now on the object of that name is `manifest`."""
        key = (kind, namespace_of(manifest), name_of(manifest))
        current = self._objects.get(*key)
        if current is not None and current is not manifest:
            self._assumed[key] = (current, manifest)
        return key

    def assumed(self, key: Key) -> Manifest | None:
        """What is assumed of the object, None where nothing (any more) is."""
        current = self._objects.get(*key)
        latest = self._latest(key, current)
        return None if latest is current else latest

    def restore(self, key: Key) -> None:
        """Forget what was assumed."""
        self._assumed.pop(key, None)

    def _latest(self, key: Key, current: Manifest | None) -> Manifest | None:
        found = self._assumed.get(key)
        if found is None:
            return current
        seen, manifest = found
        if current is seen or current == seen:
            return manifest
        del self._assumed[key]
        return current

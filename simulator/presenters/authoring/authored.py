"""From what was done to a cluster back to the manifests its author wrote.

The API server fills in what an author leaves out, so the objects of a world are not what stands in a text. What changed
between two worlds is found out object by object, and only that is carried over into the author's manifests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from simulator.engine.objects.patch import LAST_APPLIED
from simulator.engine.world.commands import Command
from simulator.engine.world.world import World, manifest_of
from simulator.manifests.bundle_editing import Identity, identity
from simulator.manifests.editing import same

Manifest = Mapping[str, Any]

_SERVERS: Final = ("uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink")
"""What of an object's metadata the API server writes."""


def authored_objects(
    written: Sequence[Manifest], before: World, after: World, commands: Iterable[Command] = ()
) -> list[dict[str, Any]]:
    """The author's manifests with what changed from `before` to `after`.

    An object that is new is taken as it stands in one of the `commands`, else without what the API server added.
    """
    then, now = _objects(before), _objects(after)
    given = {identity(manifest): manifest for command in commands for manifest in _given(command)}
    made: list[dict[str, Any]] = []
    known = set()
    for manifest in written:
        key = identity(manifest)
        known.add(key)
        if key not in now and key in then:
            continue  # it was deleted
        old, new = then.get(key), now.get(key)
        made.append(dict(manifest) if old is None or new is None else _carried(manifest, old, new))
    for key, new in now.items():
        if key not in known and key not in then:
            made.append(dict(given.get(key) or new))
    return made


def _objects(world: World) -> dict[Identity, dict[str, Any]]:
    found: dict[Identity, dict[str, Any]] = {}
    for _kind, _namespace, item in world.objects():
        manifest = _without_servers(manifest_of(item))
        found[identity(manifest)] = manifest
    return found


def _without_servers(manifest: Manifest) -> dict[str, Any]:
    """A manifest without what the API server wrote; a Pod's status is its own too."""
    metadata = {key: value for key, value in manifest["metadata"].items() if key not in _SERVERS}
    annotations = {k: v for k, v in (metadata.get("annotations") or {}).items() if k != LAST_APPLIED}
    metadata.pop("annotations", None)
    if annotations:
        metadata["annotations"] = annotations
    clean = {**manifest, "metadata": metadata}
    if manifest.get("kind") == "Pod":
        clean.pop("status", None)
    return clean


def _given(command: Any) -> Iterator[Manifest]:
    """Every manifest within a command."""
    if isinstance(command, Mapping):
        if isinstance(command.get("kind"), str) and isinstance(command.get("metadata"), Mapping):
            yield command
        else:
            for value in command.values():
                yield from _given(value)
    elif isinstance(command, list):
        for item in command:
            yield from _given(item)


def _carried(written: Any, old: Any, new: Any) -> Any:
    """What was written, with the difference between `old` and `new`."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    made = dict(written) if isinstance(written, Mapping) else {}
    for key in [*old, *(key for key in new if key not in old)]:
        if key not in new:
            made.pop(key, None)
        elif key not in old:
            made[key] = new[key]
        elif not same(old[key], new[key]):
            made[key] = _carried(made.get(key), old[key], new[key])
    return made

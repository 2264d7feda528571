"""Commands: what a person does to a simulation, as plain mappings with a `type`.

Every command is carried out completely or not at all. What it changed can be undone by its inverse, a command
`restore`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from simulator.engine.objects.api import Admitted, Refusal
from simulator.engine.objects.errors import FieldError
from simulator.engine.objects.patch import PatchError, apply
from simulator.engine.objects.scheme import KINDS
from simulator.engine.world.world import CLUSTER_WIDE, World, manifest_of

Manifest = Mapping[str, Any]
Command = Mapping[str, Any]
Key = str | int

CREATED, CONFIGURED, UNCHANGED, DELETED, EVICTED, KEPT = (
    "created", "configured", "unchanged", "deleted", "evicted", "kept",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommandProblem:
    """Why a command was refused: `text` is kube's wording, `code` and `params` are for translation, `path` leads into
    the command."""

    code: str
    text: str
    path: tuple[Key, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)


class CommandError(ValueError):
    """A command that was not carried out; nothing has changed."""

    def __init__(self, problems: Sequence[CommandProblem]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened to one object: created, configured, unchanged, deleted, evicted, kept."""

    kind: str
    namespace: str
    name: str
    result: str
    reason: str = ""


@dataclass(slots=True)
class Effect:
    """The outcomes of a command, and the command that undoes it (None where there is nothing to undo)."""

    outcomes: list[Outcome] = field(default_factory=list)
    inverse: dict[str, Any] | None = None


Handler = Callable[[World, Command], Effect]


def refused(code: str, text: str, *path: Key, **params: Any) -> CommandError:
    return CommandError([CommandProblem(code, text, tuple(path), params)])


# reading commands


def text_of(command: Command, name: str, *, default: str | None = None) -> str:
    value = command.get(name, default)
    if not isinstance(value, str):
        raise refused("command.field", f"{name}: must be a string", name, field=name, wanted="string")
    return value


def mapping_of(command: Command, name: str) -> Mapping[str, Any]:
    value = command.get(name)
    if not isinstance(value, Mapping):
        raise refused("command.field", f"{name}: must be a mapping", name, field=name, wanted="mapping")
    return value


def list_of(command: Command, name: str) -> Sequence[Any]:
    value = command.get(name)
    if not isinstance(value, list):
        raise refused("command.field", f"{name}: must be a list", name, field=name, wanted="list")
    return value


def items_of(command: Command, name: str) -> Sequence[Mapping[str, Any]]:
    """A list of mappings, empty where it is not given."""
    items = list_of(command, name) if command.get(name) is not None else ()
    for index, item in enumerate(items):
        if not isinstance(item, Mapping):
            text = f"{name}[{index}]: must be a mapping"
            raise refused("command.field", text, name, index, field=f"{name}[{index}]", wanted="mapping")
    return items


def references_of(command: Command, name: str) -> list[tuple[str, str, str]]:
    """(kind, namespace, name) of each entry; the namespace is "" where none is given or the kind has none."""
    found = []
    for index, item in enumerate(items_of(command, name)):
        fields = [item.get("kind"), item.get("namespace") or "", item.get("name")]
        if not all(isinstance(field, str) for field in fields):
            text = f"{name}[{index}]: kind, namespace and name must be strings"
            raise refused("command.field", text, name, index, field=f"{name}[{index}]", wanted="string")
        kind, namespace, own = (str(field) for field in fields)
        found.append((kind, "" if kind in CLUSTER_WIDE else namespace, own))
    return found


# objects


class _Overlay:
    """The world with objects on top that are admitted but not stored yet."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._own: dict[tuple[str, str, str], Manifest] = {}

    def get(self, kind: str, namespace: str, name: str) -> Manifest | None:
        own = self._own.get((kind, namespace, name))
        if own is not None:
            return own
        item = self._world.get(kind, namespace, name)
        return None if item is None else manifest_of(item)

    def all(self, kind: str) -> Iterable[Manifest]:
        keyed: dict[tuple[str, str], Manifest] = {}
        for item in self._world.list(kind):
            manifest = manifest_of(item)
            keyed[(manifest["metadata"].get("namespace") or "", manifest["metadata"]["name"])] = manifest
        keyed |= {(ns, name): manifest for (own, ns, name), manifest in self._own.items() if own == kind}
        return keyed.values()

    def put(self, admitted: Admitted) -> None:
        self._own[(admitted.kind.kind, admitted.namespace, admitted.name)] = admitted.manifest


def apply_objects(world: World, command: Command) -> Effect:
    """`{type: apply, objects: [manifest, ...]}`: what `kubectl apply` does, for all objects or none."""
    objects = list_of(command, "objects")
    overlay = _Overlay(world)
    planned: list[tuple[Admitted, str, Manifest | None]] = []
    problems: list[CommandProblem] = []
    for index, manifest in enumerate(objects):
        plan = _plan(world, overlay, manifest, index)
        if isinstance(plan, list):
            problems.extend(plan)
        else:
            planned.append(plan)
            overlay.put(plan[0])
    if problems:
        raise CommandError(problems)
    return _carry_out(world, planned)


def _plan(
    world: World, overlay: _Overlay, manifest: Any, index: int
) -> tuple[Admitted, str, Manifest | None] | list[CommandProblem]:
    """What applying one manifest would store; or what is wrong with it."""
    assert world.server is not None
    kind, namespace, name = _identity(manifest)
    current = overlay.get(kind, namespace, name) if name else None
    if current is None:
        remembered = apply(None, manifest).object if name else manifest
        answer = world.server.admit(remembered, overlay, number=world.created + index)
        return (answer, CREATED, None) if isinstance(answer, Admitted) else _problems(answer, index)
    try:
        applied = apply(current, manifest)
    except PatchError as problem:
        return [CommandProblem(problem.code, str(problem), ("objects", index), problem.params)]
    answer = world.server.admit_update(applied.object, overlay)
    if isinstance(answer, Refusal):
        return _problems(answer, index)
    return (answer, str(applied.result), current)


def _identity(manifest: Any) -> tuple[str, str, str]:
    """(kind, namespace, name), with empty strings for what cannot be read."""
    if not isinstance(manifest, Mapping) or not isinstance(manifest.get("metadata"), Mapping):
        return "", "", ""
    kind, metadata = manifest.get("kind"), manifest["metadata"]
    name, namespace = metadata.get("name"), metadata.get("namespace") or "default"
    readable = isinstance(metadata.get("annotations") or {}, Mapping)
    if not readable or not all(isinstance(text, str) for text in (kind, name, namespace)):
        return "", "", ""
    known = KINDS.get((str(manifest.get("apiVersion")), str(kind)))
    wide = known is not None and not known.namespaced
    return str(kind), "" if wide else namespace, str(name)


def _problems(refusal: Refusal, index: int) -> list[CommandProblem]:
    return [_problem(error, index, refusal) for error in refusal.errors]


def _problem(error: FieldError, index: int, refusal: Refusal) -> CommandProblem:
    about = {"object_kind": refusal.kind, "object_name": refusal.name, "stage": refusal.stage}
    params = {**error.params, **about}
    return CommandProblem(error.code, error.text, ("objects", index, *error.keys), params)


def _carry_out(world: World, planned: Sequence[tuple[Admitted, str, Manifest | None]]) -> Effect:
    effect = Effect()
    put: list[Manifest] = []
    remove: list[dict[str, str]] = []
    for admitted, result, before in planned:
        kind, namespace, name = admitted.kind.kind, admitted.namespace, admitted.name
        effect.outcomes.append(Outcome(kind, namespace, name, result))
        if result == UNCHANGED:
            continue
        if before is None:
            _ensure_namespace(world, namespace, remove)
            world.create(admitted.manifest)
            remove.append({"kind": kind, "namespace": namespace, "name": name})
        else:
            world.put(admitted.manifest)
            put.append(before)
    if put or remove:
        effect.inverse = {"type": "restore", "put": list(reversed(put)), "remove": list(reversed(remove))}
    return effect


def _ensure_namespace(world: World, namespace: str, remove: list[dict[str, str]]) -> None:
    """Objects in a namespace that does not exist bring it along, so that a lab needs no ceremony."""
    if not namespace or world.get("Namespace", "", namespace) is not None:
        return
    answer = world.admit({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    if isinstance(answer, Admitted):
        world.create(answer.manifest)
        remove.append({"kind": "Namespace", "namespace": "", "name": namespace})


def find(world: World, kind: str, namespace: str, name: str) -> Any:
    """An object that must exist. Raises `CommandError` with kubectl's text."""
    item = world.get(kind, "" if kind in CLUSTER_WIDE else namespace, name)
    if item is None:
        resource = _resource(kind)
        text = f'{resource} "{name}" not found'
        raise refused("command.not_found", text, "name", kind=kind, name=name, resource=resource)
    return item


def _resource(kind: str) -> str:
    return next((known.resource for known in KINDS.values() if known.kind == kind), kind.lower())


def delete_object(world: World, command: Command) -> Effect:
    """`{type: delete, kind, namespace, name}`: a Pod on a node gets its grace period, anything else is gone at once."""
    kind, name = text_of(command, "kind"), text_of(command, "name")
    namespace = "" if kind in CLUSTER_WIDE else text_of(command, "namespace", default="default")
    before = manifest_of(find(world, kind, namespace, name))
    if kind == "Pod":
        world.delete_pod(f"{namespace}/{name}")
    else:
        world.remove(kind, namespace, name)
    inverse = {"type": "restore", "put": [before], "remove": []}
    return Effect([Outcome(kind, namespace, name, DELETED)], inverse)


def _check_stored(world: World, manifests: Sequence[Any]) -> None:
    """Raises `CommandError` for manifests that the API cannot hold."""
    assert world.server is not None
    problems = []
    for index, manifest in enumerate(manifests):
        refusal = world.server.check_stored(manifest)
        if refusal is not None:
            problems += [replace(p, path=("put", *p.path[1:])) for p in _problems(refusal, index)]
    if problems:
        raise CommandError(problems)


def restore(world: World, command: Command) -> Effect:
    """`{type: restore, put: [manifest], remove: [{kind, namespace, name}]}`: exactly these objects back, those gone."""
    gone_ones = references_of(command, "remove")
    _check_stored(world, list_of(command, "put"))
    effect = Effect()
    put: list[Manifest] = []
    remove: list[dict[str, str]] = []
    for kind, namespace, name in gone_ones:
        gone = world.remove(kind, namespace, name)
        if gone is not None:
            put.append(manifest_of(gone))
            effect.outcomes.append(Outcome(kind, namespace, name, DELETED))
    for manifest in list_of(command, "put"):
        kind, namespace, name = _identity(manifest)
        old = world.get(kind, namespace, name)
        if old is None:
            remove.append({"kind": kind, "namespace": namespace, "name": name})
        else:
            put.append(manifest_of(old))
        world.put(manifest)
        effect.outcomes.append(Outcome(kind, namespace, name, CREATED if old is None else CONFIGURED))
    effect.inverse = {"type": "restore", "put": put, "remove": remove}
    return effect


def create_object(world: World, manifest: Manifest) -> Manifest:
    """Store a new object after the API server's checks."""
    answer = world.admit(manifest)
    if isinstance(answer, Refusal):
        raise CommandError(_problems(answer, 0))
    return manifest_of(world.create(answer.manifest))


def replace_object(world: World, changed: Manifest) -> Effect:
    """Store a changed manifest after the API server's checks."""
    answer = world.admit_update(changed)
    if isinstance(answer, Refusal):
        raise CommandError(_problems(answer, 0))
    kind, namespace, name = answer.kind.kind, answer.namespace, answer.name
    before = manifest_of(world.get(kind, namespace, name))
    world.put(answer.manifest)
    inverse = {"type": "restore", "put": [before], "remove": []}
    return Effect([Outcome(kind, namespace, name, CONFIGURED)], inverse)

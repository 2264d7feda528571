"""Every command that changes objects, by its type; several of them as one; and trying one out.

`run`, `advance` and `configure` are not among them: they belong to the simulation itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from simulator.engine.world import commands, fabric_commands, node_commands, rename
from simulator.engine.world.commands import Command, CommandError, Effect, Handler, items_of, list_of, refused
from simulator.engine.world.world import World

BATCH: Final = "batch"
MAX_BATCH: Final = 5_000

SINGLE: Final[Mapping[str, Handler]] = {
    "apply": commands.apply_objects,
    "delete": commands.delete_object,
    "deleteMany": node_commands.delete_many,
    "restore": commands.restore,
    "label": node_commands.label,
    "annotate": node_commands.annotate,
    "taint": node_commands.taint,
    "cordon": node_commands.cordon,
    "drain": node_commands.drain,
    "scale": node_commands.scale,
    "patch": node_commands.patch,
    "rename": rename.rename_node,
    "failGpu": fabric_commands.fail_gpu,
    "repairGpu": fabric_commands.repair_gpu,
    "setLink": fabric_commands.set_link,
    "failNic": fabric_commands.fail_nic,
    "repairNic": fabric_commands.repair_nic,
}


def batch(world: World, command: Command) -> Effect:
    """`{type: batch, commands: [command, ...]}`: several of `SINGLE` as one step, all of them or none."""
    list_of(command, "commands")
    parts = items_of(command, "commands")
    if len(parts) > MAX_BATCH:
        raise refused("command.too_many", f"commands: at most {MAX_BATCH}", "commands", limit=MAX_BATCH)
    trial = world.copy()
    for index, part in enumerate(parts):
        try:
            _single(part)(trial, part)
        except CommandError as error:
            raise CommandError([replace(p, path=("commands", index, *p.path)) for p in error.problems]) from error
    whole = Effect()
    back: list[dict[str, Any]] = []
    for part in parts:
        effect = _single(part)(world, part)
        whole.outcomes += effect.outcomes
        if effect.inverse is not None:
            back.insert(0, effect.inverse)
    if back:
        whole.inverse = {"type": BATCH, "commands": back}
    return whole


HANDLERS: Final[Mapping[str, Handler]] = {**SINGLE, BATCH: batch}


def carry_out(world: World, command: Command) -> Effect:
    """Carry out one command. Raises `CommandError`, then nothing has changed."""
    return _one_of(HANDLERS, command)(world, command)


def try_out(world: World, command: Command) -> Effect:
    """What a command would do; nothing is changed. Raises `CommandError` where it would be refused."""
    return carry_out(world.copy(), command)


def types_of(command: Command) -> list[str]:
    """The types of a command, for a batch those of its parts, each once."""
    parts = command.get("commands") if command.get("type") == BATCH else None
    types = [part.get("type") for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []
    return list(dict.fromkeys(map(str, types or [command.get("type", "")])))


def _single(command: Command) -> Handler:
    return _one_of(SINGLE, command)


def _one_of(handlers: Mapping[str, Handler], command: Command) -> Handler:
    kind = command.get("type")
    if not isinstance(kind, str) or kind not in handlers:
        raise refused("command.unknown", f"unknown command {kind!r}", "type", type=str(kind))
    return handlers[kind]

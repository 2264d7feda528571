"""Snapshots: a simulation between two actions as plain values (JSON), in an own versioned format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from simulator.engine.framework.extenders import ExtenderPort, Reply
from simulator.engine.objects.pod import Pod
from simulator.engine.version import SNAPSHOT_FORMAT
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.engine.world.world import Event, manifest_of


class SnapshotError(ValueError):
    """A snapshot of another format: replay the commands instead."""


def save(simulation: Simulation) -> dict[str, Any]:
    """Everything needed to go on from here. The result shares manifests with the simulation: do not change it."""
    world = simulation.world
    return {
        "format": SNAPSHOT_FORMAT,
        "setup": simulation.setup.to_mapping(),
        "now": world.now,
        "created": world.created,
        "count": simulation.count,
        "digest": simulation.digest,
        "outside": simulation.outside.used,
        "objects": [_object(item) for _, _, item in world.objects()],
        "events": [asdict(event) for event in world.events],
        "actors": {actor.name: actor.save() for actor in simulation.actors},
    }


def _object(item: Any) -> dict[str, Any]:
    if isinstance(item, Pod):
        return {"manifest": item.to_manifest(), "times": [item.creation_time, item.start_time, item.deletion_time]}
    return {"manifest": manifest_of(item)}


def load(snapshot: Mapping[str, Any], *, known: Sequence[Reply] = (), port: ExtenderPort | None = None) -> Simulation:
    """The simulation as it was. `known` are all outside replies since the very start. Raises `SnapshotError`."""
    if snapshot.get("format") != SNAPSHOT_FORMAT:
        raise SnapshotError(f"snapshot format {snapshot.get('format')!r}")
    simulation = Simulation(Setup.from_mapping(snapshot["setup"]), known=known, port=port)
    world = simulation.world
    world.now = snapshot["now"]
    for namespace in [item["metadata"]["name"] for item in world.list("Namespace")]:
        world.remove("Namespace", "", namespace)
    for entry in snapshot["objects"]:
        _put(simulation, entry)
    world.created = snapshot["created"]
    world.events = [Event(**event) for event in snapshot["events"]]
    for actor in simulation.actors:
        saved = snapshot["actors"].get(actor.name)
        if saved is not None:
            actor.load(saved)
    simulation.resume(snapshot["count"], snapshot["digest"], snapshot["outside"])
    return simulation


def _put(simulation: Simulation, entry: Mapping[str, Any]) -> None:
    world = simulation.world
    times = entry.get("times")
    if times is None:
        world.put(entry["manifest"])
        return
    pod = world.interner.pod(entry["manifest"])
    world.replace_pod(replace(pod, creation_time=times[0], start_time=times[1], deletion_time=times[2]))

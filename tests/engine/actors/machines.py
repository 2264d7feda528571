"""A lab with known machines, for tests of what happens to their devices."""

from __future__ import annotations

from typing import Any

from simulator.engine.fabric.node_fabric import node_fabric_manifest
from simulator.engine.fabric.presets import node_manifest, preset_host
from simulator.engine.objects.pod import Pod
from simulator.engine.objects.pod_devices import DEVICES
from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup
from tests.engine.trace.labs import GPU, Manifest
from tests.engine.trace.labs import pod as any_pod


def machine(name: str, preset: str = "hgx-h100-8", **fabric: Any) -> list[Manifest]:
    """The Node of a preset; with keywords also its NodeFabric, whose spec they are."""
    node = node_manifest(preset_host(preset, name))
    return [node, node_fabric_manifest(name, {"machine": preset, **fabric})] if fabric else [node]


def pod(name: str, gpus: int = 0, *, resources: dict[str, str] | None = None, cpu: str = "1", **more: Any) -> Manifest:
    """A Guaranteed Pod with one container."""
    manifest = any_pod(name, gpus=gpus, cpu=cpu, **more)
    held = manifest["spec"]["containers"][0]["resources"]
    for which in ("requests", "limits"):
        held[which] = {**held[which], **(resources or {})}
    return manifest


class Lab:
    """A history with short ways to give commands."""

    def __init__(self, *objects: Manifest, **setup: Any) -> None:
        self.history = History.begin(Setup(**setup))
        if objects:
            self.apply(*objects)

    def apply(self, *objects: Manifest) -> None:
        self.do("apply", objects=list(objects))
        self.run()

    def do(self, kind: str, /, **command: Any) -> Any:
        return self.history.apply({"type": kind, **command})

    def run(self, turns: int = 500) -> None:
        self.history.run(lambda _action: self.history.head.is_idle, most=turns)

    def undo(self, applied: Any) -> None:
        self.history.apply(applied.effect.inverse)
        self.run()

    def pod(self, name: str) -> Pod:
        found = self.history.head.world.pod(f"default/{name}")
        assert found is not None
        return found

    def gpus(self, name: str) -> str:
        return self.pod(name).annotations.get(DEVICES, "")

    def amounts(self, node: str, resource: str = GPU) -> tuple[str, str]:
        """(allocatable, capacity) as the Node tells them."""
        status = self.history.head.world.get("Node", "", node).manifest["status"]
        return status["allocatable"].get(resource, ""), status["capacity"].get(resource, "")

    def events(self, reason: str) -> list[tuple[str, str]]:
        """(object, message) of the Events with this reason."""
        return [(event.key, event.message) for event in self.history.head.world.events if event.reason == reason]

    def codes(self) -> list[str]:
        """What actors other than the scheduler did, in order."""
        return [getattr(action.record, "code", "") for action in self.history.actions if action.actor != "api"]

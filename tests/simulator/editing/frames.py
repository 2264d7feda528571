"""Frames of small clusters, and plans tried on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.engine.world.handlers import try_out
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.engine.world.world import World, manifest_of
from simulator.selectors.frames import Frame, frame_of

if TYPE_CHECKING:
    from simulator.services.plans.together import Plan


class Cluster:
    """A simulation with these objects, and what plans come to in it."""

    def __init__(self, *objects: dict[str, Any]) -> None:
        self.simulation = Simulation(Setup())
        self.simulation.apply({"type": "apply", "objects": list(objects)})

    @property
    def frame(self) -> Frame:
        return frame_of(self.simulation, {})

    def do(self, plan: Plan) -> dict[str, Any]:
        """Carry a plan out; returns its command."""
        command = dict(plan(self.frame))
        tried = try_out(self.simulation.world, command)
        assert self.simulation.apply(command).outcomes == tried.outcomes
        return command

    def names(self, kind: str) -> list[str]:
        return [manifest_of(item)["metadata"]["name"] for item in self.simulation.world.list(kind)]

    def get(self, kind: str, name: str, namespace: str = "") -> Any:
        item = self.simulation.world.get(kind, namespace, name)
        return None if item is None else manifest_of(item)

    @property
    def world(self) -> World:
        return self.simulation.world

"""A simulation: a world, the actors in it, and everything that happened, in order.

    sim = Simulation(Setup())
    sim.apply({"type": "apply", "objects": [node, pod]})
    sim.apply({"type": "run", "turns": 10})

The same setup and commands give the same actions on every machine. Outside replies (extenders) are part of the input:
those known are used again, only further calls go out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from typing import Any

from simulator.engine.actors.actor import Actor, Turn
from simulator.engine.actors.device_plugin import DevicePlugin
from simulator.engine.actors.disruption import DisruptionController
from simulator.engine.actors.job import JobController
from simulator.engine.actors.kube_scheduler.scheduler import KubeScheduler
from simulator.engine.actors.kubelet import Kubelet
from simulator.engine.actors.node_devices import NodeDevices
from simulator.engine.actors.node_lifecycle import NodeLifecycle
from simulator.engine.actors.persistent_volumes import VolumeController
from simulator.engine.actors.replica_set import ReplicaSetController
from simulator.engine.actors.topology_updater import TopologyUpdater
from simulator.engine.framework.extenders import ExtenderPort, Reply, Request
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.objects.api import ApiServer
from simulator.engine.objects.times import SECOND
from simulator.engine.queue.scheduling_queue import Move
from simulator.engine.world.bus import Change
from simulator.engine.world.commands import Command, CommandError, CommandProblem, Effect, refused
from simulator.engine.world.handlers import carry_out, types_of
from simulator.engine.world.setup import Setup
from simulator.engine.world.world import World, WorldRules

API = "api"
CONFIGURABLE = ("config", "gates", "tieRule", "plugins")
MAX_TURNS = 100_000


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that happened: a command's effect (`actor` is "api") or an actor's turn. `time` is when it began.

    `moves`: Pods that it moved between the scheduler's queues.
    """

    index: int
    time: int
    actor: str
    record: Any
    moves: tuple[Move, ...] = ()


class OutsideReplies(ExtenderPort):
    """Replies known from earlier, then those of the real `port`, remembered for the next replay."""

    def __init__(self, known: Sequence[Reply], port: ExtenderPort | None) -> None:
        self.replies = list(known)
        self.used = 0
        self._port = port

    def call(self, request: Request) -> Reply:
        if self.used == len(self.replies):
            missing = Reply(error="no extender can be called here")
            self.replies.append(missing if self._port is None else self._port.call(request))
        self.used += 1
        return self.replies[self.used - 1]


class Simulation:
    """`actions` is everything since the simulation (or the snapshot it came from) began; `count` counts from the very
    start. `devices` is what is inside the nodes. `overseer` is told of every action; where it raises, what goes on is
    broken off and the simulation is of no more use."""

    def __init__(self, setup: Setup, *, known: Sequence[Reply] = (), port: ExtenderPort | None = None) -> None:
        self.setup = setup
        gates = setup.read_gates()
        self.server = ApiServer(gates=gates)
        self.world = World(setup.start_time, WorldRules(), self.server)
        self.outside = OutsideReplies(known, port)
        self.scheduler = self._new_scheduler(setup)
        self.devices = NodeDevices()
        self._kubelet = Kubelet(self.devices)
        self.actors: list[Actor] = [
            NodeLifecycle(),
            DisruptionController(),
            DevicePlugin(self.devices),
            self._kubelet,
            TopologyUpdater(self.devices),
            VolumeController(),
            ReplicaSetController(),
            JobController(),
            self.scheduler,
        ]
        self.world.watch(self._tell_actors)
        self.actions: list[Action] = []
        self.overseer: Callable[[Action], None] | None = None
        self.count = 0
        self._digest = hashlib.sha256(json.dumps(setup.to_mapping(), sort_keys=True).encode()).hexdigest()
        self._begin()

    def _begin(self) -> None:
        for name in ("default", "kube-system"):
            answer = self.world.admit({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
            self.world.create(answer.manifest)  # type: ignore[union-attr]

    def _new_scheduler(self, setup: Setup) -> KubeScheduler:
        return KubeScheduler(
            setup.read_config(), setup.read_gates(), setup.rules, self.world, setup.registry(), port=self.outside
        )

    def _tell_actors(self, change: Change) -> None:
        self.devices.observe(change)
        for actor in self.actors:
            actor.observe(change, self.world.now)

    def resume(self, count: int, digest: str, outside: int) -> None:
        """Go on counting from a snapshot."""
        self.actions.clear()
        self.count, self._digest, self.outside.used = count, digest, outside
        self.scheduler.take_moves()

    @property
    def now(self) -> int:
        return self.world.now

    @property
    def elapsed(self) -> int:
        """Microseconds since the start."""
        return self.world.now - self.setup.start_time

    @property
    def digest(self) -> str:
        """A fingerprint of everything that happened so far."""
        return self._digest

    # commands

    def apply(self, command: Command) -> Effect:
        """Carry out one command. Raises `CommandError`, then nothing has changed."""
        kind = command.get("type")
        if kind == "run":
            return self._run(command)
        if kind == "advance":
            return self._advance(command)
        if kind == "configure":
            effect = self._configure(command)
        else:
            effect = carry_out(self.world, command)
            for decision in self._kubelet.settle():
                self.world.carry_out(decision, self._kubelet.name)
        types = types_of(command)
        told = types[0] if len(types) == 1 else kind
        self._note(API, self.world.now, {"command": told, "outcomes": [asdict(item) for item in effect.outcomes]})
        return effect

    def _run(self, command: Command) -> Effect:
        turns = command.get("turns", 1)
        if not isinstance(turns, int) or isinstance(turns, bool) or not 0 <= turns <= MAX_TURNS:
            raise refused("command.turns", f"turns: must be in 0..{MAX_TURNS}", "turns", limit=MAX_TURNS)
        for _ in range(turns):
            if self.step() is None:
                break
        return Effect()

    def _advance(self, command: Command) -> Effect:
        """`{type: advance, seconds}`: everything that is due until then, then the clock stands there."""
        seconds = command.get("seconds")
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 <= seconds <= 10**7:
            raise refused("command.seconds", "seconds: must be in 0..10000000", "seconds", limit=10**7)
        until = self.world.now + int(seconds * SECOND)
        for _ in range(MAX_TURNS):
            if self.step(until=until) is None:
                break
        self.world.now = max(self.world.now, until)
        self._note(API, self.world.now, {"command": "advance", "outcomes": []})
        return Effect()

    def _configure(self, command: Command) -> Effect:
        """`{type: configure, config, gates, tieRule, plugins}`: the scheduler goes on with another configuration."""
        before = {"plugins": [], **self.setup.to_mapping()}
        given = {name: command[name] for name in CONFIGURABLE if name in command}
        memory = self.scheduler.save()
        try:
            setup = Setup.from_mapping({**before, **given})
            scheduler = self._new_scheduler(setup)
        except ConfigError as error:
            problems = [CommandProblem(item.code, item.text, item.path, item.params) for item in error.problems]
            raise CommandError(problems) from error
        self.setup = replace(setup, start=self.setup.start)
        self.server = self.world.server = ApiServer(gates=setup.read_gates())
        self._replace_scheduler(scheduler, memory)
        inverse = {"type": "configure", **{name: before[name] for name in CONFIGURABLE}}
        return Effect([], inverse)

    def _replace_scheduler(self, scheduler: KubeScheduler, memory: Mapping[str, Any]) -> None:
        for kind, _, item in self.world.objects():
            scheduler.observe(Change("ADDED", kind, None, item), self.world.now)
        scheduler.load(memory)
        self.actors[self.actors.index(self.scheduler)] = scheduler
        self.scheduler = scheduler

    # turns

    def next_time(self) -> tuple[int, bool] | None:
        """(when the next turn is due, whether it is only routine), None where nothing will ever happen by itself."""
        found = self._next()
        return None if found is None else (found[0], found[2])

    def _next(self) -> tuple[int, Actor, bool] | None:
        best: tuple[tuple[int, int], Actor, bool] | None = None
        for actor in self.actors:
            wakeup = actor.next_wakeup(self.world.now)
            if wakeup is not None:
                order = (max(wakeup.time, self.world.now), actor.rank)
                if best is None or order < best[0]:
                    best = (order, actor, wakeup.routine)
        return None if best is None else (best[0][0], best[1], best[2])

    @property
    def is_idle(self) -> bool:
        """Nothing will happen by itself but routine (a retry of Pods that nothing has changed for)."""
        return all(actor.is_idle(self.world.now) for actor in self.actors)

    def step(self, *, until: int | None = None) -> Action | None:
        """The next turn of whoever is due first (not later than `until`). None where there is none."""
        while True:
            found = self._next()
            if found is None or (until is not None and found[0] > until):
                return None
            time, actor, _ = found
            self.world.now = max(self.world.now, time)
            turn = actor.act(self.world.now)
            if turn is not None:
                return self._finish(actor, turn)

    def _finish(self, actor: Actor, turn: Turn) -> Action:
        began = self.world.now
        for decision in turn.decisions:
            self.world.carry_out(decision, actor.name)
        action = self._note(actor.name, began, turn.record)
        self.world.now += turn.cost
        return action

    def _note(self, actor: str, time: int, record: Any) -> Action:
        action = Action(self.count, time, actor, record, self.scheduler.take_moves())
        self.actions.append(action)
        self.count += 1
        told = json.dumps([self._digest, actor, time, record], sort_keys=True, default=_plain)
        self._digest = hashlib.sha256(told.encode()).hexdigest()
        if self.overseer is not None:
            self.overseer(action)
        return action


def _plain(value: Any) -> Any:
    """What JSON does not know, in what it knows: dataclasses by their fields, one level at a time."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return str(value)

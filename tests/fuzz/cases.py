"""Fuzz cases: each is made from its number alone, run, and must end in a clear error or an orderly simulation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from signal import ITIMER_PROF, SIGPROF, setitimer, signal
from types import FrameType
from typing import Any

import yaml

from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world import snapshot
from simulator.engine.world.commands import CommandError
from simulator.engine.world.handlers import HANDLERS
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.manifests.reading import read
from tests.engine.objects import manifests as samples
from tests.engine.oracle.generator import Generator
from tests.fuzz.mutations import HOSTILE, damaged, garbled

SECONDS = 5.0
"""CPU time that a case may take at most."""

TURNS = 12
OK, REFUSED = "ok", "refused"


@dataclass(frozen=True, slots=True)
class Result:
    """`outcome`: ok or refused; `digest` of the simulation, "" where there is none."""

    kind: str
    outcome: str
    digest: str = ""


class Hang(Exception):
    """A case took too long."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise Hang(f"more than {seconds} s")

    before = signal(SIGPROF, stop)
    setitimer(ITIMER_PROF, seconds)
    try:
        yield
    finally:
        setitimer(ITIMER_PROF, 0)
        signal(SIGPROF, before)


def run(number: int) -> Result:
    """Run case `number`. Raises whatever is not a clear error."""
    random = Random(number)
    kind = random.choices((manifests, commands, configuration), (6, 3, 1))[0]
    with time_limit(SECONDS):
        return kind(random)


def objects(random: Random) -> list[dict[str, Any]]:
    """Valid manifests: a small cluster, or any kind the API server knows."""
    if random.random() < 0.3:
        return [random.choice(ANY_KIND)]
    scenario = Generator(random.randrange(10**9)).scenario()
    chosen: list[dict[str, Any]] = scenario["objects"]
    return chosen


def manifests(random: Random) -> Result:
    """Damaged manifests as YAML or JSON text, read, applied and run for some turns."""
    made = objects(random)
    made = damaged(made, random, random.choice((0, 1, 1, 2, 5)))
    text = _text(made if isinstance(made, list) else [made], random)
    if random.random() < 0.15:
        text = garbled(text, random)
    reading = read(text.encode("utf-8", "surrogatepass"))
    if reading.errors:
        assert all(error.code for error in reading.errors)
        return Result("manifests", REFUSED)
    simulation = Simulation(Setup())
    outcome = _apply(simulation, [list(reading.objects)]) or _apply(simulation, [[item] for item in reading.objects])
    simulation.apply({"type": "run", "turns": TURNS})
    return Result("manifests", outcome or REFUSED, _settled(simulation))


def _apply(simulation: Simulation, blocks: list[list[Any]]) -> str:
    """Apply blocks of objects; "" where every block was refused."""
    outcome = ""
    for block in blocks:
        try:
            simulation.apply({"type": "apply", "objects": block})
            outcome = OK
        except CommandError as error:
            _check(error)
    return outcome


def _text(made: list[Any], random: Random) -> str:
    if random.random() < 0.4:
        return json.dumps({"apiVersion": "v1", "kind": "List", "items": made})
    options = {"allow_unicode": True, "default_flow_style": random.choice((None, False, True))}
    try:
        return yaml.dump_all(made, Dumper=yaml.CSafeDumper, **options)
    except UnicodeEncodeError:  # half a surrogate pair: only the slow one can write it
        return yaml.dump_all(made, Dumper=yaml.SafeDumper, **options)


def commands(random: Random) -> Result:
    """Damaged commands of every type on a living cluster."""
    scenario = Generator(random.randrange(10**9)).scenario()
    simulation = Simulation(Setup())
    try:
        simulation.apply({"type": "apply", "objects": scenario["objects"]})
    except CommandError as error:
        _check(error)
    outcome = REFUSED
    for _ in range(4):
        command = _command(random, scenario["objects"])
        if random.random() < 0.7:
            command = damaged(command, random, random.choice((1, 2, 3)))
        if not isinstance(command, dict):
            continue
        before = simulation.digest
        try:
            simulation.apply(command)
            outcome = OK
        except CommandError as error:
            _check(error)
            assert simulation.digest == before, "a refused command left something behind"
        simulation.apply({"type": "run", "turns": 3})
    return Result("commands", outcome, _settled(simulation))


def _command(random: Random, made: list[dict[str, Any]]) -> dict[str, Any]:
    item = random.choice(made)
    about = {"kind": item["kind"], "name": item["metadata"]["name"]}
    if "namespace" in item["metadata"]:
        about["namespace"] = item["metadata"]["namespace"]
    kind = random.choice((*HANDLERS, "run", "advance", "configure", "nothing"))
    if kind == "batch":
        return {"type": kind, "commands": [_command(random, made) for _ in range(random.randrange(3))]}
    fields: dict[str, Any] = {
        "apply": {"objects": [item]},
        "deleteMany": {"objects": [about]},
        "restore": {"put": [item], "remove": [about]},
        "label": {"labels": {"app": "web", "gone": None}},
        "annotate": {"annotations": {"a": "b"}},
        "taint": {"add": [{"key": "gpu", "value": "a", "effect": "NoSchedule"}], "remove": [{"key": "dedicated"}]},
        "cordon": {"on": random.choice((True, False))},
        "scale": {"replicas": random.choice((0, 1, 5))},
        "patch": {"patch": {"metadata": {"labels": {"x": "y"}}}},
        "failGpu": {"name": "n0", "gpu": 0},
        "repairGpu": {"name": "n0", "gpu": 0},
        "setLink": {"name": "n0", "gpu": 0, "other": 1, "links": 2},
        "failNic": {"name": "n0", "nic": 0},
        "repairNic": {"name": "n0", "nic": 0},
        "rename": {"to": random.choice((item["metadata"]["name"], "another", "Not a name"))},
        "drain": {"gracePeriod": random.choice((-1, 0, 5)), "force": random.choice((True, False))},
        "run": {"turns": random.randrange(6)},
        "advance": {"seconds": random.choice((0, 1, 40, 400.5))},
        "configure": {"config": None, "gates": {"GenericWorkload": True}, "tieRule": "heap"},
    }.get(kind, {})
    return {"type": kind, **about, **fields}


def configuration(random: Random) -> Result:
    """Damaged KubeSchedulerConfigurations."""
    generator = Generator(random.randrange(10**9))
    config = generator.config() | {
        "extenders": [
            {"urlPrefix": "http://x", "filterVerb": "f", "weight": 1, "managedResources": [{"name": "a.b/c"}]}
        ],
        "percentageOfNodesToScore": 50,
        "podMaxBackoffSeconds": 20,
    }
    config = damaged(config, random, random.choice((1, 2, 4)))
    gates = {random.choice(("GenericWorkload", "GangScheduling", "Nope")): random.choice((True, False, *HOSTILE[:4]))}
    setup = {"config": config, "gates": gates if random.random() < 0.2 else {}}
    if random.random() < 0.1:
        setup |= {random.choice(("start", "tieRule", "config", "gates")): random.choice(HOSTILE)}
    try:
        simulation = Simulation(Setup.from_mapping(setup))
    except ConfigError as error:
        _check(error)
        return Result("configuration", REFUSED)
    try:
        simulation.apply({"type": "apply", "objects": generator.scenario()["objects"]})
    except CommandError as error:
        _check(error)
    simulation.apply({"type": "run", "turns": TURNS})
    return Result("configuration", OK, _settled(simulation))


def _check(error: CommandError | ConfigError) -> None:
    assert error.problems
    assert all(problem.text and problem.code for problem in error.problems)


def _settled(simulation: Simulation) -> str:
    """The digest, after making sure that the simulation can be stored and taken up again."""
    saved = json.loads(json.dumps(snapshot.save(simulation)))
    loaded = snapshot.load(saved, known=simulation.outside.replies)
    assert loaded.digest == simulation.digest
    for _ in range(2):
        simulation.step()
        loaded.step()
    assert loaded.digest == simulation.digest, "the future after a snapshot differs"
    return simulation.digest


ANY_KIND = [samples.manifest(kind) for kind in samples.MANIFESTS]

"""Schedule the Pods of manifests on their nodes and print what each got and why."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from simulator.engine.actors.kube_scheduler.cycle import Cycle, Try
from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.objects.times import SECOND
from simulator.engine.world import commands
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import MAX_TURNS, Simulation
from simulator.manifests.bundle_schema import is_front_matter
from simulator.manifests.reading import read
from simulator.selectors.setups import setup_of

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterable, Mapping, Sequence

    from simulator.engine.objects.pod import Pod
    from simulator.manifests.documents import Document

STDIN = "-"
CONFIGURATION = "KubeSchedulerConfiguration"
NOT_ALL_BOUND, BAD_INPUT = 1, 2


@dataclass(frozen=True)
class Input:
    """A document and the file it stands in."""

    file: str
    document: Document

    @property
    def value(self) -> Mapping[str, Any]:
        value: Mapping[str, Any] = self.document.value
        return value

    def place(self, path: Sequence[str | int]) -> str:
        """`file:line:column` of the value at `path`, or of its closest parent."""
        spot = self.document.marks.nearest(tuple(path))
        return f"{self.file}:{spot.line}:{spot.column}"


class Command(BaseCommand):
    help = (
        "Schedule the Pods of FILEs (manifests, lists, dumps or bundles; - is standard input) and print what each got. "
        "Exit code 0: all Pods have a node; 1: some have none; 2: the input cannot be used."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--profile", metavar="P", help="the bundle's profile with this name (default: its first)")
        parser.add_argument(
            "--until", default="idle", metavar="idle|SECONDS", help="how long to run on the virtual clock"
        )
        parser.add_argument("-o", "--output", choices=["text", "json"], default="text")

    def handle(
        self, *_args: Any, files: list[str], profile: str | None, until: str, output: str, **_options: Any
    ) -> None:
        inputs = self._read(files)
        simulation = self._begin(inputs, profile)
        self._apply(simulation, [item for item in inputs if not _is_setting(item.value)])
        _run(simulation, until)
        told = report(simulation)
        self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2) if output == "json" else text_of(told))
        if any(not pod["node"] for pod in told["pods"]):
            raise SystemExit(NOT_ALL_BOUND)

    def _read(self, files: Iterable[str]) -> list[Input]:
        inputs: list[Input] = []
        lines: list[str] = []
        for file in files:
            try:
                reading = read(sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes())
            except OSError as error:
                lines.append(f"{file}: {error.strerror}")
                continue
            for problem in reading.errors:
                params = ", ".join(f"{name} {value}" for name, value in problem.params.items())
                told = f"{problem.code} ({params})" if params else problem.code
                lines.append(f"{file}:{problem.line}:{problem.column}: {told}")
            inputs.extend(Input(file, document) for document in reading.documents)
        _refuse(lines)
        return inputs

    @staticmethod
    def _begin(inputs: Sequence[Input], profile: str | None) -> Simulation:
        bundles = [item for item in inputs if is_front_matter(item.value)]
        configurations = [item for item in inputs if item.value.get("kind") == CONFIGURATION]
        try:
            if configurations:
                return Simulation(Setup(configurations[0].value))
            return Simulation(setup_of(_spec(bundles[0].value if bundles else {}, profile)))
        except ConfigError as error:
            places = configurations[0].place if configurations else lambda _path: bundles[0].file
            _refuse([f"{places(problem.path)}: {problem.text}" for problem in error.problems])
            raise

    @staticmethod
    def _apply(simulation: Simulation, inputs: Sequence[Input]) -> None:
        try:
            simulation.apply({"type": "apply", "objects": [item.value for item in inputs]})
        except commands.CommandError as error:
            _refuse([f"{inputs[int(p.path[1])].place(p.path[2:])}: {p.text}" for p in error.problems])


def _is_setting(manifest: Mapping[str, Any]) -> bool:
    return is_front_matter(manifest) or manifest.get("kind") == CONFIGURATION


def _spec(bundle: Mapping[str, Any], profile: str | None) -> Mapping[str, Any]:
    """The bundle's spec with the wanted profile first."""
    spec: Mapping[str, Any] = bundle.get("spec") or {}
    if profile is None:
        return spec
    chosen = [item for item in spec.get("profiles") or () if item.get("name") == profile]
    if not chosen:
        known = ", ".join(item.get("name", "") for item in spec.get("profiles") or ()) or "none"
        _refuse([f"no profile {profile!r}; there are: {known}"])
    return {**spec, "profiles": chosen}


def _refuse(lines: Sequence[str]) -> None:
    if lines:
        raise CommandError("\n".join(lines), returncode=BAD_INPUT)


def _run(simulation: Simulation, until: str) -> None:
    if until != "idle":
        try:
            simulation.apply({"type": "advance", "seconds": float(until)})
        except (ValueError, commands.CommandError):
            _refuse([f"--until: {until!r} is neither idle nor a number of seconds"])
        return
    for _ in range(MAX_TURNS):
        if simulation.is_idle or simulation.step() is None:
            return


def report(simulation: Simulation) -> dict[str, Any]:
    """Every Pod with node and reason, and the Pods that were evicted for others; plain values."""
    cycles = [action.record for action in simulation.actions if isinstance(action.record, Cycle)]
    tries = {item.pod: item for cycle in cycles for item in cycle.tries}
    attempts = {cycle.pod: cycle.attempts for cycle in cycles}
    evicted = {victim: cycle.pod for cycle in cycles for victim in cycle.victims}
    pods = [
        {
            "pod": pod.key,
            "node": pod.node_name,
            "phase": "Terminating" if pod.terminating else pod.phase,
            "attempts": attempts.get(pod.key, 0),
            "why": _why(pod, tries.get(pod.key)),
        }
        for pod in simulation.world.list("Pod")
    ]
    return {
        "pods": pods,
        "preempted": [{"pod": victim, "by": winner} for victim, winner in evicted.items()],
        "seconds": simulation.elapsed / SECOND,
        "cycles": len(cycles),
    }


def _why(pod: Pod, tried: Try | None) -> str:
    """How the node was chosen, or kube's message why there is none."""
    if not pod.node_name:
        condition = pod.condition("PodScheduled")
        return condition.message if condition is not None else ""
    if tried is None or tried.node != pod.node_name:
        return "was there from the beginning"
    if tried.top_total is None:
        return "the only node that fits" if tried.feasible == 1 else f"the first of {tried.feasible} nodes that fit"
    equal = f", {tried.n_best} equally good" if tried.n_best > 1 else ""
    return f"best of {tried.feasible} nodes that fit: {tried.top_total} points{equal}"


def text_of(told: Mapping[str, Any]) -> str:
    """The report as a table for a terminal."""
    rows = [("POD", "NODE", "STATUS", "WHY")]
    rows += [(pod["pod"], pod["node"] or "<none>", pod["phase"], pod["why"]) for pod in told["pods"]]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [
        "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]]).rstrip() for row in rows
    ]
    lines += [f"{item['pod']} was preempted by {item['by']}" for item in told["preempted"]]
    bound = sum(bool(pod["node"]) for pod in told["pods"])
    lines.append(
        f"{bound} of {len(told['pods'])} Pods have a node after {told['seconds']:.3f} s and {told['cycles']} cycles"
    )
    return "\n".join(lines)

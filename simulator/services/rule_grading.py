"""Grading a rule: every hidden scenario of its exercise is run by the engine with the rule in the profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.user_rules import gpus
from simulator.engine.user_rules.rule import read_rules
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.selectors.rule_exercises import Case, Exercise, Text

NAME: Final = "MyRule"
WEIGHT: Final = 20
MOST_TURNS: Final = 400

CONFIG: Final[Mapping[str, Any]] = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"plugins": {"multiPoint": {"enabled": [{"name": NAME, "weight": WEIGHT}]}}}],
}
"""The default profile with the learner's rule, which outweighs the others."""


@dataclass(frozen=True, slots=True)
class Graded:
    """One hidden scenario: what it is about, whether the rule gave what it asks for, and why not: `misplaced` or
    `failed` (the rule itself failed; `message` is the event's)."""

    says: Text
    passed: bool
    why: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Grade:
    graded: tuple[Graded, ...]

    @property
    def passed(self) -> int:
        return sum(one.passed for one in self.graded)

    @property
    def is_done(self) -> bool:
        return self.passed == len(self.graded)


def rule_grade(*, exercise: Exercise, source: str, normalize: str) -> Grade:
    """Raises `ConfigError` where the expression cannot be used."""
    rule = {"name": NAME, exercise.point: source, "normalize": normalize}
    if exercise.point != "score":
        del rule["normalize"]
    read_rules([rule])
    return Grade(tuple(_graded(case, rule) for case in exercise.hidden))


def run_case(case: Case, rules: list[dict[str, str]]) -> Simulation:
    """The case with these rules in the profile, after everything has happened."""
    setup = Setup(config=CONFIG, plugins=rules) if rules else Setup()
    simulation = Simulation(setup)
    simulation.apply({"type": "apply", "objects": list(case.objects)})
    for pod in case.pods:
        simulation.apply({"type": "apply", "objects": [pod]})
        for _ in range(MOST_TURNS):
            if simulation.is_idle or simulation.step() is None:
                break
    return simulation


def _graded(case: Case, rule: dict[str, str]) -> Graded:
    simulation = run_case(case, [rule])
    if meets(simulation, case.expect):
        return Graded(case.says, passed=True)
    failed = [event.message for event in simulation.world.events if f"rule {NAME}," in event.message]
    return Graded(
        case.says, passed=False, why="failed" if failed else "misplaced", message=failed[-1] if failed else ""
    )


def meets(simulation: Simulation, expect: Mapping[str, Any]) -> bool:
    """`placed`: Pod -> the nodes it may be on (none: it must wait). `whole`: at least so many nodes with so many GPUs
    are empty."""
    for name, nodes in expect.get("placed", {}).items():
        pod = simulation.world.pod(f"default/{name}")
        if pod is None or (pod.node_name not in nodes if nodes else bool(pod.node_name)):
            return False
    whole = expect.get("whole")
    if whole is None:
        return True
    rows = simulation.scheduler.cluster.all_rows()
    counts, used = gpus.gpu_counts(rows).tolist(), gpus.used_gpus(rows).tolist()
    empty = sum(count == whole["gpus"] and not taken for count, taken in zip(counts, used, strict=True))
    return bool(empty >= whole["at_least"])


__all__ = ["ConfigError", "Grade", "Graded", "meets", "rule_grade", "run_case"]

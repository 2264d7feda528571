"""What a goal's parameters may be, and how they are read: every problem with its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.framework.shape_check import Path, Problem, dotted
from simulator.engine.objects.pod import Pod

MOST_TEXT = 253
MOST_COUNT = 1_000_000


@dataclass(slots=True)
class Problems:
    """Collects what is wrong."""

    found: list[Problem] = field(default_factory=list)

    def add(self, path: Path, code: str, text: str, **params: Any) -> None:
        self.found.append(Problem(path, f"{dotted(path)}: {text}" if path else text, code, params))


class GoalError(ValueError):
    """Goals that cannot be used; `problems` lists everything that was found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class PodSelector:
    """Pods by namespace, name and labels; an empty one means every Pod."""

    namespace: str = ""
    name: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def matches(self, namespace: str, name: str, labels: Mapping[str, str]) -> bool:
        if self.namespace and namespace != self.namespace:
            return False
        if self.name and name != self.name:
            return False
        return all(labels.get(key) == value for key, value in self.labels.items())

    def chooses(self, pod: Pod) -> bool:
        return self.matches(pod.namespace, pod.name, pod.labels)


EVERY_POD = PodSelector()


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter. `default` stands where it may be left out."""

    required: bool = False
    default: Any = None

    def read(self, value: Any, path: Path, problems: Problems) -> Any:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Text(Field):
    def read(self, value: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(value, str):
            problems.add(path, "goal.type", "must be a text", wanted="text")
        elif not 0 < len(value) <= MOST_TEXT:
            problems.add(path, "goal.length", f"must have 1 to {MOST_TEXT} characters", most=MOST_TEXT)
        else:
            return value
        return ""


@dataclass(frozen=True, slots=True)
class Number(Field):
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = MOST_COUNT

    def read(self, value: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(value, int) or isinstance(value, bool):
            problems.add(path, "goal.type", "must be a whole number", wanted="number")
        elif not self.least <= value <= self.most:
            text = f"must be from {self.least} to {self.most}"
            problems.add(path, "goal.range", text, least=self.least, most=self.most)
        else:
            return value
        return self.least


@dataclass(frozen=True, slots=True)
class Truth(Field):
    def read(self, value: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(value, bool):
            problems.add(path, "goal.type", "must be true or false", wanted="truth")
        return bool(value)


@dataclass(frozen=True, slots=True)
class Labels(Field):
    """A mapping of at least one label to its value."""

    def read(self, value: Any, path: Path, problems: Problems) -> Any:
        return _labels(value, path, problems)


def _labels(value: Any, path: Path, problems: Problems) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        problems.add(path, "goal.type", "must be a mapping", wanted="mapping")
        return {}
    if not value:
        problems.add(path, "goal.empty", "must not be empty")
    for key, item in value.items():
        if not isinstance(key, str) or not isinstance(item, str):
            problems.add((*path, str(key)), "goal.type", "must be a text", wanted="text")
    return {str(key): str(item) for key, item in value.items()}


@dataclass(frozen=True, slots=True)
class Pods(Field):
    """`{namespace, name, labels}`, at least one of them; left out it means every Pod."""

    default: Any = EVERY_POD

    def read(self, value: Any, path: Path, problems: Problems) -> Any:
        if not isinstance(value, Mapping):
            problems.add(path, "goal.type", "must be a mapping", wanted="mapping")
            return EVERY_POD
        if not value:
            problems.add(path, "goal.empty", "must not be empty")
        for name in value:
            if name not in ("namespace", "name", "labels"):
                problems.add((*path, str(name)), "goal.unknown_field", "unknown field", field=str(name))
        texts = {n: Text().read(value[n], (*path, n), problems) for n in ("namespace", "name") if n in value}
        labels = _labels(value["labels"], (*path, "labels"), problems) if "labels" in value else {}
        return PodSelector(texts.get("namespace", ""), texts.get("name", ""), labels)


def full_key(pod: str) -> str:
    """`namespace/name` of a Pod named in a goal, which is in `default` where it says nothing else."""
    return pod if "/" in pod else f"default/{pod}"

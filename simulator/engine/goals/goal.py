"""What a goal is: a kind with parameters, checked against a run at any moment of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from simulator.engine.framework.shape_check import Path
from simulator.engine.goals.fields import Field, Problems
from simulator.engine.goals.run import Run

OPEN, REACHED, KEPT, LOST = "open", "reached", "kept", "lost"
"""Not yet so; so now; so up to now (it can only be lost); cannot become so any more without going back."""

MOST_NAMES = 5


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a goal is: `done` of `total`, and what there is to tell (a code with parameters, "" for nothing)."""

    state: str
    done: int
    total: int
    code: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_met(self) -> bool:
        return self.state in (REACHED, KEPT)


def counted(done: int, total: int, code: str = "", **params: Any) -> Progress:
    """Reached where all of at least one are done."""
    reached = total > 0 and done >= total
    return Progress(REACHED if reached else OPEN, min(done, total), total, "" if reached else code, params)


def all_of(pods: Iterable[tuple[str, bool]], *, missing: str = "goal.pods_left", state: str | None = None) -> Progress:
    """Progress of (key, is it so) pairs, naming the first for which it is not so. `state` where all are."""
    listed = list(pods)
    if not listed:
        return Progress(OPEN, 0, 0, "goal.no_pods")
    left = [key for key, so in listed if not so]
    found = counted(len(listed) - len(left), len(listed), missing, pods=left[:MOST_NAMES], count=len(left))
    return found if left or state is None else Progress(state, found.done, found.total)


class Goal(ABC):
    """A kind of goal. Subclasses are frozen dataclasses whose attributes are the parameters in snake case."""

    kind: ClassVar[str]
    fields: ClassVar[Mapping[str, Field]] = {}

    @abstractmethod
    def check(self, run: Run) -> Progress:
        """How far the goal is at the end of `run`."""

    def validate(self, path: Path, problems: Problems) -> None:  # noqa: B027 - most kinds need no more
        """Note what is wrong with parameters that are each right."""

    @property
    def params(self) -> dict[str, Any]:
        """The parameters, for statements about the goal."""
        return {attribute(name): getattr(self, attribute(name)) for name in self.fields}


def attribute(name: str) -> str:
    """`nodeLabels` -> `node_labels`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)

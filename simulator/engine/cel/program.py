"""A compiled expression: what it needs to know from outside, and the running of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.engine.cel.errors import Fault, Problem
from simulator.engine.cel.syntax import Node
from simulator.engine.cel.values import Type

Frame = list[Any]
"""[steps left, local variables ..., inputs ...]"""

Run = Callable[[Frame], Any]
MAX_LOCALS = 12
FIRST_INPUT = 1 + MAX_LOCALS


@dataclass(frozen=True, slots=True)
class Input:
    """Something an expression reads: `path` begins with the variable, such as ("node", "labels", "zone").

    `call`: the path is variable, function name, further arguments. `may_miss`: its value may be ABSENT.
    """

    path: tuple[str, ...]
    type: Type
    call: bool = False
    may_miss: bool = False

    def __str__(self) -> str:
        variable, name, *rest = self.path
        if self.call:
            return f"{name}({', '.join([variable, *map(_quoted, rest)])})"
        return f"{variable}.{name}" + "".join(f"[{_quoted(key)}]" for key in rest)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@dataclass(frozen=True, slots=True)
class Result:
    """What came out: a value, or the problem that ended the evaluation; and how many steps it took."""

    value: Any
    problem: Problem | None
    cost: int


class Program:
    """`types` tells every part's type, `inputs` what values `run` wants, in this order.

    `can_fail`: something in it may be missing, out of range, or take more steps than `smallest_cost`.
    """

    def __init__(
        self,
        source: str,
        tree: Node,
        types: Mapping[Node, Type],
        inputs: Sequence[Input],
        run: Run,
        cost: int,
        reads: Mapping[Node, Input],
        *,
        can_fail: bool,
    ) -> None:
        self.source = source
        self.tree = tree
        self.types = types
        self.inputs = tuple(inputs)
        self._run = run
        self._cost = cost
        self._reads = reads
        self.can_fail = can_fail

    @property
    def type(self) -> Type:
        return self.types[self.tree]

    def input_of(self, part: Node) -> Input | None:
        """The input that a part reads, or whose presence it asks for; None for any other part."""
        return self._reads.get(part)

    @property
    def smallest_cost(self) -> int:
        """What every evaluation costs, before any walk through a list."""
        return self._cost

    def run(self, values: Sequence[Any], limit: int) -> Result:
        """Evaluate with the values of `inputs`, in at most `limit` steps."""
        if self._cost > limit:
            return self._too_costly(limit)
        frame: Frame = [limit - self._cost, *(None,) * MAX_LOCALS, *values]
        try:
            value = self._run(frame)
        except Fault as fault:
            if fault.code == "cel.cost":
                return self._too_costly(limit)
            return Result(None, fault.in_source(self.source).problem, limit - frame[0])
        return Result(value, None, limit - frame[0])

    @staticmethod
    def _too_costly(limit: int) -> Result:
        return Result(None, Problem("cel.cost", {"limit": limit}), limit)

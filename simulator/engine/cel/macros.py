"""The macros: walks through the items of a list or the keys of a map."""

from __future__ import annotations

from typing import Any, Final

from simulator.engine.cel.errors import Fault
from simulator.engine.cel.operators import spend
from simulator.engine.cel.program import Frame, Run

FITTING_BODY: Final = ("all", "exists", "exists_one", "filter")
"""Macros whose body must be a bool."""


def loop_of(macro: str, operand: Run, slot: int, body: Run, condition: Run | None, cost: int) -> Run:
    """`slot` is where the variable is kept; `cost` is spent for every item."""
    if macro in ("all", "exists"):
        return _any(operand, slot, body, cost, stop=macro == "exists")
    if macro == "exists_one":
        return _one(operand, slot, body, cost)
    if macro == "filter":
        return _filter(operand, slot, body, cost)
    return _map(operand, slot, body, condition, cost)


def _any(operand: Run, slot: int, body: Run, cost: int, *, stop: bool) -> Run:
    """An item that decides counts even where others fail."""

    def run(frame: Frame) -> bool:
        failed: Fault | None = None
        for item in operand(frame):
            spend(frame, cost)
            frame[slot] = item
            try:
                if body(frame) is stop:
                    return bool(stop)
            except Fault as fault:
                if fault.code == "cel.cost":
                    raise
                failed = fault
        if failed is not None:
            raise failed
        return not stop

    return run


def _one(operand: Run, slot: int, body: Run, cost: int) -> Run:
    def run(frame: Frame) -> bool:
        count = 0
        for item in operand(frame):
            spend(frame, cost)
            frame[slot] = item
            count += bool(body(frame))
        return count == 1

    return run


def _filter(operand: Run, slot: int, body: Run, cost: int) -> Run:
    def run(frame: Frame) -> tuple[Any, ...]:
        kept = []
        for item in operand(frame):
            spend(frame, cost)
            frame[slot] = item
            if body(frame):
                kept.append(item)
        return tuple(kept)

    return run


def _map(operand: Run, slot: int, body: Run, condition: Run | None, cost: int) -> Run:
    def run(frame: Frame) -> tuple[Any, ...]:
        made = []
        for item in operand(frame):
            spend(frame, cost)
            frame[slot] = item
            if condition is None or condition(frame):
                made.append(body(frame))
        return tuple(made)

    return run

"""What was done in a lab becomes a solution: time in whole seconds, or as it was where trying takes too long."""

from __future__ import annotations

from simulator.selectors.solutions import solution_of
from tests.factories.labs import make_node, make_pod

SPEC = {"goals": [{"kind": "allBound"}]}
OBJECTS = [make_node("n1") | {"spec": {"unschedulable": True}}, make_pod("p")]
LOG = [
    {"command": {"type": "cordon", "name": "n1", "on": False}, "record": []},
    {"command": {"type": "advance", "seconds": 1.5}, "record": []},
]


def test_time_passes_in_whole_seconds() -> None:
    steps = solution_of(SPEC, OBJECTS, LOG)
    assert [step["command"] for step in steps] == ["cordon", "advance"]
    assert steps[1]["seconds"] == 2


def test_what_takes_too_long_to_try_stays_as_it_was_done() -> None:
    assert solution_of(SPEC, OBJECTS, LOG, keep_on=lambda: False) == [
        {"command": "cordon", "name": "n1", "on": False},
        {"command": "advance", "seconds": 1.5},
    ]

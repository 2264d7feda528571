"""What was read is what the engine takes, and its errors find their line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from simulator.engine.world.commands import CommandError
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.manifests.reading import read
from tests.simulator.manifests.recorded import NODES, text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["get-list.yaml", "get-list.json", "describe-nodes.txt", "describe-pods.txt"])
def test_recorded_dumps_are_applied(name: str) -> None:
    reading = read(text(name))
    simulation = Simulation(Setup())
    simulation.apply({"type": "apply", "objects": list(reading.objects)})
    for item in reading.objects:
        assert simulation.world.get(item["kind"], item["metadata"].get("namespace", ""), item["metadata"]["name"])


@pytest.mark.parametrize("path", sorted(NODES.glob("[0-9]*")), ids=lambda path: path.stem)
def test_node_dumps_are_applied(path: Path) -> None:
    simulation = Simulation(Setup())
    simulation.apply({"type": "apply", "objects": list(read(path.read_bytes()).objects)})
    assert simulation.world.list("Node")


BROKEN = """\
apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: c
    image: yes
    resources:
      limits:
        nvidia.com/gpu: -1
"""


def test_errors_of_the_engine_find_their_line() -> None:
    reading = read(BROKEN)
    with pytest.raises(CommandError) as raised:
        Simulation(Setup()).apply({"type": "apply", "objects": list(reading.objects)})
    problem = raised.value.problems[0]
    place = reading.documents[0].marks.nearest(tuple(problem.path[2:]))
    assert place.line == 8

"""Input that fuzzing found to break something once."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.framework.shape_check import ConfigError
from simulator.engine.world import snapshot
from simulator.engine.world.commands import CommandError
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from tests.engine.build import node_manifest, pod_manifest, simulation

KIND = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


@pytest.mark.parametrize(
    "command",
    [
        {"type": "apply", "objects": [{**pod_manifest(), "metadata": {"name": "p", "annotations": 0.5}}]},
        {"type": "deleteMany", "objects": [5]},
        {"type": "deleteMany", "objects": [{"kind": ["Pod"], "name": "p"}]},
        {"type": "restore", "put": [{"kind": "Pod"}], "remove": []},
        {"type": "restore", "put": [], "remove": [{"name": "p"}]},
        {"type": "restore", "put": [{**node_manifest("x"), "status": {"allocatable": {"cpu": "many"}}}], "remove": []},
        {"type": "taint", "name": "n1", "add": [["gpu"]]},
        {"type": "taint", "name": "n1", "add": [{"effect": "NoSchedule"}, {"key": "a", "effect": "NoSchedule"}]},
        {"type": "scale", "kind": "Node", "name": "n1", "replicas": 2},
        {"type": "configure", "gates": ["GenericWorkload"]},
        {"type": "configure", "gates": {"GenericWorkload": "yes"}},
    ],
)
def test_command_is_refused_and_leaves_nothing_behind(command: dict[str, Any]) -> None:
    made = simulation(node_manifest("n1"))
    before = made.digest
    with pytest.raises(CommandError) as caught:
        made.apply(command)
    assert all(problem.text and problem.code for problem in caught.value.problems)
    assert made.digest == before


@pytest.mark.parametrize(
    "setup",
    [
        {"start": 5},
        {"config": {**KIND, "extenders": [{"urlPrefix": "x", "managedResources": [{"name": "\ud800"}]}]}},
        {"config": {**KIND, "parallelism": 10**40}},
    ],
)
def test_setup_is_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Simulation(Setup.from_mapping(setup))


def test_requests_beyond_64_bits_run_over_without_a_word() -> None:
    requests = {"cpu": "9223372036854775807", "memory": "8Ei"}
    made = simulation(node_manifest("n1"), *(pod_manifest(f"p{i}", on="n1", requests=requests) for i in range(3)))
    made.apply({"type": "apply", "objects": [pod_manifest("q", requests={"cpu": "1"})]})
    assert made.step() is not None


def test_an_image_without_a_name_survives_a_snapshot() -> None:
    node = node_manifest("n1")
    node["status"]["images"] = [{"names": [None, "app:1"], "sizeBytes": 5}]
    made = simulation(node, pod_manifest())
    made.step()
    assert snapshot.load(snapshot.save(made)).digest == made.digest

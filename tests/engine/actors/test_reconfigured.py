"""Another configuration while Pods wait: who is no longer this scheduler's waits for its own, and may come back."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.world.history import History
from simulator.engine.world.setup import Setup

HEAD = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def node(name: str) -> dict[str, Any]:
    amounts = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts}}


def pod(name: str, cpu: str, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "main", "image": "x", "resources": {"requests": {"cpu": cpu}}}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": containers, **spec}}


def named(scheduler: str) -> dict[str, Any]:
    return {"type": "configure", "config": {**HEAD, "profiles": [{"schedulerName": scheduler}]}}


def node_of(made: History, name: str) -> str:
    found = made.head.world.pod(f"default/{name}")
    assert found is not None
    return found.node_name


@pytest.mark.parametrize("turns", [0, 5])
def test_pod_waits_for_its_scheduler_and_goes_on_when_it_is_back(turns: int) -> None:
    """Queued anew (0 turns), or rejected before (5): it fits nowhere until small is gone."""
    made = History.begin(Setup())
    made.apply({"type": "apply", "objects": [node("n1"), pod("small", "3", nodeName="n1"), pod("large", "4")]})
    if turns:
        made.apply({"type": "run", "turns": turns})
    made.apply(named("other"))
    made.apply({"type": "delete", "kind": "Pod", "name": "small"})
    made.apply({"type": "advance", "seconds": 120})
    assert node_of(made, "large") == ""
    made.apply(named("default-scheduler"))
    made.apply({"type": "advance", "seconds": 5})
    assert node_of(made, "large") == "n1"


def test_pod_of_another_scheduler_is_taken_by_the_one_that_comes() -> None:
    made = History.begin(Setup())
    made.apply({"type": "apply", "objects": [node("n1"), pod("a", "1", schedulerName="other")]})
    made.apply({"type": "advance", "seconds": 5})
    assert node_of(made, "a") == ""
    made.apply(named("other"))
    made.apply({"type": "advance", "seconds": 5})
    assert node_of(made, "a") == "n1"


def test_plugin_with_a_memory_may_be_switched_off() -> None:
    off = {"plugins": {"multiPoint": {"disabled": [{"name": "GangScheduling"}]}}, "schedulerName": "default-scheduler"}
    made = History.begin(Setup(gates={"GenericWorkload": True, "GangScheduling": True}))
    made.apply({"type": "apply", "objects": [node("n1"), pod("a", "1")]})
    made.apply({"type": "configure", "config": {**HEAD, "profiles": [off]}})
    made.apply({"type": "advance", "seconds": 5})
    assert node_of(made, "a") == "n1"


def test_undoing_a_change_of_names_gives_the_queue_back() -> None:
    made = History.begin(Setup())
    made.apply({"type": "apply", "objects": [node("n1"), pod("a", "1")]})
    effect = made.apply(named("other")).effect
    assert effect.inverse is not None
    made.apply(effect.inverse)
    made.apply({"type": "advance", "seconds": 1})
    assert node_of(made, "a") == "n1"

"""The cluster that rules are tried on where there is no lab, and the Pods to ask about."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.objects.pod import Pod
from simulator.engine.world.setup import Setup
from simulator.engine.world.simulation import Simulation
from simulator.selectors.rule_exercises import SAMPLE, Exercise, exercise_get, node_objects, pod_manifest

PODS: Final[tuple[dict[str, Any], ...]] = (
    pod_manifest("train", 4, cpu="16", labels={"team": "vision"}),
    pod_manifest("notebook", 1, cpu="4"),
    pod_manifest("web", 0, cpu="2", labels={"app": "web"}),
)


def sample_cluster() -> tuple[Cluster, tuple[Pod, ...]]:
    """Nobody changes what this gives."""
    return _sample()


@lru_cache(maxsize=1)
def _sample() -> tuple[Cluster, tuple[Pod, ...]]:
    objects = tuple(item for node in SAMPLE for item in node_objects(node))
    return _built(objects, PODS)


def shown_cluster(exercise: Exercise) -> tuple[Cluster, tuple[Pod, ...]]:
    """The cluster of an exercise that its learner sees."""
    return _shown(exercise.slug)


@lru_cache(maxsize=32)
def _shown(slug: str) -> tuple[Cluster, tuple[Pod, ...]]:
    case = exercise_get(slug).shown
    return _built(case.objects, case.pods)


def sample_simulation() -> Simulation:
    """The sample cluster with its Pods waiting, as a simulation of one's own."""
    return _begun(tuple(item for node in SAMPLE for item in node_objects(node)), PODS)


def _begun(objects: tuple[Any, ...], pods: tuple[Any, ...]) -> Simulation:
    simulation = Simulation(Setup())
    simulation.apply({"type": "apply", "objects": [*objects, *pods]})
    return simulation


def _built(objects: tuple[Any, ...], pods: tuple[Any, ...]) -> tuple[Cluster, tuple[Pod, ...]]:
    simulation = _begun(objects, pods)
    asked = [simulation.world.pod(f"default/{pod['metadata']['name']}") for pod in pods]
    return simulation.scheduler.cluster, tuple(pod for pod in asked if pod is not None)

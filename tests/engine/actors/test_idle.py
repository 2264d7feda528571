"""When a run is over: nothing is left that could make a difference, however far in the future it lies."""

import itertools
from typing import Any

import pytest

from simulator.engine.objects.times import SECOND
from simulator.engine.world import snapshot
from simulator.engine.world.simulation import Simulation
from tests.engine.build import cycles, node_manifest, pod_manifest, settle, simulation

GANGS = {"GenericWorkload": True, "GangScheduling": True}


def ends_after(seconds: int, manifest: dict[str, Any]) -> dict[str, Any]:
    manifest["metadata"]["annotations"] = {"gpuschedlab.io/run-seconds": str(seconds)}
    return manifest


def gang(name: str, members: int, cpu: str = "4") -> list[dict[str, Any]]:
    group = {
        "apiVersion": "scheduling.k8s.io/v1alpha2",
        "kind": "PodGroup",
        "metadata": {"name": name},
        "spec": {"schedulingPolicy": {"gang": {"minCount": members}}},
    }
    reference = {"podGroupName": name}
    pods = [
        pod_manifest(f"{name}-{i}", requests={"cpu": cpu}, schedulingGroup=reference) for i in range(1, members + 1)
    ]
    return [group, *pods]


def bound(made: Simulation) -> dict[str, str]:
    return {pod.name: pod.node_name for pod in made.world.list("Pod") if pod.node_name}


def test_an_end_far_away_is_waited_for_past_sweeps() -> None:
    """Sweeps of the waiting Pod are due at 330 s and later; the running one ends at 900 s."""
    first = ends_after(900, pod_manifest("first", requests={"cpu": "4"}))
    made = settle(simulation(first, pod_manifest("second", requests={"cpu": "4"}), node_manifest(cpu="4")))

    assert bound(made)["second"] == "n1"
    assert made.now - made.setup.start_time >= 900 * SECOND


def test_a_gang_that_cannot_fit_is_at_rest_after_one_attempt() -> None:
    made = settle(simulation(*gang("g", 2), node_manifest(cpu="4"), gates=GANGS))

    assert made.is_idle
    assert bound(made) == {}
    assert len(cycles(made)) == 1


def test_a_gang_that_waits_is_tried_at_once_when_a_node_comes() -> None:
    made = settle(simulation(*gang("g", 2), node_manifest("a", cpu="4"), gates=GANGS))
    failed_at = made.now
    made.apply({"type": "apply", "objects": [node_manifest("b", cpu="4")]})

    assert not made.is_idle
    made.step()
    assert sorted(bound(made).values()) == ["a", "b"]
    assert made.now - failed_at < SECOND


def test_a_gang_nothing_changes_for_is_tried_again_when_its_backoff_ends() -> None:
    """1, 2, 4, 8, then 10 s, each up to the next whole second."""
    made = settle(simulation(*gang("g", 2), node_manifest(cpu="4"), gates=GANGS))
    made.apply({"type": "advance", "seconds": 60})

    times = [(cycle.time - made.setup.start_time) // SECOND for cycle in cycles(made) if cycle.kind == "podGroup"]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert gaps == [2, 3, 5, 9, 11, 11, 11]
    assert made.is_idle


def test_an_attempt_that_fails_with_an_error_is_repeated_without_keeping_the_run_from_its_end() -> None:
    volume = {"name": "v", "persistentVolumeClaim": {"claimName": "c"}}
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "c"},
        "spec": {
            "storageClassName": "missing",
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
    made = settle(simulation(claim, pod_manifest("p", volumes=[volume]), node_manifest()))

    assert made.is_idle
    assert len(cycles(made)) == 1


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_snapshot_rests_as_the_original_does(turns: int) -> None:
    made = simulation(*gang("g", 2), node_manifest(cpu="4"), gates=GANGS)
    for _ in range(turns):
        made.step()
    again = snapshot.load(snapshot.save(made))

    assert again.is_idle == made.is_idle
    assert again.next_time() == made.next_time()

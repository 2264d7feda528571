"""Controllers name new Pods past names that others have."""

from simulator.engine.world.simulation import Simulation
from tests.engine.build import node_manifest, pod_manifest, settle, simulation

REPLICA_SET = {
    "apiVersion": "apps/v1",
    "kind": "ReplicaSet",
    "metadata": {"name": "web"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "c", "image": "i"}]},
        },
    },
}


def names(made: Simulation) -> list[str]:
    return sorted(pod.name for pod in made.world.list("Pod") if not pod.terminating)


def test_a_name_that_another_pod_has_is_passed_over() -> None:
    made = settle(simulation(pod_manifest("web-1", on="n1"), node_manifest(), REPLICA_SET))

    assert names(made) == ["web-1", "web-2", "web-3"]
    assert [event for event in made.world.events if event.reason == "FailedCreate"] == []


def test_a_replacement_comes_at_once_while_the_old_pod_is_still_ending() -> None:
    made = settle(simulation(node_manifest(), REPLICA_SET))
    made.apply({"type": "delete", "kind": "Pod", "name": "web-1"})
    settle(made)

    assert names(made) == ["web-2", "web-3"]

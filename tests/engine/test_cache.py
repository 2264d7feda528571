"""What the scheduler's cache keeps longer than one may think: node order, image counts, Pods of nodes that are gone."""

from __future__ import annotations

from typing import Any

from simulator.engine.cluster.cluster import Cluster
from simulator.engine.objects.node import ZONE, Node
from tests.engine.build import a_node, a_pod, cycles, node_manifest, pod_manifest, settle, simulation

MB = 2**20


def zoned(name: str, zone: str) -> Node:
    return a_node(name, labels={ZONE: zone})


def order(cluster: Cluster) -> list[str]:
    cluster.snapshot()
    return [cluster.nodes.objects[row].name for row in cluster.order.tolist()]


def with_image(name: str, *images: tuple[str, int]) -> Node:
    manifest: dict[str, Any] = node_manifest(name)
    listed = [{"names": [image], "sizeBytes": size} for image, size in images]
    return Node({**manifest, "status": {**manifest["status"], "images": listed}})


def test_a_changed_zone_moves_a_node_only_when_nodes_come_or_go() -> None:
    cluster = Cluster()
    for name, zone in (("a1", "a"), ("a2", "a"), ("b1", "b")):
        cluster.add_node(zoned(name, zone))
    assert order(cluster) == ["a1", "b1", "a2"]
    cluster.update_node(zoned("a1", "c"))
    assert order(cluster) == ["a1", "b1", "a2"]
    cluster.add_node(zoned("b2", "b"))
    assert order(cluster) == ["a2", "b1", "a1", "b2"]


def test_a_zone_that_was_empty_comes_back_last() -> None:
    cluster = Cluster()
    for name, zone in (("a1", "a"), ("b1", "b")):
        cluster.add_node(zoned(name, zone))
    cluster.remove_node("a1")
    cluster.add_node(zoned("a9", "a"))
    assert order(cluster) == ["b1", "a9"]


def test_a_node_keeps_its_count_of_an_image_until_it_changes_itself() -> None:
    cluster = Cluster()
    cluster.add_node(with_image("n1", ("app:1", 100 * MB)))
    cluster.snapshot()
    cluster.add_node(with_image("n2", ("app:1", 300 * MB)))
    cluster.snapshot()
    assert cluster.images.of("n1") == {"app:1": (100 * MB, 1)}
    assert cluster.images.of("n2") == {"app:1": (100 * MB, 2)}
    cluster.add_pod(a_pod("p", on="n1"))
    assert cluster.images.of("n1") == {"app:1": (100 * MB, 1)}
    cluster.snapshot()
    assert cluster.images.of("n1") == {"app:1": (100 * MB, 2)}


def test_an_image_that_left_every_node_is_forgotten_with_its_size() -> None:
    cluster = Cluster()
    cluster.add_node(with_image("n1", ("app:1", 100 * MB)))
    cluster.update_node(with_image("n1"))
    cluster.update_node(with_image("n1", ("app:1", 300 * MB)))
    cluster.snapshot()
    assert cluster.images.of("n1") == {"app:1": (300 * MB, 1)}


def test_pods_of_a_removed_node_count_again_when_it_returns() -> None:
    cluster = Cluster()
    cluster.add_node(a_node("n1"))
    cluster.add_pod(a_pod("p", on="n1", requests={"cpu": "1"}, ports=(80,)))
    cluster.remove_node("n1")
    assert cluster.placed("default/p") is None
    cluster.add_node(a_node("n1"))
    assert cluster.placed("default/p") is not None
    row = cluster.rows([0])
    assert (int(row.requested("cpu")[0]), int(row.pod_count[0]), len(cluster.used_ports[0])) == (1000, 1, 1)
    cluster.remove_node("n1")
    assert cluster.remove_pod("default/p") is not None
    cluster.add_node(a_node("n1"))
    assert int(cluster.rows([0]).pod_count[0]) == 0


def test_one_of_two_users_of_a_port_frees_it_by_leaving() -> None:
    cluster = Cluster()
    cluster.add_node(a_node("n1"))
    for name in ("a", "b"):
        cluster.add_pod(a_pod(name, on="n1", ports=(80,)))
    cluster.remove_pod("default/a")
    assert cluster.used_ports[0] == set()


def test_finished_pods_count_no_more() -> None:
    made = simulation(
        node_manifest(cpu="1"),
        pod_manifest("job", requests={"cpu": "1"}),
        pod_manifest("next", requests={"cpu": "1"}),
    )
    made.apply({"type": "annotate", "kind": "Pod", "name": "job", "annotations": {"gpuschedlab.io/run-seconds": "5"}})
    settle(made)
    assert made.world.pod("default/job").phase == "Succeeded"
    assert made.world.pod("default/next").node_name == "n1"


def test_terminating_pods_count_until_they_are_gone() -> None:
    made = simulation(
        node_manifest(cpu="1"),
        pod_manifest("old", on="n1", requests={"cpu": "1"}, terminationGracePeriodSeconds=20),
        pod_manifest("new", requests={"cpu": "1"}),
    )
    made.apply({"type": "delete", "kind": "Pod", "name": "old"})
    made.apply({"type": "advance", "seconds": 19})
    assert made.world.pod("default/new").node_name == ""
    made.apply({"type": "advance", "seconds": 2})
    assert made.world.pod("default/new").node_name == "n1"


def test_an_extended_resource_nobody_has_is_hopeless_and_one_that_is_used_is_not() -> None:
    gpu = "nvidia.com/gpu"
    made = settle(
        simulation(
            node_manifest("none"), node_manifest("one", nvidia__com_gpu="1"),
            node_manifest("four", nvidia__com_gpu="4"), pod_manifest("user", on="four", requests={gpu: "3"}),
            pod_manifest("p", requests={gpu: "2"}),
        )
    )  # fmt: skip
    assert cycles(made)[-1].failures[0].message == (
        "0/3 nodes are available: 3 Insufficient nvidia.com/gpu. no new claims to deallocate, preemption: 0/3 nodes "
        "are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
    )

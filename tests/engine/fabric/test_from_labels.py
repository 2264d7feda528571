"""Fabrics from Node labels, HyperNodes and Topology objects."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.engine.fabric.fabric import unit_of
from simulator.engine.fabric.from_labels import (
    LabelledNode,
    fabric_from_nodes,
    host_from_labels,
    hyper_nodes_tiers,
    kueue_tiers,
    shape_from_labels,
    tier_scheme,
    with_tiers,
)
from simulator.engine.fabric.placement import network_tier
from simulator.engine.fabric.presets import node_manifest, preset_host, preset_rack

H100 = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.count": "8"}


def test_preset_nodes_are_recognised_by_their_own_labels() -> None:
    for name in ("hgx-h100-8", "t4-2", "l40s-8", "mi300x-8", "ascend-910b-8", "cpu-64"):
        host = preset_host(name, "n")
        manifest = node_manifest(host)
        found = shape_from_labels(LabelledNode("n", manifest["metadata"]["labels"], len(host.shape.gpus)))
        assert found == host.shape


@pytest.mark.parametrize(
    ("labels", "gpus", "shape"),
    [
        ({**H100, "nvidia.com/gpu.count": "4"}, None, "pcie-h100-80gb-4"),
        ({"nvidia.com/gpu.product": "NVIDIA-L20Z", "nvidia.com/gpu.count": "8"}, None, "pcie-unknown-8"),
        ({"nvidia.com/gpu.product": "NVIDIA-GeForce-RTX-4090"}, None, "pcie-rtx-4090-1"),
        ({}, None, "cpu-64"),
        ({}, 3, "pcie-unknown-3"),
        ({**H100, "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3-SHARED"}, None, "hgx-h100-8"),
    ],
)
def test_other_nodes_become_plain_boxes(labels: dict[str, str], gpus: int | None, shape: str) -> None:
    assert shape_from_labels(LabelledNode("n", labels, gpus)).name == shape


def test_clique_joins_the_trays_of_a_rack() -> None:
    rack = preset_rack("gb200-tray-4", "rack")
    nodes = [LabelledNode(host.name, node_manifest(host)["metadata"]["labels"]) for host in rack]

    fabric = fabric_from_nodes(nodes)

    assert fabric.hosts == tuple(type(host)(host.name, host.shape, (), host.nvlink_domain) for host in rack)
    assert len(fabric.units()) == 1


@pytest.mark.parametrize(
    ("keys", "scheme"),
    [
        (["fabric.topograph.run/tier-0", "fabric.topograph.run/tier-1"], "topograph"),
        (["network.topology.nvidia.com/leaf", "network.topology.nvidia.com/spine"], "topograph-leaf"),
        (["network.topology.nvidia.com/block", "network.topology.nvidia.com/spine"], "topograph-block"),
        (["cloud.google.com/gce-topology-subblock", "cloud.google.com/gce-topology-block"], "gke"),
        (["topology.k8s.aws/network-node-layer-3", "topology.k8s.aws/network-node-layer-2"], "aws"),
        (["oci.oraclecloud.com/rdma.local_block_id", "oci.oraclecloud.com/rdma.network_block_id"], "oci"),
        (["volcano.sh/tor", "volcano.sh/hypernode"], "volcano"),
    ],
)
def test_every_label_scheme_gives_tiers(keys: list[str], scheme: str) -> None:
    nodes = [
        LabelledNode("a", {keys[0]: "near-1", keys[1]: "far", **H100}),
        LabelledNode("b", {keys[0]: "near-1", keys[1]: "far", **H100}),
        LabelledNode("c", {keys[0]: "near-2", keys[1]: "far", **H100}),
    ]
    fabric = fabric_from_nodes(nodes)
    a, b, c = fabric.hosts

    assert tier_scheme(nodes) == scheme
    assert network_tier(fabric, [a, b])[0] == 1
    assert network_tier(fabric, [a, c])[0] == 2


def test_nodes_without_labels_have_no_network() -> None:
    fabric = fabric_from_nodes([LabelledNode("a", H100), LabelledNode("b", H100)])

    assert fabric.switches == ()
    assert network_tier(fabric, fabric.hosts) == (None, 1.0)
    assert unit_of(host_from_labels(LabelledNode("a", H100))) == "host:a"


def hyper_node(name: str, tier: int, *members: dict[str, Any]) -> dict[str, Any]:
    return {"metadata": {"name": name}, "spec": {"tier": tier, "members": list(members)}}


def test_hyper_nodes_give_tiers() -> None:
    nodes = [LabelledNode(f"node-{index}", {"rack": "r1" if index < 2 else "r2"}) for index in range(5)]
    objects = [
        hyper_node("s2", 2, {"type": "HyperNode", "selector": {"regexMatch": {"pattern": "^leaf-"}}}),
        hyper_node("leaf-a", 1, {"type": "Node", "selector": {"exactMatch": {"name": "node-0"}}}),
        hyper_node("leaf-b", 1, {"type": "Node", "selector": {"labelMatch": {"matchLabels": {"rack": "r2"}}}}),
        hyper_node("broken", 1, {"type": "Node", "selector": {"regexMatch": {"pattern": "("}}}),
    ]

    assert hyper_nodes_tiers(objects, nodes) == {
        "node-0": ("leaf-a", "s2"),
        "node-2": ("leaf-b", "s2"),
        "node-3": ("leaf-b", "s2"),
        "node-4": ("leaf-b", "s2"),
    }


def test_kueue_topology_gives_tiers() -> None:
    topology = {
        "spec": {
            "levels": [{"nodeLabel": "block"}, {"nodeLabel": "rack"}, {"nodeLabel": "kubernetes.io/hostname"}],
        }
    }
    nodes = [
        LabelledNode("a", {"block": "b1", "rack": "r1", **H100}),
        LabelledNode("b", {"block": "b2", "rack": "r1", **H100}),
        LabelledNode("c", {"block": "b1", **H100}),
    ]
    tiers = kueue_tiers(topology, nodes)

    assert tiers == {"a": ("b1/r1", "b1"), "b": ("b2/r1", "b2")}
    fabric = with_tiers([host_from_labels(one) for one in nodes], tiers)
    assert [host.leaves for host in fabric.hosts] == [("1:b1/r1",), ("1:b2/r1",), ()]

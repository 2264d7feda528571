"""From Node labels (and HyperNode, Topology objects) to a fabric: machines, NVLink domains, network tiers.

Known labels: gpu-feature-discovery (product, count, clique), topograph (now, before), GKE, AWS, OCI, Volcano's label
discovery. A Node whose product is not a preset gets a plain PCIe box of that many GPUs. Sources: the projects' docs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from simulator.engine.fabric.accelerators import AMD, ASCEND, NVIDIA, UNKNOWN, accelerator_of_product
from simulator.engine.fabric.fabric import Fabric, Host, NetworkSwitch
from simulator.engine.fabric.layouts import Board, numa_nodes
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.shape import HostShape

CLIQUE: Final = f"{NVIDIA}.clique"
PRODUCT: Final = f"{NVIDIA}.product"
COUNT: Final = f"{NVIDIA}.count"

TIER_LABELS: Final[dict[str, tuple[str, ...]]] = {
    "topograph": ("fabric.topograph.run/tier-0", "fabric.topograph.run/tier-1", "fabric.topograph.run/tier-2"),
    "topograph-leaf": (
        "network.topology.nvidia.com/leaf",
        "network.topology.nvidia.com/spine",
        "network.topology.nvidia.com/core",
    ),
    "topograph-block": ("network.topology.nvidia.com/block", "network.topology.nvidia.com/spine"),
    "gke": (
        "cloud.google.com/gce-topology-host",
        "cloud.google.com/gce-topology-subblock",
        "cloud.google.com/gce-topology-block",
    ),
    "aws": (
        "topology.k8s.aws/network-node-layer-3",
        "topology.k8s.aws/network-node-layer-2",
        "topology.k8s.aws/network-node-layer-1",
    ),
    "oci": (
        "oci.oraclecloud.com/rdma.local_block_id",
        "oci.oraclecloud.com/rdma.network_block_id",
        "oci.oraclecloud.com/rdma.hpc_island_id",
    ),
    "volcano": ("volcano.sh/tor", "volcano.sh/hypernode", "volcano.sh/hypercluster"),
}
"""Label keys of network tiers by scheme, nearest first."""

DOMAIN_LABELS: Final = (
    CLIQUE,
    "accelerator.topograph.run/domain",
    "network.topology.nvidia.com/accelerator",
    "oci.oraclecloud.com/host.gpu_memory_fabric_id",
)
"""Labels that name an NVLink domain over several hosts, the first that is there counts."""

_MAX_GPUS: Final = 16


@dataclass(frozen=True, slots=True)
class LabelledNode:
    """What is read of a Node: name, labels, and how many accelerators it reports (None = look at the labels)."""

    name: str
    labels: Mapping[str, str]
    gpus: int | None = None


def fabric_from_nodes(nodes: Sequence[LabelledNode]) -> Fabric:
    """Hosts in the order of the Nodes, with the tiers of the scheme that labels most of them."""
    hosts = tuple(host_from_labels(node) for node in nodes)
    scheme = tier_scheme(nodes)
    if scheme is None:
        return Fabric(hosts)
    return with_tiers(hosts, {node.name: _tier_names(node.labels, TIER_LABELS[scheme]) for node in nodes})


def host_from_labels(node: LabelledNode) -> Host:
    """The machine and NVLink domain that a Node's labels tell."""
    domain = next((node.labels[key] for key in DOMAIN_LABELS if node.labels.get(key)), None)
    return Host(node.name, shape_from_labels(node), nvlink_domain=domain)


def shape_from_labels(node: LabelledNode) -> HostShape:
    """A preset of the labelled product and count, else a PCIe box of that many GPUs (a CPU node without any)."""
    product = node.labels.get(PRODUCT) or node.labels.get(f"{AMD}.product-name", "")
    count = node.gpus if node.gpus is not None else _labelled_count(node.labels)
    if not count:
        return PRESETS["cpu-64"].shape
    model = accelerator_of_product(product)
    if not product and node.labels.get("accelerator") == "huawei-Ascend910":
        model = accelerator_of_product("Ascend910B")
    for preset in PRESETS.values():
        if len(preset.shape.gpus) == count and model != UNKNOWN and preset.shape.model(0) == model:
            return preset.shape
    return pcie_box(model.id, min(count, _MAX_GPUS))


@lru_cache(maxsize=256)
def pcie_box(model: str, gpus: int) -> HostShape:
    """A machine of which nothing but model and count is known: two sockets, half of the GPUs each, one card."""
    board = Board()
    for index in range(gpus):
        board.gpu(model, board.host_bridge(2 * index // gpus if gpus > 1 else 0))
    board.nic("ethernet-25", board.host_bridge(0), "eth0")
    return HostShape(
        f"pcie-{model}-{gpus}",
        numa_nodes(2, 32),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        cpu_link="cpu-skylake",
    )


def tier_scheme(nodes: Sequence[LabelledNode]) -> str | None:
    """The scheme whose nearest tier most Nodes carry (the first of equals), None if no Node has any."""
    counts = {
        scheme: sum(any(key in node.labels for key in keys) for node in nodes) for scheme, keys in TIER_LABELS.items()
    }
    best = max(
        counts, key=lambda scheme: (counts[scheme], sum(TIER_LABELS[scheme][0] in node.labels for node in nodes))
    )
    return best if counts[best] else None


def with_tiers(hosts: Sequence[Host], tiers: Mapping[str, Sequence[str]]) -> Fabric:
    """Hosts plugged into the switches that `tiers` names per host, nearest first; hosts without any stay alone."""
    switches: dict[str, NetworkSwitch] = {}
    connected: list[Host] = []
    for host in hosts:
        names = [f"{tier + 1}:{name}" for tier, name in enumerate(tiers.get(host.name, ()))]
        for tier, name in enumerate(names):
            parent = names[tier + 1] if tier + 1 < len(names) else None
            switches.setdefault(name, NetworkSwitch(name, tier + 1, parent))
        connected.append(replace(host, leaves=tuple(names[:1])))
    return Fabric(tuple(connected), tuple(switches.values()))


def hyper_nodes_tiers(
    objects: Sequence[Mapping[str, Any]], nodes: Sequence[LabelledNode]
) -> dict[str, tuple[str, ...]]:
    """Tier names per Node from Volcano HyperNodes: the chain of HyperNodes above it, nearest first.

    Members by exactMatch, regexMatch (a pattern that does not compile matches nothing) or labelMatch.
    """
    parents: dict[str, str] = {}
    of_node: dict[str, str] = {}
    ordered = sorted(objects, key=lambda item: int((item.get("spec") or {}).get("tier", 0)))
    names = [str((item.get("metadata") or {}).get("name", "")) for item in ordered]
    for item, name in zip(ordered, names, strict=True):
        for member in (item.get("spec") or {}).get("members") or ():
            selected = _selector(member.get("selector") or {})
            if member.get("type") == "HyperNode":
                parents.update({other: name for other in names if other != name and selected(other, {})})
            else:
                for node in nodes:
                    if selected(node.name, node.labels):
                        of_node.setdefault(node.name, name)
    return {node: tuple(_chain(nearest, parents)) for node, nearest in of_node.items()}


def kueue_tiers(topology: Mapping[str, Any], nodes: Sequence[LabelledNode]) -> dict[str, tuple[str, ...]]:
    """Tier names per Node from a Kueue Topology: its levels' labels, nearest first; the hostname level is the Node.

    A domain is named by the values of all levels above it, so equal values in different blocks stay apart.
    """
    levels = [str(level.get("nodeLabel")) for level in (topology.get("spec") or {}).get("levels") or ()]
    levels = [label for label in levels if label != "kubernetes.io/hostname"]
    found: dict[str, tuple[str, ...]] = {}
    for node in nodes:
        if all(label in node.labels for label in levels):
            values = [node.labels[label] for label in levels]
            found[node.name] = tuple("/".join(values[:depth]) for depth in range(len(values), 0, -1))
    return found


def _tier_names(labels: Mapping[str, str], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(labels[key] for key in keys if labels.get(key))


def _labelled_count(labels: Mapping[str, str]) -> int:
    for key in (COUNT, f"{AMD}.count", f"{ASCEND}.count"):
        text = labels.get(key, "")
        if text.isdigit():
            return int(text)
    return 1 if PRODUCT in labels else 0


def _selector(selector: Mapping[str, Any]) -> Callable[[str, Mapping[str, str]], bool]:
    exact = selector.get("exactMatch")
    pattern = selector.get("regexMatch")
    labels = selector.get("labelMatch")
    if exact:
        wanted = str(exact.get("name", ""))
        return lambda name, _labels: name == wanted
    if pattern:
        try:
            compiled = re.compile(str(pattern.get("pattern", ""))[:256])
        except re.error:
            return lambda _name, _labels: False
        return lambda name, _labels: compiled.search(name) is not None
    if labels:
        wanted_labels = dict(labels.get("matchLabels") or {})
        return lambda _name, own: bool(wanted_labels) and all(own.get(k) == v for k, v in wanted_labels.items())
    return lambda _name, _labels: False


def _chain(nearest: str, parents: Mapping[str, str]) -> list[str]:
    chain = [nearest]
    while chain[-1] in parents and parents[chain[-1]] not in chain:
        chain.append(parents[chain[-1]])
    return chain

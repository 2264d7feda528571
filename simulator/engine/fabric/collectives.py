"""Time of collectives: ring, tree and hierarchical all-reduce, and the one-way ones.

Sizes are bytes in the functions and GB in the derivations; times are seconds; bandwidth is busbw (GB/s per direction).
Sources: nccl-tests doc/PERFORMANCE.md (bus bandwidth), NCCL src/graph/tuning.cc (latencies).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Final

from simulator.engine.fabric.busbw import GBS
from simulator.engine.fabric.derivation import Derivation, Term, derived

LL: Final = "LL"
LL128: Final = "LL128"
SIMPLE: Final = "Simple"
PROTOCOLS: Final = (LL, LL128, SIMPLE)

RING: Final = "ring"
TREE: Final = "tree"

NVLINK_STEP: Final = "nvlink"
PCIE_STEP: Final = "pcie"
NETWORK_STEP: Final = "network"

_GB: Final = 1e9
_BASE: Final = {RING: {LL: 6.6, LL128: 14.0, SIMPLE: 8.4}, TREE: {LL: 6.8, LL128: 14.0, SIMPLE: 8.4}}
_STEP: Final = {
    RING: {
        NVLINK_STEP: {LL: 0.6, LL128: 1.9, SIMPLE: 3.4},
        PCIE_STEP: {LL: 1.0, LL128: 2.5, SIMPLE: 5.7},
        NETWORK_STEP: {LL: 2.7, LL128: 4.0, SIMPLE: 14.0},
    },
    TREE: {
        NVLINK_STEP: {LL: 0.6, LL128: 1.25, SIMPLE: 4.0},
        PCIE_STEP: {LL: 1.0, LL128: 1.9, SIMPLE: 4.0},
        NETWORK_STEP: {LL: 5.0, LL128: 8.5, SIMPLE: 14.0},
    },
}


@dataclass(frozen=True, slots=True)
class Group:
    """GPUs of a collective: how many, on how many nodes, which link their steps inside a node use."""

    gpus: int
    nodes: int = 1
    intra: str = NVLINK_STEP
    protocol: str = SIMPLE


def all_reduce(size: float, gpus: int, busbw: float) -> Derivation:
    """Transfer time of an all-reduce without latency: 2(n-1)/n of the buffer at busbw."""
    terms = Term("gpus", gpus), Term("size", size / _GB, "GB"), Term("busbw", busbw, GBS)
    return derived("time.all-reduce", 2 * (gpus - 1) / gpus * (size / _GB) / busbw, "s", *terms)


def one_way(size: float, gpus: int, busbw: float) -> Derivation:
    """Reduce-scatter, all-gather or all-to-all: (n-1)/n of the buffer."""
    terms = Term("gpus", gpus), Term("size", size / _GB, "GB"), Term("busbw", busbw, GBS)
    return derived("time.one-way", (gpus - 1) / gpus * (size / _GB) / busbw, "s", *terms)


def broadcast(size: float, busbw: float) -> Derivation:
    """Broadcast or reduce: the whole buffer once."""
    return derived("time.broadcast", size / _GB / busbw, "s", Term("size", size / _GB, "GB"), Term("busbw", busbw, GBS))


def bus_bandwidth(size: float, gpus: int, time: float) -> Derivation:
    """Bus bandwidth of an all-reduce that took `time` seconds."""
    terms = Term("size", size / _GB, "GB"), Term("time", time, "s"), Term("gpus", gpus)
    return derived("bandwidth.bus", size / _GB / time * 2 * (gpus - 1) / gpus, GBS, *terms)


def ring_time(size: float, group: Group, busbw: float) -> Derivation:
    """Ring all-reduce with latency: 2(n-1) steps, of which 2(nodes-1) cross the network."""
    latency = ring_latency(group)
    gigabytes = size / _GB
    result = latency.result / 1e6 + 2 * (group.gpus - 1) / group.gpus * gigabytes / busbw
    size_terms = Term("gpus", group.gpus), Term("size", gigabytes, "GB"), Term("busbw", busbw, GBS)
    return derived("time.ring", result, "s", *latency.terms, *size_terms)


def tree_time(size: float, group: Group, busbw: float) -> Derivation:
    """Tree all-reduce: up and down through the node chains and a binary tree of nodes; 0.92 of half the busbw."""
    latency = tree_latency(group)
    gigabytes = size / _GB
    result = latency.result / 1e6 + 2 * gigabytes / (0.92 * busbw)
    return derived("time.tree", result, "s", *latency.terms, Term("size", gigabytes, "GB"), Term("busbw", busbw, GBS))


def ring_latency(group: Group) -> Derivation:
    """Microseconds of a ring all-reduce of an empty buffer."""
    net_steps = 2 * (group.nodes - 1)
    intra_steps = 2 * (group.gpus - 1) - net_steps
    base, intra, net = _latencies(RING, group)
    terms = (
        Term("base", base, "us", "NCCL tuning.cc"),
        Term("intra_steps", intra_steps),
        Term("intra_latency", intra, "us", f"{group.intra}, {group.protocol}"),
        Term("net_steps", net_steps),
        Term("net_latency", net, "us", f"network, {group.protocol}"),
    )
    return derived("latency.ring", base + intra_steps * intra + net_steps * net, "us", *terms)


def tree_latency(group: Group) -> Derivation:
    """Microseconds of a tree all-reduce of an empty buffer."""
    base, intra, net = _latencies(TREE, group)
    result = base + 2 * ((group.gpus / group.nodes - 1) * intra + log2(group.nodes) * net)
    terms = (
        Term("base", base, "us", "NCCL tuning.cc"),
        Term("gpus", group.gpus),
        Term("nodes", group.nodes),
        Term("intra_latency", intra, "us", f"{group.intra}, {group.protocol}"),
        Term("net_latency", net, "us", f"network, {group.protocol}"),
    )
    return derived("latency.tree", result, "us", *terms)


@dataclass(frozen=True, slots=True)
class Hierarchical:
    """The two kinds of phases of a hierarchical all-reduce, and its time if they follow each other or overlap."""

    network: Derivation
    intra: Derivation
    sequential: Derivation
    overlapped: Derivation


def hierarchical_time(size: float, nodes: int, per_node: int, intra: float, card: float) -> Hierarchical:
    """Reduce-scatter inside, all-reduce of 1/g of the buffer over each GPU's own card, all-gather inside.

    `intra` is busbw inside a node, `card` the rate of one GPU's card, both GB/s per direction.
    """
    gigabytes = size / _GB
    sizes = Term("size", gigabytes, "GB"), Term("per_node", per_node)
    network = derived(
        "time.hierarchical-network",
        2 * (nodes - 1) / nodes * gigabytes / per_node / card,
        "s",
        Term("nodes", nodes),
        *sizes,
        Term("card", card, GBS),
    )
    inside = derived(
        "time.hierarchical-intra",
        2 * (per_node - 1) / per_node * gigabytes / intra,
        "s",
        *sizes,
        Term("intra", intra, GBS),
    )
    phases = Term("network", network.result, "s"), Term("intra", inside.result, "s")
    parts = {"network": network, "intra": inside}
    return Hierarchical(
        network,
        inside,
        derived("time.hierarchical", network.result + inside.result, "s", *phases, parts=parts),
        derived("time.hierarchical-overlapped", max(network.result, inside.result), "s", *phases, parts=parts),
    )


def naive_time(size: float, card: float) -> Derivation:
    """The whole buffer through one card."""
    terms = Term("size", size / _GB, "GB"), Term("card", card, GBS)
    return derived("time.naive", size / _GB / card, "s", *terms)


def wire_rate(busbw: float, nodes: int, gpus: int) -> Derivation:
    """What each GPU's card carries while a group of `gpus` on `nodes` runs at busbw."""
    terms = Term("busbw", busbw, GBS), Term("nodes", nodes), Term("gpus", gpus)
    return derived("bandwidth.wire", busbw * (nodes - 1) / (gpus - 1), GBS, *terms)


def _latencies(algorithm: str, group: Group) -> tuple[float, float, float]:
    steps = _STEP[algorithm]
    return (
        _BASE[algorithm][group.protocol],
        steps[group.intra][group.protocol],
        steps[NETWORK_STEP][group.protocol],
    )

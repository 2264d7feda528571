"""What a placement costs: collective times by algorithm, and a training step with its MFU."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.engine.fabric.collectives import (
    NVLINK_STEP,
    PCIE_STEP,
    SIMPLE,
    Group,
    hierarchical_time,
    ring_time,
    tree_time,
)
from simulator.engine.fabric.derivation import Derivation
from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.placement import SAME_DOMAIN, GroupBandwidth, group_bandwidth
from simulator.engine.fabric.training import (
    BYTES_PER_VALUE,
    Step,
    TransformerModel,
    compute_time,
    flops_per_token,
    training_step,
)

Placement = Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class PlacementStep:
    """A data-parallel training step on a placement; `all_reduce` is None for a single GPU."""

    bandwidth: GroupBandwidth
    compute: Derivation
    all_reduce: Derivation | None
    step: Step


def collective_times(
    fabric: Fabric, placement: Placement, size: float, protocol: str = SIMPLE
) -> dict[str, Derivation]:
    """Seconds of an all-reduce of `size` bytes by algorithm: ring, tree, and hierarchical over several equal hosts.

    {} for a single GPU; no entry for ring and tree where nothing can flow.
    """
    bandwidth = group_bandwidth(fabric, placement)
    if bandwidth.busbw is None or bandwidth.busbw.result <= 0:
        return {}
    group = collective_group(fabric, placement, bandwidth, protocol)
    times = {
        "ring": ring_time(size, group, bandwidth.busbw.result),
        "tree": tree_time(size, group, bandwidth.busbw.result),
    }
    per_node = {len(gpus) for gpus in placement.values() if gpus}
    intra, cards = bandwidth.busbw.part("intra"), bandwidth.busbw.part("cards")
    if group.nodes > 1 and len(per_node) == 1 and intra is not None and cards is not None:
        each = group.gpus // group.nodes
        card = cards.result / bandwidth.busbw.value_of("oversubscription") / each
        times["hierarchical"] = hierarchical_time(size, group.nodes, each, intra.result, card).sequential
    return times


def collective_group(fabric: Fabric, placement: Placement, bandwidth: GroupBandwidth, protocol: str = SIMPLE) -> Group:
    """Sizes and step links of a placement. Inside a rack-wide NVLink domain no step crosses the network."""
    hosts = [name for name, gpus in placement.items() if gpus]
    shapes = [fabric.host(name).shape for name in hosts]
    linked = all(shape.link_counts or len(placement[name]) == 1 for shape, name in zip(shapes, hosts, strict=True))
    nodes = 1 if bandwidth.scope == SAME_DOMAIN else len(hosts)
    return Group(bandwidth.gpus, nodes, NVLINK_STEP if linked else PCIE_STEP, protocol)


def placement_step(
    fabric: Fabric,
    placement: Placement,
    model: TransformerModel,
    tokens: float,
    *,
    compute_mfu: float = 0.465,
    overlap: float = 0.0,
) -> PlacementStep:
    """A data-parallel step of `tokens` per GPU on a placement, computing alone at `compute_mfu` of the slowest GPU.

    Gradients (2 bytes per parameter) are all-reduced in a ring. Raises ValueError without a GPU or where hosts have
    no network.
    """
    bandwidth = group_bandwidth(fabric, placement)
    peak = min(fabric.host(name).shape.model(gpu).peak_flops for name, gpus in placement.items() for gpu in gpus)
    compute = compute_time(flops_per_token(model), tokens, compute_mfu * peak)
    all_reduce = None
    if bandwidth.busbw is not None:
        times = collective_times(fabric, placement, model.parameters * BYTES_PER_VALUE)
        if not times:
            raise ValueError("the hosts of this placement are not connected")
        all_reduce = times["ring"]
    data = all_reduce.result if all_reduce else 0.0
    return PlacementStep(
        bandwidth, compute, all_reduce, training_step(compute.result, compute_mfu, data, overlap=overlap)
    )

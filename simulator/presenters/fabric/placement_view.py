"""A placement of a group of GPUs: how fast it is, what a training step takes, how else it could be placed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.derivation import Derivation
from simulator.engine.fabric.estimate import collective_times, placement_step
from simulator.engine.fabric.fabric import Fabric, Host, unit_of
from simulator.engine.fabric.placement import (
    NETWORK,
    SAME_DOMAIN,
    SAME_GPU,
    SAME_HOST,
    GroupBandwidth,
    group_bandwidth,
)
from simulator.engine.fabric.placing import BY_BANDWIDTH, BY_CHAPTER, SCATTERED, place_group
from simulator.engine.fabric.training import BYTES_PER_VALUE, MODELS, TransformerModel
from simulator.presenters.fabric.derivations import DerivationView, derivation_view
from simulator.presenters.fabric.looks import number
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say

Placement = Mapping[str, tuple[int, ...]]

ORDERS: Final = (BY_BANDWIDTH, BY_CHAPTER, SCATTERED)
MINE: Final = "mine"
MOST_NAMED: Final = 3
ALONE: Final = 0.465
"""MFU of computing alone: what llm-foundry reaches on 8 H100."""

_SCOPES: Final = {
    SAME_GPU: Both("只有一张卡，不用通信", "a single GPU: nothing is sent"),
    SAME_HOST: Both("在一台机器里", "within one machine"),
    SAME_DOMAIN: Both("在一个 NVLink 域里，{hosts} 台机器", "within one NVLink domain, {hosts} machines"),
    NETWORK: Both("{hosts} 台机器，走网卡", "{hosts} machines, over network cards"),
}
_LEAF: Final = Both("同一个 leaf 下", "below one leaf")
_TIER: Final = Both("在第 {tier} 层交换机相遇，收敛比 {ratio}:1", "meeting at tier {tier}, oversubscribed {ratio}:1")
_RAIL: Final = Both("轨道对齐：同号网卡在同一个 leaf", "rail-aligned: equal cards meet at one leaf")
_UNKNOWN: Final = Both("交换机未知，按不收敛算", "switches unknown, taken as non-blocking")
_NAMES: Final = {
    MINE: Both("我的放法", "my placement"),
    BY_BANDWIDTH: Both("按带宽", "by bandwidth"),
    BY_CHAPTER: Both("按课程的次序", "by the chapter's order"),
    SCATTERED: Both("哪里空放哪里", "wherever most is free"),
}
_DISAGREE: Final = Both(
    "两种次序不一致：“{fast}”更快（{wide} 对 {narrow} GB/s），按“同节点 > 同域 > 同 NUMA”却该选“{near}”。",
    "The orders disagree: “{fast}” is faster ({wide} against {narrow} GB/s), but “same node > same domain > same NUMA” "
    "ranks “{near}” first.",
)
_MANY: Final = Both("{hosts} 台机器，每台 {each} 张", "{hosts} machines, {each} GPU each")
_TIMES: Final = {
    "ring": Both("环", "ring"),
    "tree": Both("树", "tree"),
    "hierarchical": Both("分层", "hierarchical"),
}


@dataclass(frozen=True, slots=True)
class Training:
    """What is trained: a model, tokens per GPU and step, the share of the backward pass that hides communication."""

    model: TransformerModel = MODELS["mpt-7b"]
    tokens: int = 12_288
    overlap: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One way to place the group. Figures are texts, "" where there is none; `near` are the chapter's three counts."""

    key: str
    name: str
    gpus: str
    query: str
    bandwidth: float
    bandwidth_text: str
    step: str
    mfu: str
    near: tuple[int, int, int]
    best: bool


@dataclass(frozen=True)
class PlacementView:
    """`figures` are the derivations behind bandwidth, times and MFU, in the order in which they build on each other."""

    count: int
    hosts: int
    scope: str
    network: str
    bandwidth: str
    both_ways: str
    step: str
    mfu: str
    figures: tuple[DerivationView, ...]
    algorithms: tuple[tuple[str, DerivationView], ...]
    problem: bool


def placement_view(fabric: Fabric, placement: Placement, training: Training) -> PlacementView | None:
    """A placement's figures; None without a GPU."""
    count = sum(len(gpus) for gpus in placement.values())
    if not count:
        return None
    bandwidth = group_bandwidth(fabric, placement)
    figures, step, mfu, problem = _figures(fabric, placement, training, bandwidth)
    size = training.model.parameters * BYTES_PER_VALUE
    times = collective_times(fabric, placement, size)
    width = bandwidth.busbw.result if bandwidth.busbw else 0.0
    return PlacementView(
        count,
        bandwidth.hosts,
        say(_SCOPES[bandwidth.scope], {"hosts": bandwidth.hosts}).text,
        _network(fabric, placement, bandwidth),
        number(width) if width else "",
        number(2 * width) if width else "",
        step,
        mfu,
        figures,
        tuple((say(_TIMES[name], {}).text, derivation_view(time)) for name, time in times.items()),
        problem,
    )


def _figures(
    fabric: Fabric, placement: Placement, training: Training, bandwidth: GroupBandwidth
) -> tuple[tuple[DerivationView, ...], str, str, bool]:
    """(derivations, step time, MFU, whether the machines are not connected at all)."""
    try:
        step = placement_step(
            fabric, placement, training.model, training.tokens, compute_mfu=ALONE, overlap=training.overlap
        )
    except ValueError:
        found = (bandwidth.busbw,) if bandwidth.busbw else ()
        return tuple(map(derivation_view, found)), "", "", True
    chain: list[Derivation | None] = [
        bandwidth.busbw, step.all_reduce, step.compute, step.step.exposed, step.step.time, step.step.mfu,
    ]  # fmt: skip
    views = tuple(derivation_view(_flat(item)) for item in chain if item is not None)
    return views, views[-2].result, views[-1].result, False


def _flat(derivation: Derivation) -> Derivation:
    """Without parts that stand in the list by themselves."""
    own = tuple((name, part) for name, part in derivation.parts if name not in ("exposed", "step"))
    return Derivation(derivation.formula, derivation.result, derivation.unit, derivation.terms, own)


def _network(fabric: Fabric, placement: Placement, bandwidth: GroupBandwidth) -> str:
    if bandwidth.scope != NETWORK:
        return ""
    hosts = [fabric.host(name) for name, gpus in placement.items() if gpus]
    if bandwidth.tier is None:
        return say(_UNKNOWN, {}).text
    rails = all(len(host.leaves) > 1 for host in hosts)
    if bandwidth.tier == 1:
        return say(_RAIL if rails else _LEAF, {}).text
    ratio = bandwidth.busbw.value_of("oversubscription") if bandwidth.busbw else 1.0
    return say(_TIER, {"tier": bandwidth.tier, "ratio": number(ratio)}).text


# alternatives


def alternatives(
    fabric: Fabric, free: Mapping[str, tuple[int, ...]], mine: Placement, count: int, training: Training
) -> tuple[Row, ...]:
    """The own placement beside what the three orders would do with the free GPUs; the fastest is marked."""
    ways: dict[str, Placement] = {MINE: mine} if any(mine.values()) else {}
    for order in ORDERS:
        placed = place_group(fabric, free, count, order)
        if placed is not None:
            ways[order] = placed
    rows = [_row(fabric, key, placement, training) for key, placement in ways.items()]
    best = max((row.bandwidth for row in rows), default=0.0)
    return tuple(
        Row(row.key, row.name, row.gpus, row.query, row.bandwidth, row.bandwidth_text, row.step, row.mfu, row.near,
            row.bandwidth == best)
        for row in rows
    )  # fmt: skip


def _row(fabric: Fabric, key: str, placement: Placement, training: Training) -> Row:
    bandwidth = group_bandwidth(fabric, placement)
    _, step, mfu, _ = _figures(fabric, placement, training, bandwidth)
    width = bandwidth.busbw.result if bandwidth.busbw else 0.0
    name = say(_NAMES[key], {}).text
    near = _near(fabric, placement)
    return Row(
        key, name, gpus_text(placement), query_text(placement), width, number(width) if width else "", step, mfu, near,
        best=False,
    )  # fmt: skip


def _near(fabric: Fabric, placement: Placement) -> tuple[int, int, int]:
    """Most GPUs on one node, in one NVSwitch domain, on one NUMA node: larger is nearer in the chapter's order."""
    per_unit: dict[str, int] = {}
    numa: dict[tuple[str, int], int] = {}
    for name, gpus in placement.items():
        host = fabric.host(name)
        per_unit[unit_of(host)] = per_unit.get(unit_of(host), 0) + len(gpus)
        for gpu in gpus:
            place = (name, _numa(host, gpu))
            numa[place] = numa.get(place, 0) + 1
    most = max((len(gpus) for gpus in placement.values()), default=0)
    return most, max(per_unit.values(), default=0), max(numa.values(), default=0)


def _numa(host: Host, gpu: int) -> int:
    return host.shape.numa_of(f"GPU{gpu}")


def disagreement(rows: tuple[Row, ...]) -> str:
    """A sentence where the two orders rank two of the ways differently, "" where they agree on all."""
    for fast in sorted(rows, key=lambda row: -row.bandwidth):
        for near in rows:
            if fast.bandwidth > near.bandwidth and fast.near < near.near:
                params = {"fast": fast.name, "near": near.name, "wide": fast.bandwidth_text}
                return say(_DISAGREE, {**params, "narrow": near.bandwidth_text}).text
    return ""


# texts and addresses


def gpus_text(placement: Placement) -> str:
    """`h100-1: 0–7; h100-2: 0, 3`; of many machines their number and how many GPUs each gives."""
    counts = [len(gpus) for gpus in placement.values() if gpus]
    if len(counts) > MOST_NAMED:
        each = str(min(counts)) if min(counts) == max(counts) else f"{min(counts)}–{max(counts)}"
        return say(_MANY, {"hosts": len(counts), "each": each}).text
    return "; ".join(f"{name}: {_ranges(gpus)}" for name, gpus in placement.items() if gpus)


def _ranges(gpus: tuple[int, ...]) -> str:
    parts: list[str] = []
    for gpu in gpus:
        first, _, last = parts[-1].partition("–") if parts else ("", "", "")
        if parts and int(last or first) == gpu - 1:
            parts[-1] = f"{first}–{gpu}"
        else:
            parts.append(str(gpu))
    return ", ".join(parts)


def query_text(placement: Placement) -> str:
    """GPUs as an address names them: `h100-1:0,h100-1:1`."""
    return ",".join(f"{name}:{gpu}" for name, gpus in placement.items() for gpu in gpus)


def read_placement(text: str, fabric: Fabric) -> dict[str, tuple[int, ...]]:
    """GPUs from an address; those that do not exist are left out."""
    found: dict[str, dict[int, None]] = {}
    for item in text.split(","):
        name, _, gpu = item.rpartition(":")
        host = fabric.host_by_name.get(name)
        if host is not None and gpu.isdecimal() and len(gpu) < 4 and int(gpu) < len(host.shape.gpus):
            found.setdefault(name, {})[int(gpu)] = None
    order = [host.name for host in fabric.hosts if host.name in found]
    return {name: tuple(sorted(found[name])) for name in order}

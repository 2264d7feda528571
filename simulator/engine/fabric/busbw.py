"""How fast a group of GPUs can all-reduce: bus bandwidth inside a machine, of its cards, over several machines.

Rule for several machines: min(bandwidth inside, share of the cards' rate that one machine uses), see spec of this
course; share is 0.95 with RDMA and 0.6 over TCP and EFA v1. "busbw" is nccl-tests' measure: GB/s per direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simulator.engine.fabric.allocation import ring_of
from simulator.engine.fabric.cells import crosses_sockets
from simulator.engine.fabric.derivation import Derivation, Term, derived
from simulator.engine.fabric.distance import nearest_nics
from simulator.engine.fabric.links import RDMA_SHARE, link_kind, network_share
from simulator.engine.fabric.shape import HostShape, Nic

GBS: Final = "GB/s per direction"
NVLS_GAIN: Final = 1.3


def intra_bandwidth(shape: HostShape, gpus: Sequence[int]) -> Derivation | None:
    """Bus bandwidth of GPUs of one machine; None for a single GPU, which sends nothing.

    On one NVSwitch, in a full mesh, or when all their links end among them: all links of the GPU with fewest.
    Otherwise the narrowest link of the widest ring.
    """
    if len(gpus) < 2:
        return None
    links = _usable_links(shape, gpus)
    if links is not None:
        count, kind_name = links
        kind = link_kind(kind_name)
        effective = kind.effective.per_direction
        terms = Term("links", count, "", kind.id), Term("effective", effective, GBS, kind.source)
        return derived("bandwidth.all-links", count * effective, GBS, *terms)
    narrowest = ring_of(shape, gpus)
    if narrowest is None:
        narrowest = _narrowest_pair(shape, gpus)
    return derived("bandwidth.ring", narrowest, GBS, Term("narrowest", narrowest, GBS, "narrowest link of the ring"))


def nvls_bandwidth(busbw: Derivation) -> Derivation:
    """The same with NVLink SHARP (reduction inside the switch), for NVSwitch machines since Hopper."""
    return derived(
        "bandwidth.nvls",
        NVLS_GAIN * busbw.result,
        GBS,
        Term("busbw", busbw.result, GBS, busbw.formula),
        parts={"busbw": busbw},
    )


def used_cards(shape: HostShape, gpus: Sequence[int]) -> tuple[tuple[Nic, str], ...]:
    """The cards nearest to these GPUs, in card order, each with its nearest cell among them."""
    found: dict[int, tuple[Nic, str]] = {}
    for gpu in gpus:
        cell, cards = nearest_nics(shape, gpu)
        for card in cards:
            old = found.get(card.index)
            if old is None or (crosses_sockets(old[1]) and not crosses_sockets(cell)):
                found[card.index] = (card, cell)
    return tuple(found[index] for index in sorted(found))


def card_bandwidth(shape: HostShape, gpus: Sequence[int]) -> Derivation:
    """What these GPUs of a machine can send to other machines: the share of their nearest cards' rate.

    A card on the other socket is limited by the CPU link; all together by the GPUs' PCIe slots. 0 without cards.
    """
    total, shares = 0.0, [RDMA_SHARE]
    names: list[str] = []
    for card, cell in used_cards(shape, gpus):
        kind = link_kind(card.link)
        rate = kind.nominal.per_direction
        if crosses_sockets(cell):
            rate = min(rate, link_kind(shape.cpu_link).effective.per_direction)
        total += rate
        shares.append(network_share(kind))
        names.append(f"{card.label} {kind.id}")
    share = min(shares)
    slot = link_kind(shape.pcie).effective.per_direction
    return derived(
        "bandwidth.host-cards",
        min(share * total, len(gpus) * slot),
        GBS,
        Term("share", share, "", "0.95 with RDMA, 0.6 over TCP and EFA v1"),
        Term("cards", total, GBS, ", ".join(names)),
        Term("gpus", len(gpus)),
        Term("slot", slot, GBS, shape.pcie),
    )


def published_rule(intra: float, cards: float, share: float = RDMA_SHARE) -> Derivation:
    """The rule with bare figures, as it is compared with published measurements."""
    result = min(intra, share * cards)
    terms = Term("intra", intra, GBS), Term("share", share), Term("cards", cards, GBS)
    return derived("bandwidth.published-rule", result, GBS, *terms)


def message_bandwidth(plateau: float, size: float, half: float) -> Derivation:
    """Bus bandwidth of a message of `size` GB, where one of `half` GB reaches half of the plateau."""
    result = plateau * size / (size + half)
    return derived(
        "bandwidth.message",
        result,
        GBS,
        Term("plateau", plateau, GBS),
        Term("size", size, "GB"),
        Term("half", half, "GB", "about 48 MiB on one node, 128 MiB on four"),
    )


def bandwidth_ratio(fast: float, slow: float, fast_source: str, slow_source: str) -> Derivation:
    """How many times one figure is the other."""
    terms = Term("fast", fast, "GB/s", fast_source), Term("slow", slow, "GB/s", slow_source)
    return derived("bandwidth.ratio", fast / slow, "times", *terms)


def ninety_times(*, both_directions: bool) -> Derivation:
    """The chapter's "90 times": NVLink 4 of an H100 against a 100 GbE port that delivers 10 GB/s.

    900 GB/s adds both directions, Ethernet's figure is one direction; with one direction on both sides it is 45.
    """
    nvlink = link_kind("nvlink-4").nominal.times(18)
    fast = nvlink.both_directions if both_directions else nvlink.per_direction
    convention = "both directions added" if both_directions else "per direction"
    return bandwidth_ratio(fast, 10.0, f"18 NVLink 4, {convention}", "100 GbE port at 80 %, per direction")


def _usable_links(shape: HostShape, gpus: Sequence[int]) -> tuple[int, str] | None:
    """Links per GPU that the group can use all at once, and their kind; None if only a ring can be built."""
    kinds = {shape.link_counts[pair][1] for pair in _pairs(gpus) if pair in shape.link_counts}
    if len(kinds) != 1:
        return None
    kind = next(iter(kinds))
    groups = {shape.switch_group_of.get(gpu) for gpu in gpus}
    if len(groups) == 1 and None not in groups:
        group = shape.switched[next(iter(groups)) or 0]
        return min(group.links[group.gpus.index(gpu)] for gpu in gpus), kind
    inside = [sum(shape.links_between(gpu, other) for other in gpus if other != gpu) for gpu in gpus]
    is_mesh = all(pair in shape.link_counts for pair in _pairs(gpus))
    everywhere = [
        sum(shape.links_between(gpu, other.index) for other in shape.gpus if other.index != gpu) for gpu in gpus
    ]
    is_closed = inside == everywhere and min(inside) > 0 and _is_connected(shape, gpus)
    return (min(inside), kind) if is_mesh or is_closed else None


def _pairs(gpus: Sequence[int]) -> list[tuple[int, int]]:
    return [(min(first, second), max(first, second)) for i, first in enumerate(gpus) for second in gpus[i + 1 :]]


def _is_connected(shape: HostShape, gpus: Sequence[int]) -> bool:
    reached = [gpus[0]]
    for gpu in reached:
        reached += [other for other in gpus if other not in reached and shape.links_between(gpu, other)]
    return len(reached) == len(gpus)


def _narrowest_pair(shape: HostShape, gpus: Sequence[int]) -> float:
    from_first = [ring_of(shape, (gpus[0], other)) or 0.0 for other in gpus[1:]]
    return min(from_first)

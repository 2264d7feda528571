"""Figures of single hosts for the topology-aware score: which GPUs a Pod gets there and what they can carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simulator.engine.fabric.allocation import choose_gpus
from simulator.engine.fabric.busbw import card_bandwidth, intra_bandwidth
from simulator.engine.fabric.links import link_kind
from simulator.engine.fabric.shape import HostShape

UNLIMITED: Final = float("inf")
"""Bandwidth of a group that sends nothing (one GPU)."""


@dataclass(frozen=True, slots=True)
class HostFigures:
    """A Pod on a host, with the group's GPUs that are there already; GB/s per direction.

    `gpus` what the Pod gets (None = does not fit); `intra` and `cards` of these GPUs together, `switch` of their links
    into an NVSwitch; `all_cards` and `group_intra` when as much of the group as fits comes here too; `near_numa` the
    group's GPUs on the Pod's NUMA nodes.
    """

    gpus: tuple[int, ...] | None
    intra: float = UNLIMITED
    switch: float = 0.0
    cards: float = 0.0
    all_cards: float = 0.0
    group_intra: float = UNLIMITED
    near_numa: int = 0


def host_figures(
    shape: HostShape, free: Sequence[int], held: Sequence[int], size: int, *, group: int, policy: str
) -> HostFigures:
    """Figures of a host for a Pod of `size` GPUs of a group of `group`, `held` of which are there."""
    choice = choose_gpus(shape, free, size, policy)
    if choice is None:
        return HostFigures(None)
    together = tuple(sorted((*held, *choice.gpus)))
    rest = [gpu for gpu in free if gpu not in choice.gpus]
    more = choose_gpus(shape, rest, min(len(rest), group - len(together)), policy)
    everything = tuple(sorted((*together, *(more.gpus if more else ()))))
    own_numa = [shape.numa_of(shape.gpus[gpu].name) for gpu in choice.gpus]
    return HostFigures(
        gpus=choice.gpus,
        intra=_intra(shape, together),
        switch=_switch(shape, together),
        cards=card_bandwidth(shape, together).result,
        all_cards=card_bandwidth(shape, everything).result,
        group_intra=_intra(shape, everything),
        near_numa=sum(shape.numa_of(shape.gpus[gpu].name) in own_numa for gpu in held),
    )


def placed_figures(shape: HostShape, held: Sequence[int]) -> HostFigures:
    """Figures of a host on which a part of the group is already."""
    return HostFigures(
        gpus=tuple(held),
        intra=_intra(shape, held),
        switch=_switch(shape, held),
        cards=card_bandwidth(shape, held).result,
    )


def _intra(shape: HostShape, gpus: Sequence[int]) -> float:
    figure = intra_bandwidth(shape, gpus)
    return UNLIMITED if figure is None else figure.result


def _switch(shape: HostShape, gpus: Sequence[int]) -> float:
    """All links of the GPU with fewest links into the machine's NVSwitch; 0 without one."""
    figures = [
        group.links[group.gpus.index(gpu)] * link_kind(group.link).effective.per_direction
        for group in shape.switched
        for gpu in gpus
        if gpu in group.gpus
    ]
    return min(figures, default=0.0)

"""Faults and changes of a machine: links that went down, cards unplugged, GPUs lost. Each gives a new shape."""

from __future__ import annotations

from dataclasses import replace

from simulator.engine.fabric.fabric import Host
from simulator.engine.fabric.shape import HostShape

_CHANGED = "~"


def with_nvlinks(shape: HostShape, gpu: int, links: int) -> HostShape:
    """A GPU with this many links into its NVSwitch (17 of 18 = one is down, 0 = it fell off the fabric)."""
    switched = tuple(
        replace(
            group,
            links=tuple(links if member == gpu else old for member, old in zip(group.gpus, group.links, strict=True)),
        )
        for group in shape.switched
    )
    return replace(shape, name=_renamed(shape, f"gpu{gpu}-nv{links}"), switched=switched)


def with_pair_links(shape: HostShape, first: int, second: int, links: int) -> HostShape:
    """A directly linked pair with this many links (0 removes the bridge)."""
    wanted = sorted((first, second))
    pairs = tuple(
        replace(pair, links=links) if sorted((pair.first, pair.second)) == wanted else pair for pair in shape.pairs
    )
    return replace(shape, name=_renamed(shape, f"pair{first}-{second}-nv{links}"), pairs=pairs)


def without_nic(shape: HostShape, nic: int) -> HostShape:
    """Without the card of this index (the others keep theirs)."""
    nics = tuple(card for card in shape.nics if card.index != nic)
    return replace(shape, name=_renamed(shape, f"no-nic{nic}"), nics=nics)


def with_nic_link(shape: HostShape, nic: int, link: str) -> HostShape:
    """With another link kind on one card, such as a port that came up slower."""
    nics = tuple(replace(card, link=link) if card.index == nic else card for card in shape.nics)
    return replace(shape, name=_renamed(shape, f"nic{nic}-{link}"), nics=nics)


def with_failed_gpus(host: Host, *gpus: int) -> Host:
    """With these GPUs unhealthy (and no others)."""
    return replace(host, failed=tuple(sorted(gpus)))


def _renamed(shape: HostShape, change: str) -> str:
    separator = "," if _CHANGED in shape.name else _CHANGED
    return f"{shape.name}{separator}{change}"

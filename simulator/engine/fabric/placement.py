"""The bandwidth of a group of GPUs spread over a fabric, with the limit that decides it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.engine.fabric.busbw import GBS, card_bandwidth, intra_bandwidth
from simulator.engine.fabric.derivation import Derivation, Term, derived
from simulator.engine.fabric.fabric import Fabric, Host, unit_of
from simulator.engine.fabric.links import link_kind

SAME_GPU = "single-gpu"
SAME_HOST = "same-host"
SAME_DOMAIN = "same-nvlink-domain"
NETWORK = "network"


@dataclass(frozen=True)
class GroupBandwidth:
    """Bus bandwidth of a placement; `busbw` is None for a single GPU.

    `scope` is one of the constants above; `tier` the lowest network tier that joins all hosts (1 = leaf, None =
    unknown network or none needed); `narrowest` the host whose figure decides.
    """

    busbw: Derivation | None
    scope: str
    tier: int | None
    hosts: int
    gpus: int
    narrowest: str | None


def group_bandwidth(fabric: Fabric, placement: Mapping[str, Sequence[int]]) -> GroupBandwidth:
    """The bandwidth of GPUs by host name. Raises KeyError for an unknown host, ValueError for no GPU at all."""
    used = {name: tuple(gpus) for name, gpus in placement.items() if gpus}
    hosts = [fabric.host(name) for name in used]
    count = sum(len(gpus) for gpus in used.values())
    if not count:
        raise ValueError("a placement needs a GPU")
    if len(hosts) == 1:
        intra = intra_bandwidth(hosts[0].shape, used[hosts[0].name])
        return GroupBandwidth(intra, SAME_HOST if intra else SAME_GPU, None, 1, count, hosts[0].name)
    units = dict.fromkeys(unit_of(host) for host in hosts)
    if len(units) == 1:
        domain = domain_bandwidth(hosts, used)
        return GroupBandwidth(domain, SAME_DOMAIN, None, len(hosts), count, None)
    return _over_network(fabric, hosts, used, count)


def domain_bandwidth(hosts: Sequence[Host], used: Mapping[str, Sequence[int]]) -> Derivation:
    """Inside a rack-wide NVLink domain: all links of the GPU with fewest."""
    fewest, kind_name = min(
        (group.links[group.gpus.index(gpu)], group.link)
        for host in hosts
        for group in host.shape.switched
        for gpu in used[host.name]
        if gpu in group.gpus
    )
    kind = link_kind(kind_name)
    effective = kind.effective.per_direction
    terms = Term("links", fewest, "", kind.id), Term("effective", effective, GBS, kind.source)
    return derived("bandwidth.all-links", fewest * effective, GBS, *terms)


def _over_network(
    fabric: Fabric, hosts: Sequence[Host], used: Mapping[str, Sequence[int]], count: int
) -> GroupBandwidth:
    by_unit: dict[str, list[Host]] = {}
    for host in hosts:
        by_unit.setdefault(unit_of(host), []).append(host)
    inside = [figure for members in by_unit.values() if (figure := _unit_bandwidth(members, used)) is not None]
    intra = min(inside, key=lambda figure: figure.result, default=None)
    cards = {name: _unit_cards(members, used) for name, members in by_unit.items()}
    slowest = min(cards, key=lambda name: cards[name].result)
    tier, ratio = network_tier(fabric, hosts)
    inside_result = intra.result if intra else float("inf")
    result = min(inside_result, cards[slowest].result / ratio)
    terms = [Term("cards", cards[slowest].result, GBS, by_unit[slowest][0].name), Term("oversubscription", ratio)]
    parts = {"cards": cards[slowest]}
    if intra:
        terms.insert(0, Term("intra", intra.result, GBS, intra.formula))
        parts["intra"] = intra
    else:
        terms.insert(0, Term("intra", cards[slowest].result, GBS, "one GPU per host: nothing is sent inside"))
    busbw = derived("bandwidth.multi-node", result, GBS, *terms, parts=parts)
    return GroupBandwidth(busbw, NETWORK, tier, len(hosts), count, by_unit[slowest][0].name)


def _unit_bandwidth(hosts: Sequence[Host], used: Mapping[str, Sequence[int]]) -> Derivation | None:
    if len(hosts) == 1:
        return intra_bandwidth(hosts[0].shape, used[hosts[0].name])
    return domain_bandwidth(hosts, used)


def _unit_cards(hosts: Sequence[Host], used: Mapping[str, Sequence[int]]) -> Derivation:
    """The cards of all hosts of an NVLink unit together."""
    figures = [card_bandwidth(host.shape, used[host.name]) for host in hosts]
    if len(figures) == 1:
        return figures[0]
    share = min(figure.value_of("share") for figure in figures)
    total = sum(figure.value_of("cards") for figure in figures)
    gpus = sum(figure.value_of("gpus") for figure in figures)
    slot = min(figure.value_of("slot") for figure in figures)
    terms = Term("share", share), Term("cards", total, GBS), Term("gpus", gpus), Term("slot", slot, GBS)
    return derived("bandwidth.host-cards", min(share * total, gpus * slot), GBS, *terms)


def network_tier(fabric: Fabric, hosts: Sequence[Host]) -> tuple[int | None, float]:
    """The lowest tier at which all hosts meet on every rail, and the oversubscription on the way there.

    (None, 1.0) when a host's switches are unknown or the hosts never meet: nothing is held against an unknown network.
    """
    paths = [network_path(fabric, host) for host in hosts]
    for level in range(min(map(len, paths), default=0)):
        if all(path[level][0] == paths[0][level][0] for path in paths):
            return level + 1, max(path[level][1] for path in paths)
    return None, 1.0


def network_path(fabric: Fabric, host: Host) -> tuple[tuple[tuple[str, ...], float], ...]:
    """Per tier: the switches of all rails, and the oversubscription from the host up to that tier."""
    chains = [fabric.switch_chain(leaf) for leaf in host.leaves]
    path: list[tuple[tuple[str, ...], float]] = []
    ratio = 1.0
    for level in range(min(map(len, chains), default=0)):
        path.append((tuple(dict.fromkeys(chain[level].name for chain in chains)), ratio))
        ratio *= max(chain[level].oversubscription for chain in chains)
    return tuple(path)

"""The weighted graph of a fabric: vertices, links with kind, bandwidth and latency, and the best way between two.

Ids: `<host>/gpu0`, `<host>/nic0`, `<host>/switch1`, `<host>/numa0`, `<host>/socket0`, `<host>/nvswitch0`,
`domain:<name>` for a rack-wide NVSwitch, `net:<switch>`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from simulator.engine.fabric.bandwidth import Bandwidth
from simulator.engine.fabric.fabric import Fabric, Host
from simulator.engine.fabric.links import (
    ALL_FAMILIES,
    DEVICE_FAMILIES,
    HOST_BRIDGE_EFFECTIVE,
    LinkKind,
    link_kind,
    network_share,
)
from simulator.engine.fabric.shape import HostShape

GPU, NIC, PCIE_SWITCH, HOST_BRIDGE = "gpu", "nic", "pcie-switch", "host-bridge"
NUMA, SOCKET, NVSWITCH, NVLINK_DOMAIN, NETWORK_SWITCH = "numa", "socket", "nvswitch", "nvlink-domain", "switch"


@dataclass(frozen=True, slots=True)
class Vertex:
    """Something in the graph; `host` is None for what stands between hosts. `tier` is that of a network switch."""

    id: str
    kind: str
    label: str
    host: str | None = None
    tier: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """An undirected link. `bandwidth` is nominal, `effective` achievable, both of all its `count` single links."""

    first: str
    second: str
    kind: str
    count: int
    bandwidth: Bandwidth
    effective: Bandwidth
    latency: float
    source: str

    def other(self, vertex: str) -> str:
        return self.second if vertex == self.first else self.first


@dataclass(frozen=True, slots=True)
class Path:
    """A way from one vertex to another with its narrowest link; `latency` is the sum in microseconds."""

    vertices: tuple[str, ...]
    links: tuple[Link, ...]

    @property
    def bottleneck(self) -> Link | None:
        """The link that limits, the first one of equals; None for a path without links."""
        return min(self.links, key=lambda link: link.effective.per_direction, default=None)

    @property
    def latency(self) -> float:
        return sum(link.latency for link in self.links)


@dataclass(frozen=True)
class Graph:
    """Vertices and links in a stable order."""

    vertices: tuple[Vertex, ...]
    links: tuple[Link, ...]
    vertex_by_id: dict[str, Vertex] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertex_by_id", {vertex.id: vertex for vertex in self.vertices})

    @cached_property
    def links_of(self) -> dict[str, list[Link]]:
        """Links by vertex."""
        found: dict[str, list[Link]] = {vertex.id: [] for vertex in self.vertices}
        for link in self.links:
            found[link.first].append(link)
            found[link.second].append(link)
        return found

    def best_path(self, first: str, second: str) -> Path | None:
        """The widest way, of equally wide ones the one with least latency, then fewest links; None if unconnected.

        Where links between GPUs (NVLink and the like) lead there, traffic takes them, wide or not. It does not pass
        through a GPU on the way, nor through the network between two devices of one host. Raises KeyError for an
        unknown vertex.
        """
        return self._widest(first, second, DEVICE_FAMILIES) or self._widest(first, second, ALL_FAMILIES)

    def _widest(self, first: str, second: str, families: tuple[str, ...]) -> Path | None:
        """The best way over links of these families."""
        ends = (self.vertex_by_id[first], self.vertex_by_id[second])
        inside = ends[0].host is not None and ends[0].host == ends[1].host
        best: dict[str, tuple[float, float, int]] = {first: (float("-inf"), 0.0, 0)}
        came: dict[str, Link] = {}
        queue: list[tuple[float, float, int, str]] = [(float("-inf"), 0.0, 0, first)]
        while queue:
            width, latency, hops, here = heapq.heappop(queue)
            if here == second:
                return self._path(first, second, came)
            if (width, latency, hops) > best[here] or not self._may_pass(here, first, inside=inside):
                continue
            for link in self.links_of[here]:
                if link_kind(link.kind).family not in families:
                    continue
                there = link.other(here)
                reached = (max(width, -link.effective.per_direction), latency + link.latency, hops + 1)
                if there not in best or reached < best[there]:
                    best[there] = reached
                    came[there] = link
                    heapq.heappush(queue, (*reached, there))
        return None

    def _may_pass(self, vertex: str, start: str, *, inside: bool) -> bool:
        kind = self.vertex_by_id[vertex].kind
        return vertex == start or not (kind == GPU or (inside and kind == NETWORK_SWITCH))

    def _path(self, first: str, second: str, came: dict[str, Link]) -> Path:
        vertices, links = [second], []
        while vertices[-1] != first:
            link = came[vertices[-1]]
            links.append(link)
            vertices.append(link.other(vertices[-1]))
        return Path(tuple(reversed(vertices)), tuple(reversed(links)))


def fabric_graph(fabric: Fabric, hosts: Sequence[str] | None = None) -> Graph:
    """The graph of the named hosts (all by default) with the switches and NVLink domains they are connected to."""
    chosen = [host for host in fabric.hosts if hosts is None or host.name in hosts]
    vertices: list[Vertex] = []
    links: list[Link] = []
    for host in chosen:
        vertices += _host_vertices(host)
        links += _host_links(host)
    domains = dict.fromkeys(host.nvlink_domain for host in chosen if host.nvlink_domain)
    vertices += [Vertex(f"domain:{name}", NVLINK_DOMAIN, name) for name in domains]
    used = _used_switches(fabric, chosen)
    vertices += [Vertex(f"net:{name}", NETWORK_SWITCH, name, tier=fabric.switch_by_name[name].tier) for name in used]
    links += [link for host in chosen for link in _network_links(fabric, host)]
    links += _uplinks(fabric, used)
    return Graph(tuple(vertices), tuple(links))


def _host_vertices(host: Host) -> Iterator[Vertex]:
    shape, name = host.shape, host.name
    for socket in dict.fromkeys(node.socket for node in shape.numa):
        yield Vertex(f"{name}/socket{socket}", SOCKET, f"CPU {socket}", name)
    for node in shape.numa:
        yield Vertex(f"{name}/numa{node.id}", NUMA, f"NUMA {node.id}", name)
    for bridge in shape.bridges:
        kind = HOST_BRIDGE if bridge.parent is None else PCIE_SWITCH
        yield Vertex(f"{name}/{bridge.id}", kind, bridge.id, name)
    for index, _ in enumerate(shape.switched):
        if not host.nvlink_domain:
            yield Vertex(f"{name}/nvswitch{index}", NVSWITCH, "NVSwitch", name)
    for gpu in shape.gpus:
        yield Vertex(f"{name}/gpu{gpu.index}", GPU, gpu.name, name)
    for nic in shape.nics:
        yield Vertex(f"{name}/nic{nic.index}", NIC, nic.label, name)


def _host_links(host: Host) -> Iterator[Link]:
    shape, name = host.shape, host.name
    slot = link_kind(shape.pcie)
    through_cpu = Bandwidth(HOST_BRIDGE_EFFECTIVE[shape.pcie])
    for gpu in shape.gpus:
        yield _link(f"{name}/gpu{gpu.index}", f"{name}/{gpu.bridge}", slot)
    for nic in shape.nics:
        yield _link(f"{name}/nic{nic.index}", f"{name}/{nic.bridge}", slot)
    for bridge in shape.bridges:
        if bridge.parent is None:
            top = f"{name}/numa{bridge.numa}"
            yield Link(f"{name}/{bridge.id}", top, slot.id, 1, slot.nominal, through_cpu, slot.latency, slot.source)
        else:
            yield _link(f"{name}/{bridge.id}", f"{name}/{bridge.parent}", slot)
    for node in shape.numa:
        yield _link(f"{name}/numa{node.id}", f"{name}/socket{node.socket}", link_kind("cpu-internal"))
    sockets = list(dict.fromkeys(node.socket for node in shape.numa))
    for left, right in pairwise(sockets):
        yield _link(f"{name}/socket{left}", f"{name}/socket{right}", link_kind(shape.cpu_link))
    yield from _nvlink_links(host, shape)


def _nvlink_links(host: Host, shape: HostShape) -> Iterator[Link]:
    for index, group in enumerate(shape.switched):
        switch = f"domain:{host.nvlink_domain}" if host.nvlink_domain else f"{host.name}/nvswitch{index}"
        for gpu, links in zip(group.gpus, group.links, strict=True):
            if links:
                yield _link(f"{host.name}/gpu{gpu}", switch, link_kind(group.link), links)
    for pair in shape.pairs:
        if pair.links:
            first, second = f"{host.name}/gpu{pair.first}", f"{host.name}/gpu{pair.second}"
            yield _link(first, second, link_kind(pair.link), pair.links)


def _network_links(fabric: Fabric, host: Host) -> Iterator[Link]:
    for position, nic in enumerate(host.shape.nics):
        leaf = host.leaf_of(position)
        if leaf in fabric.switch_by_name:
            kind = link_kind(nic.link)
            effective = kind.nominal.times(network_share(kind))
            first, second = f"{host.name}/nic{nic.index}", f"net:{leaf}"
            yield Link(first, second, kind.id, 1, kind.nominal, effective, kind.latency, kind.source)


def _used_switches(fabric: Fabric, hosts: Sequence[Host]) -> list[str]:
    names: dict[str, None] = {}
    for host in hosts:
        for leaf in host.leaves:
            names.update(dict.fromkeys(switch.name for switch in fabric.switch_chain(leaf)))
    return [switch.name for switch in fabric.switches if switch.name in names]


def _uplinks(fabric: Fabric, names: Sequence[str]) -> Iterator[Link]:
    """The ways up: each carries what the cards below it bring, divided by the oversubscription."""
    below = _cards_below(fabric)
    for name in names:
        switch = fabric.switch_by_name[name]
        if switch.parent not in fabric.switch_by_name:
            continue
        cards = below.get(name, [])
        kind = link_kind(cards[0] if cards else "ib-ndr")
        total = sum(link_kind(card).nominal.per_direction for card in cards)
        bandwidth = Bandwidth(total / switch.oversubscription)
        effective = bandwidth.times(network_share(kind))
        ends = (f"net:{name}", f"net:{switch.parent}")
        yield Link(*ends, kind.id, max(1, len(cards)), bandwidth, effective, kind.latency, kind.source)


def _cards_below(fabric: Fabric) -> dict[str, list[str]]:
    """Link kinds of all cards below every switch."""
    below: dict[str, list[str]] = {}
    chains: dict[str | None, list[str]] = {}
    for host in fabric.hosts:
        for position, nic in enumerate(host.shape.nics):
            leaf = host.leaf_of(position)
            if leaf not in chains:
                chains[leaf] = [switch.name for switch in fabric.switch_chain(leaf)]
            for name in chains[leaf]:
                below.setdefault(name, []).append(nic.link)
    return below


def _link(first: str, second: str, kind: LinkKind, count: int = 1) -> Link:
    return Link(
        first, second, kind.id, count, kind.nominal.times(count), kind.effective.times(count), kind.latency, kind.source
    )

"""The whole fabric as a drawing: machines with their GPUs, NVLink domains, leaf and spine switches, and links.

Machines stand in rows below the leaf they hang on; what is above a leaf stands above it. Up to so many machines show
their GPUs one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any, Final

from simulator.engine.fabric.fabric import Fabric, Host, NetworkSwitch
from simulator.engine.fabric.graph import GPU, NETWORK_SWITCH, NVLINK_DOMAIN
from simulator.engine.fabric.links import link_kind, network_share
from simulator.presenters.fabric.looks import LinkLook, line_width, links_name, number, width_text
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say

GPUS_UP_TO: Final = 24
"""Machines; of more, GPUs are not drawn."""
LINKS_UP_TO: Final = 400

TILE: Final = 34
IN_ROW: Final = 4  # GPUs beside each other in a machine
HOST_WIDTH: Final = 194  # with the gap through which links go
HOST_HEAD: Final = 68  # a machine's name and the gap below it
TIER_ROW: Final = 96
SWITCH: Final = 100
ASPECT: Final = 2.0  # width to height that drawings come near to

_LINK: Final = Both("{links}，{bandwidth}", "{links}, {bandwidth}")
_UPLINK: Final = Both("上行 {bandwidth}，收敛比 {ratio}:1", "upwards {bandwidth}, oversubscribed {ratio}:1")
_DOMAIN: Final = Both("NVLink 域", "NVLink domain")


@dataclass(frozen=True, slots=True)
class NetworkVertex:
    """A machine (a box), a GPU in it (`host` and `gpu` say which), or a switch."""

    id: str
    kind: str
    label: str
    x: float
    y: float
    host: str = ""
    gpu: int | None = None
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        found = {"id": self.id, "kind": self.kind, "label": self.label, "x": self.x, "y": self.y}
        more = {"host": self.host, "gpu": self.gpu, "note": self.note}
        return found | {name: value for name, value in more.items() if value not in ("", None)}


@dataclass(frozen=True)
class NetworkDrawing:
    vertices: tuple[NetworkVertex, ...]
    links: tuple[LinkLook, ...] = ()
    truncated: bool = field(default=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "vertices": [vertex.to_json() for vertex in self.vertices],
            "links": [link.to_json() for link in self.links],
            "truncated": self.truncated,
        }


def draw_network(fabric: Fabric, notes: Mapping[str, str]) -> NetworkDrawing:
    """The fabric; `notes` are a few words on each machine, by name."""
    hosts = [host for host in fabric.hosts if host.shape.gpus][:LINKS_UP_TO]
    places = _host_places(hosts)
    vertices = [_host(host, places[host.name], notes.get(host.name, "")) for host in hosts]
    if len(hosts) <= GPUS_UP_TO:
        vertices += [gpu for host in hosts for gpu in _gpus(host, places[host.name])]
    vertices += _switches(fabric, hosts, places)
    vertices += _domains(hosts, places)
    shown = {vertex.id for vertex in vertices}
    links = [link for link in _links(fabric, hosts) if link.source in shown and link.target in shown]
    return NetworkDrawing(tuple(vertices), tuple(links), len(hosts) < len([h for h in fabric.hosts if h.shape.gpus]))


def _group(host: Host) -> str:
    """Machines of a group stand together: those of a rack-wide NVLink domain, else those of a leaf."""
    return host.nvlink_domain or (host.leaves[0] if host.leaves else "")


def _host_places(hosts: Sequence[Host]) -> dict[str, tuple[float, float]]:
    groups: dict[str, list[Host]] = {}
    for host in hosts:
        groups.setdefault(_group(host), []).append(host)
    row_height = _row_height(hosts)
    most = _columns([len(members) for members in groups.values()], row_height)
    places: dict[str, tuple[float, float]] = {}
    left = 0.0
    for members in groups.values():
        columns = min(most, len(members))
        for index, host in enumerate(members):
            row, column = divmod(index, columns)
            places[host.name] = (left + column * HOST_WIDTH, row * row_height)
        left += columns * HOST_WIDTH + HOST_WIDTH / 4
    return places


def _row_height(hosts: Sequence[Host]) -> float:
    """Of the machine with most GPUs, where GPUs are drawn."""
    most = max((len(host.shape.gpus) for host in hosts), default=0) if len(hosts) <= GPUS_UP_TO else 0
    return HOST_HEAD + TILE * -(-most // IN_ROW)


def _columns(groups: Sequence[int], row_height: float) -> int:
    """How many machines of a group stand beside each other, so that the whole comes near to the wanted shape."""

    def shape(columns: int) -> float:
        width = sum(min(columns, size) for size in groups) * HOST_WIDTH
        height = -(-max(groups) // columns) * row_height + 2 * TIER_ROW
        return abs(log(width / height / ASPECT))

    return min(range(1, max(groups, default=1) + 1), key=shape) if groups else 1


def _host(host: Host, place: tuple[float, float], note: str) -> NetworkVertex:
    return NetworkVertex(f"host:{host.name}", "host", host.name, *place, host=host.name, note=note)


def _gpus(host: Host, place: tuple[float, float]) -> Iterable[NetworkVertex]:
    count = len(host.shape.gpus)
    rows = -(-count // IN_ROW)
    for gpu in host.shape.gpus:
        row, column = divmod(gpu.index, IN_ROW)
        x = place[0] + (column - (min(count, IN_ROW) - 1) / 2) * TILE
        y = place[1] + (row - (rows - 1) / 2) * TILE
        name = f"{host.name}:{gpu.index}"
        yield NetworkVertex(f"gpu:{name}", GPU, str(gpu.index), x, y, host=host.name, gpu=gpu.index)


def _switches(fabric: Fabric, hosts: Sequence[Host], places: Mapping[str, tuple[float, float]]) -> list[NetworkVertex]:
    """Leaves above the middle of their machines, the tiers above over the middle of what is below."""
    below: dict[str, list[float]] = {}
    for host in hosts:
        for leaf in host.leaves:
            for switch in fabric.switch_chain(leaf):
                below.setdefault(switch.name, []).append(places[host.name][0])
    beside: dict[tuple[int, float], list[str]] = {}
    for switch in fabric.switches:
        if switch.name in below:
            beside.setdefault((max(1, switch.tier), _middle(below[switch.name])), []).append(switch.name)
    return [
        NetworkVertex(
            f"net:{name}", NETWORK_SWITCH, name, x + (index - (len(names) - 1) / 2) * SWITCH, -tier * TIER_ROW
        )
        for (tier, x), names in beside.items()
        for index, name in enumerate(names)
    ]


def _middle(columns: Sequence[float]) -> float:
    return (min(columns) + max(columns)) / 2


def _domains(hosts: Sequence[Host], places: Mapping[str, tuple[float, float]]) -> list[NetworkVertex]:
    members: dict[str, list[Host]] = {}
    for host in hosts:
        if host.nvlink_domain and host.shape.switched:
            members.setdefault(host.nvlink_domain, []).append(host)
    found: list[NetworkVertex] = []
    for name, own in members.items():
        columns, rows = [places[host.name][0] for host in own], [places[host.name][1] for host in own]
        y = max(rows) + _row_height(hosts)
        label = say(_DOMAIN, {}).text
        found.append(NetworkVertex(f"domain:{name}", NVLINK_DOMAIN, label, _middle(columns), y, note=name))
    return found


def _links(fabric: Fabric, hosts: Sequence[Host]) -> Iterable[LinkLook]:
    for host in hosts:
        yield from _card_links(host)
        if host.nvlink_domain and host.shape.switched:
            yield _domain_link(host)
    below = _cards_below(fabric, hosts)
    for switch in fabric.switches:
        if switch.parent and switch.name in below:
            yield _uplink(switch, below[switch.name])


def _card_links(host: Host) -> Iterable[LinkLook]:
    """One line to every leaf, with all the machine's cards that go there."""
    cards: dict[str, list[str]] = {}
    for position, nic in enumerate(host.shape.nics):
        leaf = host.leaf_of(position)
        if leaf and nic.carries:
            cards.setdefault(leaf, []).append(nic.link)
    for leaf, kinds in cards.items():
        total = sum(link_kind(kind).nominal.per_direction * network_share(link_kind(kind)) for kind in kinds)
        text = say(_LINK, {"links": links_name(kinds[0], len(kinds)), "bandwidth": width_text(total)}).text
        ends = f"host:{host.name}", f"net:{leaf}"
        family = link_kind(kinds[0]).family
        yield LinkLook(f"{ends[0]}~{ends[1]}", *ends, family, line_width(total), total, text, number(total))


def _domain_link(host: Host) -> LinkLook:
    group = host.shape.switched[0]
    kind = link_kind(group.link)
    width = max(group.links) * kind.effective.per_direction
    ends = f"host:{host.name}", f"domain:{host.nvlink_domain}"
    text = say(_LINK, {"links": links_name(kind.id, max(group.links)), "bandwidth": width_text(width)}).text
    return LinkLook(f"{ends[0]}~{ends[1]}", *ends, kind.family, line_width(width), width, text, number(width))


def _cards_below(fabric: Fabric, hosts: Sequence[Host]) -> dict[str, list[str]]:
    """Link kinds of the cards below every switch."""
    chains: dict[str | None, list[str]] = {}
    below: dict[str, list[str]] = {}
    for host in hosts:
        for position, nic in enumerate(host.shape.nics):
            leaf = host.leaf_of(position)
            if leaf not in chains:
                chains[leaf] = [switch.name for switch in fabric.switch_chain(leaf)]
            for name in chains[leaf] if nic.carries else ():
                below.setdefault(name, []).append(nic.link)
    return below


def _uplink(switch: NetworkSwitch, kinds: Sequence[str]) -> LinkLook:
    total = sum(link_kind(kind).nominal.per_direction * network_share(link_kind(kind)) for kind in kinds)
    total /= switch.oversubscription
    text = say(_UPLINK, {"bandwidth": width_text(total), "ratio": number(switch.oversubscription)}).text
    ends = f"net:{switch.name}", f"net:{switch.parent}"
    family = link_kind(kinds[0]).family
    return LinkLook(f"{ends[0]}~{ends[1]}", *ends, family, line_width(total), total, text, number(total))

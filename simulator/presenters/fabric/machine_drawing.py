"""One machine as a drawing: GPUs, NVSwitches, PCIe switches, NUMA nodes and network cards, with places and links.

Host bridges are left out: what hangs on one is drawn on its NUMA node. The places are computed, so that nothing jumps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from simulator.engine.fabric.fabric import Fabric, Host
from simulator.engine.fabric.graph import (
    GPU,
    NIC,
    NUMA,
    NVLINK_DOMAIN,
    NVSWITCH,
    Graph,
    Link,
    fabric_graph,
)
from simulator.engine.fabric.shape import HostShape
from simulator.presenters.fabric.looks import LinkLook, look_of
from simulator.presenters.fabric.paths import PathView, path_view
from simulator.presenters.sentences.say import current_language

COLUMN: Final = 84
ROWS: Final = {NVSWITCH: 0, NVLINK_DOMAIN: 0, GPU: 82, NIC: 140, "switch-low": 186, "switch-high": 228, NUMA: 284}
SOCKET_ROW: Final = 346
_CARD_ONLY: Final = 0.75  # of a column, for a card that shares no switch with a GPU
MOST_PATHS: Final = 16

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DrawnVertex:
    """Something drawn, with its centre; `gpu` is the number of a GPU, None for other things."""

    id: str
    kind: str
    label: str
    x: float
    y: float
    gpu: int | None = None

    def to_json(self) -> dict[str, Any]:
        found = {"id": self.id, "kind": self.kind, "label": self.label, "x": self.x, "y": self.y}
        return found if self.gpu is None else {**found, "gpu": self.gpu}


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """The way between two GPUs: drawn links, the narrowest of them, and the words."""

    links: tuple[str, ...]
    narrowest: str
    view: PathView

    def to_json(self) -> dict[str, Any]:
        return {"links": list(self.links), "narrowest": self.narrowest, **self.view.to_json()}


@dataclass(frozen=True)
class MachineDrawing:
    """`paths` by (smaller, larger) GPU number."""

    vertices: tuple[DrawnVertex, ...]
    links: tuple[LinkLook, ...]
    paths: Mapping[tuple[int, int], DrawnPath] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "vertices": [vertex.to_json() for vertex in self.vertices],
            "links": [link.to_json() for link in self.links],
            "paths": {f"{first}-{second}": path.to_json() for (first, second), path in self.paths.items()},
        }


def draw_machine(host: Host) -> MachineDrawing:
    """The inside of a machine; drawings of machines that are alike are made once for each language."""
    domain = "domain" if host.nvlink_domain and host.shape.switched else None
    return _draw(host.shape, domain, current_language())


@lru_cache(maxsize=128)
def _draw(shape: HostShape, domain: str | None, _language: str) -> MachineDrawing:
    graph = fabric_graph(Fabric((Host("m", shape, nvlink_domain=domain),)))
    places = _places(shape)
    drawn_as = _drawn_as(shape, graph)
    vertices = tuple(_vertices(graph, drawn_as, places))
    links = _links(graph, drawn_as)
    return MachineDrawing(vertices, tuple(links.values()), _paths(shape, graph, drawn_as, links))


def _drawn_as(shape: HostShape, graph: Graph) -> dict[str, str]:
    """The vertex that stands for each vertex of the graph."""
    lone = {f"m/socket{node.socket}": f"m/numa{node.id}" for node in shape.numa if _is_lone(shape, node.socket)}
    found = {vertex.id: vertex.id for vertex in graph.vertices} | lone
    return found | {f"m/{bridge.id}": f"m/numa{bridge.numa}" for bridge in shape.bridges if bridge.parent is None}


def _is_lone(shape: HostShape, socket: int) -> bool:
    """Whether a socket has a single NUMA node, so that one box stands for both."""
    return sum(node.socket == socket for node in shape.numa) == 1


def _vertices(
    graph: Graph, drawn_as: Mapping[str, str], places: Mapping[str, tuple[float, float]]
) -> Iterable[DrawnVertex]:
    for vertex in graph.vertices:
        if drawn_as[vertex.id] != vertex.id or vertex.id not in places:
            continue
        x, y = places[vertex.id]
        number = int(vertex.id.removeprefix("m/gpu")) if vertex.kind == GPU else None
        label = "NVSwitch" if vertex.kind == NVLINK_DOMAIN else "" if vertex.kind == "pcie-switch" else vertex.label
        yield DrawnVertex(vertex.id, vertex.kind, label, x, y, number)


def _links(graph: Graph, drawn_as: Mapping[str, str]) -> dict[tuple[str, str], LinkLook]:
    """Drawn links by their ends; parallel ones that become one keep the narrower figure."""
    found: dict[tuple[str, str], LinkLook] = {}
    for link in graph.links:
        ends = drawn_as[link.first], drawn_as[link.second]
        if ends[0] == ends[1]:
            continue
        look = look_of(link, f"{ends[0]}~{ends[1]}", *ends)
        if ends not in found or look.bandwidth < found[ends].bandwidth:
            found[ends] = look
    return found


def _paths(
    shape: HostShape, graph: Graph, drawn_as: Mapping[str, str], links: Mapping[tuple[str, str], LinkLook]
) -> dict[tuple[int, int], DrawnPath]:
    if len(shape.gpus) > MOST_PATHS:
        return {}
    found: dict[tuple[int, int], DrawnPath] = {}
    for first in range(len(shape.gpus)):
        for second in range(first + 1, len(shape.gpus)):
            view, path = path_view(graph, f"m/gpu{first}", f"m/gpu{second}")
            if path is None or path.bottleneck is None:
                continue
            drawn = [_drawn(link.first, link.second, drawn_as, links) for link in path.links]
            shown = tuple(dict.fromkeys(filter(None, drawn)))
            found[first, second] = DrawnPath(shown, _narrowest(path.bottleneck, shown, drawn_as, links), view)
    return found


def _narrowest(
    link: Link, shown: Sequence[str], drawn_as: Mapping[str, str], links: Mapping[tuple[str, str], LinkLook]
) -> str:
    """The drawn link; for one inside a box (a host bridge to its NUMA node) the one that leads there."""
    drawn = _drawn(link.first, link.second, drawn_as, links)
    return drawn or next((name for name in shown if drawn_as[link.second] in name.split("~")), "")


def _drawn(first: str, second: str, drawn_as: Mapping[str, str], links: Mapping[tuple[str, str], LinkLook]) -> str:
    ends = drawn_as[first], drawn_as[second]
    look = links.get(ends) or links.get((ends[1], ends[0]))
    return look.id if look else ""


# places


def _places(shape: HostShape) -> dict[str, Place]:
    """Centres: columns by the PCIe tree from left to right, rows by what a thing is."""
    columns = _columns(shape)
    places: dict[str, Place] = {
        f"m/{name}": (x * COLUMN, ROWS[GPU if name.startswith("gpu") else NIC]) for name, x in columns.items()
    }
    depths = {bridge.id: _depth(shape, bridge.id) for bridge in shape.bridges}
    for bridge in shape.bridges:
        below = [x for name, x in columns.items() if bridge.id in _ancestors(shape, name)]
        if bridge.parent is not None and below:
            row = "switch-low" if depths[bridge.id] == 0 else "switch-high"
            places[f"m/{bridge.id}"] = (_mean(below), ROWS[row])
    places |= {f"m/{name}": place for name, place in _cpu_places(shape, columns).items()}
    for index, group in enumerate(shape.switched):
        middle = _mean([columns[f"gpu{gpu}"] for gpu in group.gpus])
        places[f"m/nvswitch{index}"] = (middle, ROWS[NVSWITCH])
        places["domain:domain"] = (middle, ROWS[NVSWITCH])
    return places


def _mean(columns: list[float]) -> float:
    """The middle between the outermost, in pixels."""
    return COLUMN * (min(columns) + max(columns)) / 2


def _columns(shape: HostShape) -> dict[str, float]:
    """Column of every GPU and card: in the order of the tree; cards stand half a column beside GPUs of their switch."""
    columns: dict[str, float] = {}
    next_free = 0.0
    for node in shape.numa:
        tops = [bridge.id for bridge in shape.bridges if bridge.parent is None and bridge.numa == node.id]
        for top in tops:
            for gpus, cards in _groups(shape, top):
                for gpu in gpus:
                    columns[f"gpu{gpu}"] = next_free
                    next_free += 1
                for position, card in enumerate(cards):
                    if gpus:
                        columns[f"nic{card}"] = columns[f"gpu{gpus[-1]}"] + 0.5 + position * _CARD_ONLY
                        next_free = max(next_free, columns[f"nic{card}"] + 0.5)
                    else:
                        columns[f"nic{card}"] = next_free
                        next_free += _CARD_ONLY
        next_free += 0.35 if tops else 0.0
    return columns


def _groups(shape: HostShape, top: str) -> list[tuple[list[int], list[int]]]:
    """(GPUs, cards) of every bridge below `top` and itself, depth first."""
    gpus = [gpu.index for gpu in shape.gpus if gpu.bridge == top]
    cards = [nic.index for nic in shape.nics if nic.bridge == top]
    found = [(gpus, cards)] if gpus or cards else []
    for bridge in shape.bridges:
        if bridge.parent == top:
            found += _groups(shape, bridge.id)
    return found


def _ancestors(shape: HostShape, name: str) -> list[str]:
    index = int(name[3:])
    device = f"GPU{index}" if name.startswith("gpu") else next(nic.label for nic in shape.nics if nic.index == index)
    return shape.ancestors(device)


def _depth(shape: HostShape, bridge: str) -> int:
    """0 for a bridge with only devices below it."""
    below = [_depth(shape, other.id) for other in shape.bridges if other.parent == bridge]
    return 1 + max(below) if below else 0


def _cpu_places(shape: HostShape, columns: Mapping[str, float]) -> dict[str, Place]:
    """NUMA nodes below what hangs on them, in order; sockets with several of them in a row of their own."""
    places: dict[str, Place] = {}
    empty = max(columns.values(), default=0.0) + 1
    for node in shape.numa:
        own = [x for name, x in columns.items() if shape.bridge_of[_ancestors(shape, name)[-1]].numa == node.id]
        if not own:
            own, empty = [empty], empty + 1
        places[f"numa{node.id}"] = (_mean(own), ROWS[NUMA])
    for socket in dict.fromkeys(node.socket for node in shape.numa):
        members = [places[f"numa{node.id}"][0] / COLUMN for node in shape.numa if node.socket == socket]
        if len(members) > 1:
            places[f"socket{socket}"] = (_mean(members), SOCKET_ROW)
    return places

"""The way between two GPUs anywhere in the cluster: in words, and as links of the drawing of the network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.graph import Graph, Vertex, fabric_graph
from simulator.presenters.fabric.paths import PathView, path_view


@dataclass(frozen=True, slots=True)
class NetworkPath:
    """`links` are names of drawn links, `narrowest` one of them or "" where the way is narrowest inside a machine."""

    view: PathView
    links: tuple[str, ...]
    narrowest: str

    def to_json(self) -> Mapping[str, Any]:
        return {"links": list(self.links), "narrowest": self.narrowest, **self.view.to_json()}


def network_path(fabric: Fabric, first: str, second: str) -> NetworkPath | None:
    """Between GPUs written `h100-1:0`; None where one is not there or both are the same."""
    ends = [_end(fabric, text) for text in (first, second)]
    if None in ends or ends[0] == ends[1]:
        return None
    names = dict.fromkeys(end[0] for end in ends if end)
    graph = fabric_graph(Fabric(tuple(fabric.host(name) for name in names), fabric.switches))
    view, path = path_view(graph, *(f"{name}/gpu{gpu}" for name, gpu in filter(None, ends)), with_hosts=len(names) > 1)
    if path is None or path.bottleneck is None:
        return NetworkPath(view, (), "")
    links = dict.fromkeys(filter(None, (_link(graph, *ends) for ends in pairwise(path.vertices))))
    narrow = path.bottleneck
    return NetworkPath(view, tuple(links), _link(graph, narrow.first, narrow.second))


def _end(fabric: Fabric, text: str) -> tuple[str, int] | None:
    name, _, gpu = text.rpartition(":")
    host = fabric.host_by_name.get(name)
    if host is None or not gpu.isdecimal() or len(gpu) > 4 or int(gpu) >= len(host.shape.gpus):
        return None
    return name, int(gpu)


def _link(graph: Graph, first: str, second: str) -> str:
    """The drawn link between two vertices, the lower one first; "" inside a machine."""
    one, other = sorted((graph.vertex_by_id[first], graph.vertex_by_id[second]), key=_height)
    ends = _drawn(one), _drawn(other)
    return f"{ends[0]}~{ends[1]}" if ends[0] != ends[1] else ""


def _height(vertex: Vertex) -> int:
    return -1 if vertex.host is not None else vertex.tier


def _drawn(vertex: Vertex) -> str:
    """What stands for a vertex in the drawing: of a machine's inside there is only the machine."""
    return f"host:{vertex.host}" if vertex.host is not None else vertex.id

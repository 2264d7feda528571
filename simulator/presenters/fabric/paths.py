"""The way between two GPUs in words: over what, the narrowest part, latency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from simulator.engine.fabric.graph import GPU, HOST_BRIDGE, NIC, Graph, Path, Vertex
from simulator.presenters.fabric.looks import link_text, number
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say

_WAY: Final = Both(
    "{way}：单向 {bandwidth} GB/s（双向 {both}），延迟约 {latency} µs",
    "{way}: {bandwidth} GB/s per direction ({both} both ways), latency about {latency} µs",
)
_NARROW: Final = Both(
    "最窄的一段：{first} 与 {second} 之间，{link}", "Narrowest part: between {first} and {second}, {link}"
)
_NONE: Final = Both("{first} 和 {second} 之间没有已知的通路", "No way is known between {first} and {second}")
_BRIDGE: Final = Both("主桥", "host bridge")
_SWITCH: Final = Both("PCIe 交换机", "PCIe switch")
_DOMAIN: Final = Both("NVLink 域", "NVLink domain")


@dataclass(frozen=True, slots=True)
class PathView:
    """`bandwidth` GB/s per direction (0 without a way), `latency` microseconds; `steps` are the names on the way."""

    summary: str
    detail: str
    bandwidth: float
    latency: float
    steps: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """For a drawing: the words, and the figure at the narrowest part."""
        return {"text": [text for text in (self.summary, self.detail) if text], "width": number(self.bandwidth)}


def path_view(graph: Graph, first: str, second: str, *, with_hosts: bool = False) -> tuple[PathView, Path | None]:
    """The way between two vertices of a graph, and the path itself."""
    ends = [name_of(graph.vertex_by_id[vertex], with_host=with_hosts) for vertex in (first, second)]
    path = graph.best_path(first, second)
    narrow = path.bottleneck if path else None
    if path is None or narrow is None:
        return PathView(say(_NONE, {"first": ends[0], "second": ends[1]}).text, "", 0.0, 0.0, ()), None
    steps = tuple(_steps([graph.vertex_by_id[vertex] for vertex in path.vertices], with_host=with_hosts))
    width = narrow.effective.per_direction
    params = {"way": " – ".join(steps), "bandwidth": number(width), "both": number(2 * width)}
    summary = say(_WAY, {**params, "latency": number(path.latency)}).text
    sides = [name_of(graph.vertex_by_id[side], with_host=with_hosts) for side in (narrow.first, narrow.second)]
    told = {"first": sides[0], "second": sides[1], "link": link_text(narrow.kind, narrow.count, width)}
    return PathView(summary, say(_NARROW, told).text, width, path.latency, steps), path


def name_of(vertex: Vertex, *, with_host: bool = False) -> str:
    """A vertex as a page calls it."""
    if vertex.kind == HOST_BRIDGE:
        return say(_BRIDGE, {}).text
    if vertex.kind == "pcie-switch":
        return say(_SWITCH, {}).text
    if vertex.kind == "nvlink-domain":
        return say(_DOMAIN, {}).text
    return f"{vertex.host} {vertex.label}" if with_host and vertex.host and vertex.kind in (GPU, NIC) else vertex.label


def _steps(vertices: Sequence[Vertex], *, with_host: bool) -> list[str]:
    """Names on the way; host bridges say nothing beside the NUMA node above them, equal neighbours are one."""
    names: list[str] = []
    for vertex in vertices:
        if vertex.kind == HOST_BRIDGE:
            continue
        name = name_of(vertex, with_host=with_host)
        if not names or names[-1] != name:
            names.append(name)
    return names

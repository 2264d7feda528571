"""How links look and what they are called: the same words in drawings, tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10
from typing import Any, Final

from simulator.engine.fabric.graph import Link
from simulator.engine.fabric.links import link_kind
from simulator.presenters.sentences.both import Both
from simulator.presenters.sentences.say import say

KINDS: Final[Mapping[str, Both]] = {
    "nvlink-1": Both("NVLink 1", "NVLink 1"),
    "nvlink-2": Both("NVLink 2", "NVLink 2"),
    "nvlink-3": Both("NVLink 3", "NVLink 3"),
    "nvlink-3-ga102": Both("NVLink 桥", "NVLink bridge"),
    "nvlink-4": Both("NVLink 4", "NVLink 4"),
    "nvlink-5": Both("NVLink 5", "NVLink 5"),
    "xgmi-mi100": Both("xGMI", "xGMI"),
    "xgmi-mi250": Both("xGMI", "xGMI"),
    "xgmi-mi300": Both("xGMI", "xGMI"),
    "hccs": Both("HCCS", "HCCS"),
    "ub": Both("UB", "UB"),
    "pcie-3": Both("PCIe 3.0 x16", "PCIe 3.0 x16"),
    "pcie-4": Both("PCIe 4.0 x16", "PCIe 4.0 x16"),
    "pcie-5": Both("PCIe 5.0 x16", "PCIe 5.0 x16"),
    "ib-edr": Both("InfiniBand EDR 100 Gb/s", "InfiniBand EDR 100 Gb/s"),
    "ib-hdr": Both("InfiniBand HDR 200 Gb/s", "InfiniBand HDR 200 Gb/s"),
    "ib-ndr": Both("InfiniBand NDR 400 Gb/s", "InfiniBand NDR 400 Gb/s"),
    "ib-xdr": Both("InfiniBand XDR 800 Gb/s", "InfiniBand XDR 800 Gb/s"),
    "roce-100": Both("RoCE 100 Gb/s", "RoCE 100 Gb/s"),
    "roce-200": Both("RoCE 200 Gb/s", "RoCE 200 Gb/s"),
    "roce-400": Both("RoCE 400 Gb/s", "RoCE 400 Gb/s"),
    "ethernet-10": Both("以太网 10 Gb/s", "Ethernet 10 Gb/s"),
    "ethernet-25": Both("以太网 25 Gb/s", "Ethernet 25 Gb/s"),
    "ethernet-100": Both("以太网 100 Gb/s", "Ethernet 100 Gb/s"),
    "efa-100": Both("EFA v1 100 Gb/s", "EFA v1 100 Gb/s"),
    "cpu-skylake": Both("CPU 之间的互连（Skylake）", "link between the CPUs (Skylake)"),
    "cpu-sapphire-rapids": Both("CPU 之间的互连（Sapphire Rapids）", "link between the CPUs (Sapphire Rapids)"),
    "cpu-emerald-rapids": Both("CPU 之间的互连（Emerald Rapids）", "link between the CPUs (Emerald Rapids)"),
    "cpu-amd": Both("CPU 之间的互连（AMD）", "link between the CPUs (AMD)"),
    "cpu-power9": Both("CPU 之间的互连（Power9）", "link between the CPUs (Power9)"),
    "cpu-arm": Both("CPU 之间的互连（ARM）", "link between the CPUs (ARM)"),
    "cpu-grace": Both("CPU 之间的互连（Grace）", "link between the CPUs (Grace)"),
    "cpu-internal": Both("CPU 内部", "inside the CPU"),
}
"""Names of all kinds of links."""

FAMILIES: Final[Mapping[str, Both]] = {
    "nvlink": Both("NVLink：粗实线", "NVLink: thick line"),
    "xgmi": Both("xGMI：粗实线", "xGMI: thick line"),
    "hccs": Both("HCCS：粗实线", "HCCS: thick line"),
    "ub": Both("UB：粗实线", "UB: thick line"),
    "pcie": Both("PCIe：细实线", "PCIe: thin line"),
    "cpu-link": Both("CPU 之间：虚线", "between CPUs: dashed"),
    "on-chip": Both("CPU 内部：点划线", "inside a CPU: dash and dot"),
    "infiniband": Both("InfiniBand：双线", "InfiniBand: double line"),
    "roce": Both("RoCE：双线", "RoCE: double line"),
    "ethernet": Both("以太网：点线", "Ethernet: dotted"),
}
"""The legend of drawings."""

_ONE: Final = Both("{kind}", "{kind}")
_MANY: Final = Both("{count} × {kind}", "{count} × {kind}")
_WIDTH: Final = Both("单向 {bandwidth} GB/s", "{bandwidth} GB/s per direction")
_TEXT: Final = Both("{link}，单向 {bandwidth} GB/s", "{link}, {bandwidth} GB/s per direction")


@dataclass(frozen=True, slots=True)
class LinkLook:
    """A drawn link: between which vertices, its family (line style), width in pixels and its words."""

    id: str
    source: str
    target: str
    family: str
    width: float
    bandwidth: float
    text: str
    label: str

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "source": self.source,
            "target": self.target,
            "family": self.family,
            "width": self.width,
            "text": self.text,
            "label": self.label,
        }


def number(value: float) -> str:
    """At most one decimal: `370.8`, `24`, `1.3`."""
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def kind_name(kind: str) -> str:
    """A kind of link in the page's language."""
    return say(KINDS[kind], {}).text


def links_name(kind: str, count: int) -> str:
    """`18 × NVLink 4`, `PCIe 5.0 x16`."""
    return say(_MANY if count > 1 else _ONE, {"kind": kind_name(kind), "count": count}).text


def width_text(bandwidth: float) -> str:
    """`370.8 GB/s per direction`."""
    return say(_WIDTH, {"bandwidth": number(bandwidth)}).text


def link_text(kind: str, count: int, effective: float) -> str:
    """A link in words, with what it can carry."""
    return say(_TEXT, {"link": links_name(kind, count), "bandwidth": number(effective)}).text


def line_width(bandwidth: float) -> float:
    """Pixels: 1.5 for a slow network, about 6 for NVLink 5."""
    return round(1 + 1.7 * log10(1 + bandwidth), 1)


def look_of(link: Link, name: str, source: str, target: str) -> LinkLook:
    """A link of the graph as it is drawn between two vertices of the drawing."""
    effective = link.effective.per_direction
    text = link_text(link.kind, link.count, effective)
    return LinkLook(
        name, source, target, link_kind(link.kind).family, line_width(effective), effective, text, number(effective)
    )

"""The Fabric tab: one machine from inside, the network, and what the free GPUs are good for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from simulator.presenters.fabric.free_view import free_view
from simulator.presenters.fabric.machine_view import machine_view
from simulator.presenters.fabric.network_drawing import draw_network
from simulator.presenters.tabs.tab import Tab, TabRequest
from simulator.rules import allows_command
from simulator.selectors.fabrics import FrameFabric, fabric_of_frame

MOST_NODES = 500
MOST_LINKS = 60
DOES = ("failGpu", "repairGpu", "setLink", "failNic", "repairNic")


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """A link of the network in words."""

    first: str
    second: str
    text: str


def _context(asked: TabRequest) -> Mapping[str, Any]:
    frame = asked.moment.frame
    known = fabric_of_frame(frame)
    names = list(known.gpu_machines)
    wanted = asked.params.get("node", "")
    chosen = wanted if wanted in names else (names[0] if names else "")
    lab = asked.moment.lab
    can = {name: asked.can_change and allows_command(lab, name) for name in DOES}
    return {
        "nodes": names[:MOST_NODES],
        "chosen": chosen,
        "machine": machine_view(known, frame, chosen, asked.params.get("pair", "")) if chosen else None,
        "network": _network(known),
        "free": free_view(known, frame),
        "can": can,
        "can_paste": asked.can_change and (allows_command(lab, "apply") or allows_command(lab, "patch")),
    }


def _network(known: FrameFabric) -> list[NetworkRow]:
    drawing = draw_network(known.fabric, {})
    names = {vertex.id: vertex.label for vertex in drawing.vertices}
    return [NetworkRow(names[link.source], names[link.target], link.text) for link in drawing.links[:MOST_LINKS]]


FABRIC = Tab("fabric", _("Fabric"), "simulator/tabs/fabric.html", _context)

"""The network around the nodes' cards: switches, and what is plugged into what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simulator.engine.fabric.node_fabric import KIND as NODE_FABRIC
from simulator.engine.fabric.node_fabric import SWITCH_KIND
from simulator.presenters.graph.layout import places_of, switch_key
from simulator.selectors.frames import Frame
from simulator.selectors.refs import manifests_of
from simulator.services.plans.network import tier_of

MOST_LINKS: Final = 600


def network_of(frame: Frame, stored: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """For the script that draws it: switches by name with their places, and links (lower, upper) by the names of
    things; none where there would be too many to tell them apart.
    """
    switches = manifests_of(frame, SWITCH_KIND)
    if not switches:
        return {"switches": {}, "links": []}
    places = places_of(frame, stored)
    links = _links(frame, switches)
    return {
        "switches": {
            name: {
                "tier": tier_of(manifest),
                "oversubscription": float(manifest["spec"].get("oversubscription") or 1),
                "place": places[switch_key(name)],
            }
            for name, manifest in switches.items()
        },
        "links": links if len(links) <= MOST_LINKS else [],
    }


def _links(frame: Frame, switches: Mapping[str, Any]) -> list[tuple[str, str]]:
    nodes = {node.name for node in frame.nodes}
    found = [
        (name, switch_key(str(leaf)))
        for name, manifest in manifests_of(frame, NODE_FABRIC).items()
        for leaf in dict.fromkeys((manifest.get("spec") or {}).get("leaves") or ())
        if name in nodes and leaf in switches
    ]
    above = ((name, str(manifest["spec"].get("parent") or "")) for name, manifest in switches.items())
    return found + [(switch_key(name), switch_key(parent)) for name, parent in above if parent in switches]

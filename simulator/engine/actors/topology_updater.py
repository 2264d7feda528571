"""What NFD's topology updater does on all nodes: a NodeResourceTopology object tells which NUMA node has what left.

It looks after the nodes whose NodeFabric names a Topology Manager policy, and keeps the object up to date at once (the
real one looks every minute, or when the kubelet's checkpoint changes).
"""

from __future__ import annotations

from typing import Any, ClassVar

from simulator.engine.actors.actor import Note
from simulator.engine.actors.node_devices import NodeDevices
from simulator.engine.actors.node_keeper import NodeKeeper
from simulator.engine.fabric.numa_zones import zones_to_object
from simulator.engine.world.bus import Change
from simulator.engine.world.decisions import Create, Decision, Patch

KIND = "NodeResourceTopology"
_CONTENT = ("zones", "attributes")


class TopologyUpdater(NodeKeeper):
    name: ClassVar[str] = "topology-updater"
    rank: ClassVar[int] = 25

    def __init__(self, devices: NodeDevices) -> None:
        super().__init__()
        self._devices = devices
        self._objects: dict[str, dict[str, Any]] = {}

    def observe(self, change: Change, now: int) -> None:
        if change.kind == "Pod":
            for pod in (change.old, change.new):
                if pod is not None and pod.node_name and self._devices.has_fabric(pod.node_name):
                    self._dirty[pod.node_name] = None
        elif change.kind in ("NodeFabric", KIND):
            name = str(change.object["metadata"]["name"])
            self._dirty[name] = None
            if change.kind == KIND:
                self._objects.pop(name, None)
                if change.new is not None:
                    self._objects[name] = change.new
        elif change.kind == "Node" and self._devices.has_fabric(change.object.name):
            self._dirty[change.object.name] = None

    def _work(self, name: str) -> list[Decision]:
        zones = self._devices.zones(name)
        if zones is None:
            return []
        wanted, have = zones_to_object(zones), self._objects.get(name)
        if have is None:
            return [Create(wanted)]
        if all(have.get(field) == wanted[field] for field in _CONTENT):
            return []
        return [Patch(KIND, "", name, {field: wanted[field] for field in _CONTENT})]

    def _note(self, name: str, decisions: list[Decision]) -> Note:
        return Note("topology_updater.published", name)

    def save(self) -> Any:
        return self._due()

    def load(self, saved: Any) -> None:
        self._dirty = dict.fromkeys(saved)

"""Device matrices and link tables as machines print them, read into plain values and written back."""

from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.reader import read_topology
from simulator.manifests.topology.reading import NearestNic, NumaGroup, Reading, RocmTables, TopologyWarning

__all__ = [
    "NearestNic",
    "NumaGroup",
    "Reading",
    "RocmTables",
    "TopologyError",
    "TopologyWarning",
    "read_topology",
]

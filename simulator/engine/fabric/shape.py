"""The inside of one machine: NUMA nodes, PCIe tree, GPUs, network cards, NVLink pairs and NVSwitch groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from simulator.engine.fabric.accelerators import Accelerator, accelerator
from simulator.engine.fabric.links import LinkKind, link_kind


@dataclass(frozen=True, slots=True)
class NumaNode:
    """A NUMA node with its CPUs (list text, "" if unknown) and the socket it is on."""

    id: int
    cpus: str = ""
    socket: int = 0


@dataclass(frozen=True, slots=True)
class Bridge:
    """A PCIe switch below another bridge, or a host bridge of a NUMA node (then `parent` is None)."""

    id: str
    numa: int
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Gpu:
    """A GPU, NPU or die: its model's id, its NUMA node and the bridge it hangs on."""

    index: int
    model: str
    bridge: str

    @property
    def name(self) -> str:
        return f"GPU{self.index}"


@dataclass(frozen=True, slots=True)
class Nic:
    """A network card of a link kind; `carries` is false for one that storage or management uses alone."""

    index: int
    link: str
    bridge: str
    device: str = ""
    carries: bool = True
    name: str = ""

    @property
    def label(self) -> str:
        """The column name in a matrix."""
        return self.name or f"NIC{self.index}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two GPUs with direct links (bridges, meshes): how many of which kind."""

    first: int
    second: int
    links: int
    link: str


@dataclass(frozen=True, slots=True)
class Switched:
    """GPUs on an NVSwitch: links of each one into the switch, in the order of `gpus`."""

    gpus: tuple[int, ...]
    links: tuple[int, ...]
    link: str


@dataclass(frozen=True)
class HostShape:
    """A machine's hardware. GPUs are numbered 0..n-1 in device order; all members are tuples in a fixed order.

    `printed` overrides the PCIe cells of a matrix that no tree can express: (device, device) -> cell, both names in
    matrix order; `cpu_link` joins the sockets, `pcie` is the generation of every slot.
    """

    name: str
    numa: tuple[NumaNode, ...]
    bridges: tuple[Bridge, ...]
    gpus: tuple[Gpu, ...] = ()
    nics: tuple[Nic, ...] = ()
    pairs: tuple[Pair, ...] = ()
    switched: tuple[Switched, ...] = ()
    pcie: str = "pcie-4"
    cpu_link: str = "cpu-amd"
    printed: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.gpus, self.nics, self.pairs, self.switched))

    @cached_property
    def bridge_of(self) -> dict[str, Bridge]:
        """Bridges by id."""
        return {bridge.id: bridge for bridge in self.bridges}

    @cached_property
    def device_bridges(self) -> dict[str, str]:
        """The bridge of every GPU and card by device name."""
        gpus = {gpu.name: gpu.bridge for gpu in self.gpus}
        return gpus | {nic.label: nic.bridge for nic in self.nics}

    @cached_property
    def sockets(self) -> dict[int, int]:
        """The socket of every NUMA node."""
        return {node.id: node.socket for node in self.numa}

    @cached_property
    def link_counts(self) -> dict[tuple[int, int], tuple[int, str]]:
        """Direct or switched links of every GPU pair i < j that has some: how many, of which kind."""
        counts: dict[tuple[int, int], tuple[int, str]] = {}
        for group in self.switched:
            for position, first in enumerate(group.gpus):
                for other in range(position + 1, len(group.gpus)):
                    links = min(group.links[position], group.links[other])
                    if links:
                        counts[_ordered(first, group.gpus[other])] = (links, group.link)
        for pair in self.pairs:
            if pair.links:
                counts[_ordered(pair.first, pair.second)] = (pair.links, pair.link)
        return counts

    def links_between(self, first: int, second: int) -> int:
        """NVLinks (XGMI, HCCS links) that two GPUs can use with each other."""
        return self.link_counts.get(_ordered(first, second), (0, ""))[0]

    def link_kind_between(self, first: int, second: int) -> LinkKind | None:
        """The kind of those links, None if there are none."""
        found = self.link_counts.get(_ordered(first, second))
        return link_kind(found[1]) if found else None

    def model(self, gpu: int) -> Accelerator:
        """The model of a GPU."""
        return accelerator(self.gpus[gpu].model)

    def numa_of(self, device: str) -> int:
        """The NUMA node of a device by its name."""
        return self.bridge_of[self.device_bridges[device]].numa

    def ancestors(self, device: str) -> list[str]:
        """Bridges from the device's own up to the host bridge."""
        chain: list[str] = []
        current: str | None = self.device_bridges[device]
        while current is not None:
            chain.append(current)
            current = self.bridge_of[current].parent
        return chain

    @cached_property
    def switch_group_of(self) -> dict[int, int]:
        """Index into `switched` of every GPU on an NVSwitch."""
        return {gpu: index for index, group in enumerate(self.switched) for gpu in group.gpus if _is_linked(group, gpu)}


def _is_linked(group: Switched, gpu: int) -> bool:
    return group.links[group.gpus.index(gpu)] > 0


def _ordered(first: int, second: int) -> tuple[int, int]:
    return (first, second) if first < second else (second, first)

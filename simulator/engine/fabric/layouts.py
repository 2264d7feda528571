"""Building blocks of machine shapes: NUMA nodes, PCIe trees, meshes. Used by the presets."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.engine.fabric.shape import Bridge, Gpu, Nic, NumaNode, Pair, Switched


def numa_nodes(count: int, cores: int, sockets: int = 2, threads: int = 2) -> tuple[NumaNode, ...]:
    """Equal NUMA nodes over all cores; with two threads per core the second half of the CPU numbers are siblings."""
    per_node = cores // count
    nodes = []
    for node in range(count):
        first = node * per_node
        ranges = [(first + thread * cores, first + thread * cores + per_node - 1) for thread in range(threads)]
        cpus = ",".join(f"{low}-{high}" for low, high in ranges)
        nodes.append(NumaNode(node, cpus, node * sockets // count))
    return tuple(nodes)


class Board:
    """Collects the PCIe tree of a machine: host bridges, switches, GPUs and cards in the order they are added."""

    def __init__(self) -> None:
        self.bridges: list[Bridge] = []
        self.gpus: list[Gpu] = []
        self.nics: list[Nic] = []

    def host_bridge(self, numa: int) -> str:
        """A new host bridge of a NUMA node; its id."""
        return self._add(f"bridge{len(self.bridges)}", numa, None)

    def switch(self, parent: str) -> str:
        """A new PCIe switch below a bridge; its id."""
        numa = next(bridge.numa for bridge in self.bridges if bridge.id == parent)
        return self._add(f"switch{len(self.bridges)}", numa, parent)

    def gpu(self, model: str, bridge: str) -> None:
        self.gpus.append(Gpu(len(self.gpus), model, bridge))

    def nic(self, link: str, bridge: str, device: str = "", *, carries: bool = True) -> None:
        index = len(self.nics)
        self.nics.append(Nic(index, link, bridge, device or f"mlx5_{index}", carries))

    def _add(self, name: str, numa: int, parent: str | None) -> str:
        self.bridges.append(Bridge(name, numa, parent))
        return name


def rail_board(model: str, nic: str, gpu_numa: Sequence[int], *, with_nic: bool = True) -> Board:
    """Every GPU with its own card on one PCIe switch, each switch on its own host bridge (PIX to the card, NODE and
    SYS to everything else).
    """
    board = Board()
    for numa in gpu_numa:
        switch = board.switch(board.host_bridge(numa))
        board.gpu(model, switch)
        if with_nic:
            board.nic(nic, switch)
    return board


def mesh(size: int, links: int, link: str) -> tuple[Pair, ...]:
    """Direct links between all pairs (XGMI, HCCS)."""
    return tuple(Pair(first, second, links, link) for first in range(size) for second in range(first + 1, size))


def nvswitch(size: int, links: int, link: str) -> tuple[Switched, ...]:
    """One NVSwitch group of all GPUs with the same number of links each."""
    return (Switched(tuple(range(size)), (links,) * size, link),)


def pairs(link: str, *rows: tuple[int, int, int]) -> tuple[Pair, ...]:
    """Direct links from (first, second, links) rows."""
    return tuple(Pair(first, second, links, link) for first, second, links in rows)

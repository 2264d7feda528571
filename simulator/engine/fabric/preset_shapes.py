"""Shapes of known machines. PCIe trees and affinities follow real device matrices of such machines."""

from __future__ import annotations

from simulator.engine.fabric.layouts import Board, mesh, numa_nodes, nvswitch, pairs, rail_board
from simulator.engine.fabric.shape import HostShape, NumaNode

_TWO_OF_FOUR = (0, 0, 0, 0, 1, 1, 1, 1)


def _hgx(name: str, model: str, link: str, *, nic: str, cpu_link: str, cores: int = 112) -> HostShape:
    """Eight GPUs on NVSwitch, one rail card next to each, two sockets."""
    board = rail_board(model, nic, _TWO_OF_FOUR)
    return HostShape(
        name,
        numa_nodes(2, cores),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        switched=nvswitch(8, 18, link),
        pcie="pcie-5",
        cpu_link=cpu_link,
    )


def hgx_h100() -> HostShape:
    return _hgx("hgx-h100-8", "h100-80gb", "nvlink-4", nic="ib-ndr", cpu_link="cpu-sapphire-rapids")


def hgx_h200() -> HostShape:
    return _hgx("hgx-h200-8", "h200-141gb", "nvlink-4", nic="ib-ndr", cpu_link="cpu-emerald-rapids")


def hgx_b200() -> HostShape:
    return _hgx("hgx-b200-8", "b200-180gb", "nvlink-5", nic="ib-ndr", cpu_link="cpu-emerald-rapids")


def h20() -> HostShape:
    return _hgx("h20-8", "h20-96gb", "nvlink-4", nic="roce-400", cpu_link="cpu-amd", cores=192)


def dgx_a100() -> HostShape:
    """Eight NUMA nodes; GPU pairs sit on nodes 3, 1, 7 and 5, each with two cards; two more cards for storage."""
    board = Board()
    for numa in (3, 1, 7, 5):
        upper = board.switch(board.host_bridge(numa))
        for _ in range(2):
            board.gpu("a100-80gb", board.switch(upper))
            board.nic("ib-hdr", board.switch(upper))
    storage = board.switch(board.host_bridge(4))
    for _ in range(2):
        board.nic("ib-hdr", storage, carries=False)
    return HostShape(
        "dgx-a100-8",
        numa_nodes(8, 128),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        switched=nvswitch(8, 12, "nvlink-3"),
        cpu_link="cpu-amd",
    )


def a800() -> HostShape:
    """NVLink cut to 8 links; one card per pair of GPUs."""
    board = Board()
    for numa in (0, 0, 1, 1):
        upper = board.switch(board.host_bridge(numa))
        board.gpu("a800-80gb", board.switch(upper))
        board.gpu("a800-80gb", board.switch(upper))
        board.nic("ib-hdr", board.switch(upper))
    return HostShape(
        "a800-8",
        numa_nodes(2, 64),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        switched=nvswitch(8, 8, "nvlink-3"),
        cpu_link="cpu-skylake",
    )


def a100_pcie_bridged() -> HostShape:
    """Four PCIe cards in two NVLink bridge pairs, every GPU on its own NUMA node."""
    board = Board()
    for numa in range(4):
        bridge = board.host_bridge(numa)
        board.gpu("a100-pcie-80gb", bridge)
    board.nic("ib-hdr", board.host_bridge(0))
    return HostShape(
        "a100-pcie-4",
        numa_nodes(4, 96, threads=1),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        pairs=pairs("nvlink-3", (0, 1, 12), (2, 3, 12)),
        cpu_link="cpu-amd",
    )


def _pcie_box(name: str, model: str, nic: str, nic_numa: tuple[int, ...]) -> HostShape:
    """Eight PCIe GPUs: two on a switch (PIX), four below an upper switch (PXB), two sockets."""
    board = Board()
    for numa in (0, 1):
        upper = board.switch(board.host_bridge(numa))
        for _ in range(2):
            switch = board.switch(upper)
            board.gpu(model, switch)
            board.gpu(model, switch)
        if numa in nic_numa:
            card = board.switch(upper)
            for _ in range(nic_numa.count(numa)):
                board.nic(nic, card)
    return HostShape(
        name, numa_nodes(2, 64), tuple(board.bridges), tuple(board.gpus), tuple(board.nics), cpu_link="cpu-skylake"
    )


def l40s() -> HostShape:
    return _pcie_box("l40s-8", "l40s", "roce-200", (0, 1))


def rtx_4090() -> HostShape:
    """PCIe only, and no peer-to-peer between the cards: traffic passes through host memory."""
    return _pcie_box("rtx4090-8", "rtx-4090", "roce-100", (0, 0))


def t4() -> HostShape:
    """A cloud machine: everything hangs on one host bridge."""
    board = Board()
    bridge = board.host_bridge(0)
    board.gpu("t4", bridge)
    board.gpu("t4", bridge)
    board.nic("ethernet-25", bridge, "gve0")
    nodes = numa_nodes(1, 16, sockets=1)
    return HostShape(
        "t4-2", nodes, tuple(board.bridges), tuple(board.gpus), tuple(board.nics), pcie="pcie-3", cpu_link="cpu-skylake"
    )


def mi300x() -> HostShape:
    board = rail_board("mi300x", "roce-400", _TWO_OF_FOUR)
    return HostShape(
        "mi300x-8",
        numa_nodes(2, 96),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        pairs=mesh(8, 1, "xgmi-mi300"),
        pcie="pcie-5",
        cpu_link="cpu-amd",
    )


def ascend_910b() -> HostShape:
    """The NPU order is not the NUMA order: pairs (0, 2), (1, 3), (4, 6), (5, 7) share a node."""
    board = rail_board("ascend-910b", "roce-200", (6, 0, 6, 0, 4, 2, 4, 2))
    return HostShape(
        "ascend-910b-8",
        numa_nodes(8, 192, sockets=4, threads=1),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        pairs=mesh(8, 1, "hccs"),
        cpu_link="cpu-arm",
    )


def gb200_tray() -> HostShape:
    """One compute tray of an NVL72 rack: four GPUs, two Grace CPUs; NVLink leaves the tray."""
    board = rail_board("gb200-186gb", "ib-ndr", (0, 0, 1, 1))
    return HostShape(
        "gb200-tray-4",
        numa_nodes(2, 144, threads=1),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        switched=nvswitch(4, 18, "nvlink-5"),
        pcie="pcie-5",
        cpu_link="cpu-grace",
    )


def dgx1_v100() -> HostShape:
    """The hybrid cube mesh: six NVLinks per GPU, one or two to each of four others."""
    board = Board()
    for numa in (0, 0, 1, 1):
        switch = board.switch(board.host_bridge(numa))
        board.gpu("v100-sxm2-16gb", switch)
        board.gpu("v100-sxm2-16gb", switch)
        board.nic("ib-edr", switch)
    cube = (
        *((0, 1, 1), (0, 2, 1), (0, 3, 2), (0, 4, 2), (1, 2, 2), (1, 3, 1), (1, 5, 2), (2, 3, 2)),
        *((2, 6, 1), (3, 7, 1), (4, 5, 1), (4, 6, 1), (4, 7, 2), (5, 6, 2), (5, 7, 1), (6, 7, 2)),
    )
    return HostShape(
        "dgx1-v100-8",
        numa_nodes(2, 40),
        tuple(board.bridges),
        tuple(board.gpus),
        tuple(board.nics),
        pairs=pairs("nvlink-2", *cube),
        pcie="pcie-3",
        cpu_link="cpu-skylake",
    )


def cpu_only() -> HostShape:
    board = Board()
    board.nic("ethernet-25", board.host_bridge(0), "eth0")
    nodes: tuple[NumaNode, ...] = numa_nodes(2, 32)
    return HostShape("cpu-64", nodes, tuple(board.bridges), (), tuple(board.nics), cpu_link="cpu-sapphire-rapids")

"""Writes a device matrix in the layout of `nvidia-smi topo -m`: tabs, affinity columns, legends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from simulator.engine.fabric.cells import SELF
from simulator.manifests.topology.header import AFFINITY_TITLES, is_accelerator

_NOT_AVAILABLE: Final = "N/A"
_LEGEND: Final = (
    ("X", "the device itself"),
    ("SYS", "PCIe and the link between CPU sockets (NUMA nodes)"),
    ("NODE", "PCIe and the link between host bridges of one NUMA node"),
    ("PHB", "PCIe and one host bridge, usually the CPU"),
    ("PXB", "several PCIe bridges, no host bridge"),
    ("PIX", "at most one PCIe bridge"),
    ("NV#", "# bonded NVLinks"),
)


def write_topology(
    names: Sequence[str],
    cells: Sequence[Sequence[str]],
    affinity: Mapping[str, tuple[str | None, str | None, str | None]],
    nic_names: Mapping[str, str] | None = None,
) -> str:
    """The text of a matrix; `affinity` has (CPUs, NUMA, GPU NUMA id) per accelerator, None is written as N/A."""
    lines = ["\t" + "\t".join([*names, *AFFINITY_TITLES])]
    for name, row in zip(names, cells, strict=True):
        texts = [f" {SELF} " if cell == SELF else cell for cell in row]
        line = "\t".join([name, *texts])
        if is_accelerator(name):
            cpu, numa, device = (text or _NOT_AVAILABLE for text in affinity.get(name, (None, None, None)))
            line += f"\t{cpu}\t{numa}\t\t{device}"
        lines.append(line)
    lines += ["", "Legend:", "", *(f"  {cell:<4} = {meaning}" for cell, meaning in _LEGEND)]
    if nic_names:
        lines += ["", "NIC Legend:", "", *(f"  {nic}: {device}" for nic, device in nic_names.items())]
    return "\n".join(lines) + "\n"

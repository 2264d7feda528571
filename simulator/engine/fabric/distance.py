"""How near two devices of a machine are: matrix cells from the PCIe tree, and what a pair of GPUs can carry."""

from __future__ import annotations

from simulator.engine.fabric.bandwidth import Bandwidth
from simulator.engine.fabric.cells import HCCS, NODE, PHB, PIX, PXB, SELF, SYS, cell_rank, crosses_sockets
from simulator.engine.fabric.links import HCCS as HCCS_FAMILY
from simulator.engine.fabric.links import HOST_BRIDGE_EFFECTIVE, NVLINK, link_kind
from simulator.engine.fabric.shape import HostShape, Nic

XGMI_CELL = "XGMI"


def pcie_cell(shape: HostShape, first: str, second: str) -> str:
    """The PCIe distance of two devices by name, whatever NVLink there is: PIX, PXB, PHB, NODE or SYS."""
    if first == second:
        return SELF
    printed = shape.printed.get((first, second)) or shape.printed.get((second, first))
    return printed or tree_cell(shape, first, second)


def tree_cell(shape: HostShape, first: str, second: str) -> str:
    """The cell that follows from the PCIe tree alone."""
    left, right = shape.ancestors(first), shape.ancestors(second)
    common = next((bridge for bridge in left if bridge in right), None)
    if common is None:
        return NODE if shape.numa_of(first) == shape.numa_of(second) else SYS
    if shape.bridge_of[common].parent is None:
        return PHB
    return PIX if left.index(common) == 0 and right.index(common) == 0 else PXB


def device_cell(shape: HostShape, first: str, second: str) -> str:
    """The cell a matrix prints for two devices: NV#, HCCS or XGMI where two GPUs are linked, else the PCIe distance."""
    gpus = {gpu.name: gpu.index for gpu in shape.gpus}
    if first in gpus and second in gpus and first != second:
        kind = shape.link_kind_between(gpus[first], gpus[second])
        if kind is not None:
            links = shape.links_between(gpus[first], gpus[second])
            return f"NV{links}" if kind.family == NVLINK else HCCS if kind.family == HCCS_FAMILY else XGMI_CELL
    return pcie_cell(shape, first, second)


def pcie_bandwidth(shape: HostShape, cell: str) -> Bandwidth:
    """What a pair of devices at this PCIe distance can carry (achievable, per direction)."""
    slot = link_kind(shape.pcie).effective
    if cell in (PIX, PXB):
        return slot
    through_cpu = Bandwidth(HOST_BRIDGE_EFFECTIVE[shape.pcie])
    return min(through_cpu, link_kind(shape.cpu_link).effective) if crosses_sockets(cell) else through_cpu


def gpu_bandwidth(shape: HostShape, first: int, second: int) -> Bandwidth:
    """Achievable bandwidth between two GPUs over their best way."""
    kind = shape.link_kind_between(first, second)
    if kind is not None:
        return kind.effective.times(shape.links_between(first, second))
    return pcie_bandwidth(shape, pcie_cell(shape, shape.gpus[first].name, shape.gpus[second].name))


def bandwidth_matrix(shape: HostShape) -> list[list[float]]:
    """GB/s per direction between all GPUs (achievable); 0 on the diagonal."""
    size = len(shape.gpus)
    return [
        [0.0 if row == column else gpu_bandwidth(shape, row, column).per_direction for column in range(size)]
        for row in range(size)
    ]


def nearest_nics(shape: HostShape, gpu: int) -> tuple[str, tuple[Nic, ...]]:
    """The best cell of a GPU among the cards that carry collectives, and the cards that have it; ("", ()) without."""
    name = shape.gpus[gpu].name
    cells = [(nic, pcie_cell(shape, name, nic.label)) for nic in shape.nics if nic.carries]
    if not cells:
        return "", ()
    best = min((cell for _, cell in cells), key=cell_rank)
    return best, tuple(nic for nic, cell in cells if cell == best)

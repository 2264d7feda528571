"""The device matrix of a machine: names, cells and affinities as the vendor's tool would print them."""

from __future__ import annotations

from simulator.engine.fabric.distance import device_cell
from simulator.engine.fabric.from_matrix import MatrixFacts
from simulator.engine.fabric.shape import HostShape


def matrix_of(shape: HostShape) -> MatrixFacts:
    """The matrix over GPUs and cards in device order."""
    names = [gpu.name for gpu in shape.gpus] + [nic.label for nic in shape.nics]
    cpus = {node.id: node.cpus for node in shape.numa}
    places = [shape.numa_of(gpu.name) for gpu in shape.gpus]
    return MatrixFacts(
        gpus=len(shape.gpus),
        nics=tuple(nic.label for nic in shape.nics),
        cells=tuple(tuple(device_cell(shape, first, second) for second in names) for first in names),
        numa=tuple(str(place) for place in places),
        cpus=tuple(cpus[place] or None for place in places),
        nic_devices=tuple(nic.device for nic in shape.nics),
    )

"""Between readings and machines: what a text told becomes a host shape, and a host shape becomes a text."""

from __future__ import annotations

from simulator.engine.fabric.accelerators import ASCEND
from simulator.engine.fabric.distance import XGMI_CELL
from simulator.engine.fabric.from_matrix import Finding, MatrixFacts, shape_from_matrix
from simulator.engine.fabric.from_rocm import shape_from_rocm
from simulator.engine.fabric.matrix import matrix_of
from simulator.engine.fabric.shape import HostShape
from simulator.manifests.topology import errors
from simulator.manifests.topology.errors import TopologyError
from simulator.manifests.topology.reading import NVLINK_STATUS, Reading
from simulator.manifests.topology.writer import write_topology


def matrix_facts(reading: Reading) -> MatrixFacts:
    """The matrix of a reading with GPUs first, as the engine takes it."""
    groups = {gpu: group for group in reading.numa for gpu in group.gpus}
    nics = reading.names[reading.gpus :]
    return MatrixFacts(
        gpus=reading.gpus,
        nics=nics,
        cells=reading.cells,
        numa=tuple(groups[gpu].numa for gpu in range(reading.gpus)),
        cpus=tuple(groups[gpu].cpu for gpu in range(reading.gpus)),
        nic_devices=tuple(reading.nic_names.get(nic, "") for nic in nics),
    )


def shape_of(
    reading: Reading, name: str, *, model: str = "", nic_link: str = "ib-ndr"
) -> tuple[HostShape, tuple[Finding, ...]]:
    """The machine a text describes. Raises TopologyError for a link status, which has no distances."""
    if reading.rocm is not None:
        types = reading.rocm.type or ((None,) * reading.gpus,) * reading.gpus
        numa = reading.rocm.numa
        return shape_from_rocm(name, types, reading.rocm.weight, numa, model=model or "mi300x"), ()
    if reading.kind == NVLINK_STATUS:
        raise TopologyError(errors.NO_MATRIX)
    chosen = model or ("ascend-910b" if reading.names[0].startswith(("NPU", "Phy")) else "")
    return shape_from_matrix(name, matrix_facts(reading), model=chosen, nic_link=nic_link)


def topology_text(shape: HostShape) -> str:
    """A machine's matrix as text. Raises TopologyError for machines with XGMI, which such a text cannot express."""
    facts = matrix_of(shape)
    if any(cell == XGMI_CELL for row in facts.cells for cell in row):
        raise TopologyError(errors.NO_MATRIX)
    prefix = "NPU" if shape.gpus and shape.model(0).resource == ASCEND else "GPU"
    accelerators = [f"{prefix}{gpu.index}" for gpu in shape.gpus]
    names = [*accelerators, *facts.nics]
    affinity = {name: (cpu, numa, None) for name, cpu, numa in zip(accelerators, facts.cpus, facts.numa, strict=True)}
    cells = [[cell or "SYS" for cell in row] for row in facts.cells]
    devices = {nic: device for nic, device in zip(facts.nics, facts.nic_devices, strict=True) if device}
    return write_topology(names, cells, affinity, devices)

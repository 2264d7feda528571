"""A written matrix reads back as it was."""

from __future__ import annotations

import pytest

from simulator.manifests.topology import read_topology
from simulator.manifests.topology.writer import write_topology

from .machines import BRIDGED, CUBE, nvswitch_text
from .recorded import expectations, recorded_bytes

RECORDED = [entry["file"] for entry in expectations() if entry["kind"] == "nvidia-topo"]


def rewritten(text: str | bytes) -> str:
    reading = read_topology(text)
    affinity = {
        reading.names[gpu]: (group.cpu, group.numa, (reading.gpu_numa_id or {gpu: None})[gpu])
        for group in reading.numa
        for gpu in group.gpus
    }
    cells = [[cell or "SYS" for cell in row] for row in reading.cells]
    return write_topology(reading.names, cells, affinity, reading.nic_names)


@pytest.mark.parametrize("text", [nvswitch_text(), BRIDGED, CUBE], ids=["nvswitch", "bridged", "cube"])
def test_written_matrix_reads_back(text: str) -> None:
    before, after = read_topology(text), read_topology(rewritten(text))

    assert (after.names, after.cells, after.numa, after.nic_names) == (
        before.names,
        before.cells,
        before.numa,
        before.nic_names,
    )
    assert after.nearest_nic == before.nearest_nic


@pytest.mark.skipif(not RECORDED, reason="the recorded topology texts are not here")
@pytest.mark.parametrize("file", RECORDED)
def test_recorded_matrix_reads_back(file: str) -> None:
    before = read_topology(recorded_bytes(file))
    after = read_topology(rewritten(recorded_bytes(file)))

    if all(cell is not None for row in before.cells for cell in row):
        assert after.cells == before.cells
    assert (after.links, after.nvlink_islands, after.numa) == (before.links, before.nvlink_islands, before.numa)

"""Between texts and machines: what is read becomes a host, its matrix is the text again."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.serial import shape_from_mapping, shape_to_mapping
from simulator.manifests.topology import TopologyError, errors, read_topology
from simulator.manifests.topology.facts import shape_of, topology_text

from .machines import BRIDGED, CUBE, NPUS, NVLINK_STATUS, ROCM, nvswitch_text
from .recorded import expectations, recorded_bytes

MATRICES = [entry["file"] for entry in expectations() if entry["kind"] in ("nvidia-topo", "npu-topo")]
DAMAGED = ("22-", "64-")


def test_bridged_box_becomes_a_machine() -> None:
    shape, findings = shape_of(read_topology(BRIDGED), "box", model="rtx-a6000")

    assert findings == ()
    assert [(pair.first, pair.second, pair.links, pair.link) for pair in shape.pairs] == [
        (0, 1, 4, "nvlink-3-ga102"),
        (2, 3, 4, "nvlink-3-ga102"),
    ]
    assert [(node.id, node.cpus) for node in shape.numa] == [(0, "0-15,32-47"), (1, "16-31,48-63")]
    assert [shape.numa_of(name) for name in ("GPU0", "GPU3", "NIC0")] == [0, 1, 0]
    assert shape.nics[0].device == "mlx5_0"


@pytest.mark.parametrize("text", [nvswitch_text(), BRIDGED, CUBE, NPUS], ids=["nvswitch", "bridged", "cube", "npus"])
def test_written_matrix_of_a_machine_is_the_text_again(text: str) -> None:
    before = read_topology(text)
    shape, _ = shape_of(before, "box")
    after = read_topology(topology_text(shape))

    assert (after.names, after.cells) == (before.names, before.cells)
    assert after.kind == before.kind
    assert after.nic_names == before.nic_names


@pytest.mark.parametrize("name", [name for name in PRESETS if name not in ("mi300x-8", "cpu-64")])
def test_presets_print_and_read_back(name: str) -> None:
    shape = PRESETS[name].shape
    reading = read_topology(topology_text(shape))

    assert reading.warnings == ()
    assert reading.gpus == len(shape.gpus)
    assert {group.numa for group in reading.numa} == {str(shape.numa_of(gpu.name)) for gpu in shape.gpus}
    again, _ = shape_of(reading, "again", model=shape.gpus[0].model)
    assert read_topology(topology_text(again)) == reading


def test_xgmi_machine_comes_from_rocm_tables_and_has_no_such_matrix() -> None:
    shape, _ = shape_of(read_topology(ROCM), "amd", model="mi250x")

    assert [(pair.first, pair.second) for pair in shape.pairs] == [(0, 1)]
    with pytest.raises(TopologyError) as caught:
        topology_text(shape)
    assert caught.value.code == errors.NO_MATRIX


def test_link_status_is_no_machine() -> None:
    with pytest.raises(TopologyError) as caught:
        shape_of(read_topology(NVLINK_STATUS), "x")
    assert caught.value.code == errors.NO_MATRIX


@pytest.mark.skipif(not MATRICES, reason="the recorded topology texts are not here")
@pytest.mark.parametrize("file", MATRICES)
def test_recorded_machine_prints_its_matrix_again(file: str) -> None:
    before = read_topology(recorded_bytes(file))
    shape, _ = shape_of(before, "recorded")
    after = read_topology(topology_text(shape))

    assert shape_from_mapping(shape_to_mapping(shape)) == shape
    assert (after.links, after.nvlink_islands, after.nearest_nic) == (
        before.links,
        before.nvlink_islands,
        before.nearest_nic,
    )
    if not file.startswith(DAMAGED):
        assert after.cells == before.cells

"""Machines from matrices: NUMA nodes, PCIe tree, NVLink groups, findings; and the matrix of a machine."""

from __future__ import annotations

from simulator.engine.fabric.distance import nearest_nics
from simulator.engine.fabric.from_matrix import Finding, MatrixFacts, shape_from_matrix
from simulator.engine.fabric.from_rocm import shape_from_rocm
from simulator.engine.fabric.matrix import matrix_of
from simulator.engine.fabric.presets import PRESETS
from simulator.engine.fabric.shape import Switched


def facts(rows: list[str], numa: list[str | None] | None = None, cpus: list[str | None] | None = None) -> MatrixFacts:
    """A matrix of GPUs from rows of blank-divided cells."""
    cells = tuple(tuple(None if cell == "?" else cell for cell in row.split()) for row in rows)
    none: list[str | None] = [None] * len(rows)
    return MatrixFacts(len(rows), (), cells, tuple(numa or none), tuple(cpus or none))


def printed(matrix: MatrixFacts) -> list[list[str | None]]:
    return [list(row) for row in matrix.cells]


def test_presets_survive_their_own_matrix() -> None:
    for preset in PRESETS.values():
        if preset.id == "mi300x-8":
            continue
        matrix = matrix_of(preset.shape)
        shape, findings = shape_from_matrix("copy", matrix, model=preset.shape.gpus[0].model if matrix.gpus else "")
        assert printed(matrix_of(shape)) == printed(matrix)
        assert matrix_of(shape).numa == matrix.numa
        assert [finding for finding in findings if finding.code != "numa_from_cells"] == []


def test_switch_is_told_from_a_mesh_by_the_number_of_links() -> None:
    on_switch, _ = shape_from_matrix("a", facts(["X NV12 NV12", "NV12 X NV12", "NV12 NV12 X"]))
    mesh, _ = shape_from_matrix("b", facts(["X NV4 NV4", "NV4 X NV4", "NV4 NV4 X"]))

    assert on_switch.switched == (Switched((0, 1, 2), (12, 12, 12), "nvlink-3"),)
    assert (mesh.switched, len(mesh.pairs)) == ((), 3)


def test_degraded_gpu_on_a_switch_keeps_the_others_whole() -> None:
    rows = ["X NV18 NV17 NV18", "NV18 X NV17 NV18", "NV17 NV17 X NV17", "NV18 NV18 NV17 X"]
    shape, findings = shape_from_matrix("a", facts(rows), model="h100-80gb")

    assert shape.switched == (Switched((0, 1, 2, 3), (18, 18, 17, 18), "nvlink-4"),)
    assert Finding("uneven_links", ("GPU2",)) in findings


def test_gpu_that_fell_off_the_fabric_is_found() -> None:
    rows = ["X NV18 SYS NV18", "NV18 X SYS NV18", "SYS SYS X SYS", "NV18 NV18 SYS X"]

    assert Finding("gpu_off_fabric", ("GPU2",)) in shape_from_matrix("a", facts(rows))[1]


def test_numa_numbers_win_over_far_cells() -> None:
    """All SYS, also inside one NUMA node."""
    rows = ["X SYS SYS", "SYS X SYS", "SYS SYS X"]
    shape, findings = shape_from_matrix("a", facts(rows, numa=["0", "0", "1"]))

    assert [shape.numa_of(f"GPU{gpu}") for gpu in range(3)] == [0, 0, 1]
    assert findings == ()
    assert printed(matrix_of(shape)) == printed(facts(rows))


def test_cells_win_over_useless_cpu_texts() -> None:
    """A job's CPU mask is the same for all GPUs, but the cells cross sockets."""
    rows = ["X PIX SOC SOC", "PIX X SOC SOC", "SOC SOC X PIX", "SOC SOC PIX X"]
    shape, findings = shape_from_matrix("a", facts(rows, cpus=["1-1"] * 4))

    assert [shape.numa_of(f"GPU{gpu}") for gpu in range(4)] == [0, 0, 1, 1]
    assert findings[0].code == "numa_from_cells"
    assert printed(matrix_of(shape)) == printed(facts(rows))


def test_cpu_texts_divide_when_the_cells_do_not_contradict() -> None:
    rows = ["X HCCS HCCS", "HCCS X HCCS", "HCCS HCCS X"]
    shape, _ = shape_from_matrix("a", facts(rows, cpus=["24-47", "0-23", "24-47"]), model="ascend-910b")

    assert [shape.numa_of(f"GPU{gpu}") for gpu in range(3)] == [0, 1, 0]
    assert {pair.link for pair in shape.pairs} == {"hccs"}


def test_unknown_pair_counts_as_far() -> None:
    shape, findings = shape_from_matrix("a", facts(["X ?", "? X"], numa=["0", "1"]))

    assert findings == (Finding("unknown_pair", ("GPU0", "GPU1")),)
    assert printed(matrix_of(shape)) == [["X", "SYS"], ["SYS", "X"]]


def test_distances_hidden_by_nvlink_are_joined_through_the_others() -> None:
    """GPU1 and GPU2 are PIX to GPU3, NV4 to each other: all three are on one switch at least."""
    rows = ["X SYS SYS SYS", "SYS X NV4 PIX", "SYS NV4 X PIX", "SYS PIX PIX X"]
    shape, _ = shape_from_matrix("a", facts(rows, numa=["0", "1", "1", "1"]))

    assert len({shape.gpus[gpu].bridge for gpu in (1, 2, 3)}) == 1
    assert printed(matrix_of(shape)) == printed(facts(rows))


def test_cards_find_their_gpus() -> None:
    shape = PRESETS["dgx-a100-8"].shape

    cell, cards = nearest_nics(shape, 4)
    assert (cell, [card.label for card in cards]) == ("PXB", ["NIC4", "NIC5"])


def test_rocm_weight_tells_direct_links() -> None:
    types = [["0", "XGMI", "XGMI"], ["XGMI", "0", "XGMI"], ["XGMI", "XGMI", "0"]]
    weights = [[0, 15, 30], [15, 0, 15], [30, 15, 0]]
    shape = shape_from_rocm("a", types, weights, [0, 0, 1], model="mi250x")

    assert [(pair.first, pair.second) for pair in shape.pairs] == [(0, 1), (1, 2)]
    assert [shape.numa_of(gpu.name) for gpu in shape.gpus] == [0, 0, 1]

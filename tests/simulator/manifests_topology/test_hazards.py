"""The hazards of real texts, each as a rule, on machines written for the tests."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.manifests.topology import TopologyError, errors, read_topology

from .machines import BRIDGED, CUBE, NPUS, NVLINK_STATUS, ROCM, nvswitch_text


def read(text: str | bytes) -> dict[str, Any]:
    return read_topology(text).to_mapping("file.txt")


def warnings_of(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(entry["code"], entry["row"], entry["column"]) for entry in read(text)["warnings"]]


def test_bridged_box_is_read_whole() -> None:
    assert read(BRIDGED) == {
        "file": "file.txt",
        "kind": "nvidia-topo",
        "gpus": 4,
        "nics": 1,
        "links": [
            [0, 1, "NV4"],
            [0, 2, "NODE"],
            [0, 3, "NODE"],
            [1, 2, "NODE"],
            [1, 3, "NODE"],
            [2, 3, "NV4"],
        ],
        "nvlink_islands": [[0, 1], [2, 3]],
        "numa": [
            {"numa": "0", "cpu": "0-15,32-47", "gpus": [0, 1]},
            {"numa": "1", "cpu": "16-31,48-63", "gpus": [2, 3]},
        ],
        "nearest_nic": {
            "0": {"link": "NODE", "nics": ["NIC0"]},
            "1": {"link": "NODE", "nics": ["NIC0"]},
            "2": {"link": "SYS", "nics": ["NIC0"]},
            "3": {"link": "SYS", "nics": ["NIC0"]},
        },
        "gpu_numa_id": [None, None, None, None],
        "nic_names": {"NIC0": "mlx5_0"},
        "rocm": None,
        "nvlink_status": None,
        "warnings": [],
    }


def test_header_glued_to_the_title_is_split() -> None:
    text = nvswitch_text().replace("NIC7\tCPU Affinity\tNUMA Affinity", "NIC7CPU AffinityNUMA Affinity")

    assert read(text)["nics"] == 8
    assert warnings_of(text) == [("glued_header", None, "NIC7"), ("glued_header", None, "CPU Affinity")]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("GPU0GPU1mlx5_0mlx5_1", ["GPU0", "GPU1", "mlx5_0"]),
        ("GPU0  GPU1  mlx5_bond_0mlx5_bond_1", ["mlx5_bond_0"]),
    ],
)
def test_header_of_glued_names_is_split(header: str, names: list[str]) -> None:
    cards = ["mlx5_bond_0", "mlx5_bond_1"] if "bond" in header else ["mlx5_0", "mlx5_1"]
    text = f"{header}\nGPU0 X PIX PIX SYS\nGPU1 PIX X PIX SYS\n{cards[0]} PIX PIX X SYS\n{cards[1]} SYS SYS SYS X\n"

    assert (read(text)["gpus"], read(text)["nics"]) == (2, 2)
    assert warnings_of(text) == [("glued_header", None, name) for name in names]


def test_glued_cells_are_split_and_reported() -> None:
    text = BRIDGED.replace("GPU2    NODE    NODE     X ", "GPU2    NODENODE     X ")

    assert read(text)["links"] == read(BRIDGED)["links"]
    assert warnings_of(text) == [("glued_cell", "GPU2", "GPU0")]


def test_cells_divided_by_a_single_blank_in_a_tab_text_are_no_fault() -> None:
    text = nvswitch_text().replace("\t X \t", "\tX ")

    assert read(text) == read(nvswitch_text())


def test_last_cell_glued_to_the_affinity_is_split() -> None:
    text = "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X NV40-31 0\nGPU1 NV4 X 0-31 0\n"

    assert read(text)["links"] == [[0, 1, "NV4"]]
    assert read(text)["numa"] == [{"numa": "0", "cpu": "0-31", "gpus": [0, 1]}]
    assert warnings_of(text) == [("glued_cell", "GPU0", "GPU1")]


@pytest.mark.parametrize(
    ("tail", "cpu", "numa", "column"),
    [
        ("0-47,96-1430N/A", "0-47,96-143", "0", "CPU Affinity"),
        ("48-95,144-1911N/A", "48-95,144-191", "1", "CPU Affinity"),
        ("48-95,144-191 1N/A", "48-95,144-191", "1", "NUMA Affinity"),
        ("0-127N/A N/A", "0-127", None, "CPU Affinity"),
        ("0,2,4,6,8,100N/A", "0,2,4,6,8,10", "0", "CPU Affinity"),
        ("1,3,5,7,9,111 N/A", "1,3,5,7,9,11", "1", "CPU Affinity"),
    ],
)
def test_glued_affinity_with_one_reading_is_split(tail: str, cpu: str, numa: str | None, column: str) -> None:
    intact = f"GPU1 SYS X {cpu} {numa or 'N/A'} N/A"
    text = f"GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X SYS {tail}\n{intact}\n"

    assert read(text)["numa"] == [{"numa": numa, "cpu": cpu, "gpus": [0, 1]}]
    assert warnings_of(text) == [("glued_affinity", "GPU0", column)]


def test_glued_affinity_with_two_readings_keeps_the_gpus_together_without_a_guess() -> None:
    rows = "GPU0 X NODE SYS 0-230N/A\nGPU1 NODE X SYS 0-230N/A\nGPU2 SYS SYS X 24-471N/A\n"
    text = f"GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity GPU NUMA ID\n{rows}"

    assert read(text)["numa"] == [
        {"numa": None, "cpu": None, "gpus": [0, 1]},
        {"numa": "1", "cpu": "24-47", "gpus": [2]},
    ]


@pytest.mark.parametrize(
    ("tail", "cpu", "numa", "blank"),
    [
        ("0-31 1 N/A", "0-31", "1", []),
        ("N/A", None, None, ["CPU Affinity", "NUMA Affinity"]),
        ("1 N/A", None, "1", ["CPU Affinity"]),
        ("0-230 N/A", "0-230", None, ["NUMA Affinity"]),
        ("", None, None, ["CPU Affinity", "NUMA Affinity"]),
        ("0-31 N/A N/A", "0-31", None, []),
        ("0-31 0-1 N/A", "0-31", "0-1", []),
        ("0-71 0,3-9,11-17 2", "0-71", "0,3-9,11-17", []),
    ],
)
def test_affinity_texts_go_to_the_right_columns(tail: str, cpu: str | None, numa: str | None, blank: list[str]) -> None:
    text = f"GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X SYS {tail}\nGPU1 SYS X {tail}\n"

    assert read(text)["numa"] == [{"numa": numa, "cpu": cpu, "gpus": [0, 1]}]
    assert warnings_of(text) == [("missing_affinity", row, title) for row in ("GPU0", "GPU1") for title in blank]


@pytest.mark.parametrize(
    ("titles", "tail", "expected"),
    [
        ("", "", (None, None)),
        ("CPU Affinity", "0-31", ("0-31", None)),
        ("CPU Affinity NUMA Affinity", "0-31 0", ("0-31", "0")),
    ],
)
def test_texts_of_older_drivers_have_fewer_columns(titles: str, tail: str, expected: tuple[str, str]) -> None:
    reading = read(f"GPU0 GPU1 {titles}\nGPU0 X SYS {tail}\nGPU1 SYS X {tail}\n")

    assert (reading["numa"][0]["cpu"], reading["numa"][0]["numa"]) == expected
    assert reading["gpu_numa_id"] is None
    assert reading["warnings"] == []


def test_numa_number_glued_to_the_cpus_in_every_row_is_divided() -> None:
    rows = "GPU0 X SYS 0-31,64-950 N/A\nGPU1 SYS X 32-63,96-1271 N/A\n"
    text = f"GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\n{rows}"

    assert read(text)["numa"] == [
        {"numa": "0", "cpu": "0-31,64-95", "gpus": [0]},
        {"numa": "1", "cpu": "32-63,96-127", "gpus": [1]},
    ]
    assert warnings_of(text) == [("glued_affinity", row, "CPU Affinity") for row in ("GPU0", "GPU1")]


def test_numa_number_glued_to_the_cpus_is_divided_as_an_intact_row_shows_it() -> None:
    rows = "GPU0 X SYS 0-470 N/A\nGPU1 SYS X 0-47 0 N/A\n"
    text = f"GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\n{rows}"

    assert read(text)["numa"] == [{"numa": "0", "cpu": "0-47", "gpus": [0, 1]}]
    assert warnings_of(text) == [("glued_affinity", "GPU0", "CPU Affinity")]


def test_gpu_numa_ids_are_kept_as_printed() -> None:
    text = "GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X NV18 0-71 0 2\nGPU1 NV18 X 72-143 1 N/A\n"

    assert read(text)["gpu_numa_id"] == ["2", None]


def test_network_cards_may_carry_their_device_names() -> None:
    text = "GPU0 GPU1 mlx5_0 CPU Affinity\nGPU0 X PIX PHB 0-3\nGPU1 PIX X NODE 0-3\nmlx5_0 PHB NODE X\n"

    assert read(text)["nearest_nic"] == {
        "0": {"link": "PHB", "nics": ["mlx5_0"]},
        "1": {"link": "NODE", "nics": ["mlx5_0"]},
    }
    assert read(text)["nic_names"] == {}


def test_old_spelling_of_sys_is_kept() -> None:
    assert [0, 3, "SOC"] in read(CUBE)["links"]
    assert read(CUBE)["nvlink_islands"] == [[0, 1, 2, 3]]


def test_asymmetric_pair_takes_the_worse_cell() -> None:
    text = BRIDGED.replace("GPU2    NODE    NODE     X      NV4 ", "GPU2    NODE    NODE     X      SYS ")

    assert [2, 3, "SYS"] in read(text)["links"]
    assert read(text)["nvlink_islands"] == [[0, 1]]
    assert warnings_of(text) == [("asymmetric", "GPU2", "GPU3")]


def test_degraded_link_is_reported_for_both_ends() -> None:
    text = nvswitch_text().replace("GPU0\t X \tNV18\tNV18", "GPU0\t X \tNV17\tNV18")
    text = text.replace("GPU1\tNV18\t X ", "GPU1\tNV17\t X ")

    assert warnings_of(text) == [("uneven_nvlink", "GPU0", None), ("uneven_nvlink", "GPU1", None)]


def test_truncated_text_keeps_what_is_known() -> None:
    whole = nvswitch_text()
    cut = whole[: whole.index("NIC5\t", 300) + len("NIC5\tSYS\tSYS\tSYS\tSYS\tNODE\tPI")]
    reading = read(cut)

    assert (reading["gpus"], reading["nics"]) == (8, 8)
    assert reading["links"] == read(whole)["links"]
    assert reading["nearest_nic"] == read(whole)["nearest_nic"]
    assert warnings_of(cut) == [
        ("truncated_row", "NIC5", "GPU5"),
        ("missing_row", "NIC6", None),
        ("missing_row", "NIC7", None),
    ]


def test_row_cut_inside_a_number_is_not_read_as_a_smaller_number() -> None:
    text = nvswitch_text(links=18).replace("GPU3\tNV18\tNV18", "GPU3\tNV18\tNV1\n", 1)

    assert [1, 3, "NV18"] in read(text)["links"]
    assert warnings_of(text) == [("truncated_row", "GPU3", "GPU1")]


def test_lost_cell_is_found_by_the_diagonal_and_the_other_rows() -> None:
    text = BRIDGED.replace("GPU3    NODE    NODE    NV4      X ", "GPU3    NODE    NV4      X ")

    assert read(text)["links"] == read(BRIDGED)["links"]
    assert warnings_of(text) == [("truncated_row", "GPU3", "GPU1")]


def test_unknown_cell_gives_way_to_the_other_row() -> None:
    text = BRIDGED.replace("GPU0     X      NV4     NODE", "GPU0     X      N?4     NODE")

    assert read(text)["links"] == read(BRIDGED)["links"]
    assert warnings_of(text) == [("unknown_cell", "GPU0", "GPU1")]


def test_pair_that_no_row_tells_is_null() -> None:
    lines = BRIDGED.splitlines()
    text = "\n".join([lines[0], *lines[3:]])

    assert [0, 1, None] in read(text)["links"]
    assert [0, 2, "NODE"] in read(text)["links"]


def test_header_drawn_again_among_the_rows_does_not_divide_the_matrix() -> None:
    lines = BRIDGED.splitlines()
    text = "\n".join([*lines[:3], lines[0], *lines[3:]])

    assert read(text) == read(BRIDGED)


def test_second_paste_counts_when_the_first_is_damaged() -> None:
    assert read(BRIDGED[:300] + "\n\nonce more:\n" + BRIDGED) == read(BRIDGED)


def test_columns_that_the_header_lost_are_found_in_the_rows() -> None:
    lines = BRIDGED.splitlines()
    text = "\n".join([lines[0].replace("NIC0", ""), *lines[1:]])

    assert read(text) == read(BRIDGED)


def test_legend_damaged_by_a_redraw_is_best_effort() -> None:
    text = nvswitch_text().replace("NIC0: mlx5_0", "NIC0: A").replace("NIC1: mlx5_1", "NIC1: DE    N/A")
    text = text.replace("NIC7: mlx5_7", "NIC7: mlx5_7```").replace("  NIC4: mlx5_4\n", "")

    assert list(read(text)["nic_names"]) == ["NIC2", "NIC3", "NIC5", "NIC6", "NIC7"]
    assert read(text)["nic_names"]["NIC7"] == "mlx5_7"
    assert warnings_of(text) == [("legend_damaged", nic, None) for nic in ("NIC0", "NIC1", "NIC4")]


def test_pipe_table_is_read() -> None:
    text = (
        "| | GPU0 | GPU1 | CPU Affinity |\n|---|---|---|---|\n| GPU0 | X | NODE | 0-31 |\n| GPU1 | NODE | X | 0-31 |\n"
    )

    assert read(text)["links"] == [[0, 1, "NODE"]]


def test_npu_matrix_has_no_numa_column() -> None:
    reading = read(NPUS)

    assert reading["kind"] == "npu-topo"
    assert reading["nvlink_islands"] == [[0, 1], [2, 3]]
    assert reading["numa"] == [
        {"numa": None, "cpu": "24-47", "gpus": [0, 2]},
        {"numa": None, "cpu": "0-23", "gpus": [1, 3]},
    ]


def test_rocm_tables_are_read() -> None:
    reading = read(ROCM)

    assert reading["kind"] == "rocm-topo"
    assert reading["rocm"] == {
        "weight": [[0, 15, 52], [15, 0, 52], [52, 52, 0]],
        "hops": [[0, 1, 3], [1, 0, 3], [3, 3, 0]],
        "type": [["0", "XGMI", "PCIE"], ["XGMI", "0", "PCIE"], ["PCIE", "PCIE", "0"]],
        "numa": [0, 0, -1],
        "numa_affinity": [0, 0, -1],
    }
    assert reading["nvlink_islands"] == [[0, 1]]
    assert reading["numa"] == [{"numa": "0", "cpu": None, "gpus": [0, 1]}, {"numa": "-1", "cpu": None, "gpus": [2]}]


def test_damaged_rocm_table_keeps_the_rest() -> None:
    text = ROCM.replace("GPU1   XGMI         0            PCIE", "GPU1   XGMI0        PC")

    assert read(text)["rocm"]["type"][1] == ["XGMI", "0", None]
    assert warnings_of(text) == [("truncated_row", "GPU1", "GPU2"), ("glued_cell", "GPU1", "GPU0")]


def test_nvlink_status_gives_the_speed_of_active_links() -> None:
    assert read(NVLINK_STATUS)["nvlink_status"] == {"0": [26.562, 26.562], "1": []}


def test_cut_nvlink_status_reports_the_link() -> None:
    text = NVLINK_STATUS[: NVLINK_STATUS.index("Link 2: 26") + len("Link 2: 26")]

    assert read(text)["nvlink_status"] == {"0": [26.562]}
    assert warnings_of(text) == [("truncated_row", "GPU 0", "Link 2")]


def test_matrix_and_link_status_in_one_text_are_one_reading() -> None:
    reading = read(BRIDGED + "\n" + NVLINK_STATUS)

    assert reading["kind"] == "nvidia-topo"
    assert reading["nvlink_status"] == {"0": [26.562, 26.562], "1": []}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("", errors.EMPTY),
        ("\x1b[0m \n\t\n", errors.EMPTY),
        (b"\x7fELF" + b"\x00" * 64, errors.NOT_TEXT),
        ("GPU0 " * 300_000, errors.TOO_LARGE),
        ("x\n" * 30_000, errors.TOO_MANY_LINES),
        ("hello\nworld", errors.UNRECOGNISED),
        ("apiVersion: v1\nkind: Node\n", errors.UNRECOGNISED),
        ("GPU0 GPU1 CPU Affinity\n", errors.UNRECOGNISED),
    ],
)
def test_garbage_has_a_clear_error(source: str | bytes, code: str) -> None:
    with pytest.raises(TopologyError) as caught:
        read_topology(source)

    assert caught.value.code == code


def test_too_many_devices_is_an_error() -> None:
    names = [f"GPU{index}" for index in range(600)]
    text = " ".join(names) + "\n" + "GPU0 X" + " SYS" * 599

    with pytest.raises(TopologyError) as caught:
        read_topology(text)

    assert (caught.value.code, caught.value.params) == (errors.TOO_MANY_DEVICES, {"limit": 512, "found": 600})


def test_error_names_the_line() -> None:
    with pytest.raises(TopologyError) as caught:
        read_topology("\n\n  some other text")

    assert caught.value.params == {"line": 3, "text": "some other text"}


@pytest.mark.parametrize("cpus", ["9" * 5000, f"0-{'9' * 5000}", "٣", "1-²"])
def test_cpus_that_no_machine_has_do_not_hinder_the_rest(cpus: str) -> None:
    text = f"\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\tX\tNV2\t{cpus}\t0\nGPU1\tNV2\tX\t0-3\t0\n"
    told = read(text)
    assert told["gpus"] == 2
    assert told["links"] == [[0, 1, "NV2"]]

"""Cells of a device matrix and their order."""

from __future__ import annotations

import pytest

from simulator.engine.fabric.cells import (
    cell_rank,
    crosses_sockets,
    is_known_cell,
    is_pcie,
    joins_island,
    nvlink_count,
    worse_cell,
)
from simulator.engine.fabric.partition import connected_groups

NEAR_TO_FAR = ["X", "NV18", "NV12", "NV1", "HCCS", "PIX", "PXB", "PHB", "NODE", "SYS"]


def test_cells_are_ordered_from_near_to_far() -> None:
    shuffled = ["SYS", "PIX", "NV1", "X", "NODE", "NV18", "PHB", "HCCS", "NV12", "PXB"]

    assert sorted(shuffled, key=cell_rank) == NEAR_TO_FAR


def test_old_spelling_is_as_far_as_the_new_one() -> None:
    assert cell_rank("SOC") == cell_rank("SYS")
    assert crosses_sockets("SOC")
    assert worse_cell("SOC", "SYS") == "SOC"


@pytest.mark.parametrize(
    ("cell", "links"), [("NV18", 18), ("NV1", 1), ("NODE", 0), ("NV", 0), ("NV0", 0), ("NV123", 0)]
)
def test_nvlink_count_reads_the_number(cell: str, links: int) -> None:
    assert nvlink_count(cell) == links


def test_unknown_text_is_no_cell() -> None:
    assert not is_known_cell("PH")
    with pytest.raises(ValueError, match="no cell"):
        cell_rank("PH")


def test_direct_links_join_islands_and_hide_the_pcie_distance() -> None:
    assert [cell for cell in NEAR_TO_FAR if joins_island(cell)] == ["NV18", "NV12", "NV1", "HCCS"]
    assert [cell for cell in NEAR_TO_FAR if is_pcie(cell)] == ["PIX", "PXB", "PHB", "NODE", "SYS"]


def test_groups_come_in_the_order_of_their_first_member() -> None:
    assert connected_groups(6, [(5, 1), (2, 3), (3, 0)]) == [[0, 2, 3], [1, 5], [4]]

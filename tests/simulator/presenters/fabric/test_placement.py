"""Placements: the group's figures, three orders beside the own choice, where they disagree; free GPUs.

Figures by hand: 18 × 20.6 = 370.8 in an NVSwitch box, 0.95 × 50 = 47.5 for one NDR card a machine, 24 and 10 in a PCIe
box; steps of mpt-7b at 12,288 tokens as the fabric's specification gives them (1.22 s and 44.1 %, 1.65 s and 32.6 %).
"""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from simulator.engine.fabric.fabric import Fabric
from simulator.engine.fabric.network import leaf_spine
from simulator.engine.fabric.presets import preset_host
from simulator.presenters.fabric.free_view import free_view
from simulator.presenters.fabric.placement_page import PlacementPage, placement_page
from simulator.presenters.fabric.placement_view import (
    Training,
    gpus_text,
    placement_view,
    query_text,
    read_placement,
)
from tests.simulator.presenters.fabric.clusters import Manifest, gpu_node, gpu_pod, look_at, switch


def _h100s(count: int) -> list[Manifest]:
    nodes = [gpu_node(f"h{number}", "hgx-h100-8", spec={"leaves": ["leaf"]}) for number in range(1, count + 1)]
    return [*(item for node in nodes for item in node), switch("leaf")]


def _page(objects: list[Manifest], gpus: str = "", count: int = 8, **training: Any) -> PlacementPage:
    known, frame = look_at(objects)
    with translation.override("en"):
        return placement_page(known, frame, gpus, count, Training(**training))


def test_eight_on_one_machine_and_on_eight() -> None:
    page = _page(_h100s(9))

    rows = {row.key: row for row in page.rows}
    assert list(rows) == ["bandwidth", "chapter", "scattered"]
    assert (rows["bandwidth"].bandwidth_text, rows["bandwidth"].step, rows["bandwidth"].mfu) == (
        "370.8",
        "1.217 s",
        "44.1%",
    )
    assert (rows["scattered"].bandwidth_text, rows["scattered"].mfu) == ("47.5", "32.6%")
    assert [rows[key].best for key in rows] == [True, True, False]
    assert rows["scattered"].near == (1, 1, 1)
    assert page.mine is None
    assert (page.chosen, page.missing) == (0, 8)
    assert page.disagreement == ""


def test_the_own_choice_stands_beside_the_orders() -> None:
    page = _page(_h100s(2), "h1:0,h1:1,h2:0,h2:1", 4)

    assert page.mine is not None
    assert (page.mine.bandwidth, page.mine.both_ways) == ("95", "190")  # two cards of a machine
    assert page.mine.scope == "2 machines, over network cards"
    assert page.mine.network == "below one leaf"
    assert [row.key for row in page.rows] == ["mine", "bandwidth", "chapter", "scattered"]
    assert (page.missing, page.extra, page.held) == (0, 0, 0)
    assert [figure.formula for figure in page.mine.figures][-1] == "mfu.share"
    assert page.spoken.startswith("95 GB/s, ")


def test_two_gpus_have_a_way() -> None:
    page = _page(_h100s(2), "h1:0,h2:0", 2)
    assert page.path is not None
    assert "h1 NIC0 – leaf – h2 NIC0" in page.path.summary


def test_what_is_not_there_or_has_failed_is_left_out() -> None:
    objects = gpu_node("h1", "hgx-h100-8", spec={"faults": {"gpus": [3]}})
    page = _page(objects, "h1:3,h1:4,h9:0,h1:99,h1:-1,:,x,h1:4", 2)

    assert page.query == "h1:4"
    assert [slot.failed for slot in page.machines[0].slots].index(True) == 3


def test_orders_disagree_in_a_pcie_box() -> None:
    """Eight L40S on one node cross the CPUs (10); four of them with four H100 do not (0.95 × 25, one HDR card)."""
    objects = [*gpu_node("l", "l40s-8"), *gpu_node("h", "hgx-h100-8"), gpu_pod("p", "h", range(4))]
    page = _page(objects, count=8)

    rows = {row.key: row for row in page.rows}
    assert rows["chapter"].gpus == "l: 0–7"
    assert rows["chapter"].bandwidth_text == "10"
    assert rows["bandwidth"].bandwidth_text == "23.8"
    assert "“by bandwidth” is faster (23.8 against 10 GB/s)" in page.disagreement


def test_gpus_in_use_are_told_and_jobs_can_be_looked_at() -> None:
    objects = [*_h100s(2), gpu_pod("a-0", "h1", range(4), job="a"), gpu_pod("a-1", "h2", [7], job="a")]
    page = _page(objects, "h1:0,h1:4", 2)

    assert page.held == 1
    assert [(job.name, job.gpus, job.query) for job in page.jobs] == [("a", 5, "h1:0,h1:1,h1:2,h1:3,h2:7")]
    slots = page.machines[0].slots
    assert (slots[0].holder, slots[0].chosen, slots[4].holder, slots[4].chosen) == ("a-0", True, "", True)


def test_machines_that_are_not_connected_are_told() -> None:
    cut = {"faults": {"nics": [{"nic": 0}]}}
    page = _page([*gpu_node("a", "t4-2", gpus=2, spec=cut), *gpu_node("b", "t4-2", gpus=2)], "a:0,b:0", 2)
    assert page.mine is not None
    assert (page.mine.problem, page.mine.step, page.spoken) == (True, "", "")


def test_too_few_gpus_and_none_at_all() -> None:
    assert _page(gpu_node("a", "t4-2", gpus=2), count=3).rows == ()
    empty = _page([], count=3)
    assert (empty.machines, empty.rows, empty.picture) == ((), (), None)


def test_overlap_hides_what_fits_behind_the_backward_pass() -> None:
    assert _page(_h100s(9), count=8, overlap=1.0).rows[-1].mfu == "46.5%"


@pytest.mark.parametrize(
    ("placement", "text"),
    [
        ({"a": (0, 1, 2, 3)}, "a: 0–3"),
        ({"a": (0, 2, 3, 7)}, "a: 0, 2–3, 7"),
        ({"a": (0,), "b": (1, 2)}, "a: 0; b: 1–2"),
        (dict.fromkeys("abcd", (0,)), "4 machines, 1 GPU each"),
        ({"a": (0, 1), "b": (0,), "c": (0,), "d": (0,)}, "4 machines, 1–2 GPU each"),
        ({"a": ()}, ""),
    ],
)
def test_gpus_are_written_short(placement: dict[str, tuple[int, ...]], text: str) -> None:
    with translation.override("en"):
        assert gpus_text(placement) == text


def test_a_placement_in_an_address_is_read_again() -> None:
    fabric = Fabric((preset_host("hgx-h100-8", "h.1"), preset_host("hgx-h100-8", "h-2")))
    placement = {"h.1": (0, 3), "h-2": (7,)}
    assert read_placement(query_text(placement), fabric) == placement


def test_rails_and_spines_are_told() -> None:
    hosts = [preset_host("hgx-h100-8", f"n{number}") for number in range(4)]
    fabric = leaf_spine(hosts, 2, oversubscription=4)
    with translation.override("en"):
        near = placement_view(fabric, {"n0": (0,), "n1": (0,)}, Training())
        far = placement_view(fabric, {"n0": (0,), "n3": (0,)}, Training())
    assert near is not None
    assert far is not None
    assert (near.network, near.bandwidth) == ("below one leaf", "47.5")
    assert far.network == "meeting at tier 2, oversubscribed 4:1"


def test_free_gpus_and_what_is_left_over() -> None:
    """13 free: one machine of 8, one of 5 (one failed, two held): 13 singles, 6 pairs, 3 fours, 1 eight."""
    spec = {"faults": {"gpus": [7]}}
    objects = [*gpu_node("a", "hgx-h100-8"), *gpu_node("b", "hgx-h100-8", spec=spec), gpu_pod("p", "b", [0, 1])]
    view = free_view(*look_at(objects))

    assert (view.free, view.total, view.failed, view.largest) == (13, 16, 1, 8)
    assert [(row.gpus, row.fits, row.left) for row in view.sizes] == [(1, 13, 0), (2, 6, 1), (4, 3, 1), (8, 1, 5)]
    assert view.unusable is not None


def test_without_gpu_pods_fragmentation_is_unknown() -> None:
    assert free_view(*look_at(gpu_node("a", "hgx-h100-8"))).unusable is None

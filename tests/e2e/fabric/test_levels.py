"""The levels of the lab's drawing: the network and one machine from inside, with pointer and keyboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OTHER_LOOKS, Look, asking, axe_violations, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]


def _open(open_page: OpenPage, slug: str, look: Look, query: str = "") -> LabPage:
    load_exercise(slug)
    lab = LabPage(open_page(f"/scenarios/{slug}/", look))
    if query:
        lab.page.goto(lab.page.url + query)
        lab = LabPage(lab.page)
    return lab


def _level(page: Page, name: str) -> None:
    with asking(page, lambda response: "/fabric/picture/" in response.url):
        page.locator(f'#levels [data-level="{name}"]').click()
    expect(page.locator("#fabric-legend li").first).to_be_visible()


@pytest.mark.parametrize("chosen", OTHER_LOOKS, ids=str)
def test_levels_look_right(open_page: OpenPage, chosen: Look) -> None:
    lab = _open(open_page, "eight-on-one-vs-scattered", chosen)
    page = lab.page
    _level(page, "fabric")
    expect(page.locator("#fabric-legend")).to_contain_text("8 × InfiniBand NDR 400 Gb/s")
    expect(page.locator("#graph")).to_be_hidden()
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    row, add = (page.locator(name).bounding_box() for name in (".cluster-row", "#cluster-add"))
    assert row is not None
    assert add is not None
    assert row["height"] - add["height"] < 16  # the rest of the pane is the drawing's
    screenshot(page, f"fabric-{chosen}")
    _level(page, "machine")
    expect(page.locator("#fabric-legend")).to_contain_text("18 × NVLink 4")
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    screenshot(page, f"machine-{chosen}")
    page.locator('#levels [data-level="cluster"]').click()
    expect(page.locator("#graph")).to_be_visible()
    expect(page.locator("#fabric-view")).to_be_hidden()


def test_two_gpus_of_a_machine_by_keyboard(open_page: OpenPage) -> None:
    """The L40S box: GPU0 and GPU1 share a switch, GPU0 and GPU4 do not share a CPU."""
    page = _open(open_page, "numa-and-nic", Look("en"), "&node=l40s-1").page
    _level(page, "machine")
    canvas, say = page.locator("#fabric-canvas"), page.locator("#fabric-say")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    expect(say).to_contain_text("GPU0")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    expect(say).to_contain_text("GPU0 – PCIe switch – GPU1: 24 GB/s per direction (48 both ways)")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(say).to_contain_text("NUMA 0 – CPU 0 – CPU 1 – NUMA 1")
    expect(say).to_contain_text("10 GB/s per direction (20 both ways)")
    expect(say).to_contain_text("Narrowest part: between CPU 0 and CPU 1, link between the CPUs")
    assert LabPage(page).at == "0.0"  # the arrows did not step
    page.keyboard.press("Escape")
    expect(say).to_contain_text("Choose a GPU")


def test_two_gpus_of_the_network_by_pointer(open_page: OpenPage) -> None:
    """Across the spine; the ways are drawn and told."""
    page = _open(open_page, "same-leaf-vs-spine", Look("en")).page
    _level(page, "fabric")
    say, canvas = page.locator("#fabric-say"), page.locator("#fabric-canvas")
    box = canvas.bounding_box()
    assert box is not None
    expect(say).to_contain_text("Choose a GPU")
    canvas.focus()
    page.keyboard.press("ArrowRight")
    first = say.inner_text()
    assert re.match(r"h100-1 GPU0", first)
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")  # the last of all
    expect(say).to_contain_text("h100-1 NIC0 – leaf-1 – spine – leaf-2 – h100-4")
    expect(say).to_contain_text("47.5 GB/s per direction")
    page.mouse.click(box["x"] + 5, box["y"] + 5)
    expect(say).to_contain_text("Choose a GPU")


def test_a_cell_of_the_matrix_shows_its_way(open_page: OpenPage) -> None:
    lab = _open(open_page, "numa-and-nic", Look("en"), "&node=l40s-1")
    page = lab.page
    lab.tab("fabric")
    _level(page, "machine")
    cell = page.locator('.topo-matrix a[data-pair="0-4"]').first
    cell.focus()
    expect(page.locator("#fabric-say")).to_contain_text("10 GB/s per direction")
    cell.click()
    expect(page).to_have_url(re.compile("pair=0-4"))
    expect(page.locator("#fabric-path")).to_contain_text("Narrowest part: between CPU 0 and CPU 1")
    lab.press("n")
    expect(page.locator("#fabric-path")).to_contain_text("Narrowest part: between CPU 0 and CPU 1")


def test_a_gpu_fails_and_is_repaired(open_page: OpenPage) -> None:
    lab = _open(open_page, "paste-your-machine", Look("en"))
    page = lab.page
    lab.tab("fabric")
    row = page.locator(".gpu-table tbody tr").nth(3)
    row.get_by_role("button", name="Let GPU 3 fail").click()
    expect(row.locator(".state-failed")).to_be_visible()
    expect(page.locator("#undo")).to_contain_text("Undo: ")
    page.locator("#go-idle").click()  # the device plugin tells the API server, and the scheduler hears of it
    lab.choose("Node//a100-1")
    expect(page.locator("#object-yaml")).to_contain_text('nvidia.com/gpu: "3"')
    lab.tab("fabric")
    page.get_by_role("button", name="Repair GPU 3").click()
    expect(row.locator(".state-passed")).to_be_visible()

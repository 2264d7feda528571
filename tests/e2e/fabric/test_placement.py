"""The placement page in a browser: choosing GPUs by list, drawing, keyboard and order; the figures follow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OTHER_LOOKS, Look, axe_violations, hold, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]


def _open(open_page: OpenPage, slug: str, look: Look) -> Page:
    load_exercise(slug)
    lab = LabPage(open_page(f"/scenarios/{slug}/", look))
    if look.width < 600:
        lab.page.locator('.lab-views [data-view="tabs"]').click()
    lab.tab("fabric")
    lab.page.locator(".fabric-head .button-main").click()
    expect(lab.page.locator("#placement-canvas canvas").first).to_be_visible()
    return lab.page


def _figures(page: Page) -> str:
    return page.locator(".placement-figures").inner_text()


@pytest.mark.parametrize("chosen", OTHER_LOOKS, ids=str)
def test_place_these_for_me(open_page: OpenPage, chosen: Look) -> None:
    """Eight H100 on one machine or on eight: 370.8 and 47.5 GB/s, 1.217 and 1.644 s, 44.1 and 32.6 %."""
    page = _open(open_page, "eight-on-one-vs-scattered", chosen)
    ways = page.locator(".ways tbody tr")
    expect(ways).to_have_count(3)
    ways.nth(2).get_by_role("link").click()
    expect(page.locator(".placement-figures")).to_contain_text("47.5 GB/s")
    expect(page.locator(".placement-figures")).to_contain_text("1.644 s")
    expect(page.locator(".placement-figures")).to_contain_text("32.6%")
    expect(page.locator('input[name="gpu"]:checked')).to_have_count(8)
    page.locator(".ways tbody tr", has=page.locator("a")).nth(0).get_by_role("link").click()
    expect(page.locator(".placement-figures")).to_contain_text("370.8 GB/s")
    expect(page.locator(".placement-figures")).to_contain_text("1.217 s")
    expect(page.locator(".placement-figures")).to_contain_text("44.1%")
    page.locator(".placement-result .derivation summary").first.click()
    expect(page.locator(".placement-result .derivation[open]").first).to_contain_text("18 × 20.6 = 370.8 GB/s")
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    screenshot(page, f"placement-{chosen}")


def test_let_me_place_them(open_page: OpenPage) -> None:
    """By keyboard in the list, then by a click in the drawing; the address is always the placement's own."""
    page = _open(open_page, "same-leaf-vs-spine", Look("en"))
    page.locator('input[name="count"]').fill("2")
    page.locator('input[value="h100-1:0"]').focus()
    page.keyboard.press("Space")
    expect(page.locator(".placement-chosen")).to_contain_text("1 more GPU to choose")
    page.locator('input[value="h100-4:0"]').check()
    expect(page.locator(".placement-chosen")).to_contain_text("all chosen")
    expect(page.locator(".placement-result")).to_contain_text("meeting at tier 2, oversubscribed 4:1")
    expect(page.locator(".fabric-path")).to_contain_text("h100-1 NIC0 – leaf-1 – spine – leaf-2 – h100-4 NIC0")
    expect(page).to_have_url(re.compile(r"gpus=h100-1%3A0%2Ch100-4%3A0"))
    across = _figures(page)
    page.locator('input[value="h100-4:0"]').uncheck()
    page.locator('input[value="h100-2:0"]').check()
    expect(page.locator(".placement-result")).to_contain_text("below one leaf")
    assert _figures(page) != across
    page.reload()
    expect(page.locator('input[name="gpu"]:checked')).to_have_count(2)
    expect(page.locator(".placement-result")).to_contain_text("below one leaf")


def test_a_choice_made_while_the_last_is_computed_counts(open_page: OpenPage) -> None:
    page = _open(open_page, "same-leaf-vs-spine", Look("en"))
    page.locator('input[name="count"]').fill("2")
    address = re.compile(r"/fabric/\?")
    held = hold(page, address)
    with page.expect_request(address):
        page.locator('input[value="h100-1:0"]').check()
    page.locator('input[value="h100-2:0"]').check()
    page.wait_for_timeout(400)  # longer than the page waits for more
    held[0].continue_()
    expect(page.locator(".placement-result")).to_contain_text("below one leaf")


def test_more_is_hidden_by_overlap(open_page: OpenPage) -> None:
    page = _open(open_page, "eight-on-one-vs-scattered", Look("en"))
    page.locator(".ways tbody tr").nth(2).get_by_role("link").click()
    expect(page.locator(".placement-figures")).to_contain_text("32.6%")
    page.locator('input[name="overlap"]').fill("100")
    page.locator('input[name="overlap"]').blur()
    expect(page.locator(".placement-figures")).to_contain_text("46.5%")


def test_orders_that_disagree_are_told(open_page: OpenPage) -> None:
    """Eight L40S on one node are near and slow (10 GB/s); four and four H100 elsewhere are farther and faster."""
    page = _open(open_page, "nvswitch-vs-pcie", Look("en"))
    expect(page.locator(".disagreement")).to_contain_text("“by bandwidth” is faster (23.8 against 10 GB/s)")
    page.locator('input[name="count"]').fill("4")
    page.locator('input[name="count"]').blur()
    expect(page.locator(".ways")).to_contain_text("370.8")
    expect(page.locator(".disagreement")).to_have_count(0)


def test_without_a_script_it_is_a_form(open_page: OpenPage) -> None:
    page = _open(open_page, "eight-on-one-vs-scattered", Look("en"))
    plain = open_page("/", Look("en"), java_script_enabled=False)
    plain.context.add_cookies([{**cookie} for cookie in page.context.cookies()])
    plain.goto(page.url)
    plain.locator('input[value="h100-2:0"]').check()
    plain.locator('input[value="h100-3:0"]').check()
    plain.get_by_role("button", name="Compute").click()
    expect(plain.locator(".placement-figures")).to_contain_text("47.5 GB/s")
    expect(plain.locator('input[name="gpu"]:checked')).to_have_count(2)

"""Two branches side by side, and a lab whose scenario was revised."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from simulator.models import Lab
from tests.e2e.conftest import Look, axe_violations, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import make_node, make_pod, make_revision

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]

EN = Look("en", 1280)
LOOKS = [EN, Look("zh-hans", 360, dark=True), Look("en", 2560)]


def _branched(open_page: OpenPage, look: Look = EN) -> LabPage:
    """p1 went to n1 on the main line; on the branch n1 was cordoned first."""
    revision = make_revision([make_node("n1", gpus=8), make_node("n2", gpus=8), make_pod("p1", gpus=8)])
    lab = LabPage(open_page(f"/scenarios/{revision.scenario.slug}/", look))
    lab.press("r")
    lab.press("Home")
    lab.page.locator('[data-opens="branch-dialog"]').click()
    lab.page.locator('#branch-dialog form[action$="/fork/"] [name="name"]').fill("what if")
    lab.page.locator("#branch-dialog .button-main").click()
    lab.page.wait_for_url(re.compile(r"at=0\."))
    expect(lab.page.locator(".lab-branch")).to_have_text("what if")
    branch = LabPage(lab.page)
    branch.page.locator("#outline-n1").focus()
    branch.page.keyboard.press("Enter")
    branch.page.locator('.selection-actions [data-action="cordon"]').click()
    expect(branch.card("n1")).to_have_class(re.compile("is-cordoned"))
    branch.press("r")
    return branch


@pytest.mark.parametrize("chosen", LOOKS, ids=str)
def test_outcomes_of_two_branches_side_by_side(open_page: OpenPage, chosen: Look) -> None:
    lab = _branched(open_page, chosen)
    lab.page.locator('[data-opens="branch-dialog"]').click()
    lab.page.locator("#branch-dialog .lab-list a.tool-button").click()
    page = lab.page
    expect(page.locator(".compare-side")).to_have_count(2)
    row = page.locator(".compare-pods tbody tr")
    expect(row).to_have_count(1)
    expect(row.locator("td").nth(0)).to_contain_text("n2")
    expect(row.locator("td").nth(1)).to_contain_text("n1")
    expect(page.locator(".mini-node.is-different")).to_have_count(4)
    assert axe_violations(page) == []
    assert overflow(page) <= 0
    screenshot(page, f"compare-{chosen}")
    page.locator('select[name="with_at"]').select_option(index=0)
    page.locator(".compare-choice .button-main").click()
    expect(page.locator(".compare-pods tbody tr td").nth(1)).not_to_contain_text("n1")


def test_lab_says_that_its_scenario_was_revised_and_moves_when_asked(open_page: OpenPage) -> None:
    make_revision([make_node("n1"), make_pod("p1")], slug="revised")
    lab = LabPage(open_page("/scenarios/revised/", EN))
    lab.press("r")
    make_revision([make_node("n1"), make_node("added"), make_pod("p1")], slug="revised")
    lab.page.reload()
    lab = LabPage(lab.page)
    notice = lab.page.locator(".lab-revision")
    expect(notice).to_contain_text("This lab stays as it is.")
    assert set(lab.state["nodes"]) == {"n1"}
    assert axe_violations(lab.page) == []
    notice.get_by_role("button", name="Move to the new revision").click()
    expect(lab.page.locator(".node-card")).to_have_count(2)
    expect(lab.page.locator(".lab-revision")).to_have_count(0)
    assert Lab.objects.count() == 2


def test_lab_gets_a_name_of_its_own(open_page: OpenPage) -> None:
    make_revision([make_node("n1"), make_pod("p1")], slug="named")
    lab = LabPage(open_page("/scenarios/named/", EN))
    lab.press("r")
    lab.page.locator('[data-opens="branch-dialog"]').click()
    lab.page.get_by_label("Name of this lab").fill("before lunch")
    lab.page.get_by_role("button", name="Rename").click()
    expect(lab.page.locator(".lab-branch")).to_have_text("before lunch")
    lab.page.goto("/labs/")
    expect(lab.page.locator(".lab-row")).to_contain_text("before lunch")

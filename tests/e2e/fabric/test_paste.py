"""The exercise “paste your machine”, done in a browser: a matrix becomes the inside of a node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import OTHER_LOOKS, Look, axe_violations, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]

MATRIX = """\
        GPU0  GPU1  GPU2  GPU3
GPU0    X     NV12  SYS   SYS
GPU1    NV12  X     SYS   SYS
GPU2    SYS   SYS   X     NV12
GPU3    SYS   SYS   NV12  X
"""
DAMAGED = MATRIX.replace("GPU2    SYS   SYS   X     NV12", "GPU2    SYS   SYS   X     NV11")
WORDS = {
    "zh-hans": {
        "read": "4 张卡",
        "does": "会换掉它的机器",
        "asymmetric": "GPU2 与 GPU3 互相看到的连接不同",
        "garbage": "没有找到设备矩阵",
        "goal": "240",
    },
    "en": {
        "read": "4 GPUs",
        "does": "its machine will be replaced",
        "asymmetric": "GPU2 and GPU3 see each other differently",
        "garbage": "neither a device matrix nor a link table was found",
        "goal": "240",
    },
}


@pytest.mark.parametrize("chosen", OTHER_LOOKS, ids=str)
def test_paste_your_machine(open_page: OpenPage, chosen: Look) -> None:
    words, narrow = WORDS[chosen.language], chosen.width < 600
    load_exercise("paste-your-machine")
    lab = LabPage(open_page("/scenarios/paste-your-machine/", chosen))
    page = lab.page
    if narrow:
        page.locator('.lab-views [data-view="tabs"]').click()
    lab.tab("fabric")
    page.locator("a[data-paste-matrix]").click()
    expect(page.locator("#paste-text")).to_be_focused()
    expect(page.locator("#paste-apply")).to_be_disabled()
    expect(page.locator('#paste-form [name="node"]')).to_have_value("a100-1")

    page.locator("#paste-text").fill("once upon a time")
    expect(page.locator("#paste-preview")).to_contain_text(words["garbage"])
    expect(page.locator("#paste-apply")).to_be_disabled()

    page.locator("#paste-text").fill(DAMAGED)
    expect(page.locator(".paste-warnings")).to_contain_text(words["asymmetric"])

    page.locator("#paste-text").fill(MATRIX)
    expect(page.locator("#paste-preview")).not_to_contain_text(words["asymmetric"])
    expect(page.locator("#paste-preview")).to_contain_text(words["read"])
    expect(page.locator("#paste-preview")).to_contain_text(words["does"])
    expect(page.locator("#paste-canvas canvas").first).to_be_visible()
    assert axe_violations(page) == []
    assert overflow(page) <= 0
    screenshot(page, f"paste-{chosen}")

    page.locator("#paste-apply").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".topo-matrix")).to_contain_text("NV12")
    assert axe_violations(page) == []
    if narrow:
        page.locator('.lab-views [data-view="pipeline"]').click()
    page.locator("#go-idle").click()
    lab_tab = page.locator('.lab-views [data-view="tabs"]')
    if narrow:
        lab_tab.click()
    lab.tab("task")
    expect(page.locator(".goal-reached")).to_contain_text(words["goal"])
    lab.tab("fabric")
    held = page.locator(".gpu-table tbody tr", has_text="train-a").locator("th")
    expect(held).to_have_text(["2", "3"])


def test_pasting_can_be_taken_back(open_page: OpenPage) -> None:
    load_exercise("paste-your-machine")
    lab = LabPage(open_page("/scenarios/paste-your-machine/", Look("en")))
    page = lab.page
    lab.tab("fabric")
    page.locator("a[data-paste-matrix]").click()
    page.locator("#paste-text").fill(MATRIX)
    page.locator('#paste-form [name="node"]').fill("pasted-1")
    expect(page.locator("#paste-preview")).to_contain_text("A new node pasted-1 will be added.")
    page.locator("#paste-apply").click()
    expect(page.locator('#outline [data-node="pasted-1"]')).to_have_count(1)
    page.locator("#undo").click()
    expect(page.locator('#outline [data-node="pasted-1"]')).to_have_count(0)


def test_a_text_is_kept_when_the_dialog_is_closed(open_page: OpenPage) -> None:
    load_exercise("paste-your-machine")
    lab = LabPage(open_page("/scenarios/paste-your-machine/", Look("en")))
    lab.tab("fabric")
    lab.page.locator("a[data-paste-matrix]").click()
    lab.page.locator("#paste-text").fill(MATRIX)
    lab.page.keyboard.press("Escape")
    expect(lab.page.locator("dialog[open]")).to_have_count(0)
    lab.page.locator("a[data-paste-matrix]").click()
    expect(lab.page.locator("#paste-text")).to_have_value(re.compile("NV12"))
    expect(lab.page.locator("#paste-apply")).to_be_enabled()

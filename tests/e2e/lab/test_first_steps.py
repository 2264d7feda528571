"""From the empty lab to why: with few actions, and with a keyboard alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.conftest import Look
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

    OpenPage = Callable[..., Page]

EN = Look("en", 1280)
MOST_ACTIONS = 12


class Person:
    """Somebody whose every click, key and entry counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.actions = 0

    def click(self, target: Locator) -> None:
        self.actions += 1
        target.click()

    def fill(self, target: Locator, text: str) -> None:
        self.actions += 1
        target.fill(text)

    def press(self, key: str) -> None:
        self.actions += 1
        self.page.keyboard.press(key)


def test_from_the_empty_lab_to_why_in_twelve_actions(open_page: OpenPage) -> None:
    """Build four GPU nodes, submit a Pod, predict, step, and read why it went where it went."""
    load_exercise("empty-lab")
    lab = LabPage(open_page("/scenarios/empty-lab/", EN))
    page, person = lab.page, Person(lab.page)
    person.click(page.get_by_role("button", name="Add nodes").first)
    person.fill(page.get_by_label("How many"), "4")
    person.click(page.get_by_role("button", name="Add 4 nodes"))
    expect(page.locator(".node-card")).to_have_count(4)
    expect(page.locator(".goal-reached")).to_have_count(1)
    person.click(page.get_by_role("button", name="Workload"))
    person.click(page.get_by_role("button", name="Submit"))
    expect(page.locator("#pods-strip .pod")).to_have_text(re.compile("serve"))
    person.press("ArrowRight")
    question = page.locator(".prompt", has_text="Which node does serve get?")
    person.click(question.locator("summary"))
    person.click(question.get_by_text("h100-2", exact=True))
    person.click(question.get_by_role("button", name="Predict"))
    expect(page.locator(".answered")).to_contain_text("h100-2")
    person.press("n")
    expect(lab.sentence).to_have_text(re.compile(r"serve is bound to h100-1"))
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("As you said")  # equal nodes: kube-scheduler may take any of them
    expect(verdict).to_contain_text("share the highest total")
    expect(page.locator(".goal-reached")).to_have_count(2)
    person.click(page.get_by_role("link", name="NormalizeScore"))
    totals = page.locator(".scores tbody tr .total")
    expect(totals).to_have_count(4)
    assert len(set(totals.all_inner_texts())) == 1  # that is why
    assert person.actions <= MOST_ACTIONS


def test_whole_scenario_by_keyboard_alone(open_page: OpenPage) -> None:
    """Label both workers in the outline, step, read why: not one click."""
    load_exercise("affinity-by-hand")
    lab = LabPage(open_page("/scenarios/affinity-by-hand/", EN))
    page = lab.page
    while not page.evaluate("document.activeElement.matches('#outline [role=treeitem]')"):
        page.keyboard.press("Tab")
    for node, model in (("gpu-lab-worker", "a100"), ("gpu-lab-worker2", "l40s")):
        page.keyboard.press("Home")
        while page.evaluate("document.activeElement.dataset.node") != node:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#selection-title")).to_contain_text(node)
        page.keyboard.press("Shift+F10")
        while page.evaluate("document.activeElement.dataset.dialog") != "label":
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#edit-dialog")).to_be_visible()
        expect(page.get_by_label("New labels")).to_be_focused()
        page.keyboard.type(f"gpu-type={model}")
        page.keyboard.press("Enter")
        expect(page.locator("#edit-dialog")).to_be_hidden()
        expect(page.locator(f"#outline-{node}")).to_be_focused()
    lab.press("n")
    expect(lab.sentence).to_have_text(re.compile("affinity-test is bound to gpu-lab-worker"))
    expect(page.locator(".goal-reached")).to_have_count(1)
    live = page.locator("#sentence-line")
    assert (live.get_attribute("aria-live"), live.get_attribute("role")) == ("polite", "status")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    expect(page).to_have_url(re.compile(r"at=0\.0"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("One step")


def test_enter_that_ends_a_composition_submits_nothing(open_page: OpenPage) -> None:
    """An input method takes Enter for itself: neither does the field submit, nor does Ctrl+Enter in the editor."""
    load_exercise("empty-lab")
    lab = LabPage(open_page("/scenarios/empty-lab/", Look("zh-hans", 1280)))
    page = lab.page
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.locator('#cluster-add [data-dialog="palette"]').click()
    name = page.locator('#palette [name="pattern"]')
    name.focus()
    composing = """(field, keys) => {
        field.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
        const common = { key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true };
        field.dispatchEvent(new KeyboardEvent("keydown", { ...common, ...keys }));
        field.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "训练" }));
    }"""
    name.evaluate(composing, {})
    expect(page.locator("#edit-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator('#cluster-add [data-text="workload"]').click()
    content = page.locator("#text-dialog .cm-content")
    expect(content).to_contain_text("kind: Pod")
    content.evaluate(composing, {"ctrlKey": True})
    page.wait_for_timeout(600)  # a check of the text may come, an apply must not
    assert not [url for url in sent if "/do/" in url or "/edit/nodes" in url]
    assert lab.state["seq"] == 0
    content.focus()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#text-dialog")).to_be_hidden()
    assert lab.state["seq"] == 1

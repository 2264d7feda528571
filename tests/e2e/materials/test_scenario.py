"""A scenario from an idea to its figures: authored in three views, solved, published, done by a learner with keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gpuschedlab.materials.models import Draft
from simulator.manifests.scenario_text import read_scenario
from simulator.models import Lab, LabOutcome, Scenario
from tests.e2e.conftest import Look, asking, axe_violations, is_post, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.e2e.lessons.keyboard import Keyboard
from tests.e2e.materials.author import Author, Board

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from gpuschedlab.accounts.models import Participant

    OpenPage = Callable[..., Page]

pytestmark = pytest.mark.slow

WORDS = {
    "zh-hans": {"cordon": "封锁", "uncordon": "解封", "title": "把节点还回来"},
    "en": {"cordon": "Cordon", "uncordon": "Uncordon", "title": "Give it back"},
}
both_languages = pytest.mark.parametrize("language", ["zh-hans", "en"])


def document() -> dict[str, object]:
    draft = Draft.objects.get()
    value = read_scenario(draft.text).value
    assert value is not None
    return value


@both_languages
def test_scenario_from_an_idea_to_its_figures(open_page: OpenPage, instructor: Participant, language: str) -> None:
    words = WORDS[language]
    page = open_page("/", Look(language))
    author = Author(page, instructor)
    draft = author.begin("scenario", words["title"], "small")

    # the form: a task, a goal, a hint
    author.write(f"spec/text/{language}", "**gpu-1**")
    author.add("spec/goals", "allBound")
    author.add("spec/hints")
    author.write(f"spec/hints/0/{language}", "kubectl get nodes")
    expect(page.locator("#draft-checklist .check-missing a")).to_have_attribute("href", re.compile(r"/preview/$"))
    _sound(page, f"form-{language}")

    # the graph: the only node without a taint is closed
    author.tab("graph")
    Board(page).choose("Node//gpu-1")
    page.get_by_role("button", name=words["cordon"], exact=True).click()
    expect(page.get_by_role("button", name=words["uncordon"], exact=True)).to_be_visible()
    _sound(page, f"graph-{language}")

    # the text shows what the form and the graph did, and what is written there the form shows
    author.tab("text")
    editor = page.locator(".cm-content")
    expect(editor).to_contain_text("unschedulable: true")
    editor.locator(".cm-line", has_text="level: beginner").click()
    with asking(page, is_post):
        page.keyboard.press("End")
        page.keyboard.type("\nminutes: 7")
    author.tab("form")
    expect(author.field("spec/minutes")).to_have_value("7")
    expect(author.field(f"spec/text/{language}")).to_have_value("**gpu-1**")

    # the solution is played as learners play it, and nothing of that is stored
    page.locator(f'.draft-bar a[href="{_path(draft)}preview/"]').click()
    _open_the_node(page, words)
    page.locator(f'form[action$="{_path(draft)}solution/"] button').click()
    expect(page).to_have_url(f"{draft}publish/")
    assert Lab.objects.count() == 0
    steps = document()["spec"]["solution"]  # type: ignore[index]
    assert [step["command"] for step in steps] == ["cordon"]

    # published: a link that leads there
    _sound(page, f"publish-{language}")
    page.locator("main form button.button-main").click()
    expect(page).to_have_url(f"{draft}share/")
    link = page.locator("#public-link").input_value()
    _sound(page, f"share-{language}")
    scenario = Scenario.objects.get()
    assert scenario.current is not None
    assert scenario.current.number == 1

    _learner_solves_by_keyboard(open_page, link, language)

    # what came of it: one run by one person, two commands (uncordon, run to idle)
    page.goto(f"{draft}figures/")
    figures = page.locator(".figure-box dd")
    expect(figures).to_have_text(["1", "1", "1 (100%)", "2"])
    _sound(page, f"figures-{language}")


def _path(address: str) -> str:
    return "/" + address.split("/", 3)[3]


def _open_the_node(page: Page, words: dict[str, str]) -> None:
    lab = LabPage(page)
    lab.choose("Node//gpu-1")
    page.get_by_role("button", name=words["uncordon"], exact=True).click()
    expect(page.get_by_role("button", name=words["cordon"], exact=True)).to_be_visible()
    page.locator("#go-idle").click()
    expect(page.locator("#go-idle")).to_be_disabled()


def _learner_solves_by_keyboard(open_page: OpenPage, link: str, language: str) -> None:
    words = WORDS[language]
    page = open_page(link, Look(language))
    keys = Keyboard(page)
    LabPage(page)
    keys.push(page.locator("#tab-objects"))
    keys.push(page.locator(".object-rows a", has_text="gpu-1").first)
    keys.push(page.get_by_role("button", name=words["uncordon"], exact=True))
    expect(page.get_by_role("button", name=words["cordon"], exact=True)).to_be_visible()
    keys.push(page.locator("#go-idle"))
    expect(page.locator("#go-idle")).to_be_disabled()
    assert LabOutcome.objects.count() == 1


def _sound(page: Page, name: str) -> None:
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    screenshot(page, f"materials-{name}")

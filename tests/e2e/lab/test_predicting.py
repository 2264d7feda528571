"""Predicting: offered and asked for; in the list and in the drawing; told afterwards with the reasons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from simulator.models import Prediction
from tests.e2e.conftest import Look, axe_violations
from tests.e2e.lab.lab_page import LabPage
from tests.simulator.predictions.labs import asking, filtering, preempting

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from simulator.models import ScenarioRevision
    from tests.e2e.conftest import Problems

    OpenPage = Callable[..., Page]

EN = Look("en", 1280)


def _open(open_page: OpenPage, revision: ScenarioRevision, look: Look = EN) -> LabPage:
    return LabPage(open_page(f"/scenarios/{revision.scenario.slug}/", look))


def test_notice_goes_when_what_it_asked_for_is_done(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("400")
    lab = _open(open_page, asking("required", ("feasibleNodes", "train"), objects=filtering()))
    lab.press("n")
    lab.page.get_by_role("button", name="Predict").click()
    expect(lab.page.locator("#notices .notice-error")).to_contain_text("Choose something first")
    lab.page.locator(".prompt .choice", has_text="big-1").click()
    lab.page.get_by_role("button", name="Predict").click()
    expect(lab.page.locator(".answered")).to_contain_text("big-1")
    expect(lab.page.locator("#notices .notice-error")).to_have_count(0)


def test_required_prediction_is_made_before_the_answer_is_told(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("409")
    lab = _open(open_page, asking("required", ("feasibleNodes", "train"), objects=filtering()))
    lab.press("n")
    prompt = lab.page.locator(".prompt")
    expect(prompt).to_contain_text("Which nodes pass Filter for train?")
    assert axe_violations(lab.page) == []
    expect(lab.page.locator("#go-forward")).to_have_attribute("aria-disabled", "true")
    lab.page.goto(re.sub(r"at=[\d.]+", "at=1.end", lab.page.url))
    lab = LabPage(lab.page)
    assert lab.at == "1.0"
    lab.page.locator(".prompt .choice", has_text="big-1").click()
    lab.page.locator(".prompt .choice", has_text="small").click()
    lab.page.get_by_role("button", name="Predict").click()
    expect(lab.page.locator(".answered")).to_contain_text("big-1")
    lab.press("n")
    verdict = lab.page.locator(".verdict")
    expect(verdict).to_contain_text("2 of 4 nodes as you said")
    expect(verdict).to_contain_text("big-2")
    expect(verdict.get_by_role("link", name=re.compile("^Look at"))).not_to_have_count(0)
    assert axe_violations(lab.page) == []
    lab.tab("predictions")
    expect(lab.page.locator("#tab-panel")).to_contain_text("0 of 1 as you said")
    assert Prediction.objects.count() == 1


def test_victims_are_chosen_in_the_drawing_or_the_list(open_page: OpenPage) -> None:
    lab = _open(open_page, asking("required", ("victims", "urgent"), objects=preempting()))
    lab.press("n")
    expect(lab.page.locator(".prompt")).to_contain_text("Who is evicted for urgent?")
    lab.page.locator(".prompt .choice", has_text="low").click()
    lab.page.get_by_role("button", name="Predict").click()
    expect(lab.page.locator(".answered")).to_contain_text("low")
    lab.unit("point")
    for _ in range(6):
        if lab.page.locator(".verdict").count():
            break
        lab.press("ArrowRight")
    expect(lab.page.locator(".verdict")).to_contain_text("As you said")
    assert axe_violations(lab.page) == []


def test_offered_prediction_is_skipped_and_switched_off(open_page: OpenPage) -> None:
    lab = _open(open_page, asking("optional", objects=filtering()))
    lab.press("ArrowRight")
    prompts = lab.page.locator(".prompt")
    expect(prompts).not_to_have_count(0)
    lab.press("ArrowRight")
    assert lab.at == "1.1"
    lab.press("ArrowLeft")
    lab.tab("predictions")
    lab.page.get_by_role("button", name="Switch predictions off").click()
    expect(prompts).to_have_count(0)
    lab.page.get_by_role("button", name="Offer me predictions").click()
    expect(lab.page.get_by_role("button", name="Switch predictions off")).to_be_visible()
    expect(prompts).to_have_count(0)  # what was told while they were off is not asked any more


def test_choice_is_kept_over_a_reload_and_made_by_keyboard(open_page: OpenPage) -> None:
    lab = _open(open_page, asking("required", ("winner", "train"), objects=filtering()), Look("zh-hans", 1280))
    lab.press("n")
    lab.page.keyboard.press("p")
    expect(lab.page.locator('.prompt input[name="choice"]').first).to_be_focused()
    lab.page.keyboard.press("ArrowDown")
    chosen = lab.page.locator(".prompt input:checked").get_attribute("value")
    assert chosen
    lab.page.reload()
    lab = LabPage(lab.page)
    expect(lab.page.locator(".prompt input:checked")).to_have_value(chosen)
    lab.page.locator(".prompt input:checked").focus()
    lab.page.keyboard.press("Enter")
    expect(lab.page.locator(".answered")).to_contain_text(chosen)

"""Steps of every size, forth and back; autoplay; no, one, two and many nodes; charts and their tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Look, answered, axe_violations, overflow
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise, make_node, make_pod, make_revision

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]

EN = Look("en", 1440)
UNITS = ("record", "plugin", "point", "cycle")
TABS = ("task", "queue", "objects", "events", "why", "scheduler", "predictions", "fabric")


def _open(open_page: OpenPage, slug: str = "preemption-by-hand") -> LabPage:
    load_exercise(slug)
    return LabPage(open_page(f"/scenarios/{slug}/", EN))


def test_steps_forth_are_the_steps_back(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.press("r")
    lab.press("Home")
    for unit in UNITS:
        lab.unit(unit)
        forth = [(lab.at, lab.sentence.inner_text())]
        while lab.page.locator("#go-head").get_attribute("aria-disabled") != "true" and len(forth) < 12:
            lab.press("ArrowRight")
            forth.append((lab.at, lab.sentence.inner_text()))
        assert len(forth) >= 3
        back = [forth[-1]]
        for _ in forth[1:]:
            lab.press("ArrowLeft")
            back.append((lab.at, lab.sentence.inner_text()))
        assert back == forth[::-1]


def test_time_passes_by_the_seconds_one_says(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.page.get_by_label("Seconds of virtual time").fill("90")
    lab.page.locator("#go-advance").click()
    expect(lab.page.locator(".clock")).to_contain_text("1:30.0")
    lab.press("ArrowLeft")
    expect(lab.page.locator(".clock")).not_to_contain_text("1:30.0")


def test_autoplay_walks_until_it_is_stopped(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.page.locator("#speed").select_option("4")
    lab.page.locator("body").click(position={"x": 2, "y": 400})
    lab.page.keyboard.press(" ")
    expect(lab.page.locator("#autoplay")).to_have_attribute("aria-pressed", "true")
    expect(lab.page).to_have_url(re.compile(r"at=1\.[3-9]"))
    lab.page.keyboard.press(" ")
    expect(lab.page.locator("#autoplay")).to_have_attribute("aria-pressed", "false")
    answered(lab.page)
    lab.page.wait_for_timeout(400)
    stopped = lab.at
    lab.page.wait_for_timeout(500)
    assert lab.at == stopped


def test_address_leads_to_its_place(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.press("r")
    lab.page.goto(re.sub(r"at=[\d.]+", "at=1.7", lab.page.url))
    assert LabPage(lab.page).at == "1.7"
    mark = lab.page.locator(".timeline-marks a").first
    mark.click()
    expect(lab.page).to_have_url(re.compile(r"at=0\."))


@pytest.mark.parametrize("count", [0, 1, 2, 200])
def test_any_number_of_nodes_looks_right(open_page: OpenPage, count: int) -> None:
    nodes = [make_node(f"n{index}", cpu="64", gpus=8) for index in range(count)]
    revision = make_revision([*nodes, make_pod("p1", gpus=1)])
    lab = LabPage(open_page(f"/scenarios/{revision.scenario.slug}/", EN))
    expect(lab.page.locator(".node-card")).to_have_count(count)
    lab.press("n")
    expect(lab.sentence).to_contain_text("p1 is bound to n0" if count else "p1")
    lab.unit("point")
    for _ in range(3):
        lab.press("ArrowLeft")
    assert overflow(lab.page) <= 0
    assert axe_violations(lab.page) == []
    cards = "[...document.querySelectorAll('.node-card')].map(card => card.getBoundingClientRect())"
    places = lab.page.evaluate(f"() => {cards}.map(box => `${{box.x}} ${{box.y}}`)")
    assert len(set(places)) == count


def test_charts_say_the_same_as_their_tables(open_page: OpenPage) -> None:
    revision = make_revision([make_node("n1", gpus=2), make_pod("p1", gpus=2), make_pod("p2", gpus=2)])
    lab = LabPage(open_page(f"/scenarios/{revision.scenario.slug}/", EN))
    lab.press("r")
    lab.tab("metrics")
    expect(lab.page.locator(".uplot")).not_to_have_count(0)
    for summary in lab.page.locator("#tab-panel details summary").all():
        summary.click()
    tables = lab.page.locator("#tab-panel table")
    assert tables.count() >= 2
    expect(tables.first).to_be_visible()
    expect(lab.page.locator("#tab-panel")).to_contain_text("2 / 2")
    expect(tables.last).to_contain_text("p1")
    assert axe_violations(lab.page) == []


def test_tabs_open_and_stay_with_the_place(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.press("n")
    for tab in TABS:
        lab.tab(tab)
        expect(lab.page).to_have_url(re.compile(rf"tab={tab}"))
        assert axe_violations(lab.page) == []
    lab.page.reload()
    expect(lab.page.locator(f"#tab-{TABS[-1]}")).to_have_attribute("aria-current", "true")


def test_why_answers_for_any_pod_and_node(open_page: OpenPage) -> None:
    lab = _open(open_page, "affinity-by-hand")
    lab.press("n")
    lab.tab("why")
    for node, plugin in (("gpu-lab-worker", "NodeAffinity"), ("gpu-lab-control-plane", "TaintToleration")):
        lab.page.locator('#tab-panel select[name="node"]').select_option(node)
        lab.page.get_by_role("button", name="Ask").click()
        expect(lab.page.locator("#tab-panel")).to_contain_text(plugin)

"""The chapter's exercises, done in a browser in both languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Look, asking, axe_violations, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    OpenPage = Callable[..., Page]

LOOKS = [Look("zh-hans", 1440), Look("en", 1440, dark=True)]
PHONES = [Look("en", 360), Look("zh-hans", 390, dark=True)]
WORDS = {
    "zh-hans": {"label": "打标签", "fails": "出局", "bound": "绑定到", "needs": "只剩 1", "grace": "宽限期"},
    "en": {"label": "Label", "fails": "drops out", "bound": "is bound to", "needs": "1 of 4", "grace": "grace"},
}


def _open(open_page: OpenPage, slug: str, look: Look) -> LabPage:
    load_exercise(slug)
    return LabPage(open_page(f"/scenarios/{slug}/", look))


def _sound(lab: LabPage, name: str) -> None:
    """Nothing sticks out, nothing is wrong for those who do not see."""
    assert overflow(lab.page) <= 0
    assert axe_violations(lab.page) == []
    screenshot(lab.page, name)


@pytest.mark.parametrize("chosen", LOOKS, ids=str)
def test_a_affinity_by_hand(open_page: OpenPage, chosen: Look) -> None:
    words = WORDS[chosen.language]
    lab = _open(open_page, "affinity-by-hand", chosen)
    lab.unit("cycle")
    lab.press("ArrowRight")
    expect(lab.page.locator(".timeline-marks .mark-failed")).to_have_count(1)
    lab.label("gpu-lab-worker", "gpu-type=a100", button=words["label"])
    lab.label("gpu-lab-worker2", "gpu-type=l40s", button=words["label"])
    lab.unit("point")
    while "→ 1" not in lab.page.locator(".stage-current .stage-result").all_inner_texts():
        lab.press("ArrowRight")
        if lab.page.locator(".matrix").count():
            lab.press("ArrowRight")
            lab.press("ArrowLeft")
            break
    expect(lab.row("gpu-lab-control-plane")).to_contain_text("TaintToleration")
    expect(lab.row("gpu-lab-control-plane")).to_contain_text("node(s) had untolerated taint(s)")
    expect(lab.row("gpu-lab-worker2")).to_contain_text("node(s) didn't match Pod's node affinity/selector")
    expect(lab.row("gpu-lab-worker")).to_have_class(re.compile("row-passed"))
    expect(lab.card("gpu-lab-worker2")).to_have_attribute("data-state", "failed")
    _sound(lab, f"exercise-a-filter-{chosen}")
    lab.press("n")
    expect(lab.sentence).to_have_text(re.compile(f"affinity-test.*{words['bound']}.*gpu-lab-worker"))
    lab.tab("task")
    expect(lab.page.locator(".goal-reached")).to_have_count(1)
    _sound(lab, f"exercise-a-done-{chosen}")


@pytest.mark.parametrize("chosen", LOOKS, ids=str)
def test_b_preemption_by_hand(open_page: OpenPage, chosen: Look) -> None:
    words = WORDS[chosen.language]
    lab = _open(open_page, "preemption-by-hand", chosen)
    _sound(lab, f"exercise-b-start-{chosen}")
    for _ in range(19):
        lab.press("ArrowRight")
    expect(lab.sentence).to_contain_text(words["needs"])
    expect(lab.card("gpu-lab-worker")).to_have_attribute("data-state", "failed")
    _sound(lab, f"exercise-b-filter-{chosen}")
    lab.unit("point")
    lab.press("ArrowRight")
    lab.press("ArrowRight")
    expect(lab.page.locator(".story")).to_contain_text("hog")
    expect(lab.page.locator(".beat-victim").first).to_contain_text("Insufficient cpu")
    expect(lab.card("gpu-lab-worker").locator(".is-victim")).to_have_count(1)
    _sound(lab, f"exercise-b-story-{chosen}")
    lab.press("ArrowRight")
    expect(lab.card("gpu-lab-worker")).to_have_attribute("data-state", "nominated")
    lab.press("n")
    expect(lab.sentence).to_contain_text(words["grace"])
    expect(lab.page.locator(".clock")).to_contain_text("0:30.0")
    lab.press("n")
    expect(lab.sentence).to_have_text(re.compile(f"important.*{words['bound']}.*gpu-lab-worker"))
    lab.tab("events")
    expect(lab.page.locator(".terminal")).to_contain_text("Preempted")
    _sound(lab, f"exercise-b-events-{chosen}")
    lab.tab("metrics")
    expect(lab.page.locator(".uplot")).to_be_visible()
    _sound(lab, f"exercise-b-metrics-{chosen}")


def test_b_the_victims_replica_set_makes_a_new_pod_that_waits(open_page: OpenPage) -> None:
    lab = _open(open_page, "preemption-by-replicaset", Look("en", 1440))
    lab.press("r")
    expect(lab.page.locator("#pods-strip .pod")).to_have_text(re.compile("hog-1"))
    lab.tab("events")
    lab.page.get_by_role("link", name="kubectl get pods -o wide").click()
    expect(lab.page.locator(".terminal")).to_contain_text(re.compile(r"hog-1\s+0/1\s+Pending"))
    expect(lab.page.locator(".terminal")).to_contain_text(re.compile(r"important\s+1/1\s+Running"))
    lab.tab("queue")
    expect(lab.page.locator(".queue-unschedulable")).to_contain_text("hog-1")
    lab.tab("task")
    expect(lab.page.locator(".goal-reached")).to_have_count(2)


def test_b_with_a_second_free_worker_nothing_is_preempted(open_page: OpenPage) -> None:
    lab = _open(open_page, "preemption-second-worker", Look("en", 1440))
    lab.press("r")
    lab.press("Home")
    lab.unit("cycle")
    lab.press("ArrowRight")
    expect(lab.sentence).to_have_text(re.compile("important.*gpu-lab-worker2"))
    expect(lab.page.locator(".stage", has_text="PostFilter")).to_contain_text("not run: Filter left nodes")
    expect(lab.page.locator("#tab-panel .goals > li")).to_have_count(2)
    expect(lab.page.locator("#tab-panel .goals > :is(.goal-reached, .goal-kept)")).to_have_count(2)


@pytest.mark.parametrize("chosen", LOOKS, ids=str)
def test_c_scoring_by_hand(open_page: OpenPage, chosen: Look) -> None:
    lab = _open(open_page, "score-by-hand", chosen)
    lab.press("n")
    while not lab.page.locator(".scores .total b").count():
        lab.press("ArrowLeft")
    rows = lab.page.locator(".scores tbody tr")
    expect(rows.locator(".total")).to_have_text(["615", "439"])
    expect(rows.first.locator(".weighted")).to_have_text(["300", "200", "43", "0", "72", "0"])
    expect(rows.last.locator(".weighted")).to_have_text(["300", "0", "68", "0", "71", "0"])
    assert 300 + 200 + 43 + 0 + 72 + 0 == 615
    assert 300 + 0 + 68 + 0 + 71 + 0 == 439
    expect(lab.page.locator(".formulas")).to_contain_text("615")
    _sound(lab, f"exercise-c-total-{chosen}")
    rows.first.locator("a[data-explain]").nth(1).click()
    dialog = lab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("200")
    expect(dialog).to_contain_text("50")
    _sound(lab, f"exercise-c-formula-{chosen}")
    lab.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("chosen", PHONES, ids=str)
def test_on_a_phone_the_stepper_stays_under_the_thumb(open_page: OpenPage, chosen: Look) -> None:
    lab = _open(open_page, "preemption-by-hand", chosen)
    step = lab.page.locator("#go-forward")
    before = step.bounding_box()
    for view in ("pipeline", "tabs", "cluster"):
        lab.page.locator(f'.lab-views [data-view="{view}"]').click()
        for _ in range(6):
            with asking(lab.page, "**/step/"):
                step.tap()
        _sound(lab, f"phone-{view}-{chosen}")
        assert step.bounding_box() == before
    assert before is not None
    assert before["y"] > 500
    assert before["height"] >= 44


@pytest.mark.parametrize("width", [360, 768, 1024, 1920, 2560])
def test_page_fits_every_width(open_page: OpenPage, width: int) -> None:
    lab = _open(open_page, "score-by-hand", Look("en", width))
    lab.unit("point")
    for _ in range(3):
        lab.press("ArrowRight")
    assert overflow(lab.page) <= 0
    screenshot(lab.page, f"width-{width}")

"""How the lab looks and weighs: every width, dark and light, both languages, forced colours, little motion."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import LOOKS, Look, axe_violations, overflow, screenshot
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Response

    OpenPage = Callable[..., Page]

MOST_BYTES = 400 * 1024
TEXTS = ("text/", "application/javascript", "application/json", "image/svg")


def _open(open_page: OpenPage, look: Look, **options: str) -> LabPage:
    load_exercise("preemption-by-hand")
    return LabPage(open_page("/scenarios/preemption-by-hand/", look, **options))


def _see(lab: LabPage, view: str) -> None:
    button = lab.page.locator(f'.lab-views [data-view="{view}"]')
    if button.is_visible():
        button.click()


@pytest.mark.parametrize("chosen", LOOKS, ids=str)
def test_every_state_is_sound(open_page: OpenPage, chosen: Look) -> None:
    lab = _open(open_page, chosen)
    found = {"start": axe_violations(lab.page)}
    lab.unit("point")
    for step in range(5):
        lab.press("ArrowRight")
        _see(lab, "pipeline" if step % 2 else "cluster")
        found[f"step {step}"] = axe_violations(lab.page)
        assert overflow(lab.page) <= 0
    screenshot(lab.page, f"lab-story-{chosen}")
    lab.press("r")
    _see(lab, "cluster")
    found["idle"] = axe_violations(lab.page)
    lab.page.locator("#outline-gpu-lab-worker").focus()
    lab.page.keyboard.press("Enter")
    expect(lab.page.locator("#selection-title")).to_be_visible()
    found["selection"] = axe_violations(lab.page)
    lab.page.locator("#selection-more").click()
    found["menu"] = axe_violations(lab.page)
    lab.page.keyboard.press("Escape")
    for opener in ("palette", "workload", "branch-dialog", "share-dialog", "export-dialog"):
        lab.page.locator(f'[data-dialog="{opener}"], [data-text="{opener}"], [data-opens="{opener}"]').first.click()
        expect(lab.page.locator("dialog[open]")).to_have_count(1)
        lab.page.wait_for_function("() => !document.querySelector('#workload-pane[inert]')")
        found[opener] = axe_violations(lab.page)
        lab.page.keyboard.press("Escape")
        expect(lab.page.locator("dialog[open]")).to_have_count(0)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "options", [{"forced_colors": "active"}, {"reduced_motion": "reduce"}], ids=lambda one: next(iter(one))
)
def test_page_heeds_the_persons_settings(open_page: OpenPage, options: dict[str, str]) -> None:
    lab = _open(open_page, Look("en", 1280), **options)
    lab.unit("point")
    for _ in range(4):
        lab.press("ArrowRight")
    card = lab.card("gpu-lab-worker")
    expect(card).to_have_attribute("data-state", "nominated")
    if "reduced_motion" in options:
        moving = "() => document.getAnimations().filter(one => one.effect.getTiming().duration > 1).length"
        assert lab.page.evaluate(moving) == 0
    else:
        expect(card.locator(".node-state")).to_contain_text("nominated")
        border = card.evaluate("card => getComputedStyle(card).borderTopStyle")
        assert border == "dashed"  # states differ by their edge where colours are the person's own


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_nothing_sticks_out_at_any_width(open_page: OpenPage, language: str) -> None:
    lab = _open(open_page, Look(language, 1280))
    lab.press("n")
    for width in (360, 480, 768, 1024, 1280, 1920, 2560):
        lab.page.set_viewport_size({"width": width, "height": 900})
        for view in ("cluster", "pipeline", "tabs"):
            _see(lab, view)
            assert overflow(lab.page) <= 0
        tools = lab.page.locator(".lab-tools button:visible, .transport button:visible")
        for box in (tool.bounding_box() for tool in tools.all()):
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width + 1


def test_lab_is_light_until_one_can_step(open_page: OpenPage) -> None:
    """What is fetched until the first step can be taken, texts compressed as the class mode's server sends them."""
    load_exercise("preemption-by-hand")
    page = open_page("/", Look("zh-hans", 1280))
    page.context.clear_cookies()
    page.goto("about:blank")
    responses: list[Response] = []
    page.on("response", lambda answer: responses.append(answer))  # noqa: PLW0108 (Playwright takes no built-in method)
    page.goto("/scenarios/preemption-by-hand/")
    lab = LabPage(page)
    expect(lab.page.locator(".node-card")).to_have_count(2)
    sizes = {answer.url.split("?", maxsplit=1)[0]: _size(answer) for answer in responses if answer.ok}
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    print(f"{sum(sizes.values()) / 1024:.0f} KiB in {len(sizes)} answers; largest: {largest}")
    assert len(sizes) > 20
    assert sum(sizes.values()) <= MOST_BYTES, largest


def _size(answer: Response) -> int:
    body = answer.body()
    kind = answer.headers.get("content-type", "")
    return len(gzip.compress(body, 6)) if kind.startswith(TEXTS) else len(body)

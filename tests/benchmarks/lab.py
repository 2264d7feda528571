"""The lab's page: a step of 100 and of 1,000 nodes on the server, and panning and zooming 500 nodes in a browser."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import django

from tests.e2e import browser

if TYPE_CHECKING:
    from playwright.sync_api import Page

STEP_LIMITS_MS = {100: 50, 1000: 150}
PODS = 4
STEPS = 120
CLOCKS = ("processor time", "by the clock")
DRAWN = 500
FRAME_LIMIT_MS = 50
MOVES = 60
FRAMES = """() => {
    globalThis.frames_ = [];
    let before = performance.now();
    const next = (now) => { globalThis.frames_.push(now - before); before = now; requestAnimationFrame(next); };
    requestAnimationFrame((now) => { before = now; requestAnimationFrame(next); });
}"""


def measure() -> Iterator[str]:
    """Lines with what was measured and the limit it must keep."""
    yield from _steps()
    yield from _drawing()


def _steps() -> Iterator[str]:
    os.environ["DJANGO_SETTINGS_MODULE"] = "gpuschedlab.settings.testing"
    django.setup()
    from django.test.utils import (
        setup_databases,
        setup_test_environment,
        teardown_databases,
    )

    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        for count, limit in STEP_LIMITS_MS.items():
            for clock, times in zip(CLOCKS, _times_of_steps(count), strict=True):
                yield _figures(f"one step at {count:,} nodes, forth and back, {clock}", times, limit)
    finally:
        teardown_databases(databases, verbosity=0)


def _times_of_steps(count: int) -> tuple[list[float], list[float]]:
    """Milliseconds from a step's request to its whole answer, in a process as that of the site: by each of `CLOCKS`."""
    from gpuschedlab.web.memory import settle
    from tests.factories.labs import make_node, make_pod, make_revision
    from tests.simulator.lab.test_pages import Page as LabPage

    nodes = [make_node(f"n{index}", cpu="64", gpus=8) for index in range(count)]
    page = LabPage(make_revision([*nodes, *(make_pod(f"p{index}", gpus=1) for index in range(PODS))]))
    page.step(unit="cycle")
    settle()
    used: list[float] = []
    passed: list[float] = []
    for index in range(STEPS):
        back = index % 10 > 6
        unit = ("record", "point", "plugin")[index % 3]
        began, at = process_time(), perf_counter()
        answer = page.step("back" if back else "forward", unit)
        used.append((process_time() - began) * 1000)
        passed.append((perf_counter() - at) * 1000)
        assert answer.status_code == 200
    return used, passed


def _drawing() -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    from tests.factories.processes import Site

    found = browser.find()
    if found is None:
        yield browser.ADVICE
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = Site({"LAB_MODE": "embedded", "LAB_DATA_DIR": folder})
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        try:
            page = chromium.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"http://127.0.0.1:{site.port}/scenarios/empty-lab/")
            _add_nodes(page)
            yield _figures(f"a frame while {DRAWN} nodes are panned", _frames_of(page, _pan), FRAME_LIMIT_MS)
            yield _figures(f"a frame while {DRAWN} nodes are zoomed", _frames_of(page, _zoom), FRAME_LIMIT_MS)
        finally:
            chromium.close()
            site.stop(signal.SIGTERM)


def _add_nodes(page: Page) -> None:
    page.locator('#cluster-add [data-dialog="palette"]').click()
    page.locator('#palette [name="count"]').fill(str(DRAWN))
    page.locator("#palette-add").click()
    page.wait_for_function(f"() => document.querySelectorAll('.node-card').length === {DRAWN}", timeout=60_000)
    page.wait_for_timeout(1000)


def _frames_of(page: Page, move: Any) -> list[float]:
    """Milliseconds between frames while the drawing is moved."""
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 6, box["y"] + box["height"] - 6)
    page.evaluate(FRAMES)
    move(page, box)
    return [float(frame) for frame in page.evaluate("() => globalThis.frames_.splice(0)")]


def _pan(page: Page, box: Any) -> None:
    page.mouse.down()
    for index in range(MOVES):
        page.mouse.move(box["x"] + 6 + 5 * (index % 30), box["y"] + box["height"] - 6 - 3 * (index % 30))
        page.wait_for_timeout(16)
    page.mouse.up()


def _zoom(page: Page, box: Any) -> None:
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.keyboard.down("Control")
    for index in range(MOVES):
        page.mouse.wheel(0, -40 if index < MOVES / 2 else 40)
        page.wait_for_timeout(16)
    page.keyboard.up("Control")


def _figures(what: str, times: list[float], limit: float) -> str:
    p95 = quantiles(times, n=20)[-1]
    return f"{what}: median {median(times):.0f} ms, p95 {p95:.0f} ms ({p95 / limit:.2f} of the limit, {limit} ms)"

"""A job's progress on the page: over the socket, by polling, cancelled; and errors that arrive as parts of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Look, axe_violations, hold

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.e2e.conftest import Problems

    OpenPage = Callable[..., Page]

pytestmark = pytest.mark.usefixtures("demo_pages", "job_threads")


def test_progress_moves_by_itself_and_ends(open_page: OpenPage) -> None:
    page = open_page("/demo/", Look("en"))
    page.get_by_label("Steps").fill("8")
    page.get_by_role("button", name="Start").click()
    run = page.get_by_role("region", name="Counting")
    expect(run).to_contain_text(re.compile(r"Step [2-8]"))
    expect(run.get_by_role("progressbar")).to_have_attribute("value", re.compile("12|25|37|50|62|75|87"))
    assert axe_violations(page) == []
    expect(run).to_contain_text("done.")
    expect(run.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator("#announcer")).to_have_text("Counting: done.")


def test_progress_goes_on_without_a_socket(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("WebSocket")
    page = open_page("/demo/", Look("en"))
    page.route_web_socket("**/ws/", lambda socket: socket.close())
    page.reload()
    page.get_by_label("Steps").fill("16")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("region", name="Counting")).to_contain_text("done.", timeout=15_000)


def test_cancel_stops_the_run(open_page: OpenPage) -> None:
    page = open_page("/demo/", Look("zh-hans"))
    page.get_by_label("Steps").fill("100")
    page.get_by_role("button", name="Start").click()
    run = page.get_by_role("region", name="Counting")
    expect(run).to_contain_text("Step")
    run.get_by_role("button", name="取消").click()
    expect(run).to_contain_text("已取消。")


def test_cancel_is_not_lost_behind_progress(open_page: OpenPage) -> None:
    page = open_page("/demo/", Look("en"))
    page.get_by_label("Steps").fill("100")
    progress = re.compile(r"/runs/[0-9a-f-]+/$")
    held = hold(page, progress)
    with page.expect_request(progress):
        page.get_by_role("button", name="Start").click()
    run = page.get_by_role("region", name="Counting")
    run.get_by_role("button", name="Cancel").click()
    page.wait_for_timeout(400)  # more progress is told meanwhile
    held[0].continue_()
    expect(run).to_contain_text("cancelled.")


def test_progress_survives_a_reload(open_page: OpenPage) -> None:
    page = open_page("/demo/", Look("en"))
    page.get_by_label("Steps").fill("30")
    page.get_by_role("button", name="Start").click()
    run_id = page.locator("[data-topic]").get_attribute("data-topic")
    assert run_id is not None
    page.goto(f"/runs/{run_id.removeprefix('run:')}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Counting")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("region", name="Counting")).to_contain_text("cancelled.")


def test_what_was_just_swapped_in_hears_at_once(open_page: OpenPage) -> None:
    page = open_page("/demo/", Look("en"))
    with page.expect_request("**/health/"):
        page.evaluate("""async () => {
          const place = document.querySelector("main");
          const part = '<p data-topic="run:none" data-seq="1" hx-get="/health/" hx-trigger="changed"></p>';
          htmx.swap(place, part, { swapStyle: "beforeend", settleDelay: htmx.config.defaultSettleDelay });
          await null; // the page sees what is new
          place.querySelector('[data-topic="run:none"]').dispatchEvent(new CustomEvent("changed"));
        }""")


def test_error_of_a_part_becomes_a_notice_and_leaves_the_page(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("status of (409|500)")
    problems.allow("Response Status Error Code (409|500)")
    page = open_page("/demo/", Look("en"))
    page.get_by_role("button", name="Conflict").click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("h100-1 was deleted meanwhile.")
    assert axe_violations(page) == []
    page.get_by_role("button", name="Broken").click()
    expect(notice).to_contain_text("Something broke on our side")
    page.get_by_role("button", name="Close this notice").click()
    expect(notice).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_text("Demo")

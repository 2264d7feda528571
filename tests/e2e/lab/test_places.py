"""Places: reload, back and forward, other tabs, broken connections, branches, shared links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from simulator.models import Lab, LabCommand
from tests.e2e.conftest import Look, asking, axe_violations
from tests.e2e.lab.lab_page import LabPage
from tests.factories.labs import load_exercise, make_node, make_pod, make_revision

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route, WebSocketRoute

    from tests.e2e.conftest import Problems

    OpenPage = Callable[..., Page]

EN = Look("en", 1440)


def _open(open_page: OpenPage, slug: str = "preemption-by-hand", look: Look = EN) -> LabPage:
    load_exercise(slug)
    return LabPage(open_page(f"/scenarios/{slug}/", look))


def _second_tab(lab: LabPage) -> LabPage:
    page = lab.page.context.new_page()
    page.goto(lab.page.url)
    return LabPage(page)


def test_reload_at_every_step_shows_the_same_place(open_page: OpenPage) -> None:
    lab = _open(open_page)
    for _ in range(12):
        lab.press("ArrowRight")
        at, sentence = lab.at, lab.sentence.inner_text()
        lab.page.reload()
        lab = LabPage(lab.page)
        assert lab.at == at
        expect(lab.sentence).to_have_text(sentence)
    assert LabCommand.objects.count() == 1


def test_log_in_leads_back_to_the_step_one_was_at(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.press("ArrowRight")
    lab.press("ArrowRight")
    at = lab.at
    lab.page.locator(".site-header").get_by_role("button", name="Log in").click()
    expect(lab.page.locator('main [name="next"]')).to_have_value(re.compile(rf"at={re.escape(at)}\b"))


def test_tab_opened_while_a_run_is_on_its_way_shows_where_the_run_ended(open_page: OpenPage) -> None:
    lab = _open(open_page)
    held: list[Route] = []
    lab.page.route(re.compile("/run/$"), lambda route: held.append(route))  # noqa: PLW0108 (Playwright marks its handlers)
    lab.page.locator("#go-idle").click()
    lab.page.locator("#tab-queue").click()
    lab.page.wait_for_timeout(100)
    held[0].continue_()
    expect(lab.page.locator("#tab-queue")).to_have_attribute("aria-current", "true")
    assert "tab=queue" in lab.page.url
    assert lab.state["isHead"]
    assert not lab.at.startswith("0.")


def test_back_and_forward_of_the_browser_visit_the_places_again(open_page: OpenPage) -> None:
    lab = _open(open_page)
    seen = [(lab.at, lab.sentence.inner_text())]
    for _ in range(4):
        lab.press("ArrowRight")
        seen.append((lab.at, lab.sentence.inner_text()))
    for at, sentence in reversed(seen[:-1]):
        lab.page.go_back()
        expect(lab.sentence).to_have_text(sentence)
        assert lab.at == at
    for at, sentence in seen[1:]:
        lab.page.go_forward()
        expect(lab.sentence).to_have_text(sentence)
        assert lab.at == at


def test_held_key_does_not_run_away_and_skips_nothing(open_page: OpenPage) -> None:
    lab = _open(open_page)
    places: list[str] = []
    lab.page.on("response", lambda response: places.append(response.url) if "/step/" in response.url else None)
    for _ in range(30):
        lab.page.keyboard.down("ArrowRight")
    lab.page.keyboard.up("ArrowRight")
    lab.page.wait_for_timeout(800)
    assert 1 <= len(places) <= 30
    assert lab.at == f"1.{len(places) - 1}"


def test_double_click_gives_one_command(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.choose("Node//gpu-lab-worker")
    lab.page.get_by_role("button", name="Cordon", exact=True).dblclick()
    expect(lab.page.get_by_role("button", name="Uncordon")).to_be_visible()
    lab.page.wait_for_timeout(300)
    assert [row.type for row in LabCommand.objects.all()] == ["cordon"]


def test_tab_at_the_end_follows_and_another_only_learns(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.unit("cycle")
    lab.press("ArrowRight")
    follower, reader = _second_tab(lab), _second_tab(lab)
    reader.press("Home")
    assert reader.at == "0.0"
    lab.press("n")
    expect(follower.sentence).to_have_text(lab.sentence.inner_text())
    expect(reader.page.locator(".timeline-marks li")).to_have_count(lab.page.locator(".timeline-marks li").count())
    assert reader.at == "0.0"
    assert follower.at == lab.at


def test_tab_that_is_behind_learns_before_it_decides(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("409")
    problems.allow("WebSocket")
    lab = _open(open_page)
    lab.press("ArrowRight")
    other = _second_tab(lab)
    other.page.route_web_socket("**/ws/", lambda socket: socket.close())
    other.page.reload()
    other = LabPage(other.page)
    other.choose("Node//gpu-lab-control-plane")
    lab.choose("Node//gpu-lab-worker")
    lab.page.get_by_role("button", name="Cordon", exact=True).click()
    expect(lab.page.get_by_role("button", name="Uncordon")).to_be_visible()
    other.page.get_by_role("button", name="Cordon", exact=True).click()
    expect(other.page.get_by_role("alert")).to_contain_text("decide again")
    assert other.state["seq"] == 2
    other.page.get_by_role("button", name="Cordon", exact=True).click()
    expect(other.page.get_by_role("button", name="Uncordon")).to_be_visible()
    assert LabCommand.objects.count() == 3


def test_after_an_offline_moment_nothing_is_missed(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("ERR_INTERNET_DISCONNECTED")
    lab = _open(open_page)
    lab.unit("cycle")
    lab.press("ArrowRight")
    other = _second_tab(lab)
    sockets: list[WebSocketRoute] = []

    def first_is_mute(route: WebSocketRoute) -> None:
        sockets.append(route)
        if len(sockets) > 1:
            route.connect_to_server()

    other.page.route_web_socket("**/ws/", first_is_mute)
    other.page.reload()
    other = LabPage(other.page)
    lab.press("n")
    other.page.wait_for_timeout(500)
    assert other.at != lab.at
    sockets[0].close()
    expect(other.sentence).to_have_text(lab.sentence.inner_text())
    assert other.at == lab.at


def test_command_sent_while_offline_is_told_and_can_be_sent_again(open_page: OpenPage, problems: Problems) -> None:
    problems.allow("ERR_INTERNET_DISCONNECTED|htmx:")
    lab = _open(open_page)
    lab.press("ArrowRight")
    lab.page.context.set_offline(True)
    lab.page.keyboard.press("ArrowRight")
    expect(lab.page.locator(".toast-error")).to_be_visible()
    lab.page.context.set_offline(False)
    lab.press("ArrowRight")
    assert lab.at == "1.1"


def test_branch_from_any_step_and_back(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.press("r")
    lab.page.locator(".timeline-marks a").nth(1).click()
    expect(lab.page.locator(".timeline-marks [aria-current]")).to_have_count(1)
    lab.page.get_by_role("button", name="Branch", exact=True).click()
    dialog = lab.page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("what if")
    assert axe_violations(lab.page) == []
    dialog.get_by_role("button", name="Branch").click()
    expect(lab.page.locator(".lab-branch")).to_have_text("what if")
    branch = LabPage(lab.page)
    expect(branch.page.locator(".timeline-marks a")).to_have_count(2)
    branch.page.get_by_role("button", name="Branch", exact=True).click()
    branch.page.get_by_role("dialog").get_by_role("link", name="main line", exact=True).click()
    expect(branch.page.locator(".lab-branch")).to_have_count(0)
    assert Lab.objects.count() == 2


def test_undo_says_what_and_does_it(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.choose("Node//gpu-lab-worker")
    lab.page.get_by_role("button", name="Cordon", exact=True).click()
    expect(lab.card("gpu-lab-worker")).to_have_class(re.compile("is-cordoned"))
    lab.page.get_by_role("button", name="Undo: cordon gpu-lab-worker").click()
    expect(lab.card("gpu-lab-worker")).not_to_have_class(re.compile("is-cordoned"))
    lab.page.get_by_role("button", name="Redo: cordon gpu-lab-worker").click()
    expect(lab.card("gpu-lab-worker")).to_have_class(re.compile("is-cordoned"))
    lab.press("n")
    lab.page.get_by_role("button", name="Back before: cordon gpu-lab-worker").click()
    expect(lab.page.locator(".lab-branch")).to_be_visible()
    branch = LabPage(lab.page)
    expect(branch.card("gpu-lab-worker")).not_to_have_class(re.compile("is-cordoned"))


def test_shared_link_is_read_by_another_person(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.unit("cycle")
    lab.press("ArrowRight")
    lab.page.get_by_role("button", name="Share").click()
    lab.page.get_by_role("button", name="Make a link").click()
    link = lab.page.locator("#share-link")
    expect(link).to_have_value(re.compile(r"/shared/[\w-]{40,}/\?at=1\.\d+$"))
    stranger = LabPage(open_page(link.input_value(), Look("zh-hans", 1440)))
    expect(stranger.page.locator("#tab-objects")).to_be_visible()
    assert stranger.page.locator("#go-idle").count() == 0
    stranger.press("ArrowLeft")
    stranger.press("Home")
    expect(stranger.page).to_have_url(re.compile(r"at=0\.0"))
    stranger.press("ArrowRight")
    expect(stranger.page).to_have_url(re.compile(r"at=1\.0"))
    lab.page.keyboard.press("Escape")
    lab.press("n")
    expect(stranger.page.locator(".timeline-marks li")).to_have_count(3)
    stranger.page.get_by_role("button", name="在自己的实验里继续").click()
    mine = LabPage(stranger.page)
    expect(mine.page.locator("#go-idle")).to_be_visible()
    assert Lab.objects.count() == 2


def test_start_anew_leaves_the_old_lab_in_the_list(open_page: OpenPage) -> None:
    lab = _open(open_page)
    lab.press("r")
    lab.page.get_by_role("button", name="Start anew").click()
    lab.page.wait_for_url(re.compile(r"at=0\.0"))
    fresh = LabPage(lab.page)
    expect(fresh.page.locator(".timeline-marks li")).to_have_count(1)
    fresh.page.goto("/labs/")
    expect(fresh.page.locator(".lab-row")).to_have_count(1)


def test_solution_is_shown_as_a_branch(open_page: OpenPage) -> None:
    lab = _open(open_page, "affinity-by-hand")
    for shown in (1, 2):
        lab.page.get_by_role("link", name="Show a hint").click()
        expect(lab.page.locator(".hints li")).to_have_count(shown)
    lab.page.get_by_role("button", name="Show me how").click()
    expect(lab.page.locator(".lab-branch")).to_have_text("solution")
    solution = LabPage(lab.page)
    assert solution.at == "0.0"
    solution.press("End")
    expect(solution.page.locator(".goal-reached")).to_have_count(1)
    assert axe_violations(solution.page) == []


@pytest.mark.usefixtures("job_threads")
def test_long_run_has_a_slider(open_page: OpenPage) -> None:
    revision = make_revision([make_node("n1", cpu="64"), *(make_pod(f"p{i}", cpu="100m") for i in range(60))])
    lab = LabPage(open_page(f"/scenarios/{revision.scenario.slug}/", EN))
    lab.press("r")
    expect(lab.page.locator("#go-idle")).to_have_attribute("aria-disabled", "true", timeout=20_000)
    slider = lab.page.get_by_label("Jump to an action")
    with asking(lab.page, re.compile(r"at=30\.end")):
        slider.evaluate("slider => { slider.value = 30; slider.dispatchEvent(new Event('change', {bubbles: true})); }")
    expect(lab.page.locator(".timeline-marks [aria-current]")).to_be_in_viewport()
    assert lab.at.startswith("30.")
    assert axe_violations(lab.page) == []

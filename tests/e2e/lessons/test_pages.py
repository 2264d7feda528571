"""Pages of lessons and questions in every look: whole, without axe's complaints, not wider than the window."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from lessons.generators.registry import GENERATORS
from lessons.models import Lesson, Question
from tests.e2e.conftest import LOOKS, Look, asking, axe_violations, overflow, screenshot

OpenPage = Callable[..., Page]

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("catalogue")]

PAGES = {
    "course": "/lessons/",
    "lesson": "/lessons/ten-stages/",
    "glossary": "/glossary/",
    "quizzes": "/quizzes/",
    "quiz": "/quizzes/selftest/",
    "review": "/review/",
    "progress": "/progress/",
    "my-data": "/accounts/my-data/",
    "home": "/",
}


def whole(page: Page, name: str, *, axe: bool = True) -> None:
    assert overflow(page) <= 0, name
    if axe:
        assert axe_violations(page) == [], name


@pytest.mark.parametrize("chosen", LOOKS, ids=str)
def test_pages_are_whole(open_page: OpenPage, chosen: Look) -> None:
    page = open_page("/", chosen)
    for name, path in PAGES.items():
        page.goto(path)
        whole(page, path)
        screenshot(page, f"{name}-{chosen}")


@pytest.mark.parametrize("chosen", [Look("zh-hans", 360), Look("en", 1280, dark=True)], ids=str)
def test_every_kind_of_question_is_whole_before_and_after_the_answer(open_page: OpenPage, chosen: Look) -> None:
    page = open_page("/", chosen)
    kinds: dict[str, str] = {}
    for question in Question.objects.filter(current__isnull=False).order_by("slug"):
        kinds.setdefault(question.source["type"], question.slug)
    assert len(kinds) == 14
    addresses = {kind: f"/questions/{slug}/" for kind, slug in kinds.items()}
    addresses |= {subject: f"/practice/{subject}/" for subject in GENERATORS}
    for kind, path in addresses.items():
        page.goto(path)
        whole(page, path, axe=not chosen.dark)
        screenshot(page, f"question-{kind}-{chosen}")
        if kind == "build-it" or not chosen.dark:  # in the other look, answered
            continue
        fill_anything(page)
        page.locator('.question-buttons button[value="answer"]').click()
        expect(page.locator(".result-title, .criterion").first).to_be_visible()
        whole(page, f"{path} answered")
        screenshot(page, f"answered-{kind}-{chosen}")


def fill_anything(page: Page) -> None:
    form = page.locator(".question-form")
    if form.locator("[data-ordering]").count():
        form.locator('[data-pool] [data-move="in"]').first.click()
        form.locator('[data-pool] [data-move="in"]').first.click()
        return
    for field in form.locator('select, input[type="text"], textarea').all():
        if field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(index=1)
        else:
            field.fill("1")
    boxes = form.locator('input[type="radio"]:not([name="_certainty"]), input[type="checkbox"]')
    if boxes.count():
        boxes.first.check(force=True)


def test_reading_width_is_kept(open_page: OpenPage) -> None:
    """At most 38 Chinese or 70 Latin characters a line, whatever the window."""
    for look, glyph, most in ((Look("zh-hans", 1600), "国", 38), (Look("en", 1600), "0", 70)):
        page = open_page("/lessons/ten-stages/", look)
        widest = page.evaluate(
            """glyph => {
              const probe = document.createElement("span");
              probe.textContent = glyph.repeat(100);
              probe.setAttribute("class", "visually-hidden");
              const line = document.querySelector(".lesson-text .prose p");
              line.append(probe);
              probe.removeAttribute("class");
              const style = getComputedStyle(line);
              probe.style.whiteSpace = "nowrap";
              probe.style.position = "absolute";
              const one = probe.getBoundingClientRect().width / 100;
              probe.remove();
              return line.getBoundingClientRect().width / one;
            }""",
            glyph,
        )
        assert widest <= most + 0.5


def test_term_explains_itself_on_hover_focus_and_touch(open_page: OpenPage) -> None:
    page = open_page("/lessons/ten-stages/", Look("en"))
    term = page.locator(".prose .term").first
    card = page.locator(".term-card.is-shown")
    term.scroll_into_view_if_needed()
    term.hover()
    expect(card).to_be_visible()
    card.hover()
    page.wait_for_timeout(400)
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    page.mouse.move(0, 0)
    term.focus()
    expect(card).to_be_visible()
    own = page.locator(f"#term-card-{term.get_attribute('data-term')}")
    expect(own).to_be_visible()
    page.keyboard.press("Tab")
    expect(own).to_be_hidden()
    assert axe_violations(page) == []

    phone = open_page("/lessons/ten-stages/", Look("en", 360))
    touched = phone.locator(".prose .term").first
    touched.scroll_into_view_if_needed()
    touched.tap()
    expect(phone.locator(".term-card.is-shown")).to_be_visible()
    assert "/glossary/" not in phone.url
    assert overflow(phone) <= 0
    touched.tap()
    phone.wait_for_url(re.compile(r"/glossary/#"))


def test_switching_the_language_keeps_the_place(open_page: OpenPage) -> None:
    page = open_page("/lessons/ten-stages/", Look("zh-hans"))
    page.locator("#score").scroll_into_view_if_needed()
    page.evaluate("() => document.querySelector('#score').scrollIntoView()")
    expect(page.locator('.lesson-contents a[href="#score"]')).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Read in English").click()
    page.wait_for_url(re.compile(r"/lessons/ten-stages/#score$"))
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert abs(page.evaluate("() => document.querySelector('#score').getBoundingClientRect().top")) < 120


def test_check_is_answered_in_place(open_page: OpenPage) -> None:
    page = open_page("/lessons/ten-stages/", Look("en"))
    part = page.locator("[data-question]").filter(has=page.locator('form[action$="/checks/first-failing-plugin/"]'))
    part.locator("input[type=radio]").first.check()
    part.get_by_role("button", name="Check the answer").click()
    expect(part.locator(".result-title")).to_be_visible()
    expect(page.locator("#lesson-progress")).to_contain_text(re.compile(r"^\s*[1-9]"))
    part.get_by_role("link", name="Once more").click()
    expect(part.get_by_role("button", name="Check the answer")).to_be_visible()
    assert page.url.endswith("/lessons/ten-stages/")


def test_lesson_prints_clean(open_page: OpenPage) -> None:
    page = open_page("/lessons/ten-stages/", Look("en", dark=True))
    page.emulate_media(media="print")
    for selector in (".site-header", ".lesson-contents", ".question-buttons", ".scene-done", ".lesson-neighbours"):
        assert page.locator(selector).first.is_hidden(), selector
    assert page.locator(".lesson-text").is_visible()
    ink = page.evaluate("() => getComputedStyle(document.querySelector('.prose p')).color")
    assert ink == "rgb(28, 34, 38)"


WIDER_THAN_ITS_BOX = """() => [...document.querySelectorAll(".lesson-text pre, .lesson-text table, .lesson-text svg")]
  .filter((part) => part.getBoundingClientRect().width)
  .filter((part) => {
    const box = part.closest(".table-scroll, pre") ?? part.parentElement;
    return box.getBoundingClientRect().right > innerWidth || (part.scrollWidth > part.clientWidth + 1
      && part.matches("pre") && (getComputedStyle(part).overflowX !== "auto" || part.tabIndex !== 0));
  })
  .map((part) => part.textContent.trim().slice(0, 40))"""


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_every_lesson_fits_a_phone(open_page: OpenPage, language: str) -> None:
    """Code, tables and figures scroll in a box of their own, which the keyboard reaches."""
    page = open_page("/", Look(language, 360))
    for slug in Lesson.objects.filter(current__isnull=False).values_list("slug", flat=True):
        page.goto(f"/lessons/{slug}/", wait_until="domcontentloaded")
        assert overflow(page) <= 0, slug
        assert page.evaluate(WIDER_THAN_ITS_BOX) == [], slug


def test_code_is_whole_on_paper(open_page: OpenPage) -> None:
    page = open_page("/lessons/ladder-and-practice/", Look("en", 700))
    page.emulate_media(media="print")
    assert (
        page.evaluate("""() => [...document.querySelectorAll(".lesson-text pre")]
        .filter((code) => code.scrollWidth > code.clientWidth + 1).map((code) => code.textContent.slice(0, 40))""")
        == []
    )


def test_order_is_dragged_and_matched_by_mouse(open_page: OpenPage) -> None:
    page = open_page("/questions/selftest-01-extension-points/", Look("en"))
    page.wait_for_load_state("networkidle")
    first = page.locator("[data-pool] .ordering-item").first
    words = first.locator(".ordering-text").text_content()
    first.drag_to(page.locator("[data-placed]"))
    expect(page.locator("[data-placed] .ordering-text")).to_have_text([str(words)])
    page.goto("/questions/selftest-04-webhook/")
    page.wait_for_load_state("networkidle")
    value = page.locator("[data-value]").nth(2)
    row = page.locator("[data-drop]").first
    value.drag_to(row)
    assert row.locator("select").input_value() == value.get_attribute("data-value")


def test_none_of_them_and_the_others_exclude_each_other(open_page: OpenPage) -> None:
    page = open_page("/practice/filter-set/", Look("en"))
    first, none = page.locator('[name="name"]').first, page.locator("[data-none]")
    first.check()
    none.check()
    expect(first).not_to_be_checked()
    first.check()
    expect(none).not_to_be_checked()


def test_test_saves_by_itself_and_nothing_is_lost_on_reload(open_page: OpenPage) -> None:
    page = open_page("/quizzes/four-pains/", Look("en"))
    page.get_by_label("Test").check()
    page.get_by_role("button", name="Start").click()
    with page.expect_navigation(wait_until="networkidle"):
        page.get_by_role("link", name="Go on").click()
    choice = page.locator(".question-form input[type=radio], .question-form input[type=checkbox]").first
    while not choice.count():
        with page.expect_navigation(wait_until="networkidle"):
            page.get_by_role("button", name="Save and go on").click()
    token = choice.get_attribute("value")
    with asking(page, "**/save/"):
        choice.check()
    expect(page.locator("#autosave")).to_be_visible()
    page.reload()
    expect(page.locator(f'.question-form input[value="{token}"]')).to_be_checked()


def test_glossary_is_searched_while_typing(open_page: OpenPage) -> None:
    page = open_page("/glossary/", Look("en"))
    everything = page.locator(".entry").count()
    page.get_by_label("Search the terms").fill("NVLink")
    expect(page.locator(".entry").first).to_contain_text("NVLink")
    assert page.locator(".entry").count() < everything
    assert axe_violations(page) == []


@pytest.mark.parametrize("chosen", [Look("zh-hans", 360), Look("en", 1280)], ids=str)
def test_scene_is_stepped_through_in_place(open_page: OpenPage, chosen: Look) -> None:
    page = open_page("/lessons/queue-and-preemption/", chosen)
    scene = page.locator("#scene-preemption-story")
    button = scene.locator("[data-frame]")
    button.focus()
    page.keyboard.press("Enter")
    lab = page.frame_locator("#scene-frame-preemption-story")
    expect(lab.locator("#sentence")).to_be_visible()
    expect(lab.locator(".site-header")).to_be_hidden()
    before = lab.locator("#sentence").inner_text()
    lab.locator("#go-forward").click()
    expect(lab.locator("#sentence")).not_to_have_text(before)
    assert page.url.endswith("/lessons/queue-and-preemption/")
    assert overflow(page) <= 0
    assert axe_violations(page) == []

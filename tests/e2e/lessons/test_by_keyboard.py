"""A learner with a keyboard alone completes lessons and the self-test, in both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from lessons.models import Answer, Grading, Lesson, LessonState, Question
from simulator.models import Lab
from simulator.selectors.scenarios import revision_get
from simulator.services.branches import lab_solution
from tests.e2e.conftest import Look, axe_violations
from tests.e2e.lessons.keyboard import Keyboard, answer
from tests.e2e.lessons.learner import asked_alone, asked_in_attempt, participant_of

OpenPage = Callable[..., Page]

RIGHT = {"zh-hans": "对了", "en": "Right"}
DONE = {"zh-hans": "已完成：这一课学完了", "en": "done: this lesson is complete"}

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("catalogue")]

both_languages = pytest.mark.parametrize("language", ["zh-hans", "en"])


@both_languages
@pytest.mark.parametrize("slug", ["ten-stages", "four-pains"])
def test_lesson_is_completed(open_page: OpenPage, slug: str, language: str) -> None:
    page = open_page(f"/lessons/{slug}/", Look(language))
    keyboard = Keyboard(page)
    lesson = Lesson.objects.select_related("current").get(slug=slug)
    assert lesson.current is not None
    outline = lesson.current.outline
    for name in in_page_order(page, outline["checks"]):
        answer_check(page, keyboard, slug, name, language)
    for scene in outline["scenes"]:
        button = page.locator(f"#scene-{scene} [data-marks]")
        keyboard.push(button)
        expect(button).to_have_attribute("aria-pressed", "true")
    keyboard.read_through()
    if DONE[language] not in page.locator("#lesson-progress").inner_text():
        keyboard.read_through()  # a slow machine paints no frame between two keys
    expect(page.locator("#lesson-progress")).to_contain_text(DONE[language])
    state = LessonState.objects.get()
    assert set(state.sections) == set(outline["sections"])
    assert all(grading.score == 1 for grading in Grading.objects.all())
    page.reload()
    expect(page.locator("#lesson-progress")).to_contain_text(DONE[language])
    assert axe_violations(page) == []


def in_page_order(page: Page, slugs: list[str]) -> list[str]:
    html = page.content()
    return sorted(slugs, key=lambda slug: html.index(f"/checks/{slug}/"))


def answer_check(page: Page, keyboard: Keyboard, lesson: str, slug: str, language: str) -> None:
    part = question_at(page, f"/lessons/{lesson}/checks/{slug}/")
    if Question.objects.get(slug=slug).source["type"] == "build-it":
        build(page, slug)
        page.reload()
        keyboard.choose_radio(part.locator('[name="lab"]'), str(Lab.objects.get().pk))
        keyboard.push(part.locator('.question-buttons button[name="_action"]').first)
    else:
        answer(keyboard, part, asked_alone(page, f"lesson:{lesson}", slug))
    expect(part.locator(".result-title")).to_contain_text(RIGHT[language])
    expect(part.locator(".result-title")).to_be_focused()


def question_at(page: Page, address: str) -> Locator:
    return page.locator("[data-question]").filter(has=page.locator(f'form[action="{address}"]'))


def build(page: Page, slug: str) -> None:
    """What the learner does in the lab, which has tests of its own: the scenario's solution."""
    scene = Question.objects.get(slug=slug).source["scene"]
    participant = participant_of(page)
    lab = Lab(id=uuid4(), owner=participant, revision=revision_get(scene["scenario"]))
    lab_solution(actor=participant, lab=lab, name="built", new_id=uuid4())


@both_languages
def test_self_test_is_completed(open_page: OpenPage, language: str) -> None:
    page = open_page("/quizzes/selftest/", Look(language))
    keyboard = Keyboard(page)
    keyboard.push(page.locator('main form button:not([name="language"])'))
    page.wait_for_url(re.compile(r"/attempts/[0-9a-f-]+/$"))
    keyboard.push(page.locator("main .row a").first)
    for number in range(1, 17):
        page.wait_for_url(re.compile(rf"/attempts/[0-9a-f-]+/{number}/$"))
        part = page.locator("[data-question]")
        answer(keyboard, part, asked_in_attempt(page), certainty=3)
        expect(part.locator(".result-title")).to_contain_text(RIGHT[language])
        expect(part.locator(".result-title")).to_be_focused()
        keyboard.push(part.locator(".question-links a").first)
    page.wait_for_url(re.compile(r"/attempts/[0-9a-f-]+/$"))
    keyboard.push(page.locator("main form button"))
    expect(page.locator(".attempt-score")).to_contain_text("100%")
    assert Answer.objects.count() == 16
    assert axe_violations(page) == []


def test_open_form_is_written_and_marked(open_page: OpenPage) -> None:
    page = open_page("/questions/selftest-05-why-gang-open/", Look("en"))
    keyboard = Keyboard(page)
    part = page.locator("[data-question]")
    keyboard.write(part.locator("textarea"), "Every worker waits for every other.")
    keyboard.push(part.locator(".question-buttons button"))
    expect(part).to_contain_text("How many points does yours earn?")
    names = list(dict.fromkeys(radio.get_attribute("name") for radio in part.locator('[name^="criterion."]').all()))
    for name in names:
        keyboard.choose_radio(part.locator(f'[name="{name}"]'), "1")
    keyboard.push(part.locator(".question-buttons button"))
    expect(part.locator(".result-title")).to_be_focused()
    assert Grading.objects.latest("pk").score > 0


def test_order_can_be_changed_by_the_keyboard(open_page: OpenPage) -> None:
    page = open_page("/questions/selftest-01-extension-points/", Look("en"))
    keyboard = Keyboard(page)
    for words in ("QueueSort", "PreFilter", "Permit"):
        keyboard.push(item(page, words).locator('[data-move="in"]'))
    keyboard.go_to(item(page, "Permit").locator('[data-move="up"]'))
    keyboard.press("Alt+ArrowUp", "Alt+ArrowUp")
    placed = page.locator("[data-placed] .ordering-text")
    expect(placed).to_have_text(["Permit", "QueueSort", "PreFilter"])
    expect(page.locator("#announcer")).to_have_text("Permit is number 1 of 3.")
    keyboard.push(item(page, "QueueSort").locator('[data-move="out"]'))
    expect(placed).to_have_text(["Permit", "PreFilter"])
    keyboard.push(item(page, "Permit").locator('[data-move="down"]'))
    expect(placed).to_have_text(["PreFilter", "Permit"])
    expect(item(page, "Permit").locator('[data-move="down"]')).to_be_focused()


def item(page: Page, words: str) -> Locator:
    return page.locator(".ordering-item").filter(has=page.get_by_text(words, exact=True))

"""A quiz from its first question to a regrade: authored with a question about a step of a scenario, done by a learner
with keys alone, its figures read, a wrong key put right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from gpuschedlab.materials.models import Draft
from gpuschedlab.web.models import AuditEntry
from lessons.models import Grading, Question, Quiz, Regrade
from tests.e2e.conftest import Look, asking, axe_violations, is_post, overflow, screenshot
from tests.e2e.lessons.keyboard import Keyboard
from tests.e2e.lessons.learner import asked_in_attempt
from tests.e2e.materials.author import Author
from tests.factories.labs import make_node, make_pod, make_revision

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from gpuschedlab.accounts.models import Participant

    OpenPage = Callable[..., Page]

pytestmark = pytest.mark.slow

CHINESE = "## 开头 {#opening}\n\n看。\n\n## 例子 {#example}\n\n做。\n\n## 小结 {#summary}\n\n好。"
both_languages = pytest.mark.parametrize("language", ["zh-hans", "en"])


@both_languages
def test_quiz_from_its_first_question_to_a_regrade(open_page: OpenPage, instructor: Participant, language: str) -> None:
    make_revision([make_node("n1"), make_node("n2", gpus=4), make_pod("p", gpus=4)], slug="who-fits")
    page = open_page("/", Look(language))
    author = Author(page, instructor)
    quiz = author.begin("quiz", "Gang quiz", "practice")
    _graph_question(author, quiz, language)
    _choice_with_a_wrong_key(author, quiz, language)

    # the quiz has both; publishing it publishes them
    page.goto(f"{quiz}form/")
    beside = page.locator("#draft-beside")
    expect(beside.locator(".beside-line")).to_have_count(2)
    _sound(page, f"quiz-form-{language}")
    author.tab("publish")
    page.locator("#publish-button").click()
    expect(page).to_have_url(f"{quiz}share/")
    link = page.locator("#public-link").input_value()
    assert {one.slug for one in Question.objects.filter(current__isnull=False)} == {"which-nodes", "hard-sieve"}
    assert Quiz.objects.get().owner == instructor

    learner = _learner_takes_it_by_keyboard(open_page, link, language)
    assert sorted(grading.score for grading in Grading.objects.all()) == [0, 1]

    # the figures say that one question went wrong for everybody
    page.goto(f"{quiz}figures/")
    expect(page.locator("main")).to_contain_text("Hard sieve")
    _sound(page, f"quiz-figures-{language}")
    page.locator('a[href$="/teaching/questions/hard-sieve/"]').first.click()
    expect(page.locator(".figure-list dd").nth(1)).to_have_text(re.compile("^0[.,]00$"))
    _sound(page, f"question-figures-{language}")

    # the key is put right, and the answers are judged again: first to look, then for good
    page.locator('main a[href^="/materials/"][href$="/form/"]').click()
    expect(page).to_have_url(re.compile("/form/$"))
    author.toggle("options/0/correct")
    author.toggle("options/1/correct")
    author.tab("publish")
    page.locator("#publish-button").click()
    expect(page).to_have_url(re.compile("/share/$"))
    page.goto("/teaching/questions/hard-sieve/")
    page.locator('form[action$="/regrade/"] button').click()
    expect(page.locator("#regrade-summary")).to_contain_text("1")
    expect(page.locator("main tbody tr")).to_have_count(1)
    assert not Regrade.objects.exists()
    _sound(page, f"regrade-{language}")
    page.locator('button[name="apply"]').click()
    expect(page).to_have_url(re.compile("/teaching/questions/hard-sieve/$"))
    expect(page.locator(".figure-list dd").nth(1)).to_have_text(re.compile("^1[.,]00$"))
    assert Regrade.objects.get().summary == {"up": 1, "down": 0, "same": 0}
    assert AuditEntry.objects.filter(action="question.regraded", actor=instructor.pk).count() == 1

    learner.reload()
    expect(learner.locator(".attempt-score strong")).to_have_text("100%")


def _graph_question(author: Author, quiz: str, language: str) -> None:
    """Which nodes pass Filter? The engine says: the only one with GPUs."""
    page = author.page
    page.goto(f"{quiz}form/")
    page.locator('#draft-beside a[href*="/materials/new/question/"]').click()
    page.locator("[name=title]").fill("Which nodes")
    page.locator("[name=start][value=click-the-nodes]").check()
    page.locator("main form button.button-main").click()
    expect(page).to_have_url(re.compile("/form/$"))
    expect(page.locator("#draft-checklist .check-error")).to_be_visible()  # the catalogue's scenario is not loaded
    author.choose("scene/scenario", "who-fits")
    key = page.locator("#draft-beside .beside-key")
    expect(key.locator(".name", has_text="n2").locator(".verdict-right")).to_be_visible()
    expect(key.locator(".name", has_text="n1").locator(".verdict-right")).to_have_count(0)
    expect(page.locator("#draft-checklist .check-error")).to_have_count(0)
    _sound(page, f"graph-question-{language}")


def _choice_with_a_wrong_key(author: Author, quiz: str, language: str) -> None:
    page = author.page
    page.goto(f"{quiz}form/")
    page.locator('#draft-beside a[href*="/materials/new/question/"]').click()
    page.locator("[name=title]").fill("Hard sieve")
    page.locator("[name=start][value=choice]").check()
    page.locator("main form button.button-main").click()
    expect(page).to_have_url(re.compile("/form/$"))
    author.write(f"stem/{language}", "**Filter**, Score?")
    author.write(f"options/0/text/{language}", "Score")
    author.write(f"options/1/text/{language}", "Filter")
    author.remove("options", 2)
    expect(page.locator("#draft-beside .beside-key")).to_be_visible()
    _sound(page, f"choice-{language}")


def _learner_takes_it_by_keyboard(open_page: OpenPage, link: str, language: str) -> Page:
    page = open_page(link, Look(language))
    keys = Keyboard(page)
    keys.push(page.locator('form[action$="/start/"] button'))
    keys.push(page.locator("main a.button-main"))
    for number in (1, 2):
        expect(page).to_have_url(re.compile(rf"/attempts/[0-9a-f-]+/{number}/$"))
        asked = asked_in_attempt(page)
        if asked.text.id == "which-nodes":
            keys.tick(page.locator("label.name", has_text="n2").locator("input"))
        else:
            wanted = next(one for one in asked.variant.content.options if "Filter" in one.text.in_language(language))
            keys.choose_radio(page.locator('[name="choice"]'), asked.tokens.of("option", wanted.id))
        keys.push(page.locator('.question-buttons button[name="_action"]').first)
        expect(page.locator(".result-title")).to_be_focused()
        keys.push(page.locator(".question-links a.button-main"))
    expect(page).to_have_url(re.compile(r"/attempts/[0-9a-f-]+/$"))
    keys.push(page.locator('form[action$="/finish/"] button'))
    expect(page.locator(".attempt-score strong")).to_have_text("50%")
    return page


def test_lesson_with_a_scene_and_a_question(open_page: OpenPage, instructor: Participant) -> None:
    """Boxes come into both languages at the same place; what is published is read in both."""
    make_revision([make_node("n1"), make_node("n2", gpus=4), make_pod("p", gpus=4)], slug="who-fits")
    page = open_page("/", Look("en"))
    author = Author(page, instructor)
    lesson = author.begin("lesson", "By hand", "sections")
    author.write("title/zh-hans", "动手")
    author.write(
        "text/zh-hans", "## 开头 {#opening}\n\n看。\n\n## 例子 {#example}\n\n做。\n\n## 小结 {#summary}\n\n好。"
    )
    for language in ("zh-hans", "en"):
        author.field(f"text/{language}").focus()
        page.keyboard.press("Control+End")
        with asking(page, is_post):
            page.locator('#draft-beside [data-insert^="::: key"]').click()
        expect(author.field(f"text/{language}")).to_have_value(re.compile(r":::\s+key\n…\n:::\s*$"))
    page.locator('#draft-beside a[href$="/scene/"]').click()
    page.locator("#scene-scenario").select_option("who-fits")
    page.locator(".scene-choice button").click()
    page.locator('[name=step][value="1:filter:p"]').check()
    page.locator("[name=caption_en]").fill("Two nodes.")
    page.locator("[name=expect_en]").fill("One stays.")
    page.locator("#scene-section").select_option("example")
    _sound(page, "lesson-scene")
    page.locator("main form.stack button.button-main").click()
    expect(page).to_have_url(re.compile("/form/#part-text$"))
    for language in ("zh-hans", "en"):
        text = author.field(f"text/{language}").input_value()
        assert text.index("{#example}") < text.index("::: scene") < text.index("{#summary}")
    expect(page.locator("#draft-beside .beside-box").first).to_contain_text("Two nodes.")
    _sound(page, "lesson-form")
    author.tab("publish")
    page.locator("#publish-button").click()
    expect(page).to_have_url(f"{lesson}share/")
    link = page.locator("#public-link").input_value()
    for language, heading in (("zh-hans", "例子"), ("en", "An example")):
        reader = open_page(link, Look(language))
        expect(reader.locator("h2", has_text=heading)).to_be_visible()
        expect(reader.locator("#scene-who-fits")).to_be_visible()
        _sound(reader, f"lesson-{language}")
    assert Draft.objects.get().published == "by-hand"


def _sound(page: Page, name: str) -> None:
    page.evaluate("scrollTo(0, 0)")  # what lies half below the sticky contents would count as too small
    assert overflow(page) <= 0
    assert axe_violations(page) == []
    screenshot(page, f"materials-{name}")

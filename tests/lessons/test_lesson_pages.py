"""A lesson's page, its checks, what was seen, the course map and the glossary."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from lessons.models import LessonState
from lessons.services.lessons import lessons_withdraw_others
from tests.factories.lessons import make_lesson, make_question, make_term
from tests.lessons.conftest import Page

pytestmark = pytest.mark.django_db

Get = Callable[[str], Page]
Post = Callable[..., Page]
PATH = "/lessons/sample-lesson/"


@pytest.fixture
def _course() -> None:
    make_question()
    make_term()
    make_lesson("before", order=1)
    make_lesson()
    make_lesson("after", order=3)


@pytest.mark.usefixtures("_course")
class TestPage:
    def test_shows_sections_boxes_and_neighbours(self, get: Get) -> None:
        page = get(PATH)
        assert page.response.status_code == 200
        assert re.findall(r'<section class="lesson-section" id="(\w+)"', page.text) == ["first", "second"]
        assert "Key idea" in page.text
        assert "/lessons/before/" in page.text
        assert "/lessons/after/" in page.text
        assert "A book – page 1" in page.text
        assert "Which step drops nodes?" in page.text

    def test_term_links_itself_once_and_brings_its_card(self, get: Get) -> None:
        page = get(PATH)
        assert page.text.count('data-term="gang"') == 1
        assert "<code>gang</code>" in page.text
        assert "All start together. None may lack." in page.text

    def test_scene_has_the_place_of_the_player(self, get: Get) -> None:
        page = get(PATH)
        assert '<div class="scene-slot" data-scene="see-it" data-scenario="free-lab" data-cycle="1"' in page.text
        assert "/lessons/sample-lesson/scenes/see-it/" in page.text

    def test_is_in_the_page_s_language(self, client: Client) -> None:
        page = Page(client.get(PATH, headers={"accept-language": "zh-CN"}))
        assert "课 sample-lesson" in page.text
        assert "哪一步淘汰节点？" in page.text

    def test_looking_stores_nothing(self, get: Get) -> None:
        get(PATH)
        assert not Participant.objects.exists()

    def test_check_is_answered_in_place_and_moves_the_progress(self, get: Get, post: Post) -> None:
        page = get(PATH)
        after = post(f"{PATH}checks/sample-choice/", {**page.hidden(), "choice": page.token("Score")})
        assert "It only ranks." in after.text
        assert 'id="lesson-progress" hx-swap-oob="true"' in after.text
        assert '<span class="numbers">1 / 4</span>' in after.text
        assert "It only ranks." in get(PATH).text

    def test_check_can_be_tried_again_in_place(self, get: Get, post: Post, client: Client) -> None:
        page = get(PATH)
        post(f"{PATH}checks/sample-choice/", {**page.hidden(), "choice": page.token("Score")})
        headers = {"hx-request": "true", "accept-language": "en"}
        again = Page(client.get(f"{PATH}checks/sample-choice/?n=1", headers=headers))
        assert "Check the answer" in again.text
        assert again.hidden()["_turn"] == "1"

    def test_check_without_htmx_leads_back_to_its_place(self, get: Get, post: Post) -> None:
        page = get(PATH)
        data = {**page.hidden(), "choice": page.token("Score")}
        after = post(f"{PATH}checks/sample-choice/", data, htmx=False)
        assert after.response.status_code == 302
        assert after.response.headers["Location"].startswith(f"{PATH}#q")

    def test_check_of_another_lesson_is_not_there(self, get: Get) -> None:
        make_question(slug="elsewhere")
        assert get(f"{PATH}checks/elsewhere/").response.status_code == 404

    def test_what_was_seen_is_kept(self, get: Get, post: Post) -> None:
        after = post(f"{PATH}seen/", {"section": "first"})
        assert '<span class="numbers">1 / 4</span>' in after.text
        post(f"{PATH}seen/", {"section": "first"})
        post(f"{PATH}seen/", {"scene": "see-it"})
        state = LessonState.objects.get()
        assert (state.sections, state.scenes, state.place) == (["first"], ["see-it"], "first")
        page = get(PATH)
        assert '<a href="#first" class="is-seen">' in page.text
        assert 'hx-vals=\'{"section": "first"}\'' not in page.text
        assert 'aria-pressed="true" data-marks' in page.text

    @pytest.mark.parametrize("data", [{"section": "nothing"}, {"scene": "x" * 500}, {}])
    def test_names_the_lesson_does_not_have_are_left_out(self, post: Post, data: dict[str, str]) -> None:
        assert post(f"{PATH}seen/", data).response.status_code == 200
        state = LessonState.objects.get()
        assert (state.sections, state.scenes) == ([], [])

    def test_withdrawn_lesson_is_not_there(self, get: Get) -> None:
        lessons_withdraw_others(["before"])
        assert get(PATH).response.status_code == 404
        assert "sample-lesson" not in get("/lessons/").text


@pytest.mark.usefixtures("_course")
class TestCourse:
    def test_lists_lessons_in_order_and_begins_with_the_first(self, get: Get) -> None:
        page = get("/lessons/")
        assert re.findall(r'class="course-link" href="/lessons/([\w-]+)/"', page.text) == [
            "before",
            "sample-lesson",
            "after",
        ]
        assert re.search(r'href="/lessons/before/">Begin with', page.text)

    def test_goes_on_where_one_was(self, get: Get, post: Post) -> None:
        post(f"{PATH}seen/", {"section": "second"})
        page = get("/lessons/")
        assert re.search(r'href="/lessons/sample-lesson/#second">Go on with', page.text)
        assert "25% done" in page.text

    def test_lesson_is_done_when_everything_in_it_is(self, get: Get, post: Post) -> None:
        page = get(PATH)
        post(f"{PATH}checks/sample-choice/", {**page.hidden(), "choice": page.token("Score")})
        for data in ({"section": "first"}, {"section": "second"}, {"scene": "see-it"}):
            post(f"{PATH}seen/", data)
        assert "is-done" in get("/lessons/").text
        assert re.search(r'href="/lessons/(before|after)/">Go on with', get("/lessons/").text)

    def test_home_shows_the_map(self, get: Get) -> None:
        page = get("/")
        assert "The course" in page.text
        assert "/lessons/sample-lesson/" in page.text


def test_home_without_lessons_shows_no_course(get: Get) -> None:
    assert "home-course" not in get("/").text


def test_course_without_lessons_leads_to_the_questions(get: Get) -> None:
    assert "There are no lessons yet" in get("/lessons/").text


class TestGlossary:
    def test_searches_names_of_both_languages_aliases_and_texts(self, get: Get) -> None:
        make_term(aliases=["成组调度"])
        make_term("filter", zh="过滤", en="Filter", text={"zh-hans": "淘汰。硬。", "en": "Drops. Hard."})
        for query, found in (("gang", 1), ("整组", 1), ("成组", 1), ("hard", 1), ("", 2), ("nothing", 0)):
            page = get(f"/glossary/?q={query}")
            assert page.text.count('class="entry"') == found, query

    def test_search_by_htmx_answers_with_the_entries_alone(self, client: Client) -> None:
        make_term()
        page = Page(client.get("/glossary/?q=gang", headers={"hx-request": "true"}))
        assert "<html" not in page.text
        assert 'id="gang"' in page.text

    def test_query_is_shown_as_text(self, get: Get) -> None:
        page = get("/glossary/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
        assert "<script>alert" not in page.text

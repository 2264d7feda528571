"""A question by itself: asking stores nothing, answering stores once, whatever the browser does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from gpuschedlab.accounts.models import Participant
from lessons.assessment.grades import State
from lessons.assessment.question import read_question
from lessons.models import Answer, Attempt, Grading, QuestionState, Slot
from lessons.presenters.questions.titles import stem_beginning
from lessons.services.questions import question_store
from tests.assessment.samples import source
from tests.factories.accounts import be, make_participant
from tests.factories.lessons import make_question
from tests.lessons.conftest import Clock, Page

pytestmark = pytest.mark.django_db

Get = Callable[[str], Page]
Post = Callable[..., Page]
PATH = "/questions/sample-choice/"


def test_asking_stores_nothing(get: Get) -> None:
    make_question()
    page = get(PATH)
    assert "Which step drops nodes?" in page.text
    assert not Participant.objects.exists()
    assert not Attempt.objects.exists()


def test_reload_shows_the_same_question(client: Client, get: Get) -> None:
    make_question()
    first = get(PATH)
    assert get(PATH).token("Filter") == first.token("Filter")


def test_another_browser_gets_other_tokens(get: Get) -> None:
    make_question()
    assert get(PATH).token("Filter") != Page(Client().get(PATH, headers={"accept-language": "en"})).token("Filter")


def test_right_answer_is_told_with_its_feedback(get: Get, post: Post) -> None:
    make_question(explanation={"zh-hans": "因为。", "en": "Because of that."})
    page = get(PATH)
    after = post(PATH, {**page.hidden(), "choice": page.token("Filter")})
    assert "Right" in after.text
    assert "Because of that." in after.text
    assert Grading.objects.get().state == State.RIGHT
    attempt = Attempt.objects.get()
    assert attempt.finished_at is not None
    assert attempt.context == "question"


def test_partial_credit_is_shown(get: Get, post: Post) -> None:
    make_question()
    page = get(PATH)
    after = post(PATH, {**page.hidden(), "choice": page.token("PreFilter")})
    assert "Partly right" in after.text
    assert "50%" in after.text


def test_double_submit_is_one_mark(get: Get, post: Post) -> None:
    make_question()
    page = get(PATH)
    data = {**page.hidden(), "choice": page.token("Filter")}
    post(PATH, data)
    again = post(PATH, data)
    assert "Right" in again.text
    assert Answer.objects.count() == Attempt.objects.count() == Grading.objects.count() == 1
    assert QuestionState.objects.get().answered == 1


def test_two_tabs_are_one_mark_and_the_first_counts(get: Get, post: Post) -> None:
    make_question()
    one, other = get(PATH), get(PATH)
    post(PATH, {**one.hidden(), "choice": one.token("Score")})
    after = post(PATH, {**other.hidden(), "choice": other.token("Filter")})
    assert "Not right" in after.text
    assert Answer.objects.get().response == {"choice": "b"}


def test_going_back_and_sending_again_changes_nothing(get: Get, post: Post) -> None:
    make_question()
    page = get(PATH)
    post(PATH, {**page.hidden(), "choice": page.token("Score")})
    post(PATH, {**page.hidden(), "choice": page.token("Filter")}, htmx=False)
    assert [grading.state for grading in Grading.objects.all()] == [State.WRONG]


def test_reload_after_the_answer_shows_the_answer(get: Get, post: Post) -> None:
    make_question()
    page = get(PATH)
    post(PATH, {**page.hidden(), "choice": page.token("Score")})
    assert "Not right" in get(PATH).text


def test_once_more_is_a_new_attempt(get: Get, post: Post) -> None:
    make_question()
    first = get(PATH)
    post(PATH, {**first.hidden(), "choice": first.token("Score")})
    second = get(f"{PATH}?n=1")
    assert second.hidden()["_turn"] == "1"
    post(PATH, {**second.hidden(), "choice": second.token("Filter")})
    assert [grading.state for grading in Grading.objects.order_by("pk")] == [State.WRONG, State.RIGHT]
    assert QuestionState.objects.get().best_score == 1


def test_empty_answer_is_no_answer(get: Get, post: Post) -> None:
    make_question()
    after = post(PATH, get(PATH).hidden())
    assert "There is no answer yet" in after.text
    assert not Attempt.objects.exists()


@pytest.mark.parametrize(
    "data",
    [
        {"choice": "0" * 24},
        {"choice": "a"},
        {"unheard": "1"},
        {"choice": ["x", "y"]},
        {"_turn": "99", "choice": "zzz"},
        {"_turn": "-1", "_hints": "x", "_opened": "9" * 400, "_draft": "½", "_revision": "1e9", "choice": "q"},
        {"choice": "\x00"},
        {"choice": "x" * 30_000},
    ],
)
def test_forged_forms_get_a_sentence_and_store_nothing(post: Post, data: dict[str, Any]) -> None:
    make_question()
    after = post(PATH, data)
    assert after.response.status_code == 200
    assert "question-errors" in after.text
    assert not Attempt.objects.exists()


def test_wrong_number_comes_back_with_what_was_written(get: Get, post: Post) -> None:
    make_question("numeric")
    page = get("/questions/sample-numeric/")
    after = post("/questions/sample-numeric/", {**page.hidden(), "value": "about 450", "_certainty": "2"})
    assert "“about 450” is not a number here" in after.text
    assert 'value="about 450"' in after.text
    assert 'name="_certainty" value="2" checked' in after.text


def test_hint_keeps_what_is_filled_in(get: Get, post: Post) -> None:
    make_question(hints=[{"zh-hans": "想想“必须”。", "en": "Think of “must”."}, {"zh-hans": "再想。", "en": "Again."}])
    page = get(PATH)
    assert "Think of “must”." not in page.text
    asked = post(PATH, {**page.hidden(), "choice": page.token("Score"), "_action": "hint"})
    assert "Think of “must”." in asked.text
    assert "Again." not in asked.text
    assert f'value="{page.token("Score")}" checked' in asked.text
    after = post(PATH, {**asked.hidden(), "choice": page.token("Filter")})
    assert "Right" in after.text
    assert Slot.objects.get().hints == 1


def test_open_answer_is_marked_by_the_learner_in_a_second_step(get: Get, post: Post) -> None:
    make_question("short-text")
    path = "/questions/sample-short-text/"
    page = get(path)
    assert "names the deadlock" not in page.text
    first = post(path, {**page.hidden(), "text": "They wait for each other."})
    assert "names the deadlock" in first.text
    assert "Because …" in first.text
    fields = re.findall(r'name="(criterion\.[0-9a-f]+)" value="(\d)"', first.text)
    points = dict(fields)
    after = post(path, {**first.hidden(), **points})
    assert "Right" in after.text
    assert [answer.step for answer in Answer.objects.all()] == [1, 2]
    assert Answer.objects.last().response["text"] == "They wait for each other."
    assert QuestionState.objects.get().last_score == 1


def test_text_of_an_open_answer_does_not_change_after_the_rubric_was_seen(get: Get, post: Post) -> None:
    make_question("short-text")
    path = "/questions/sample-short-text/"
    first = post(path, {**get(path).hidden(), "text": "First."})
    post(path, {**first.hidden(), "text": "Second.", "_action": "answer"})
    assert all(answer.response["text"] == "First." for answer in Answer.objects.all())


def test_question_that_changed_meanwhile_is_judged_as_it_was_asked(get: Get, post: Post) -> None:
    question = make_question()
    page = get(PATH)
    changed = source("choice")
    changed["options"][0]["correct"], changed["options"][1]["correct"] = False, True
    question_store(read_question(changed), from_catalogue=True)
    after = post(PATH, {**page.hidden(), "choice": page.token("Filter")})
    assert "Right" in after.text
    assert Slot.objects.get().revision_id == question.current_id


def test_revision_of_another_question_is_not_taken(get: Get, post: Post) -> None:
    make_question()
    other = make_question("multiple")
    page = get(PATH)
    post(PATH, {**page.hidden(), "_revision": str(other.current_id), "choice": page.token("Filter")})
    assert Slot.objects.get().revision.question.slug == "sample-choice"


def test_numbers_are_drawn_anew_each_time(get: Get, post: Post) -> None:
    make_question(
        "numeric",
        stem={"zh-hans": "{{n}} 台，每台 8 张？", "en": "{{n}} machines of 8 cards?"},
        variables={"n": {"from": 1, "to": 10_000}},
        answers=[{"value": "{{n * 8}}"}],
        units=[],
        unit_required=False,
    )
    path = "/questions/sample-numeric/"
    numbers = set()
    for turn in range(3):
        page = get(f"{path}?n={turn}")
        number = int(re.search(r"(\d+) machines", page.text)[1])
        numbers.add(number)
        assert "Right" in post(path, {**page.hidden(), "value": str(number * 8)}).text
    assert len(numbers) == 3


def test_time_and_certainty_are_recorded(get: Get, post: Post, clock: Clock) -> None:
    make_question()
    page = get(PATH)
    clock.pass_(seconds=42)
    post(PATH, {**page.hidden(), "choice": page.token("Filter"), "_certainty": "3"})
    answer = Answer.objects.get()
    assert (answer.seconds, answer.certainty) == (42, 3)


def test_unknown_question_is_not_there(get: Get) -> None:
    assert get("/questions/nothing/").response.status_code == 404


def test_without_htmx_the_whole_page_answers(get: Get, post: Post) -> None:
    make_question()
    page = get(PATH)
    after = post(PATH, {**page.hidden(), "choice": page.token("Filter")}, htmx=False)
    assert "<html" in after.text
    assert "Right" in after.text


def test_answers_of_one_are_not_seen_by_another(client: Client, get: Get, post: Post) -> None:
    make_question()
    page = get(PATH)
    post(PATH, {**page.hidden(), "choice": page.token("Score")})
    be(client, make_participant())
    assert "Not right" not in get(PATH).text


def test_blanks_and_drawn_numbers_stay_visible_in_a_list() -> None:
    stem = {"zh-hans": "还差 {{n}} 个", "en": "`{{n}}` of 16 are missing"}
    text = read_question({**source("choice"), "stem": stem, "variables": {"n": {"from": 1, "to": 3}}})
    with override("en"):
        assert stem_beginning(text) == "… of 16 are missing"

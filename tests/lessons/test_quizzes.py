"""Taking a quiz: practice and test, saving, handing in, time, two tabs; whose attempt it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from uuid import uuid4

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from lessons.models import Answer, Attempt, Grading, QuestionState, Quiz, Slot
from lessons.selectors.attempts import score_of, with_slots
from tests.factories.accounts import be, make_participant
from tests.factories.lessons import make_question, make_quiz
from tests.lessons.conftest import Clock, Page

pytestmark = pytest.mark.django_db

Get = Callable[[str], Page]
Post = Callable[..., Page]


def start(post: Post, quiz: Quiz, mode: str = "practice") -> str:
    """Begin an attempt; its address."""
    response = post(f"/quizzes/{quiz.slug}/start/", {"mode": mode, "client_token": uuid4()}, htmx=False).response
    assert response.status_code == 302, response.content
    return str(response.headers["Location"])


def fill(get: Get, path: str, words: str) -> dict[str, str]:
    page = get(path)
    return {**page.hidden(), "choice": page.token(words)}


def score() -> Fraction:
    return score_of(with_slots(Attempt.objects.all()).get()).share


@pytest.fixture
def quiz(participant: Participant) -> Quiz:
    return make_quiz(make_question(), make_question(slug="second"))


def test_quiz_page_tells_what_it_is(get: Get, quiz: Quiz) -> None:
    page = get("/quizzes/sample/")
    assert "A quiz" in page.text
    assert "You see what is right after each question." in page.text
    assert get("/quizzes/nothing/").response.status_code == 404


def test_practice_tells_at_once(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz)
    after = post(f"{address}1/", fill(get, f"{address}1/", "Filter"))
    assert "It only ranks." in after.text
    assert f"{address}2/" in after.text
    assert QuestionState.objects.count() == 1
    assert "50%" in get(address).text


def test_practice_that_is_finished_takes_no_more_answers(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz)
    late = fill(get, f"{address}2/", "Filter")
    post(f"{address}finish/", {})
    assert post(f"{address}2/", late).response.status_code in {200, 409}
    assert not Answer.objects.exists()


def test_test_tells_nothing_before_it_is_handed_in(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    saved = post(f"{address}1/", {**fill(get, f"{address}1/", "Score"), "_action": "save"})
    assert saved.response.headers["HX-Redirect"] == f"{address}2/"
    page = get(f"{address}1/")
    assert "It only ranks." not in page.text
    assert not Grading.objects.exists()
    assert "checked" in page.text
    post(f"{address}finish/", {})
    assert "It only ranks." in get(f"{address}1/").text
    assert score() == 0


def test_answer_cannot_be_had_early_from_a_test(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    after = post(f"{address}1/", {**fill(get, f"{address}1/", "Score"), "_action": "answer"})
    assert after.response.status_code == 409
    assert "It only ranks." not in after.text
    assert not Grading.objects.exists()


def test_saved_answers_are_handed_in_once(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    post(f"{address}1/", {**fill(get, f"{address}1/", "Filter"), "_action": "save"})
    for _ in range(3):
        post(f"{address}finish/", {}, htmx=False)
    assert Answer.objects.count() == Grading.objects.count() == 1
    assert score() == Fraction(1, 2)
    assert "not answered" in get(address).text


def test_autosave_keeps_what_is_typed_and_numbers_the_saves(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    form = fill(get, f"{address}1/", "Filter")
    assert post(f"{address}1/save/", form).response.headers["X-Draft"] == "1"
    assert post(f"{address}1/save/", {**form, "_draft": "1"}).response.headers["X-Draft"] == "2"
    assert Slot.objects.get(number=1).draft == {"choice": "a"}


def test_autosave_waits_for_what_cannot_be_read_yet(participant: Participant, get: Get, post: Post) -> None:
    address = start(post, make_quiz(make_question("numeric")), "test")
    hidden = get(f"{address}1/").hidden()
    assert post(f"{address}1/save/", {**hidden, "value": "4 apples"}).response.status_code == 422
    assert Slot.objects.get().draft is None


def test_older_tab_does_not_overwrite_the_newer(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    old, new = fill(get, f"{address}1/", "Score"), fill(get, f"{address}1/", "Filter")
    post(f"{address}1/save/", new)
    assert post(f"{address}1/save/", old).response.status_code == 409
    shown = post(f"{address}1/", {**old, "_action": "save"})
    assert "Another tab has saved a different answer" in shown.text
    assert Slot.objects.get(number=1).draft == {"choice": "a"}
    again = post(f"{address}1/", {**shown.hidden(), "choice": shown.token("Score"), "_action": "save"})
    assert again.response.status_code == 204
    assert Slot.objects.get(number=1).draft == {"choice": "b"}


def test_blank_answer_can_be_saved_and_taken_back(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    form = fill(get, f"{address}1/", "Filter")
    post(f"{address}1/save/", form)
    post(f"{address}1/save/", {"_draft": "1"})
    assert Slot.objects.get(number=1).draft == {}
    assert "0 of 2" in get(address).text


def test_double_start_is_one_attempt(post: Post, quiz: Quiz) -> None:
    token = uuid4()
    addresses = {
        post(f"/quizzes/{quiz.slug}/start/", {"mode": "test", "client_token": token}, htmx=False).response.headers[
            "Location"
        ]
        for _ in range(2)
    }
    assert len(addresses) == Attempt.objects.count() == 1


def test_open_attempt_is_gone_on_with(get: Get, post: Post, quiz: Quiz) -> None:
    address = start(post, quiz, "test")
    assert start(post, quiz, "test") == address
    assert address in get(f"/quizzes/{quiz.slug}/").text


def test_time_limit_hands_in_what_was_saved_in_time(
    participant: Participant, get: Get, post: Post, clock: Clock
) -> None:
    quiz = make_quiz(make_question(), mode="test", attempts={"time_limit_seconds": 600})
    address = start(post, quiz, "test")
    form = fill(get, f"{address}1/", "Filter")
    post(f"{address}1/save/", form)
    clock.pass_(seconds=600 + 31)
    late = post(f"{address}1/save/", {**form, "_draft": "1"})
    assert late.response.status_code == 409
    assert "of the marks" in get(address).text
    assert Attempt.objects.get().finished_at is not None
    assert score() == 1


def test_seconds_of_grace_are_given(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    quiz = make_quiz(make_question(), mode="test", attempts={"time_limit_seconds": 600})
    address = start(post, quiz, "test")
    form = fill(get, f"{address}1/", "Filter")
    clock.pass_(seconds=600 + 29)
    assert post(f"{address}1/save/", form).response.status_code == 204
    post(f"{address}finish/", {})
    assert score() == 1


def test_lateness_costs_what_the_quiz_says(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    late = {"kind": "penalty", "grace_seconds": 0, "per_hour": 0.25, "floor": 0}
    quiz = make_quiz(make_question(), mode="test", attempts={"time_limit_seconds": 60, "late": late})
    address = start(post, quiz, "test")
    form = fill(get, f"{address}1/", "Filter")
    clock.pass_(seconds=61)
    post(f"{address}1/save/", form)
    post(f"{address}finish/", {})
    assert score() == Fraction(3, 4)
    assert "handed in late" in get(address).text


def test_attempts_are_as_many_as_allowed(participant: Participant, get: Get, post: Post) -> None:
    quiz = make_quiz(make_question(), mode="test", attempts={"allowed": 1})
    post(f"{start(post, quiz, 'test')}finish/", {})
    response = post(f"/quizzes/{quiz.slug}/start/", {"mode": "test", "client_token": uuid4()}).response
    assert response.status_code == 409
    assert "All attempts at this quiz are used." in response.content.decode()


def test_quiz_that_is_a_test_is_not_practised(participant: Participant, get: Get, post: Post) -> None:
    quiz = make_quiz(make_question(), mode="test")
    start(post, quiz, "practice")
    assert Attempt.objects.get().mode == "test"


def test_review_options_hide_what_they_say(participant: Participant, get: Get, post: Post) -> None:
    review = {"during": ["response"], "after": ["response"], "closed": ["response", "marks"]}
    quiz = make_quiz(make_question(), mode="test", review=review)
    address = start(post, quiz, "test")
    post(f"{address}1/save/", fill(get, f"{address}1/", "Score"))
    post(f"{address}finish/", {})
    page = get(f"{address}1/")
    assert "It only ranks." not in page.text
    assert "What is right is shown later." in page.text
    assert "your answer" in page.text
    assert "0%" in get(address).text


def test_certainty_counts_where_the_quiz_says_so(participant: Participant, get: Get, post: Post) -> None:
    quiz = make_quiz(make_question(), make_question(slug="second"), certainty=True)
    address = start(post, quiz)
    post(f"{address}1/", {**fill(get, f"{address}1/", "Filter"), "_certainty": "3"})
    post(f"{address}2/", {**fill(get, f"{address}2/", "Score"), "_certainty": "2"})
    assert [grading.mark for grading in Grading.objects.order_by("pk")] == [1, Fraction(-2, 3)]
    assert score() == Fraction(1, 6)


def test_passing_is_told(participant: Participant, get: Get, post: Post) -> None:
    quiz = make_quiz(make_question(), pass_percent=60)
    address = start(post, quiz)
    post(f"{address}1/", fill(get, f"{address}1/", "Filter"))
    post(f"{address}finish/", {})
    assert "Passed" in get(address).text


def test_hints_are_counted_with_the_attempt(participant: Participant, get: Get, post: Post) -> None:
    quiz = make_quiz(make_question(hints=[{"zh-hans": "想。", "en": "Think."}]))
    address = start(post, quiz)
    shown = post(f"{address}1/", {**get(f"{address}1/").hidden(), "_action": "hint"})
    assert "Think." in shown.text
    assert Slot.objects.get().hints == 1
    assert "Think." in get(f"{address}1/").text


def test_open_answer_in_a_test_gets_its_points_afterwards(participant: Participant, get: Get, post: Post) -> None:
    address = start(post, make_quiz(make_question("short-text")), "test")
    post(f"{address}1/save/", {**get(f"{address}1/").hidden(), "text": "Both wait."})
    assert "names the deadlock" not in get(f"{address}1/").text
    post(f"{address}finish/", {})
    assert "waits for its points" in get(address).text
    page = get(f"{address}1/")
    points = dict(re.findall(r'name="(criterion\.[0-9a-f]+)" value="(\d)"', page.text))
    post(f"{address}1/", {**page.hidden(), **points})
    assert score() == 1


@pytest.mark.parametrize("path", ["", "1/", "1/save/", "finish/"])
def test_attempt_of_another_is_not_there(client: Client, post: Post, quiz: Quiz, path: str) -> None:
    address = start(post, quiz, "test")
    be(client, make_participant())
    method = client.post if path in {"1/save/", "finish/"} else client.get
    assert method(f"{address}{path}").status_code == 404


def test_number_outside_the_attempt_is_not_there(get: Get, post: Post, quiz: Quiz) -> None:
    assert get(f"{start(post, quiz)}3/").response.status_code == 404


def test_questions_that_wait_are_left_out_of_the_draw(participant: Participant, post: Post) -> None:
    asked, waiting = make_question(), make_question(slug="waiting")
    quiz = make_quiz(asked, waiting)
    waiting.current = None
    waiting.save()
    start(post, quiz)
    assert [slot.revision.question.slug for slot in Slot.objects.all() if slot.revision] == ["sample-choice"]


def test_quiz_without_questions_says_so(participant: Participant, post: Post) -> None:
    question = make_question()
    quiz = make_quiz(question)
    question.current = None
    question.save()
    response = post(f"/quizzes/{quiz.slug}/start/", {"mode": "test", "client_token": uuid4()}).response
    assert response.status_code == 409
    assert not Attempt.objects.exists()


def test_list_tells_how_far_one_is(get: Get, post: Post, quiz: Quiz) -> None:
    assert "2 questions" in get("/quizzes/").text
    address = start(post, quiz)
    post(f"{address}1/", fill(get, f"{address}1/", "Filter"))
    assert "1 answered, 1 right" in get("/quizzes/").text

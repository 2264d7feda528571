"""Spaced review: what is answered comes back, and when."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuschedlab.accounts.models import Participant
from lessons.models import Attempt, QuestionState
from tests.factories.lessons import make_question
from tests.lessons.conftest import Clock, Page

pytestmark = pytest.mark.django_db

Get = Callable[[str], Page]
Post = Callable[..., Page]
PATH = "/questions/sample-choice/"


def answer(get: Get, post: Post, words: str, path: str = PATH, certainty: str = "") -> Page:
    page = get(path)
    return post(path, {**page.hidden(), "choice": page.token(words), "_certainty": certainty})


def test_empty_review_offers_a_beginning(get: Get) -> None:
    assert "You have not answered anything yet" in get("/review/").text


def test_wrong_answer_is_due_soon_right_one_later(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    make_question()
    make_question(slug="other")
    answer(get, post, "Score")
    answer(get, post, "Filter", "/questions/other/", certainty="3")
    wrong, right = (QuestionState.objects.get(question__slug=slug) for slug in ("sample-choice", "other"))
    assert wrong.due_at < right.due_at
    assert "Nothing is due. 2 questions are in your review." in get("/review/").text
    clock.now = wrong.due_at
    assert "1 question is due." in get("/review/").text
    assert "/review/sample-choice/" in get("/review/").text


def test_review_asks_anew_and_moves_the_card(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    make_question()
    answer(get, post, "Score")
    first = QuestionState.objects.get()
    clock.now = first.due_at
    page = get("/review/sample-choice/")
    assert "It only ranks." not in page.text
    after = post("/review/sample-choice/", {**page.hidden(), "choice": page.token("Filter")})
    assert "Right" in after.text
    assert "Nothing more is due" in after.text
    state = QuestionState.objects.get()
    assert state.due_at > first.due_at
    assert (state.answered, state.last_score) == (2, 1)
    assert [attempt.mode for attempt in Attempt.objects.order_by("started_at")] == ["practice", "review"]


def test_next_due_question_is_offered(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    for slug in ("one", "two"):
        make_question(slug=slug)
        answer(get, post, "Score", f"/questions/{slug}/")
    clock.pass_(hours=1)
    page = get("/review/one/")
    after = post("/review/one/", {**page.hidden(), "choice": page.token("Filter")})
    assert "/review/two/" in after.text


def test_going_back_shows_what_was_answered(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    make_question()
    answer(get, post, "Score")
    clock.pass_(hours=1)
    page = get("/review/sample-choice/")
    post("/review/sample-choice/", {**page.hidden(), "choice": page.token("Score")})
    assert "Not right" in get("/review/sample-choice/?n=0").text


def test_answers_in_a_test_move_the_card_when_handed_in(
    participant: Participant, get: Get, post: Post, clock: Clock
) -> None:
    from tests.factories.lessons import make_quiz
    from tests.lessons.test_quizzes import fill, start

    address = start(post, make_quiz(make_question()), "test")
    post(f"{address}1/save/", fill(get, f"{address}1/", "Filter"))
    assert not QuestionState.objects.exists()
    post(f"{address}finish/", {})
    assert QuestionState.objects.get().last_score == 1


def test_withdrawn_question_is_not_due(participant: Participant, get: Get, post: Post, clock: Clock) -> None:
    question = make_question()
    answer(get, post, "Score")
    question.current = None
    question.save()
    clock.pass_(days=9)
    assert "/review/sample-choice/" not in get("/review/").text

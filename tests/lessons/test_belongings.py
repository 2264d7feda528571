"""What belongs to whom: signing up keeps it, logging in offers to join it, it can be taken along and deleted."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant, User
from gpuschedlab.accounts.services import participant_merge
from lessons.models import Attempt, LessonState, QuestionState
from tests.factories.accounts import PASSWORD, be, make_participant, make_user
from tests.factories.lessons import make_lesson, make_question
from tests.lessons.conftest import Page

pytestmark = pytest.mark.django_db

Get = Callable[[str], Page]
Post = Callable[..., Page]
PATH = "/questions/sample-choice/"


def work(client: Client, words: str = "Filter", section: str = "first") -> None:
    """Answer a question and read a section."""
    headers = {"accept-language": "en"}
    page = Page(client.get(f"{PATH}?n=99", headers=headers))
    client.post(PATH, {**page.hidden(), "choice": page.token(words)}, headers=headers)
    client.post("/lessons/sample-lesson/seen/", {"section": section})


@pytest.fixture(autouse=True)
def _content() -> None:
    make_question()
    make_lesson()


def test_signing_up_keeps_everything(client: Client) -> None:
    work(client)
    client.post("/accounts/sign-up/", {"username": "ada", "password1": PASSWORD, "password2": PASSWORD})
    participant = User.objects.get(username="ada").participant
    assert Attempt.objects.get().participant == participant
    assert LessonState.objects.get().participant == participant
    assert QuestionState.objects.get().participant == participant


def test_logging_in_shows_what_there_is_and_brings_it_along(client: Client) -> None:
    mine = make_participant(user=make_user(username="ada"))
    work(client)
    client.post("/accounts/log-in/", {"username": "ada", "password": PASSWORD})
    offer = Page(client.get("/accounts/merge/", headers={"accept-language": "en"}))
    for line in ("lessons begun: 1", "questions in review: 1", "answers and quizzes: 1"):
        assert line in offer.text
    client.post("/accounts/merge/", {"decision": "bring"})
    assert Attempt.objects.get().participant == mine
    assert Participant.objects.count() == 1


def test_joining_two_histories_loses_nothing(client: Client) -> None:
    source, target = make_participant(), make_participant()
    be(client, target)
    work(client, "Score", "first")
    be(client, source)
    work(client, "Filter", "second")
    participant_merge(source=source, target=target)
    state = LessonState.objects.get()
    assert set(state.sections) == {"first", "second"}
    assert state.place == "second"
    question = QuestionState.objects.get()
    assert (question.answered, question.last_score, question.best_score) == (2, 1, 1)
    assert Attempt.objects.filter(participant=target).count() == 2


def test_answering_goes_on_after_joining(client: Client) -> None:
    source, target = make_participant(), make_participant()
    be(client, source)
    work(client)
    participant_merge(source=source, target=target)
    be(client, target)
    work(client)
    assert Attempt.objects.filter(participant=target).count() == 2


def test_everything_can_be_taken_along(client: Client) -> None:
    work(client)
    response = client.get("/accounts/my-data/export/")
    assert "attachment" in response["Content-Disposition"]
    data = json.loads(response.content)
    (attempt,) = data["attempts"]
    assert attempt["questions"][0]["response"] == {"choice": "a"}
    assert attempt["questions"][0]["score"] == "1"
    assert data["lessons"][0]["sections"] == ["first"]
    assert data["reviews"][0]["question"] == "sample-choice"
    assert data["labs"] == []


def test_nobody_takes_along_what_is_another_s(client: Client) -> None:
    work(client)
    be(client, make_participant())
    assert json.loads(client.get("/accounts/my-data/export/").content)["attempts"] == []


def test_everything_can_be_deleted(client: Client) -> None:
    client.post("/accounts/sign-up/", {"username": "ada", "password1": PASSWORD, "password2": PASSWORD})
    work(client)
    assert client.post("/accounts/my-data/delete/", {}).status_code == 400
    assert Attempt.objects.exists()
    assert client.post("/accounts/my-data/delete/", {"sure": "1"}).status_code == 302
    for model in (Attempt, LessonState, QuestionState, Participant, User):
        assert not model._default_manager.exists()
    assert not client.get("/").context["user"].is_authenticated


def test_page_of_one_s_data_tells_what_there_is(client: Client) -> None:
    headers = {"accept-language": "en"}
    assert "Nothing is stored about you." in Page(client.get("/accounts/my-data/", headers=headers)).text
    work(client)
    assert "answers and quizzes: 1" in Page(client.get("/accounts/my-data/", headers=headers)).text

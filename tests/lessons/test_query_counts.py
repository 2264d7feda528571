"""Pages ask the database the same number of questions, however much they show."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gpuschedlab.accounts.models import Participant
from tests.factories.accounts import PASSWORD, make_participant, make_user
from tests.factories.lessons import make_lesson, make_question, make_quiz, make_term
from tests.lessons.conftest import Page

pytestmark = pytest.mark.django_db

HEADERS = {"accept-language": "en"}


def queries(client: Client, path: str) -> int:
    client.get(path, headers=HEADERS)
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(path, headers=HEADERS).status_code == 200
    return len(captured)


def grow(client: Client, number: int) -> None:
    """One more lesson, term, question and quiz, answered and read."""
    question = make_question(slug=f"q{number}")
    quiz = make_quiz(question, slug=f"quiz{number}")
    make_lesson(f"lesson{number}", question=question.slug, order=number)
    make_term(f"term{number}", zh=f"术语{number}", en=f"term{number}")
    path = f"/questions/{question.slug}/"
    page = Page(client.get(path, headers=HEADERS))
    client.post(path, {**page.hidden(), "choice": page.token("Score")}, headers=HEADERS)
    client.post(f"/lessons/lesson{number}/seen/", {"section": "first"})
    start = client.post(f"/quizzes/{quiz.slug}/start/", {"mode": "practice", "client_token": uuid4()})
    client.post(f"{start.headers['Location']}finish/")


@pytest.mark.parametrize(
    "path",
    ["/lessons/", "/lessons/lesson1/", "/glossary/", "/quizzes/", "/progress/", "/review/", "/", "/accounts/my-data/"],
)
def test_number_of_queries_does_not_grow(client: Client, participant: Participant, path: str) -> None:
    grow(client, 1)
    one = queries(client, path)
    for number in (2, 3, 4):
        grow(client, number)
    assert queries(client, path) == one
    assert one <= 16


def test_attempt_with_many_questions(client: Client, participant: Participant) -> None:
    counts = []
    for size in (1, 4):
        quiz = make_quiz(*(make_question(slug=f"s{size}-{n}") for n in range(size)), slug=f"size{size}")
        start = client.post(f"/quizzes/{quiz.slug}/start/", {"mode": "practice", "client_token": uuid4()})
        address = start.headers["Location"]
        counts.append(
            (queries(client, address), queries(client, f"{address}1/"), queries(client, f"/quizzes/{quiz.slug}/"))
        )
    assert counts[0] == counts[1]


def test_teaching_page(client: Client) -> None:
    make_participant(user=make_user(username="ada", role="instructor"))
    client.login(username="ada", password=PASSWORD)
    grow(client, 1)
    one = queries(client, "/teaching/")
    for number in (2, 3):
        grow(client, number)
    assert queries(client, "/teaching/") == one

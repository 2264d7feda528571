"""Quizzes as material: whose questions they draw, what is published along, settings that hold for learners."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from gpuschedlab.accounts.models import Participant
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.publishing import NotReady, draft_set_listed
from gpuschedlab.web.models import AuditEntry
from lessons.assessment.quizzes import read_quiz_document
from lessons.models import Attempt, Question, QuestionState, Quiz, QuizRevision, Slot
from lessons.services.questions import quiz_store
from tests.factories.accounts import be, make_participant
from tests.factories.lessons import make_question
from tests.lessons.authoring.conftest import (
    ENGLISH,
    a_choice,
    a_quiz,
    begin,
    browser_of,
    change,
    problems,
    publish,
)
from tests.lessons.conftest import Page

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@pytest.fixture
def learner(db: None) -> Client:
    client = Client(headers=ENGLISH)
    be(client, make_participant(name="Lin"))
    return client


def start(client: Client, slug: str = "my-quiz", mode: str = "practice") -> str:
    answer = client.post(f"/quizzes/{slug}/start/", {"mode": mode, "client_token": uuid4()})
    return str(answer.headers.get("Location", ""))


def asked() -> set[str]:
    return {slot.revision.question.slug for slot in Slot.objects.all() if slot.revision is not None}


def test_drafts_of_questions_are_published_along(author: Participant, learner: Client) -> None:
    begin(author, "question", a_choice("mine"))
    make_question(slug="of-the-course")
    quiz = begin(author, "quiz", a_quiz("mine", "of-the-course"))
    assert problems(quiz) == []
    publish(quiz)
    assert Question.objects.get(slug="mine").owner == author
    actions = set(AuditEntry.objects.filter(actor=author.pk).values_list("action", "subject"))
    assert actions == {("question.published", "mine"), ("quiz.published", "my-quiz")}
    assert start(learner)
    assert asked() == {"mine", "of-the-course"}


def test_question_that_is_not_ready_stands_in_the_way(author: Participant) -> None:
    part = begin(author, "question", a_choice("mine", options=[{"text": "A"}]))
    quiz = begin(author, "quiz", a_quiz("mine"))
    found = problems(quiz, "missing")
    assert [one.url for one in found] == [f"/materials/{part.pk}/form/"]
    with pytest.raises(NotReady):
        publish(quiz)
    assert not Quiz.objects.exists()
    assert not Question.objects.exists()


def test_what_the_bank_does_not_have_is_told(author: Participant, other: Participant) -> None:
    begin(other, "question", a_choice("of-another"))
    quiz = begin(author, "quiz", a_quiz("nowhere", "of-another"))
    assert [one.path for one in problems(quiz)] == [("sections", 0, "questions", place) for place in (0, 1)]


def test_listed_questions_of_others_can_be_named(author: Participant, other: Participant, learner: Client) -> None:
    theirs = begin(other, "question", a_choice("of-another"))
    publish(theirs)
    quiz = begin(author, "quiz", a_quiz("of-another"))
    assert problems(quiz) == []
    publish(quiz)
    theirs.refresh_from_db()
    draft_set_listed(actor=other, draft=theirs, listed=False)
    quiz.refresh_from_db()
    assert [one.path for one in problems(quiz)] == [("sections", 0, "questions", 0)]
    assert start(learner) == ""  # nothing left that it may ask


def test_pools_draw_from_the_course_and_ones_own(author: Participant, other: Participant, learner: Client) -> None:
    publish(begin(author, "question", a_choice("mine", topics=["gang"])))
    publish(begin(other, "question", a_choice("of-another", topics=["gang"])))
    make_question(slug="of-the-course", topics=["gang"])
    make_question(slug="elsewhere", topics=["queue"])
    publish(begin(author, "quiz", a_quiz() | {"sections": [{"id": "a", "pool": {"topics": ["gang"]}}]}))
    assert start(learner)
    assert asked() == {"mine", "of-the-course"}


def test_the_course_never_draws_instructors_questions(author: Participant, learner: Client) -> None:

    publish(begin(author, "question", a_choice("mine", topics=["gang"])))
    make_question(slug="of-the-course", topics=["gang"])
    pool = a_quiz() | {"id": "course", "sections": [{"id": "a", "pool": {"topics": ["gang"]}}]}
    quiz_store(read_quiz_document(pool).quiz, order=1, from_catalogue=True)
    assert start(learner, "course")
    assert asked() == {"of-the-course"}


def test_quiz_without_questions_is_not_ready(author: Participant) -> None:
    quiz = begin(author, "quiz", {"id": "my-quiz", "title": {"en": "Empty"}})
    assert [one.path for one in problems(quiz, "missing")] == [("sections",)]


def test_questions_within_the_text_are_told_to_be_their_own(author: Participant) -> None:
    quiz = begin(author, "quiz", a_quiz("hard-sieve", questions=[a_choice()]))
    assert "materials of their own" in problems(quiz)[0].text


def test_unlisted_quiz_is_found_by_its_link_alone(author: Participant, learner: Client) -> None:
    make_question(slug="of-the-course")
    draft = begin(author, "quiz", a_quiz("of-the-course"))
    publish(draft)
    assert "/quizzes/my-quiz/" in learner.get("/quizzes/").content.decode()
    draft.refresh_from_db()
    draft_set_listed(actor=author, draft=draft, listed=False)
    assert "/quizzes/my-quiz/" not in learner.get("/quizzes/").content.decode()
    assert learner.get("/quizzes/my-quiz/").status_code == 200


def test_attempts_keep_the_revision_they_began_with(author: Participant, learner: Client) -> None:
    make_question(slug="of-the-course")
    make_question(slug="another")
    draft = begin(author, "quiz", a_quiz("of-the-course"))
    publish(draft)
    address = start(learner)
    change(draft, a_quiz("another"))
    assert publish(draft).number == 2
    assert QuizRevision.objects.count() == 2
    assert asked() == {"of-the-course"}
    assert learner.get(f"{address}1/").status_code == 200
    assert Attempt.objects.get().quiz is not None
    assert Attempt.objects.get().quiz.number == 1  # type: ignore[union-attr]


SETTINGS: dict[str, Any] = {"mode": "test", "pass_percent": 50, "attempts": {"allowed": 1}}


def test_settings_hold_for_learners(author: Participant, learner: Client) -> None:
    make_question(slug="of-the-course")
    shown = {"during": ["response"], "after": ["response"], "closed": ["response"]}
    publish(begin(author, "quiz", a_quiz("of-the-course", settings={**SETTINGS, "review": shown})))
    page = learner.get("/quizzes/my-quiz/").content.decode()
    assert "1 attempt is allowed." in page
    assert 'value="practice"' not in page
    address = start(learner, mode="test")
    form = Page(learner.get(f"{address}1/"))
    learner.post(f"{address}1/", {**form.hidden(), "choice": form.token("Filter"), "_action": "save"})
    learner.post(f"{address}finish/")
    result = learner.get(address).content.decode()
    assert "The mark is shown later." in result
    assert "100%" not in result
    assert start(learner, mode="test") == ""  # the only attempt is used


def test_new_question_stands_in_the_quiz_at_once(author: Participant, desk: Client) -> None:
    quiz = begin(author, "quiz", a_quiz("first"))
    page = desk.get(f"/materials/new/question/?for={quiz.pk}").content.decode()
    token = re.search(r'name="client_token" value="([^"]+)"', page)
    assert token
    sent = {"title": "Second", "start": "choice", "client_token": token[1]}
    desk.post(f"/materials/new/question/?for={quiz.pk}", sent)
    quiz.refresh_from_db()
    assert "- second" in quiz.text
    assert Draft.objects.get(kind="question").parent == quiz


def test_questions_are_taken_from_the_bank(author: Participant, other: Participant, desk: Client) -> None:
    make_question(slug="of-the-course", title={"en": "Of the course"})
    publish(begin(author, "question", a_choice("mine")))
    publish(begin(other, "question", a_choice("of-another")))
    quiz = begin(author, "quiz", a_quiz("first"))
    page = desk.get(f"/materials/{quiz.pk}/bank/").content.decode()
    assert 'value="of-the-course"' in page
    assert 'value="mine"' in page
    assert 'value="of-another"' not in page
    found = desk.get(f"/materials/{quiz.pk}/bank/", {"q": "of the COURSE"}).content.decode()
    assert 'value="of-the-course"' in found
    assert 'value="mine"' not in found
    desk.post(f"/materials/{quiz.pk}/bank/", {"version": 1, "question": ["of-the-course", "mine", "nowhere"]})
    quiz.refresh_from_db()
    assert re.findall(r"^ +- (\S+)$", quiz.text, re.MULTILINE)[-3:] == ["first", "of-the-course", "mine"]


def test_gift_questions_come_into_the_quiz(author: Participant, desk: Client) -> None:
    quiz = begin(author, "quiz", a_quiz("first"))
    text = "// [id:two]\n::two:: What drops nodes? {=Filter ~Score}\n"
    sent = {"language": "en", "text": text, "client_token": uuid4(), "store": "1"}
    page = desk.post(f"/teaching/gift/?for={quiz.pk}", sent).content.decode()
    assert "1 draft was made." in page
    quiz.refresh_from_db()
    assert re.findall(r"^ +- (\S+)$", quiz.text, re.MULTILINE)[-2:] == ["first", "two"]
    assert problems(Draft.objects.get(kind="question")) == []


def test_preview_takes_drafts_along_and_writes_nothing(author: Participant, desk: Client) -> None:
    begin(author, "question", a_choice("mine"))
    quiz = begin(author, "quiz", a_quiz("mine"))
    start_page = desk.get(f"/materials/{quiz.pk}/preview/", follow=True)
    prefix = start_page.redirect_chain[-1][0]
    begun = desk.post(f"{prefix}start/", {"mode": "practice", "client_token": uuid4()})
    question = Page(desk.get(f"{begun.headers['Location']}1/"))
    assert "Which step drops nodes?" in question.text
    answered = desk.post(f"{begun.headers['Location']}1/", {**question.hidden(), "choice": question.token("Filter")})
    assert "Right" in answered.content.decode()
    assert not Quiz.objects.exists()
    assert not Question.objects.exists()
    assert not Attempt.objects.exists()


def test_figures_of_a_quiz(author: Participant, desk: Client, learner: Client) -> None:
    make_question(slug="of-the-course", title={"en": "Of the course"})
    draft = begin(author, "quiz", a_quiz("of-the-course", settings={"pass_percent": 50}))
    publish(draft)
    address = start(learner)
    form = Page(learner.get(f"{address}1/"))
    learner.post(f"{address}1/", {**form.hidden(), "choice": form.token("Filter")})
    learner.post(f"{address}finish/")
    page = desk.get(f"/materials/{draft.pk}/figures/").content.decode()
    numbers = re.findall(r'<dd class="numbers">([^<]*)</dd>', page)
    assert numbers == ["1", "1", "1", "100%", "1 of 1"]
    assert "Of the course" in page


@pytest.mark.parametrize("count", [1, 3])
def test_form_needs_as_many_queries_for_more_questions(
    author: Participant, desk: Client, django_assert_max_num_queries: Callable[[int], Any], count: int
) -> None:
    names = [make_question(slug=f"of-the-course-{number}").slug for number in range(count)]
    quiz = begin(author, "quiz", a_quiz(*names))
    desk.get(f"/materials/{quiz.pk}/beside/")
    with django_assert_max_num_queries(12):
        desk.get(f"/materials/{quiz.pk}/beside/")


def test_another_instructor_finds_the_quiz_but_not_its_draft(author: Participant, other: Participant) -> None:
    make_question(slug="of-the-course")
    draft = begin(author, "quiz", a_quiz("of-the-course"))
    publish(draft)
    client = browser_of(other)
    assert client.get("/quizzes/my-quiz/").status_code == 200
    for page in ("form", "figures", "share", "publish", "bank"):
        assert client.get(f"/materials/{draft.pk}/{page}/").status_code == 404


def test_question_kept_for_quizzes_is_asked_nowhere_else(
    author: Participant, other: Participant, learner: Client
) -> None:
    kept = begin(author, "question", a_choice("kept"))
    draft_set_listed(actor=author, draft=kept, listed=False)
    publish(begin(author, "quiz", a_quiz("kept", settings={"mode": "test"})))
    assert learner.get("/questions/kept/").status_code == 404
    assert browser_of(other).get("/questions/kept/").status_code == 404
    assert browser_of(author).get("/questions/kept/").status_code == 200
    address = start(learner, mode="test")
    form = Page(learner.get(f"{address}1/"))
    learner.post(f"{address}1/", {**form.hidden(), "choice": form.token("Score"), "_action": "save"})
    learner.post(f"{address}finish/")
    QuestionState.objects.update(due_at=timezone.now())
    assert "/review/kept/" not in learner.get("/review/").content.decode()
    assert learner.get("/review/kept/").status_code == 404


@pytest.mark.parametrize(("mode", "listed"), [("test", False), ("practice", True)])
def test_questions_written_for_a_test_are_kept_for_it(
    author: Participant, desk: Client, mode: str, *, listed: bool
) -> None:
    quiz = begin(author, "quiz", a_quiz("first", settings={"mode": mode}))
    sent = {"title": "Second", "start": "choice", "client_token": uuid4()}
    desk.post(f"/materials/new/question/?for={quiz.pk}", sent)
    assert Draft.objects.get(kind="question").listed is listed

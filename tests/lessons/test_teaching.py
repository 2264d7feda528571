"""Pages for instructors: who sees them, figures, regrade with a dry run, GIFT."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from gpuschedlab.materials.models import Draft
from lessons.assessment.question import read_question
from lessons.models import Attempt, Grading, Question, Regrade
from lessons.selectors.attempts import score_of, with_slots
from lessons.selectors.statistics import statistics_of
from lessons.services.questions import question_store
from tests.assessment.samples import source
from tests.factories.accounts import PASSWORD, be, make_participant, make_user
from tests.factories.lessons import make_question, make_quiz
from tests.lessons.conftest import Page

pytestmark = pytest.mark.django_db

HEADERS = {"accept-language": "en"}
PAGES = ["/teaching/", "/teaching/questions/sample-choice/", "/teaching/gift/", "/teaching/gift/sample/"]


@pytest.fixture
def teacher(client: Client) -> Client:
    make_participant(user=make_user(username="ada", role="instructor"))
    client.login(username="ada", password=PASSWORD)
    return client


@pytest.fixture
def chief(client: Client) -> Client:
    """Regrading the course's own questions is the administrators'."""
    make_participant(user=make_user(username="eve", role="administrator"))
    client.login(username="eve", password=PASSWORD)
    return client


def answer(question: str, words: str, certainty: str = "") -> None:
    """An answer by somebody new."""
    learner = Client()
    be(learner, make_participant())
    path = f"/questions/{question}/"
    page = Page(learner.get(path, headers=HEADERS))
    learner.post(path, {**page.hidden(), "choice": page.token(words), "_certainty": certainty}, headers=HEADERS)


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_the_instructors(client: Client, teacher: Client, path: str) -> None:
    make_quiz(make_question())
    assert teacher.get(path).status_code == 200
    assert "Teaching" in Page(teacher.get("/", headers=HEADERS)).text
    stranger = Client()
    assert stranger.get(path).status_code == 404
    learner = Client()
    make_participant(user=make_user(username="bob"))
    learner.login(username="bob", password=PASSWORD)
    assert learner.get(path).status_code == 404
    assert (
        learner.post("/teaching/questions/sample-choice/regrade/", {"revision": "1", "apply": "1"}).status_code == 404
    )


def test_hardest_question_comes_first(teacher: Client) -> None:
    make_question()
    make_question(slug="easy")
    make_question(slug="unseen")
    answer("sample-choice", "Score")
    answer("easy", "Filter")
    page = Page(teacher.get("/teaching/", headers=HEADERS))
    places = [page.text.index(f"/teaching/questions/{slug}/") for slug in ("sample-choice", "easy", "unseen")]
    assert places == sorted(places)


def test_figures_of_a_question(teacher: Client) -> None:
    make_question()
    for words in ("Filter", "Filter", "Score", "PreFilter"):
        answer("sample-choice", words, "3")
    statistics = statistics_of(Question.objects.get())
    assert statistics.count == 4
    assert statistics.facility == pytest.approx((1 + 1 + 0 + 0.5) / 4)
    assert {row.choice: row.count for row in statistics.choices} == {"a": 2, "b": 1, "c": 1}
    page = Page(teacher.get("/teaching/questions/sample-choice/", headers=HEADERS))
    assert "Fewer than 10 answers" in page.text
    assert "overconfident" in page.text


def other_key() -> None:
    """The author finds that Score was meant."""
    changed = source("choice")
    changed["options"][0]["correct"], changed["options"][1]["correct"] = False, True
    question_store(read_question(changed), from_catalogue=True)


def test_regrade_shows_first_and_stores_then(chief: Client) -> None:
    make_question()
    answer("sample-choice", "Filter")
    answer("sample-choice", "Score")
    other_key()
    path = "/teaching/questions/sample-choice/regrade/"
    preview = Page(chief.post(path, {"revision": "2"}, headers=HEADERS))
    assert "1 answers would go up, 1 down, 0 stay as they are." in preview.text
    assert Grading.objects.count() == 2
    assert chief.post(path, {"revision": "2", "apply": "1"}).status_code == 302
    regraded = Grading.objects.filter(regrade__isnull=False).select_related("answer")
    assert {grading.answer.response["choice"]: grading.score for grading in regraded} == {"a": 0, "b": 1}
    assert Grading.objects.count() == 4
    assert Regrade.objects.get().summary == {"up": 1, "down": 1, "same": 0}
    again = Page(chief.post(path, {"revision": "2"}, headers=HEADERS))
    assert "0 answers would go up" in again.text


def test_learner_sees_the_new_judgement_and_the_old_one_is_kept(chief: Client) -> None:
    question = make_question()
    quiz = make_quiz(question)
    learner = Client()
    be(learner, make_participant())
    from uuid import uuid4

    start = learner.post(f"/quizzes/{quiz.slug}/start/", {"mode": "practice", "client_token": uuid4()})
    address = start.headers["Location"]
    page = Page(learner.get(f"{address}1/", headers=HEADERS))
    learner.post(f"{address}1/", {**page.hidden(), "choice": page.token("Score")}, headers=HEADERS)
    assert score_of(with_slots(Attempt.objects.all()).get()).share == 0
    other_key()
    chief.post("/teaching/questions/sample-choice/regrade/", {"revision": "2", "apply": "1"})
    assert score_of(with_slots(Attempt.objects.all()).get()).share == Fraction(1)
    assert "Right" in Page(learner.get(f"{address}1/", headers=HEADERS)).text
    assert Grading.objects.filter(regrade=None).get().score == 0


def test_revision_that_does_not_exist_is_not_there(chief: Client) -> None:
    make_question()
    assert chief.post("/teaching/questions/sample-choice/regrade/", {"revision": "7"}).status_code == 404
    assert chief.post("/teaching/questions/sample-choice/regrade/", {"revision": "x"}).status_code == 400


GIFT = """::one:: What drops nodes? {
=Filter #Yes.
~Score #No.
}

::two:: Describe it. {}

A remark.

::bad:: {=x ~}
"""


def gift_form(teacher: Client, text: str, **more: str) -> dict[str, str]:
    """The form of the GIFT page, filled in."""
    token = re.search(r'name="client_token" value="([^"]+)"', teacher.get("/teaching/gift/").content.decode())
    assert token
    return {"language": "en", "text": text, "client_token": token[1], **more}


def test_gift_is_looked_at_before_it_becomes_drafts(teacher: Client) -> None:
    form = gift_form(teacher, GIFT)
    page = Page(teacher.post("/teaching/gift/", form, headers=HEADERS))
    assert "nothing is stored yet" in page.text
    assert "Write its rubric." in page.text
    assert not Draft.objects.exists()
    for _twice in range(2):
        stored = Page(teacher.post("/teaching/gift/", {**form, "store": "1"}, headers=HEADERS))
        assert "2 drafts were made." in stored.text
    assert {draft.kind for draft in Draft.objects.all()} == {"question"}
    assert Draft.objects.count() == 2
    assert not Question.objects.exists()


def test_gift_comes_as_a_file_too(teacher: Client) -> None:
    upload = SimpleUploadedFile("q.gift", GIFT.encode())
    form = gift_form(teacher, "")
    page = Page(teacher.post("/teaching/gift/", {**form, "file": upload}, headers=HEADERS))
    assert "nothing is stored yet" in page.text
    wrong = SimpleUploadedFile("q.gift", b"\xff\xfe\x00")
    assert "not UTF-8" in Page(teacher.post("/teaching/gift/", {**form, "file": wrong}, headers=HEADERS)).text


def test_gift_does_not_change_what_belongs_to_others(teacher: Client) -> None:
    make_question(slug="mine")
    text = "// [id:mine]\n::x:: Another? {=Yes ~No}\n"
    teacher.post("/teaching/gift/", gift_form(teacher, text, store="1"), headers=HEADERS)
    assert Draft.objects.get().name == "mine-2"
    assert Question.objects.get(slug="mine").source["options"][0]["text"] == "Filter"


def test_nothing_sent_is_told(teacher: Client) -> None:
    assert "Paste a text" in Page(teacher.post("/teaching/gift/", gift_form(teacher, ""), headers=HEADERS)).text


def test_quiz_goes_out_and_comes_back(teacher: Client) -> None:
    make_quiz(make_question(), make_question("numeric"))
    text = teacher.get("/teaching/gift/sample/", headers=HEADERS).content.decode()
    assert "Which step drops nodes?" in text
    assert text.startswith("//")

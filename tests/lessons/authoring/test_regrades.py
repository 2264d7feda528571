"""A wrong key put right: whose marks change is shown first, then it is done, and stands in the audit log."""

from __future__ import annotations

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant, Role
from gpuschedlab.accounts.selectors import participant_of_user
from gpuschedlab.accounts.services import participant_ensure
from gpuschedlab.web.models import AuditEntry
from lessons.models import Grading, Question, QuestionState, Regrade
from lessons.selectors.statistics import figures_list
from tests.factories.accounts import be, make_participant, make_user
from tests.lessons.authoring.conftest import ENGLISH, a_choice, begin, browser_of, change, publish
from tests.lessons.conftest import Page

pytestmark = pytest.mark.django_db

PATH = "/teaching/questions/hard-sieve/"


def answer(name: str, words: str) -> Participant:
    client = Client(headers=ENGLISH)
    person = be(client, make_participant(name=name))
    page = Page(client.get("/questions/hard-sieve/"))
    client.post("/questions/hard-sieve/", {**page.hidden(), "choice": page.token(words)})
    return person


@pytest.fixture
def wrong_key(author: Participant) -> Question:
    """Score is the key; Lin says Filter, Max says Score; then the author publishes the right key."""
    draft = begin(author, "question", a_choice(right=1))
    publish(draft)
    answer("Lin", "Filter")
    answer("Max", "Score")
    change(draft, a_choice(right=0))
    publish(draft)
    return Question.objects.get()


@pytest.mark.usefixtures("wrong_key")
def test_dry_run_says_whose_marks_change_and_stores_nothing(desk: Client) -> None:
    page = desk.post(f"{PATH}regrade/", {"revision": "2"}).content.decode()
    assert "1 answers would go up, 1 down, 0 stay as they are." in page
    rows = [row.partition("</tr>")[0] for row in page.partition("<tbody>")[2].split("<tr>")[1:]]
    found = {row.partition('<th scope="row">')[2].partition("</th>")[0]: ("↑" in row, "↓" in row) for row in rows}
    assert found == {"Lin": (True, False), "Max": (False, True)}
    assert not Regrade.objects.exists()
    assert Grading.objects.count() == 2
    assert not AuditEntry.objects.filter(action="question.regraded").exists()


def test_regrade_is_done_once_and_remembered(desk: Client, author: Participant, wrong_key: Question) -> None:
    assert "2 answers were judged by an earlier key" in desk.get(PATH).content.decode()
    desk.post(f"{PATH}regrade/", {"revision": "2", "apply": "1"})
    entry = AuditEntry.objects.get(action="question.regraded")
    assert (entry.actor, entry.subject) == (author.pk, "hard-sieve")
    assert entry.params == {"number": 2, "up": 1, "down": 1, "same": 0}
    scores = {state.participant.name: state.last_score for state in QuestionState.objects.all()}
    assert scores == {"Lin": 1, "Max": 0}
    assert [one.facility for one in figures_list(author) if one.question == wrong_key] == [0.5]
    again = desk.post(f"{PATH}regrade/", {"revision": "2"}).content.decode()
    assert "0 answers would go up, 0 down, 2 stay as they are." in again
    page = desk.get(PATH).content.decode()
    assert "by revision 2, by ada: 1 up, 1 down" in page
    assert "judged by an earlier key" not in page


@pytest.mark.usefixtures("wrong_key")
def test_only_its_author_regrades(other: Participant) -> None:
    chief = participant_ensure(participant_of_user(make_user(username="eve", role=Role.ADMINISTRATOR)))
    learner = Client()
    be(learner, make_participant())
    for client in (browser_of(other), browser_of(chief), learner, Client()):
        assert client.get(PATH).status_code == 404
        assert client.post(f"{PATH}regrade/", {"revision": "2", "apply": "1"}).status_code == 404
    assert not Regrade.objects.exists()


@pytest.mark.usefixtures("wrong_key")
def test_figures_name_the_key_and_the_distractors(desk: Client, author: Participant) -> None:
    page = desk.get(PATH).content.decode()
    rows = page.partition("What was chosen</h2>")[2].partition("</table>")[0].split("<tr>")
    keys = {name: ("distractor" in row) for row in rows for name in ("Filter", "Score") if f">{name}</th>" in row}
    assert keys == {"Filter": False, "Score": True}
    tab = desk.get(f"/materials/{_draft_id(author)}/figures/").content.decode()
    assert PATH in tab


def _draft_id(author: Participant) -> str:
    return str(author.drafts.get().pk)


@pytest.mark.usefixtures("wrong_key")
def test_figures_of_a_retired_question_stay(desk: Client) -> None:
    Question.objects.update(current=None)
    assert desk.get(PATH).status_code == 200

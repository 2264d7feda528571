"""Questions as material: keys from the engine, revisions, who sees what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from gpuschedlab.materials.models import Draft
from gpuschedlab.materials.publishing import NotReady, draft_retire, material_fork
from gpuschedlab.web.models import AuditEntry
from lessons.models import Answer, Attempt, Question, QuestionRevision
from tests.factories.accounts import be, make_participant
from tests.factories.labs import make_node, make_pod, make_revision
from tests.factories.lessons import make_question
from tests.lessons.authoring.conftest import ENGLISH, a_choice, begin, browser_of, change, problems, publish
from tests.lessons.conftest import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db

WHO_FITS = {
    "id": "who-fits",
    "type": "click-the-nodes",
    "stem": {"zh-hans": "哪些节点能通过 Filter？", "en": "Which nodes pass Filter?"},
    "scene": {"scenario": "who-fits", "point": "Filter"},
}


@pytest.fixture
def scenario(db: None) -> None:
    """Only n2 has the GPUs that the Pod asks for."""
    make_revision([make_node("n1"), make_node("n2", gpus=4), make_pod("p", gpus=4)], slug="who-fits")


def beside(client: Client, draft: Draft, **query: str) -> str:
    return client.get(f"/materials/{draft.pk}/beside/", query).content.decode()


@pytest.mark.usefixtures("scenario")
def test_engine_gives_the_key_and_the_author_sees_it(author: Participant, desk: Client) -> None:
    draft = begin(author, "question", WHO_FITS)
    assert problems(draft) == []
    key = beside(desk, draft).partition('class="beside-key"')[2].partition("</section>")[0]
    found = {name: "verdict-right" in entry for name, entry in _names(key)}
    assert found == {"n1": False, "n2": True}
    publish(draft)
    revision = Question.objects.get(slug="who-fits").current
    assert revision is not None
    assert {node["name"]: node["right"] for node in revision.source["nodes"]} == {"n1": False, "n2": True}
    assert revision.content == Draft.objects.get(pk=draft.pk).text


def _names(html: str) -> Iterator[tuple[str, str]]:
    for entry in html.split('<li class="name')[1:]:
        yield entry.partition("<code>")[2].partition("</code>")[0], entry


@pytest.mark.usefixtures("scenario")
def test_steps_of_the_scenario_are_offered_and_taken(author: Participant, desk: Client) -> None:
    make_revision([make_node("n1"), make_pod("a"), make_pod("b")], slug="two-pods")
    draft = begin(author, "question", {**WHO_FITS, "scene": {"scenario": "two-pods", "point": "Filter"}})
    page = beside(desk, draft)
    assert page.count('name="scene/pod"') == 1  # the other one is asked at already
    assert 'name="scene/pod" value="b"' in page
    desk.post(f"/materials/{draft.pk}/form/", {"version": draft.version, "scene/pod": "b", "scene/cycle": "1"})
    page = beside(desk, draft)
    assert 'name="scene/pod" value="a"' in page
    assert "Pod <code>b</code>" in page


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        ({"scenario": "nowhere"}, "not published"),
        ({"scenario": "who-fits", "cycle": 7}, "no such turn"),
        ({"scenario": "who-fits", "point": "PostFilter"}, "no such turn"),
    ],
)
@pytest.mark.usefixtures("scenario")
def test_scene_without_a_key_is_told(author: Participant, scene: dict[str, Any], words: str) -> None:
    draft = begin(author, "question", {**WHO_FITS, "scene": scene})
    found = problems(draft)
    assert [one.path for one in found] == [("scene",)]
    assert words in found[0].text
    with pytest.raises(NotReady):
        publish(draft)
    assert not Question.objects.exists()


def test_problems_have_their_field_and_their_line(author: Participant) -> None:
    draft = begin(author, "question", a_choice(options=[{"text": "A"}, {"text": "B", "weight": 7}]))
    lines = draft.text.split("\n")
    told = {one.path: lines[one.line - 1].strip() for one in problems(draft)}
    assert told[("options", 1, "weight")] == "weight: 7"
    missing = begin(author, "question", {"id": "x", "type": "choice", "stem": {"en": "?"}})
    assert ("options",) in {one.path for one in problems(missing, "missing")}


def test_text_that_is_no_mapping_is_told(author: Participant, desk: Client) -> None:
    draft = begin(author, "question", a_choice())
    for text in ("- a\n- b\n", "a: [", ""):
        desk.post(f"/materials/{draft.pk}/text/", {"version": Draft.objects.get(pk=draft.pk).version, "text": text})
        assert problems(Draft.objects.get(pk=draft.pk))
        assert desk.get(f"/materials/{draft.pk}/form/").status_code == 200
        assert desk.get(f"/materials/{draft.pk}/beside/").status_code == 200


def test_revisions_stay_as_they_were(author: Participant) -> None:
    draft = begin(author, "question", a_choice())
    publish(draft)
    first = QuestionRevision.objects.get()
    before = (first.digest, first.content, dict(first.source))
    change(draft, a_choice(right=1))
    made = publish(draft)
    assert made.number == 2
    first.refresh_from_db()
    assert (first.digest, first.content, dict(first.source)) == before
    entries = AuditEntry.objects.filter(action="question.published", actor=author.pk, subject="hard-sieve")
    assert {entry.params["number"] for entry in entries} == {1, 2}
    assert Question.objects.get().current_id != first.pk


def test_published_name_cannot_change_and_is_nobody_elses(author: Participant, other: Participant) -> None:
    draft = begin(author, "question", a_choice())
    publish(draft)
    change(draft, a_choice("another-name"))
    assert [one.path for one in problems(Draft.objects.get(pk=draft.pk))] == [("id",)]
    theirs = begin(other, "question", a_choice())
    with pytest.raises(NotReady, match="hard-sieve"):
        publish(theirs)
    make_question(slug="of-the-course")
    with pytest.raises(NotReady, match="of-the-course"):
        publish(begin(author, "question", a_choice("of-the-course")))


def test_retired_question_is_not_asked_and_comes_back(author: Participant) -> None:
    draft = begin(author, "question", a_choice())
    publish(draft)
    draft.refresh_from_db()
    learner = Client()
    assert learner.get("/questions/hard-sieve/").status_code == 200
    draft_retire(actor=author, draft=draft, back=False)
    assert learner.get("/questions/hard-sieve/").status_code == 404
    draft_retire(actor=author, draft=draft, back=True)
    assert learner.get("/questions/hard-sieve/").status_code == 200


def test_open_form_comes_and_goes_with_the_question(author: Participant) -> None:
    opened = {"prompt": {"en": "Why?"}, "rubric": [{"text": {"en": "Because"}}]}
    draft = begin(author, "question", a_choice(open=opened))
    publish(draft)
    learner = Client()
    assert learner.get("/questions/hard-sieve-open/").status_code == 200
    change(draft, a_choice())
    publish(draft)
    assert learner.get("/questions/hard-sieve-open/").status_code == 404


def test_learner_does_not_see_the_key_before_the_answer(author: Participant) -> None:
    told = {"zh-hans": "隐秘的解析", "en": "secret explanation"}
    options = [
        {"text": "Filter", "correct": True, "feedback": {"zh-hans": "对极了", "en": "quite so"}},
        {"text": "Score"},
    ]
    publish(begin(author, "question", a_choice(explanation=told, options=options)))
    learner = Client(headers=ENGLISH)
    be(learner, make_participant())
    page = Page(learner.get("/questions/hard-sieve/"))
    assert "Which step drops nodes?" in page.text
    for secret in ("secret explanation", "隐秘的解析", "quite so", "correct", "verdict"):
        assert secret not in page.text
    answered = learner.post("/questions/hard-sieve/", {**page.hidden(), "choice": page.token("Filter")})
    assert "secret explanation" in answered.content.decode()


@pytest.mark.parametrize("path", ["beside", "form", "text", "publish", "figures", "bank", "scene", "check"])
def test_draft_of_another_is_not_there(author: Participant, other: Participant, path: str) -> None:
    kinds = {"bank": "quiz", "scene": "lesson", "check": "lesson"}
    draft = begin(author, kinds.get(path, "question"), a_choice())
    learner = Client()
    be(learner, make_participant())
    for client in (browser_of(other), learner, Client()):
        assert client.get(f"/materials/{draft.pk}/{path}/").status_code == 404
        if path not in {"beside", "figures"}:
            assert client.post(f"/materials/{draft.pk}/{path}/", {"version": 1}).status_code == 404


def test_preview_writes_nothing(author: Participant, desk: Client) -> None:
    draft = begin(author, "question", a_choice())
    start = desk.get(f"/materials/{draft.pk}/preview/", follow=True)
    address = start.redirect_chain[-1][0]
    page = Page(start)
    assert "Which step drops nodes?" in page.text
    answered = desk.post(address, {**page.hidden(), "choice": page.token("Filter")})
    assert "Right" in answered.content.decode()
    assert not Question.objects.exists()
    assert not Attempt.objects.exists()
    assert not Answer.objects.exists()


def test_question_of_the_course_can_be_gone_on_from(author: Participant) -> None:
    make_question(slug="of-the-course")
    draft = material_fork(actor=author, kind_name="question", name="of-the-course", new_id=uuid4())
    assert draft.name == "of-the-course-2"
    assert draft.based_on is not None
    assert draft.based_on["name"] == "of-the-course"
    assert problems(draft) == []
    publish(draft)
    assert Question.objects.get(slug="of-the-course-2").owner == author


def test_variables_are_drawn_anew_on_wish(author: Participant, desk: Client) -> None:
    draft = begin(
        author,
        "question",
        {
            "id": "cards",
            "type": "numeric",
            "variables": {"nodes": {"from": 100, "to": 900, "step": 1}},
            "stem": {"en": "{{nodes}} nodes of 8 cards: how many cards?"},
            "answers": [{"value": "{{nodes * 8}}"}],
        },
    )
    pages = {beside(desk, draft, seed=str(seed)).partition(" nodes of 8")[0][-3:] for seed in range(5)}
    assert len(pages) > 1

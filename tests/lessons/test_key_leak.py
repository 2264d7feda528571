"""The key stays on the server: no page, part, answer to a wrong form, socket or static file shows it before the answer.

Every question of the bank goes through every way of meeting it. What must not appear: the words of feedback,
explanations, rubrics and model answers, the ids of options, and anything that changes when the key does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import get_resolver

from gpuschedlab.web.sockets import topics
from lessons.generators.registry import GENERATORS
from lessons.models import Attempt, Lesson, Question, Quiz, Slot
from lessons.presenters.questions.views import present_question
from lessons.selectors.asked import Asked
from lessons.selectors.attempts import with_slots
from lessons.services.made import make_question
from tests.factories.accounts import be, make_participant
from tests.factories.catalogue import catalogue_load
from tests.factories.lessons import FIXTURES, ROOT
from tests.lessons.conftest import Page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SECRET_FIELDS = ("feedback", "explanation", "rubric", "answer", "otherwise", "open", "pending_feedback", "accept")
LEARNER_PAGES = {
    "attempt_autosave", "attempt_detail", "attempt_hand_in", "attempt_question", "course", "glossary", "lesson_check",
    "lesson_detail", "lesson_mark", "lesson_scene", "practice_detail", "progress", "question_detail", "quiz_detail",
    "quiz_start", "quizzes", "review", "review_question",
}  # fmt: skip
A_WORD = 20
"""Nothing shorter tells a key in a file that knows no question."""

TEACHING = {"figures", "gift", "gift_export", "question_figures", "question_regrade"}
AUTHORING = {"draft_bank", "draft_beside", "draft_check", "draft_scene"}
"""Pages of those who write; nobody else finds them (tests/access)."""


def texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, str):
        yield value


def secrets_of(value: Any) -> Iterator[str]:
    """Everything in a question's source that tells its key."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from texts_of(item) if name in SECRET_FIELDS else secrets_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from secrets_of(item)


def words(text: str) -> str:
    """Text without markup and blanks, as it can be compared with a page."""
    return re.sub(r"[\s`*_<>&;#\\]|quot|amp|lt|gt", "", re.sub(r"<[^>]*>", "", text))


def told_secrets(source: dict[str, Any]) -> set[str]:
    """Secrets long enough to be found, that no open part of the question says as well."""
    public = words("".join(texts_of({name: value for name, value in source.items() if name in {"stem", "title"}})))
    found = {words(text) for text in secrets_of(source) if "{{" not in text}
    return {text for text in found if len(text) > 8 and text not in public}


def leaks(page: Page, source: dict[str, Any]) -> set[str]:
    shown = words(page.text)
    return {secret for secret in told_secrets(source) if secret in shown}


@pytest.fixture
def _catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpuschedlab.web.limits.take", lambda *_: None)
    catalogue_load()


def test_every_address_of_lessons_is_walked_here() -> None:
    """A new page has to be entered above, and walked below."""
    names = {name for name in get_resolver("lessons.urls").reverse_dict if isinstance(name, str)}
    assert names == LEARNER_PAGES | TEACHING | AUTHORING


@pytest.mark.usefixtures("_catalogue")
class TestWalk:
    def test_single_questions(self, client: Client) -> None:
        be(client, make_participant())
        questions = list(Question.objects.filter(current__isnull=False).select_related("current"))
        assert len(questions) > 140
        for question in questions:
            assert question.current is not None
            source = question.current.source
            for language in ("zh-CN", "en"):
                headers = {"accept-language": language}
                page = Page(client.get(f"/questions/{question.slug}/", headers=headers))
                assert leaks(page, source) == set(), question.slug
                assert not re.search(r"verdict|is-chosen|explanation|correct", page.text), question.slug
                wrong = {**page.hidden(), "unheard": "1"}
                headers["hx-request"] = "true"
                refused = Page(client.post(f"/questions/{question.slug}/", wrong, headers=headers))
                assert leaks(refused, source) == set(), question.slug
        assert not Slot.objects.exists()

    def test_review_shows_no_more(self, client: Client) -> None:
        be(client, make_participant())
        for question in Question.objects.filter(current__isnull=False).select_related("current")[::7]:
            page = Page(client.get(f"/review/{question.slug}/"))
            assert leaks(page, question.current.source) == set(), question.slug  # type: ignore[union-attr]

    def test_lessons(self, client: Client) -> None:
        be(client, make_participant())
        bank = {question.slug: question for question in Question.objects.select_related("current")}
        for lesson in Lesson.objects.filter(current__isnull=False).select_related("current"):
            assert lesson.current is not None
            for language in ("zh-CN", "en"):
                page = Page(client.get(f"/lessons/{lesson.slug}/", headers={"accept-language": language}))
                assert page.response.status_code == 200
                prose = words("".join(lesson.current.texts.values()))
                for slug in lesson.current.outline["checks"]:
                    current = bank[slug].current
                    if current is not None:
                        found = {secret for secret in leaks(page, current.source) if secret not in prose}
                        assert found == set(), (lesson.slug, slug)

    @pytest.mark.parametrize("mode", ["practice", "test"])
    def test_quizzes(self, client: Client, mode: str) -> None:
        be(client, make_participant())
        for quiz in Quiz.objects.filter(current__isnull=False):
            start = client.post(f"/quizzes/{quiz.slug}/start/", {"mode": mode, "client_token": uuid4()})
            address = start.headers["Location"]
            attempt = with_slots(Attempt.objects.filter(pk=address.split("/")[2])).get()
            overview = [Page(client.get(address)), Page(client.get(f"/quizzes/{quiz.slug}/"))]
            for slot in attempt.slots.all():
                assert slot.revision is not None
                pages = [*overview, Page(client.get(f"{address}{slot.number}/"))]
                data = {"_draft": "0", "_action": "save" if mode == "test" else "hint"}
                pages.append(Page(client.post(f"{address}{slot.number}/", data)))
                for page in pages:
                    hints = words("".join(texts_of(slot.revision.source.get("hints", []))))
                    found = {secret for secret in leaks(page, slot.revision.source) if secret not in hints}
                    assert found == set(), (quiz.slug, slot.number)

    def test_made_questions(self, client: Client) -> None:
        be(client, make_participant())
        for subject in GENERATORS:
            page = Page(client.get(f"/practice/{subject}/"))
            assert page.response.status_code == 200
            assert not re.search(r"verdict|is-chosen|explanation", page.text)
            assert Page(client.get(f"/practice/{subject}/?n=7")).text.count("verdict") == 0

    def test_static_files_hold_no_question(self) -> None:
        shipped = "".join(
            words(path.read_text("utf-8"))
            for folder in ("css", "js", "img")
            for path in (ROOT / "static" / folder).rglob("*.*")
        )
        for question in Question.objects.select_related("current"):
            sentences = {secret for secret in told_secrets(question.source) if len(secret) > A_WORD}
            assert {secret for secret in sentences if secret in shipped} == set()

    def test_fixtures_are_not_served(self, client: Client) -> None:
        assert (FIXTURES / "quizzes" / "selftest.yaml").exists()
        for path in ("/fixtures/quizzes/selftest.yaml", "/static/quizzes/selftest.yaml", "/static/glossary.yaml"):
            assert client.get(path).status_code == 404


def shown(attempt: Attempt, source: dict[str, Any]) -> str:
    slot = Slot(attempt=attempt, number=1, made={"source": source, "situation": None}, seed=5)
    view = present_question(Asked(attempt, slot, None, None), language="en", post_url="/x/")
    text = render_to_string("lessons/_question.html", {"q": view})
    return re.sub(r'name="_opened" value="\d+"', "", text)


def lines(text: str) -> list[str]:
    """The lines of a page, in an order that does not depend on how things were shuffled (which the revision does)."""
    return sorted(line.strip() for line in text.splitlines())


@pytest.mark.parametrize("subject", sorted(GENERATORS))
def test_page_does_not_depend_on_the_key(subject: str) -> None:
    """The same question with everything secret exchanged gives the same page."""
    attempt = Attempt(id=uuid4(), participant=make_participant(), context=f"made:{subject}", mode="practice")
    source = deepcopy(dict(make_question(subject, 11)["source"]))
    assert lines(shown(attempt, source)) == lines(shown(attempt, other_key(source)))


def other_key(source: dict[str, Any]) -> dict[str, Any]:
    other = deepcopy(source) | {"explanation": "Exchanged."}
    for entry in (*other.get("nodes", ()), *other.get("pods", ())):
        entry["right"] = not entry["right"]
    for index, option in enumerate(other.get("options", ())):
        option["correct"] = index == 0
    for cell in other.get("cells", ()):
        cell["value"] = cell["value"] if cell.get("given") else 1
    if "order" in other:
        other["order"] = [other["order"][0][::-1]]
    return other


def test_no_socket_topic_is_about_lessons() -> None:
    """Whoever adds one has to show that it carries nothing of a question."""
    assert not {name for name in topics._kinds if re.search("lesson|quiz|attempt|question|review", name)}

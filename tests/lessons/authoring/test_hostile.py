"""Nothing an instructor writes runs in anybody's page, whatever field it stands in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from lessons.assessment.question_types.registry import QUESTION_TYPES
from tests.assessment.samples import source
from tests.factories.accounts import be, make_participant
from tests.factories.labs import make_node, make_pod, make_revision
from tests.lessons.authoring.conftest import ENGLISH, a_choice, a_quiz, begin, problems, publish

pytestmark = pytest.mark.django_db

VECTORS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "<a href='java&#115;cript:alert(1)'>x</a>",
    "![x](x' onerror='alert(1))",
    "`</code><script>alert(1)</script>`",
    "{{ 7 }}</script><script>alert(1)</script>",
)
HOSTILE = " ".join(VECTORS)
OWN_FIELDS = {"id", "type", "scene", "facts", "level", "topics", "order", "at", "label", "labels", "category", "inside"}
OWN_FIELDS |= {"ends", "shape", "ask", "credit", "symbol", "columns", "rows", "cells", "goal", "name", "accept"}


class Active(HTMLParser):
    """What of a page would run."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "script" and "nonce" not in given and given.get("type") != "application/json":
            self.found.append(f"<script {given}>")
        is_lab = tag == "iframe" and (given.get("src") or "/").startswith("/") and "srcdoc" not in given
        if tag in {"iframe", "object", "embed", "base"} and not is_lab:
            self.found.append(tag)
        for name, value in given.items():
            if name.startswith("on") or (name in {"href", "src", "action"} and _runs(value or "")):
                self.found.append(f"{tag} {name}={value}")


def _runs(address: str) -> bool:
    plain = re.sub(r"[\s\x00-\x1f]", "", address).lower()
    return plain.startswith(("javascript:", "data:text", "vbscript:"))


def hostile(value: Any, field: str = "") -> Any:
    """The document with every text in it hostile."""
    if isinstance(value, Mapping):
        if value and set(value) <= {"zh-hans", "en"}:
            return dict.fromkeys(value, HOSTILE)
        return {key: item if key in OWN_FIELDS else hostile(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [hostile(item, field) for item in value]
    return {"zh-hans": HOSTILE, "en": HOSTILE} if isinstance(value, str) else value


def learners_client() -> Client:
    client = Client(headers=ENGLISH)
    be(client, make_participant(name=HOSTILE[:60]))
    return client


def test_the_reader_of_pages_sees_what_runs() -> None:
    assert len(Active("<script>1</script><img onerror=x><a href=' javascript:1'></a>").found) == 3


@pytest.mark.parametrize("name", sorted(set(QUESTION_TYPES) - {"build-it"}))
def test_questions_do_not_run(author: Participant, desk: Client, name: str) -> None:
    document = hostile(source(name)) | {"id": "evil"}
    if name == "cloze":
        document["text"] = source("cloze")["text"]
    document.pop("scene", None)
    document.pop("distractors", None)  # all right sides are one text now
    told = {"title": HOSTILE, "explanation": HOSTILE}
    document |= {key: {"zh-hans": text[:390], "en": text[:390]} for key, text in told.items()}
    document["hints"] = [{"zh-hans": HOSTILE, "en": HOSTILE}]
    draft = begin(author, "question", document)
    assert problems(draft) == []
    publish(draft)
    learner = learners_client()
    page = learner.get("/questions/evil/").content.decode()
    assert "alert(1)" in page  # it is there, as text
    hidden = dict(re.findall(r'<input type="hidden" name="(_\w+)" value="([^"]*)"', page))
    pages = [page, learner.post("/questions/evil/", {**hidden, "_action": "hint"}).content.decode()]
    pages.append(learner.post("/questions/evil/", hidden).content.decode())
    pages += [
        desk.get(f"/materials/{draft.pk}/{one}/").content.decode() for one in ("beside", "form", "text", "publish")
    ]
    pages += [desk.get("/teaching/questions/evil/").content.decode(), desk.get("/materials/").content.decode()]
    pages.append(desk.get("/teaching/").content.decode())
    for one in pages:
        assert Active(one).found == []


def test_quizzes_do_not_run(author: Participant, desk: Client) -> None:
    begin(author, "question", a_choice("mine", title={"en": HOSTILE[:390]}))
    both = {"zh-hans": HOSTILE, "en": HOSTILE}
    quiz = begin(author, "quiz", a_quiz("mine") | {"title": both, "description": both})
    quiz_text = desk.get(f"/materials/{quiz.pk}/beside/").content.decode()
    publish(quiz)
    learner = learners_client()
    pages = [quiz_text, learner.get("/quizzes/").content.decode(), learner.get("/quizzes/my-quiz/").content.decode()]
    pages += [desk.get(f"/materials/{quiz.pk}/{one}/").content.decode() for one in ("form", "bank", "figures", "share")]
    assert "alert(1)" in pages[2]
    for one in pages:
        assert Active(one).found == []


def test_lessons_do_not_run(author: Participant, desk: Client) -> None:
    make_revision([make_node("n1"), make_pod("p")], slug="who-fits")
    text = "\n\n".join(one for one in VECTORS if not one.startswith(("[", "!")))
    scene = f"::: scene\nid: s\nscenario: who-fits\ncaption: '{VECTORS[0]}'\nexpect: '{VECTORS[2]}'\n:::"
    body = f"## {VECTORS[0]} {{#a}}\n\n{text}\n\n::: key\n{VECTORS[2]}\n:::\n\n{scene}\n"
    both = {"zh-hans": VECTORS[0], "en": VECTORS[1]}
    document = {"id": "evil", "title": both, "goal": both, "summary": both, "text": {"zh-hans": body, "en": body}}
    document["sources"] = [{"title": both, "note": both}]
    draft = begin(author, "lesson", document)
    assert problems(draft) == []
    publish(draft)
    learner = learners_client()
    pages = [learner.get("/lessons/evil/").content.decode(), learner.get("/lessons/").content.decode()]
    pages += [desk.get(f"/materials/{draft.pk}/{one}/").content.decode() for one in ("beside", "form", "translations")]
    assert "alert(1)" in pages[0]
    for one in pages:
        assert Active(one).found == []


@pytest.mark.parametrize("link", ["[x](javascript:alert(1))", "[x](data:text/html,x)"])
def test_links_that_would_run_are_no_links(author: Participant, desk: Client, link: str) -> None:
    body = f"## A {{#a}}\n\n{link}\n"
    draft = begin(author, "lesson", {"id": "evil", "title": {"en": "x"}, "text": {"en": body}})
    page = desk.get(f"/materials/{draft.pk}/beside/").content.decode()
    assert "(javascript:" in page or "(data:" in page  # it stays text
    assert Active(page).found == []

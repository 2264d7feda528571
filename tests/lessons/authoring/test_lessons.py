"""Lessons as material: both languages side by side, boxes at the same place in both, what is wrong with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from gpuschedlab.accounts.models import Participant
from gpuschedlab.materials.publishing import NotReady
from lessons.manifests.lesson_editing import inserted
from lessons.models import Lesson, LessonState
from lessons.services.lessons import lessons_withdraw_others
from tests.factories.accounts import be, make_participant
from tests.factories.labs import make_node, make_pod, make_revision
from tests.factories.lessons import make_lesson, make_question
from tests.lessons.authoring.conftest import ENGLISH, begin, change, problems, publish
from tests.lessons.conftest import Page

if TYPE_CHECKING:
    from gpuschedlab.materials.models import Draft

pytestmark = pytest.mark.django_db

EN = "## Opening {#opening}\n\nLook.\n\n## Summary {#summary}\n\nDone.\n"
LOST_SCENE = "::: scene\nid: x\nscenario: nothing\ncaption: a\nexpect: b\n:::"
ZH = "## 开头 {#opening}\n\n看。\n\n## 小结 {#summary}\n\n好。\n"


def a_lesson(en: str = EN, zh: str = ZH, **more: Any) -> dict[str, Any]:
    title = {"zh-hans": "动手做", "en": "By hand"}
    return {"id": "by-hand", "title": title, "text": {"zh-hans": zh, "en": en}, **more}


def test_lesson_is_read_in_both_languages(author: Participant) -> None:
    publish(begin(author, "lesson", a_lesson()))
    lesson = Lesson.objects.get()
    assert lesson.owner == author
    for language, words in (("en", "Opening"), ("zh-hans", "开头")):
        page = Client(headers={"accept-language": language}).get("/lessons/by-hand/").content.decode()
        assert words in page
        assert "<h1" in page


def test_language_that_lacks_shows_the_other_and_is_listed(author: Participant) -> None:
    document = a_lesson()
    del document["text"]["zh-hans"]
    del document["title"]["zh-hans"]
    draft = begin(author, "lesson", document)
    assert problems(draft) == []
    assert any("2 texts lack a language" in one.text for one in problems(draft, "advice"))
    publish(draft)
    page = Client(headers={"accept-language": "zh-hans"}).get("/lessons/by-hand/").content.decode()
    assert "Opening" in page


def test_instructors_lesson_stands_below_the_course(author: Participant) -> None:
    make_question()
    make_lesson(order=1)
    publish(begin(author, "lesson", a_lesson()))
    client = Client(headers=ENGLISH)
    page = client.get("/lessons/").content.decode()
    course, _mark, more = page.partition("More lessons, by instructors")
    assert "/lessons/sample-lesson/" in course
    assert "/lessons/by-hand/" not in course.partition("<main")[2]
    assert "/lessons/by-hand/" in more
    assert "/lessons/by-hand/" not in client.get("/lessons/sample-lesson/").content.decode()


def test_catalogue_does_not_withdraw_instructors_lessons(author: Participant) -> None:
    publish(begin(author, "lesson", a_lesson()))
    lessons_withdraw_others([])
    assert Lesson.objects.get(slug="by-hand").current is not None


def line_of(draft: Draft, words: str) -> int:
    return next(number for number, line in enumerate(draft.text.split("\n"), start=1) if words in line)


@pytest.mark.parametrize(
    ("text", "wrong", "words"),
    [
        ("## No id\n\nText.\n", "## No id", "needs an id"),
        ("## A {#a}\n\n[x](https://example.org)\n", "[x]", "leads nowhere"),
        ("## A {#a}\n\n::: wow\nx\n:::\n", "::: wow", "There is no box"),
        ("## A {#a}\n\n[x](lesson:nowhere)\n", "[x]", "leads to nothing"),
        ("## A {#a}\n\n::: check\n- nothing-such\n:::\n", "::: check", "leads to nothing"),
        (f"## A {{#a}}\n\n{LOST_SCENE}\n", "::: scene", "leads to nothing"),
        ("## A {#a}\n\n[x](#nowhere)\n", "[x]", "leads to nothing"),
    ],
)
def test_what_is_wrong_in_the_text_has_its_line(author: Participant, text: str, wrong: str, words: str) -> None:
    document = a_lesson(en=text)
    del document["text"]["zh-hans"]
    draft = begin(author, "lesson", document)
    found = problems(draft)
    assert len(found) == 1
    assert words in found[0].text
    assert found[0].path == ("text", "en")
    assert found[0].line == line_of(draft, wrong)


def test_languages_that_differ_are_told(author: Participant) -> None:
    draft = begin(author, "lesson", a_lesson(zh=ZH.replace("{#summary}", "{#end}")))
    assert "The languages differ" in problems(draft)[0].text


def test_boxes_come_behind_their_section() -> None:
    made = "::: key\nx\n:::"
    assert inserted(EN, made, section="opening") == EN.replace("Look.\n", f"Look.\n\n{made}\n")
    assert inserted(EN, made, section="summary") == f"{EN}\n{made}\n"
    assert inserted(EN, made, section="nowhere") == f"{EN}\n{made}\n"
    assert inserted("", made, section="") == f"{made}\n"


TEXTS = {"caption_zh": "两个节点。", "expect_zh": "剩一个。"}
SENT = {"version": "1", "scenario": "who-fits", "section": "opening", **TEXTS}


def test_scene_comes_into_both_languages(author: Participant, desk: Client) -> None:
    make_revision([make_node("n1"), make_node("n2", gpus=4), make_pod("p", gpus=4)], slug="who-fits")
    draft = begin(author, "lesson", a_lesson())
    page = desk.get(f"/materials/{draft.pk}/scene/", {"scenario": "who-fits", "point": "filter"}).content.decode()
    assert 'value="1:filter:p"' in page
    for number in (1, 2):
        sent = {**SENT, "version": str(number), "step": "1:filter:p"}
        assert desk.post(f"/materials/{draft.pk}/scene/", sent).status_code == 302
    draft.refresh_from_db()
    assert problems(draft) == []
    publish(draft)
    revision = Lesson.objects.get().current
    assert revision is not None
    assert revision.outline["scenes"] == ["who-fits", "who-fits-2"]
    for text in revision.texts.values():
        assert text.index("{#opening}") < text.index("::: scene") < text.index("{#summary}")
    assert "两个节点。" in revision.texts["en"]  # what was written in one language alone


@pytest.mark.parametrize("wrong", [{"scenario": "nowhere"}, {"caption_zh": ""}, {"step": "x:y"}, {"predict": "luck"}])
def test_scene_that_cannot_be_is_refused(author: Participant, desk: Client, wrong: dict[str, str]) -> None:
    make_revision([make_node("n1"), make_pod("p")], slug="who-fits")
    draft = begin(author, "lesson", a_lesson())
    assert desk.post(f"/materials/{draft.pk}/scene/", {**SENT, **wrong}).status_code == 400
    draft.refresh_from_db()
    assert draft.version == 1


def test_refused_scene_comes_back_as_it_was_sent(author: Participant, desk: Client) -> None:
    make_revision([make_node("n1"), make_node("n2", gpus=4), make_pod("p", gpus=4)], slug="who-fits")
    draft = begin(author, "lesson", a_lesson())
    sent = {**SENT, "step": "1:filter:p", "predict": "winner", "expect_zh": ""}
    page = desk.post(f"/materials/{draft.pk}/scene/", sent).content.decode()
    assert 'role="alert"' in page
    assert 'value="两个节点。"' in page
    assert 'value="1:filter:p" checked' in page
    assert 'value="winner" selected' in page
    assert 'value="opening" selected' in page


def test_questions_come_into_both_languages(author: Participant, desk: Client) -> None:
    make_question(slug="why")
    draft = begin(author, "lesson", a_lesson())
    sent = {"version": "1", "question": "why", "section": "summary"}
    desk.post(f"/materials/{draft.pk}/check/", sent)
    draft.refresh_from_db()
    publish(draft)
    learner = Client(headers=ENGLISH)
    be(learner, make_participant())
    page = Page(learner.get("/lessons/by-hand/"))
    assert "Which step drops nodes?" in page.text
    learner.post("/lessons/by-hand/checks/why/", {**page.hidden(), "choice": page.token("Filter")})
    assert "Right" in learner.get("/lessons/by-hand/").content.decode()


def test_figures_of_a_lesson(author: Participant, desk: Client) -> None:
    draft = begin(author, "lesson", a_lesson())
    publish(draft)
    lesson = Lesson.objects.get()
    for sections in (["opening"], ["opening", "summary"]):
        LessonState.objects.create(participant=make_participant(), lesson=lesson, sections=sections)
    page = desk.get(f"/materials/{draft.pk}/figures/").content.decode()
    assert '<dd class="numbers">2</dd>' in page
    assert '<dd class="numbers">1</dd>' in page


def test_text_with_faults_can_be_looked_at_but_not_published(author: Participant, desk: Client) -> None:
    faults = "\n\n::: wow\nx\n:::\n\n[lost](lesson:nowhere) [out](https://example.org)\n\n#### Deep\n\n## No id\n"
    draft = begin(author, "lesson", a_lesson(en=EN + faults))
    assert len(problems(draft)) >= 5
    page = desk.get(f"/materials/{draft.pk}/preview/", follow=True)
    assert page.status_code == 200
    assert "Opening" in page.content.decode()
    with pytest.raises(NotReady):
        publish(draft)


def test_preview_writes_nothing_and_shows_the_draft(author: Participant, desk: Client) -> None:
    draft = begin(author, "lesson", a_lesson())
    publish(draft)
    change(draft, a_lesson(en=EN.replace("Look.", "Look again.")))
    page = desk.get(f"/materials/{draft.pk}/preview/", follow=True).content.decode()
    assert "Look again." in page
    assert "Look again." not in Client(headers=ENGLISH).get("/lessons/by-hand/").content.decode()
    assert Lesson.objects.count() == 1


def test_lesson_outlives_its_authors_account(author: Participant) -> None:
    make_question()
    make_lesson(order=1)
    publish(begin(author, "lesson", a_lesson()))
    author.delete()
    lessons_withdraw_others(["sample-lesson"])
    page = Client(headers=ENGLISH).get("/lessons/").content.decode()
    course, _mark, more = page.partition("More lessons, by instructors")
    assert "/lessons/by-hand/" not in course.partition("<main")[2]
    assert "/lessons/by-hand/" in more

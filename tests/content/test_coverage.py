"""What the lessons teach: every fact of the chapter with what has to be added to it, and the honesty notes."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.content.texts import LANGUAGES, SLUGS, lesson, questions

FACTS: Final = {
    "0": 4, "1": 3, "2": 6, "3": 3, "4": 4, "5": 7, "6": 6, "7": 4, "8": 4, "9": 1,
}  # fmt: skip
"""Section -> how many facts the chapter has there."""

SAYS: Final = (
    "C2.1", "C2.2", "C3.1", "C3.3", "C4.1", "C5.5", "C5.7", "C6.1", "C6.4", "C6.5", "C6.6", "C7.2", "C8.1", "C8.2",
    "C8.3", "C8.4",
)  # fmt: skip
"""Facts that are simplified or out of date, so that the lesson has something to add."""

ALL: Final = {f"C{section}.{number}" for section, count in FACTS.items() for number in range(1, count + 1)}

NOTES: Final = {
    "native gang scheduling is alpha": ("four-pains", ["1.35", "alpha"]),
    "DRA is GA": ("four-pains", ["1.34", "GA"]),
    "kubectl run lost its flags": ("ladder-and-practice", ["kubectl run --limits"]),
    "equal totals": ("ten-stages", ["Extender|extender", "并列|tie"]),
    "two conventions of bandwidth": ("topology", ["450", "45", "8 × 400"]),
    "whose abbreviation HNT is": ("topology", ["HNT", "HyperNode"]),
    "a bare Pod does not come back": ("queue-and-preemption", ["裸 Pod|bare Pod"]),
    "Kueue replaces nothing": ("ladder-and-practice", ["Kueue", "不替换|not replace"]),
    "the lab follows a version": ("orientation", ["1.36"]),
}


def test_every_fact_is_taught() -> None:
    taught = {fact for slug in SLUGS for fact in lesson(slug).front["en"]["facts"]}
    assert sorted(ALL - taught) == []
    assert sorted({f"{fact}-say" for fact in SAYS} - taught) == []
    assert sorted(taught - ALL - {f"{fact}-say" for fact in SAYS}) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_additions_stand_in_their_own_boxes(slug: str) -> None:
    says = [fact for fact in lesson(slug).front["en"]["facts"] if fact.endswith("-say")]
    for text in lesson(slug).texts.values():
        assert len(text.pieces("say")) >= len(says)


@pytest.mark.parametrize("slug", SLUGS)
def test_checks_and_scenes_ask_about_what_the_lesson_teaches(slug: str) -> None:
    """A question of the bank names the facts it is about; at least half of a lesson's questions are about its own."""
    document = lesson(slug)
    asked = document.outline["checks"]
    assert [name for name in asked if name not in questions()] == []
    if slug == "self-test":
        return
    own = {fact.removesuffix("-say") for fact in document.front["en"]["facts"]}
    about = [{fact.removesuffix("-say") for fact in questions()[name]["facts"]} & own for name in asked]
    assert sum(map(bool, about)) >= 0.5 * len(about)


def test_the_self_test_asks_all_twelve() -> None:
    twelve = {name for name, question in questions().items() if question.get("selftest")}
    asked = set(lesson("self-test").outline["checks"])
    assert twelve
    assert sorted(twelve - asked) == []
    assert {name[:11] for name in asked if name.startswith("selftest-")} == {f"selftest-{n:02}" for n in range(1, 13)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("note", NOTES)
def test_honesty_note(note: str, language: str) -> None:
    slug, wanted = NOTES[note]
    boxes = [
        " ".join(token.content for token in piece.tokens if token.type == "inline")
        for piece in lesson(slug).texts[language].pieces("say")
    ]
    assert any(all(re.search(word, box) for word in wanted) for box in boxes)


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug != "self-test"])
def test_every_lesson_is_taught_by_doing(slug: str) -> None:
    document = lesson(slug)
    assert document.outline["scenes"]
    for text in document.texts.values():
        assert text.sections[0].pieces[0].kind == "prose", "a lesson opens with a situation"
        assert text.sections[-1].id == "summary"
        assert text.pieces("key")
        assert text.front["sources"]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_scene_and_a_check_do_not_ask_the_same(slug: str) -> None:
    for text in lesson(slug).texts.values():
        asked = [name for piece in text.pieces("check") for name in piece.data["questions"]]
        asked += [piece.data["question"] for piece in text.pieces("scene") if piece.data["question"]]
        assert sorted({name for name in asked if asked.count(name) > 1}) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_scenes_state_their_outcome(slug: str) -> None:
    scenes = lesson(slug).texts["en"].pieces("scene")
    assert [piece.data["id"] for piece in scenes if not piece.data["outcome"]] == []

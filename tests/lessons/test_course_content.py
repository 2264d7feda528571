"""The catalogue's lessons and glossary: whole, in both languages, and true in the engine."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lessons.manifests.course import Course, course_faults, scene_differs
from lessons.presenters.problems import fault_sentence
from tests.assessment.test_question_bank import CHAPTER, FACTS, SAID
from tests.factories.lessons import FIXTURES, ROOT

SECTIONS = [f"6.{number}" for number in range(10)]


@cache
def course() -> Course:
    return Course(FIXTURES, ROOT)


def scenes() -> list[Any]:
    return [
        pytest.param(piece.data, id=f"{slug}-{piece.data['id']}")
        for slug, lesson in course().lessons.items()
        for piece in lesson.texts["en"].pieces("scene")
    ]


def test_every_link_term_question_figure_and_scene_leads_somewhere() -> None:
    assert [fault_sentence(fault) for fault in course_faults(course())] == []


def test_there_is_one_lesson_for_each_section_of_the_chapter() -> None:
    fronts = [lesson.front["en"] for lesson in course().lessons.values()]
    assert sorted(front["section"] for front in fronts) == SECTIONS
    assert len({front["order"] for front in fronts}) == len(fronts)


def test_prerequisites_come_before() -> None:
    orders = {slug: lesson.front["en"]["order"] for slug, lesson in course().lessons.items()}
    for slug, lesson in course().lessons.items():
        assert all(orders[needed] < orders[slug] for needed in lesson.front["en"]["prerequisites"]), slug


def test_every_fact_and_every_correction_is_taught() -> None:
    taught = {fact for lesson in course().lessons.values() for fact in lesson.front["en"]["facts"]}
    chapter_end = {"C9.1"}
    assert sorted((FACTS | SAID) - taught - chapter_end) == []


@pytest.mark.skipif(not CHAPTER.exists(), reason="the chapter's text is not at hand")
def test_no_fact_is_made_up() -> None:
    taught = {fact.removesuffix("-say") for lesson in course().lessons.values() for fact in lesson.front["en"]["facts"]}
    assert sorted(taught - set(re.findall(r"\bC\d\.\d\b", CHAPTER.read_text("utf-8")))) == []


def test_glossary_has_enough_terms_of_two_sentences() -> None:
    terms = course().terms
    assert len(terms) >= 80
    for term in terms:
        assert 1 <= len(re.findall(r"[。？！]", term.text["zh-hans"])) <= 3, term.slug
        assert 1 <= len(re.findall(r"[.?!](?=\s|$)", term.text["en"])) <= 3, term.slug


def test_every_lesson_has_prose_checks_and_sources() -> None:
    for slug, lesson in course().lessons.items():
        text = lesson.texts["en"]
        assert text.pieces("prose"), slug
        assert text.outline()["checks"], slug
        assert text.front["sources"], slug
        assert 5 <= text.front["minutes"] <= 30, slug


def test_every_figure_is_used() -> None:
    used = {piece.data["name"] for lesson in course().lessons.values() for piece in lesson.texts["en"].pieces("figure")}
    there = {path.stem for path in (ROOT / "templates/lessons/figures").glob("*.html")} - {"_missing"}
    assert sorted(there - used) == []


@pytest.mark.parametrize("scene", scenes())
def test_scene_comes_true(scene: dict[str, Any]) -> None:
    assert scene_differs(course().run(scene["scenario"]), scene) == ""


def test_english_uses_no_chinese_punctuation() -> None:
    for slug, lesson in course().lessons.items():
        wrong = re.findall(r".{0,20}[，。；：？！、].{0,10}", lesson.bodies["en"])
        assert wrong == [], slug


def test_chinese_has_a_blank_between_han_and_latin() -> None:
    han = "\u4e00-\u9fff"
    for slug, lesson in course().lessons.items():
        plain = re.sub(
            r"```.*?```|`[^`]*`|\{#[^}]*\}|\]\([^)]*\)|^:::.*?^:::$",
            "",
            lesson.bodies["zh-hans"],
            flags=re.DOTALL | re.MULTILINE,
        )
        wrong = re.findall(rf".{{0,10}}(?:[{han}][A-Za-z0-9]|[A-Za-z0-9][{han}]).{{0,10}}", plain)
        assert wrong == [], slug


def test_sources_are_named_and_not_linked() -> None:
    for path in Path(FIXTURES / "lessons").rglob("*.md"):
        words = re.sub(r"```.*?```|`[^`]*`", "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(r"https?://|www\.", words), path

"""The lessons as their reader gives them, and what is written in them, for the tests here."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import yaml

from lessons.manifests.glossary_file import TermText, read_glossary
from lessons.manifests.lesson_folder import LessonDocument, read_lesson_folder
from lessons.manifests.lesson_text import LessonText
from tests.architecture.source import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

LESSONS: Final = ROOT / "fixtures" / "lessons"
GLOSSARY: Final = ROOT / "fixtures" / "glossary.yaml"
QUIZZES: Final = ROOT / "fixtures" / "quizzes"
FIGURES: Final = ROOT / "templates" / "lessons" / "figures"
SLUGS: Final = tuple(sorted(folder.name for folder in LESSONS.iterdir() if folder.is_dir()))
LANGUAGES: Final = ("zh-hans", "en")


@cache
def lesson(slug: str) -> LessonDocument:
    return read_lesson_folder(LESSONS / slug)


@cache
def terms() -> tuple[TermText, ...]:
    return read_glossary(GLOSSARY.read_text(encoding="utf-8"), GLOSSARY.name)


@cache
def questions() -> dict[str, dict]:
    """Every question of the bank by id."""
    found = {}
    for path in sorted(QUIZZES.glob("*.yaml")):
        for question in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)["questions"]:
            found[question["id"]] = question
    return found


def texts() -> Iterator[tuple[str, LessonText]]:
    """(slug/language, text) of every file."""
    for slug in SLUGS:
        for language, text in lesson(slug).texts.items():
            yield f"{slug}/{language}", text


def tokens(text: LessonText) -> Iterator[Token]:
    """The tokens of all prose and of the boxes that hold Markdown."""
    for section in text.sections:
        yield from section.heading
        for piece in section.pieces:
            yield from piece.tokens


def spoken(text: LessonText) -> Iterator[str]:
    """What is read aloud, paragraph by paragraph, with captions and front matter; code counts as one word."""
    for token in tokens(text):
        if token.type == "inline":
            yield "".join(_word(child) for child in token.children or ())
    for piece in [*text.pieces("scene"), *text.pieces("figure")]:
        yield from (piece.data[name] for name in ("caption", "expect", "alt") if name in piece.data)
    yield from (text.front[name] for name in ("title", "goal", "summary"))


def _word(child: Token) -> str:
    if child.type == "code_inline":
        return "x"
    return " " if child.type in {"softbreak", "hardbreak"} else child.content


def fenced(text: LessonText, *languages: str) -> Iterator[str]:
    """The contents of the code blocks of these languages."""
    for token in tokens(text):
        if token.type == "fence" and token.info.strip() in languages:
            yield token.content


def inline_code(text: LessonText) -> Iterator[str]:
    for token in tokens(text):
        yield from (child.content for child in token.children or () if child.type == "code_inline")

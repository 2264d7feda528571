"""A lesson's folder: both languages, checked against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lessons.assessment.digest import revision_of
from lessons.assessment.localized import LANGUAGES
from lessons.manifests.faults import Fault, Faulty
from lessons.manifests.lesson_text import SHARED, LessonText, Piece, read_lesson_text

MAX_BYTES: Final = 200_000


@dataclass(frozen=True, slots=True)
class LessonDocument:
    """A lesson in every language."""

    slug: str
    texts: Mapping[str, LessonText]

    @property
    def front(self) -> dict[str, Mapping[str, Any]]:
        return {language: text.front for language, text in self.texts.items()}

    @property
    def bodies(self) -> dict[str, str]:
        return {language: text.body for language, text in self.texts.items()}

    @property
    def outline(self) -> dict[str, list[str]]:
        return self.texts[LANGUAGES[0]].outline()

    @property
    def digest(self) -> str:
        return revision_of([self.front, self.bodies])


def read_lesson_folder(folder: Path) -> LessonDocument:
    """Read `<slug>/{zh-hans,en}.md`. Raises Faulty with every fault of both files."""
    faults: list[Fault] = []
    texts: dict[str, LessonText] = {}
    for language in LANGUAGES:
        path = folder / f"{language}.md"
        name = f"{folder.name}/{path.name}"
        if not path.exists():
            faults.append(Fault(name, 0, "lesson.no_file", {"language": language}))
            continue
        try:
            texts[language] = read_lesson_text(path.read_text(encoding="utf-8")[:MAX_BYTES], name)
        except Faulty as faulty:
            faults.extend(faulty.faults)
    if not faults:
        faults.extend(language_differences(folder.name, texts))
    if faults:
        raise Faulty(faults)
    return LessonDocument(folder.name, texts)


def language_differences(slug: str, texts: Mapping[str, LessonText]) -> Iterator[Fault]:
    """What should be the same in both languages, and is not."""
    zh, en = (texts[language] for language in LANGUAGES)
    for what in SHARED:
        if zh.front[what] != en.front[what]:
            yield _differ(slug, what, zh.front[what], en.front[what])
    for what, first, second in zip(_SHAPES, _shape(zh), _shape(en), strict=True):
        if first != second:
            yield _differ(slug, what, *_first_difference(first, second))


_SHAPES: Final = ("sections", "boxes", "scenes", "subheadings")
_ALIKE: Final = ("id", "scenario", "start", "question", "predict", "outcome")


def _shape(text: LessonText) -> tuple[list[str], list[str], list[str], list[str]]:
    """What has to be the same in every language."""
    pieces = [(section.id, piece) for section in text.sections for piece in section.pieces]
    scenes = [{name: one.data[name] for name in _ALIKE} for one in text.pieces("scene")]
    return (
        [section.id for section in text.sections],
        [f"{place}: {piece.kind} {_named(piece)}" for place, piece in pieces if piece.kind != "prose"],
        [str(scene) for scene in scenes],
        [f"{place}: h3" for place, piece in pieces for token in piece.tokens if token.type == "heading_open"],
    )


def _named(piece: Piece) -> str:
    if piece.kind == "check":
        return ", ".join(piece.data["questions"])
    return str(piece.data.get("id") or piece.data.get("name") or "")


def _first_difference(first: list[str], second: list[str]) -> tuple[str, str]:
    for one, other in zip([*first, "–"], [*second, "–"], strict=False):
        if one != other:
            return one, other
    return str(len(first)), str(len(second))


def _differ(slug: str, what: str, zh: object, en: object) -> Fault:
    return Fault(slug, 0, "lesson.differs", {"what": what, "zh": str(zh), "en": str(en)})

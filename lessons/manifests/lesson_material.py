"""A lesson as instructors write it: one document with both languages side by side.

    id: gangs-by-hand
    title: {zh-hans: …, en: …}          # goal, summary likewise
    minutes: 10
    prerequisites: [four-pains]         # facts, sources: as in docs/lessons.md
    text:
      zh-hans: |
        ## …                            # the Markdown of docs/lessons.md
      en: |
        ## …

A language that is not written yet shows the other one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lessons.assessment.localized import LANGUAGES, Text
from lessons.assessment.problems import Problem
from lessons.assessment.reading import FACT, SLUG, Fields, Node, Problems
from lessons.manifests.faults import Fault
from lessons.manifests.lesson_folder import LessonDocument, language_differences
from lessons.manifests.lesson_text import LessonText, read_body

PLACE: Final = 500
"""Instructors' lessons come behind the course's own."""
MOST_LINE: Final = 600
MOST_BODY: Final = 100_000
DEFAULT_MINUTES: Final = 10


@dataclass(frozen=True, slots=True)
class LessonReading:
    """A lesson's document as it was read. `document` holds what could be read, also where something is wrong.

    problems      of the document's fields
    faults        of each text, with lines from its own beginning
    differences   what should be the same in both languages
    """

    document: LessonDocument
    problems: tuple[Problem, ...]
    faults: Mapping[str, tuple[Fault, ...]]
    differences: tuple[Fault, ...]


def read_lesson_material(value: Mapping[str, Any]) -> LessonReading:
    """Read a lesson's document; never an exception, whatever it is."""
    problems = Problems()
    fields = Node(value, (), problems).fields(
        required=("id", "title", "text"), optional=("goal", "summary", "minutes", "prerequisites", "facts", "sources")
    )
    slug = fields["id"].named(SLUG)
    fronts = _fronts(fields)
    bodies = fields["text"].text(limit=MOST_BODY) if "text" in fields else Text()
    texts: dict[str, LessonText] = {}
    faults: dict[str, tuple[Fault, ...]] = {}
    for language in LANGUAGES:
        found: list[Fault] = []
        texts[language] = read_body(bodies.in_language(language), language, fronts[language], faults=found)
        faults[language] = tuple(found) if bodies.written(language) else ()
    apart = () if any(faults.values()) or bodies.missing else tuple(language_differences(slug, texts))
    return LessonReading(LessonDocument(slug, texts), tuple(problems.found), faults, apart)


def _fronts(fields: Fields) -> dict[str, dict[str, Any]]:
    """The front matter of each language, as lesson_text has it."""
    told = {name: _line(fields, name) for name in ("title", "goal", "summary")}
    minutes = fields.get("minutes")
    shared = {
        "section": "",
        "order": PLACE,
        "minutes": minutes.integer(minimum=1, maximum=240) if minutes else DEFAULT_MINUTES,
        "prerequisites": [entry.named(SLUG) for entry in fields.children("prerequisites")],
        "facts": [entry.named(FACT) for entry in fields.children("facts", limit=200)],
    }
    sources = [_source(node) for node in fields.children("sources", limit=40)]
    return {
        language: {
            **shared,
            **{name: text.in_language(language) for name, text in told.items()},
            "sources": [{name: text.in_language(language) for name, text in source.items()} for source in sources],
        }
        for language in LANGUAGES
    }


def _line(fields: Fields, name: str) -> Text:
    return fields[name].text(limit=MOST_LINE) if name in fields else Text()


def _source(node: Node) -> dict[str, Text]:
    fields = node.fields(required=("title",), optional=("note",))
    return {"title": fields["title"].text(limit=MOST_LINE), "note": fields.text("note") or Text()}

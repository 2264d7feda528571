"""Questions, quizzes and lessons for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lessons.assessment.question import read_question
from lessons.assessment.quizzes import read_quiz_document
from lessons.manifests.lesson_folder import LessonDocument
from lessons.manifests.lesson_text import read_lesson_text
from lessons.models import Lesson, Question, Quiz, Term
from lessons.services.lessons import lesson_store
from lessons.services.questions import question_store, quiz_store
from tests.assessment.samples import source

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"

LESSON = """---
section: "6.2"
order: {order}
minutes: 15
prerequisites: []
facts: [C2.1]
title: "{title}"
goal: "{title}: goal."
summary: "{title}: summary."
sources:
- {{title: "A book", note: "page 1"}}
---
{opening}

## First {{#first}}

A gang is a set of Pods. `gang` stays code; a second gang stays text.

::: key
The **key** idea.
:::

::: check
- {question}
:::

## Second {{#second}}

| Step | What |
|---|--:|
| Filter | drops |

::: scene
id: see-it
scenario: {scenario}
caption: Look at the nodes.
expect: One node stays.
:::
"""


def make_question(kind: str = "choice", *, slug: str = "", **changes: Any) -> Question:
    """A stored question of a kind, as in tests.assessment.samples; its scene is taken as given."""
    made = source(kind, **changes)
    made.pop("scene", None) if kind != "build-it" else None
    made["id"] = slug or made["id"]
    question_store(read_question(made), from_catalogue=True)
    return Question.objects.select_related("current").get(slug=made["id"])


def make_quiz(*questions: Question, slug: str = "sample", **settings: Any) -> Quiz:
    """A stored quiz of these questions."""
    document = {
        "id": slug,
        "title": {"zh-hans": "小测", "en": "A quiz"},
        "settings": settings,
        "sections": [{"id": "all", "questions": [question.slug for question in questions]}],
    }
    quiz_store(read_quiz_document(document).quiz, order=1, from_catalogue=True)
    return Quiz.objects.select_related("current").get(slug=slug)


def lesson_source(
    slug: str = "sample-lesson", *, question: str = "sample-choice", scenario: str = "free-lab", order: int = 2
) -> dict[str, str]:
    """Language -> the text of a small lesson with two sections, a check and a scene."""
    titles = {"zh-hans": f"课 {slug}", "en": f"Lesson {slug}"}
    return {
        language: LESSON.format(title=title, opening="", question=question, scenario=scenario, order=order)
        for language, title in titles.items()
    }


def make_lesson(slug: str = "sample-lesson", **changes: Any) -> Lesson:
    texts = {
        language: read_lesson_text(text, f"{slug}/{language}.md")
        for language, text in lesson_source(slug, **changes).items()
    }
    lesson_store(LessonDocument(slug, texts))
    return Lesson.objects.select_related("current").get(slug=slug)


def make_term(slug: str = "gang", **fields: Any) -> Term:
    values = {
        "zh": "整组调度",
        "en": "gang",
        "text": {"zh-hans": "一起起步。少一个都不行。", "en": "All start together. None may lack."},
    }
    return Term.objects.create(slug=slug, **{**values, **fields})

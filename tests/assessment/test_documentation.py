"""Every example in docs/assessment.md is a valid one, and every type has one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from lessons.assessment.question import read_question
from lessons.assessment.question_types.registry import QUESTION_TYPES
from lessons.assessment.quizzes import bank_of, draw, read_quiz_document

PAGE = Path(__file__).parents[2] / "docs" / "assessment.md"
EXAMPLES: list[dict[str, Any]] = [
    yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
]
TYPES = [example for example in EXAMPLES if "type" in example]


@pytest.mark.parametrize("example", TYPES, ids=lambda example: example["type"])
def test_example_is_valid(example: dict[str, Any]) -> None:
    read_question({"id": "example", "stem": "?", **example})


def test_every_type_has_an_example() -> None:
    assert {example["type"] for example in TYPES} == set(QUESTION_TYPES)


def test_the_quiz_file_can_be_drawn() -> None:
    (document,) = (read_quiz_document(example) for example in EXAMPLES if "type" not in example)
    assert len(draw(document.quiz, bank_of([document]), 1)) == 2

"""A quiz file (docs/assessment.md) to a checked document."""

from __future__ import annotations

from lessons.assessment.problems import Invalid
from lessons.assessment.quizzes import QuizDocument, read_quiz_document
from lessons.manifests.faults import Faulty
from lessons.manifests.yaml_values import read_yaml


def read_quiz_file(text: str, file: str) -> QuizDocument:
    """Read one file of fixtures/quizzes. Raises Faulty with every fault and its line."""
    yaml = read_yaml(text, file)
    try:
        return read_quiz_document(yaml.document.value)
    except Invalid as invalid:
        raise Faulty(yaml.faults(invalid.problems)) from invalid

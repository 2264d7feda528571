"""What fixtures/ holds for lessons: the glossary, the question bank with its quizzes, and the lessons themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuschedlab.web.catalogue import Loader, LoadReport, register_loader
from lessons.manifests.glossary_file import read_glossary
from lessons.manifests.lesson_folder import read_lesson_folder
from lessons.manifests.quiz_file import read_quiz_file
from lessons.services.lessons import glossary_store, lesson_store, lessons_withdraw_others
from lessons.services.questions import questions_bind_again, quiz_documents_store
from lessons.services.revisions import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from lessons.assessment.quizzes import QuizDocument


def load_glossary(files: Sequence[Path]) -> LoadReport:
    terms = [term for path in files for term in read_glossary(path.read_text(encoding="utf-8"), path.name)]
    return LoadReport(**counted(glossary_store(terms)))


def load_quizzes(files: Sequence[Path]) -> LoadReport:
    return LoadReport(**counted(quiz_documents_store(_quizzes(files))))


def load_scene_keys(files: Sequence[Path]) -> LoadReport:
    """Scenarios have changed: the questions about them get their keys anew."""
    if not files:
        return LoadReport()
    texts = [text for document in _quizzes(sorted(_beside(files[0], "quizzes"))) for text in document.questions]
    return LoadReport(**counted(questions_bind_again([text for text in texts if text.scene is not None])))


def load_lessons(files: Sequence[Path]) -> LoadReport:
    folders = sorted({path.parent for path in files})
    outcomes = [lesson_store(read_lesson_folder(folder)) for folder in folders]
    lessons_withdraw_others(folder.name for folder in folders)
    return LoadReport(**counted(outcomes))


def _quizzes(files: Sequence[Path]) -> list[QuizDocument]:
    return [read_quiz_file(path.read_text(encoding="utf-8"), path.name) for path in files]


def _beside(path: Path, folder: str) -> list[Path]:
    return list((path.parent.parent / folder).glob("*.yaml"))


register_loader(Loader("glossary", "glossary.yaml", load_glossary, order=40))
register_loader(Loader("quizzes", "quizzes/*.yaml", load_quizzes, order=50))
register_loader(Loader("scene keys", "scenarios/*.yaml", load_scene_keys, order=60))
register_loader(Loader("lessons", "lessons/*/*.md", load_lessons, order=70))

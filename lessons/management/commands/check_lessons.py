"""Check the lessons and the glossary of fixtures/ without storing anything: links, languages, scenes in the engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from lessons.manifests.course import Course, course_faults, scene_differs
from lessons.presenters.problems import fault_sentence

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator


class Command(BaseCommand):
    help = "Check the lessons and the glossary of fixtures/: every fault with its file and line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="root", type=Path, default=Path(settings.BASE_DIR) / "fixtures")

    def handle(self, *_args: Any, root: Path, **_options: Any) -> None:
        course = Course(root, Path(settings.BASE_DIR))
        told = [fault_sentence(fault) for fault in course_faults(course)] or list(_scene_faults(course))
        for sentence in told:
            self.stderr.write(sentence)
        if told:
            raise CommandError(f"{len(told)} to mend")
        self.stdout.write(f"{len(course.lessons)} lessons and {len(course.terms)} terms: nothing to mend")


def _scene_faults(course: Course) -> Iterator[str]:
    for slug, lesson in course.lessons.items():
        text = next(iter(lesson.texts.values()))
        for piece in text.pieces("scene"):
            differs = scene_differs(course.run(piece.data["scenario"]), piece.data)
            if differs:
                yield f"{slug}: scene {piece.data['id']}: {differs}"

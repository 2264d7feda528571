"""Load what fixtures/ holds into the database; safe to run at every start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand

from gpuschedlab.web.catalogue import load_catalogue

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Load the catalogue (scenarios, lessons, quizzes, glossary) from fixtures/. Unchanged files are skipped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--from", dest="root", type=Path, default=Path(settings.BASE_DIR) / "fixtures")
        parser.add_argument("--force", action="store_true", help="load unchanged files too")

    def handle(self, *_args: Any, root: Path, force: bool, verbosity: int, **_options: Any) -> None:
        for name, report in load_catalogue(root, force=force):
            if report is not None:
                text = f"{name}: {report.created} new, {report.updated} changed, {report.unchanged} as they were"
            elif verbosity > 1:
                text = f"{name}: nothing changed"
            else:
                continue
            self.stdout.write(text)

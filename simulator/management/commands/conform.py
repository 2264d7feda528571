"""Compare the engine with recorded decisions of real schedulers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from simulator.engine.conformance.compare import SYSTEMS
from simulator.selectors.conformance import FamilyResult, compare_families, family_files

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Compare the engine with recorded decisions: per family how many scenarios agree, and the first differences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help="a folder with golden-*.jsonl.gz files, or such a file"
        )
        parser.add_argument("--system", help="whose decisions they are (default: the folder's name)")
        parser.add_argument("--family", action="append", default=[], help="only this family; may be given again")
        parser.add_argument("--processes", type=int, default=1, help="how many processes share the work")

    def handle(
        self, *_args: Any, paths: list[Path], system: str | None, family: list[str], processes: int, **_options: Any
    ) -> None:
        total = FamilyResult("all")
        for path in paths:
            if not path.exists():
                raise CommandError(f"{path}: there is no such file or folder.")
            name = system or (path if path.is_dir() else path.parent).resolve().name
            if name not in SYSTEMS:
                raise CommandError(f"{path}: no answers for {name!r}; --system is one of {', '.join(SYSTEMS)}.")
            files = [item for item in family_files([path]) if not family or item.name[7:].split(".")[0] in family]
            if not files:
                raise CommandError(f"{path}: no golden-*.jsonl.gz files here.")
            for result in compare_families(files, name, processes=max(1, processes)):
                self._tell(result)
                total.merge(result)
        self.stdout.write(f"{total.passed}/{total.total} scenarios agree")
        if total.passed != total.total:
            raise CommandError(f"{total.total - total.passed} scenarios differ.", returncode=1)

    def _tell(self, result: FamilyResult) -> None:
        style = self.style.SUCCESS if result.is_passed else self.style.ERROR
        self.stdout.write(style(f"{result.family:<6} {result.passed}/{result.total}"))
        for scenario, places in result.wrong.items():
            self.stdout.write(f"  {scenario}")
            for place in places:
                self.stdout.write(f"    {place}")

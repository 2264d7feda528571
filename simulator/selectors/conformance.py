"""Recorded sets of decisions on this machine, and how the engine does on them."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from simulator.engine.conformance.compare import SYSTEMS, wrong_in

FAMILY = re.compile(r"golden-(\w+)\.jsonl\.gz")
MOST_SCENARIOS = 5  # with differences are kept of a family
MOST_PLACES = 12  # of one scenario


@dataclass(slots=True)
class FamilyResult:
    """One family of recorded scenarios: `wrong` holds the first that differ, with the places."""

    family: str
    passed: int = 0
    total: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)

    @property
    def is_passed(self) -> bool:
        return self.passed == self.total > 0

    def add(self, scenario: str, places: Sequence[str]) -> None:
        self.total += 1
        if not places:
            self.passed += 1
        elif len(self.wrong) < MOST_SCENARIOS:
            self.wrong[scenario] = [*places[:MOST_PLACES]]

    def merge(self, other: FamilyResult) -> None:
        self.total += other.total
        self.passed += other.passed
        left = MOST_SCENARIOS - len(self.wrong)
        self.wrong |= dict(list(other.wrong.items())[:left])


def recorded_sets() -> dict[str, Path]:
    """System -> folder of recorded sets there are here: in $GOLDEN_DIR, else in the repository's tests."""
    root = Path(os.environ.get("GOLDEN_DIR") or Path(settings.BASE_DIR) / "tests" / "golden")
    return {name: root / name for name in SYSTEMS if family_files([root / name])}


def family_files(paths: Iterable[Path]) -> list[Path]:
    """The files of recorded families in folders (or these files themselves), by name."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        found += [item for item in inside if FAMILY.fullmatch(item.name)]
    return found


def family_of(path: Path) -> str:
    match = FAMILY.fullmatch(path.name)
    return match[1] if match else path.name


def count_scenarios(path: Path) -> int:
    with gzip.open(path, "rb") as lines:
        return sum(1 for _ in lines)


def compare_each(path: Path, system: str, *, start: int = 0, step: int = 1) -> Iterator[tuple[str, list[str]]]:
    """(scenario, places that differ) of every `step`-th scenario of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number % step == start:
                entry: dict[str, Any] = json.loads(line)
                yield entry["scenario"]["id"], _places(system, entry)


def _places(system: str, entry: dict[str, Any]) -> list[str]:
    try:
        return wrong_in(system, entry["scenario"], entry["expect"])
    except Exception as error:  # noqa: BLE001 (a scenario that breaks the engine differs, and the others go on)
        return [f"the engine raised {error!r}"]


def compare_family(path: Path, system: str, start: int = 0, step: int = 1) -> FamilyResult:
    result = FamilyResult(family_of(path))
    for scenario, places in compare_each(path, system, start=start, step=step):
        result.add(scenario, places)
    return result


def compare_families(paths: Sequence[Path], system: str, *, processes: int = 1) -> Iterator[FamilyResult]:
    """The result of each family, in order; with several processes each takes its share of every file."""
    if processes == 1:
        yield from (compare_family(path, system) for path in paths)
        return
    with ProcessPoolExecutor(processes) as pool:
        shares = [
            [pool.submit(compare_family, path, system, start, processes) for start in range(processes)]
            for path in paths
        ]
        for path, share in zip(paths, shares, strict=True):
            whole = FamilyResult(family_of(path))
            for part in share:
                whole.merge(part.result())
            yield whole

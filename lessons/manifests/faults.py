"""What is wrong with a text of the catalogue: a code with parameters, at a file and a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

CODES: Final[Mapping[str, tuple[str, ...]]] = {
    "lesson.no_file": ("language",),
    "lesson.no_front_matter": (),
    "lesson.front_matter_unclosed": (),
    "lesson.heading_level": ("level",),
    "lesson.heading_without_id": ("heading",),
    "lesson.repeated_id": ("id",),
    "lesson.unknown_box": ("box", "known"),
    "lesson.box_not_closed": ("box",),
    "lesson.two_keys": (),
    "lesson.box_in_box": ("box",),
    "lesson.bad_link": ("address",),
    "lesson.unknown_reference": ("reference",),
    "lesson.differs": ("what", "zh", "en"),
    "glossary.name_twice": ("name", "term"),
    "file.problem": ("code", "params", "where"),
}
"""Codes of this package; `file.problem` wraps a code of lessons.assessment or of simulator.manifests."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `line` counts from 1; 0 where the file as a whole is meant."""

    file: str
    line: int
    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"unknown fault {self.code!r}")

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        told = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{place}: {self.code} {told}".rstrip()


class Faulty(Exception):
    """Raised with every fault found; never with none."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def problem(file: str, line: int, code: str, params: Mapping[str, object], where: str = "") -> Fault:
    """A fault told by a reader of another package, in that package's code."""
    return Fault(file, line, "file.problem", {"code": code, "params": dict(params), "where": where})

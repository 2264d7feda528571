"""What a template asks of a shown question: what is filled in, how each part was judged, what the key says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Shown = dict[str, Any]
"""A view of lessons.assessment in one language, with `filled`, `part` and `key` entries added beside its tokens."""


@dataclass(frozen=True, slots=True)
class Marks:
    """`filled`: field -> values. `parts`: token -> `{verdict, score, feedback}`. `key`: field -> values, or empty."""

    filled: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[str, Shown] = field(default_factory=dict)
    key: dict[str, list[str]] = field(default_factory=dict)

    def values(self, name: str) -> list[str]:
        return self.filled.get(name, [])

    def value(self, name: str) -> str:
        return next(iter(self.values(name)), "")

    def key_value(self, name: str) -> str:
        return next(iter(self.key.get(name, ())), "")

    def part(self, token: str) -> Shown | None:
        return self.parts.get(token)


def with_choices(entries: list[Shown], name: str, marks: Marks) -> None:
    """Add to every entry with a token whether the field `name` has it, whether the key does, and its judgement."""
    for entry in entries:
        entry["chosen"] = entry["token"] in marks.values(name)
        entry["right"] = entry["token"] in marks.key.get(name, ())
        entry["part"] = marks.part(entry["token"])

"""The outline of a `kubectl describe` text: objects, their fields, and the lines under each field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from simulator.manifests.context import Context

NONE: Final = frozenset(("", "<none>", "<unset>", "<unknown>", "<nil>"))
"""How kubectl prints that there is nothing."""

_FIELD: Final = re.compile(r"([A-Z][A-Za-z -]*):(?:\s+(.*))?")
_FIRST_FIELD: Final = "Name"


@dataclass(frozen=True, slots=True)
class Line:
    """A line without the blanks around it; `indent` counts columns, `at` is the offset of its first letter."""

    text: str
    indent: int
    at: int


@dataclass(slots=True)
class Field:
    """A field of the outermost level: the rest of its line is the first of its lines, if there is something on it."""

    name: str
    at: int
    lines: list[Line] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The first line's text, empty where kubectl printed that there is nothing."""
        text = self.lines[0].text if self.lines else ""
        return "" if text in NONE else text

    def listed(self) -> list[Line]:
        """Return the lines that hold something."""
        return [line for line in self.lines if line.text not in NONE]


@dataclass(slots=True)
class Described:
    """One object of the text."""

    at: int
    fields: dict[str, Field] = field(default_factory=dict)

    def text(self, name: str) -> str:
        found = self.fields.get(name)
        return found.text if found else ""

    def listed(self, name: str) -> list[Line]:
        found = self.fields.get(name)
        return found.listed() if found else []


def read_outline(context: Context) -> list[Described]:
    """Return the objects of a text, in order. Every `Name:` begins a new one; a fragment without it is one object.

    Lines in front of the first field are taken as labels: a copy often begins in their middle. Raises `Refused`.
    """
    lines = list(_lines(context))
    if not lines:
        return []
    margin = min(line.indent for line in lines)
    objects: list[Described] = []
    current = Field("Labels", lines[0].at)
    for line in lines:
        found = _FIELD.fullmatch(line.text) if line.indent == margin else None
        if found:
            current = Field(found[1], line.at)
            if found[1] == _FIRST_FIELD or not objects:
                context.budget.spend_document()
                objects.append(Described(line.at))
            objects[-1].fields.setdefault(found[1], current)
            if found[2]:
                start = found.start(2)
                current.lines.append(Line(found[2], line.indent + start, line.at + start))
            continue
        if not objects:
            objects.append(Described(line.at, {"Labels": current}))
        current.lines.append(line)
    return objects


def blocks(lines: list[Line]) -> list[tuple[Line, list[Line]]]:
    """Return each line of the outermost indentation with the deeper ones under it."""
    if not lines:
        return []
    margin = min(line.indent for line in lines)
    grouped: list[tuple[Line, list[Line]]] = []
    for line in lines:
        if line.indent == margin or not grouped:
            grouped.append((line, []))
        else:
            grouped[-1][1].append(line)
    return grouped


def pair(line: Line) -> tuple[str, str]:
    """Return (`key`, `value`) of a line `key:   value`; the value is empty where kubectl printed that there is none."""
    key, _, value = line.text.partition(":")
    value = value.strip()
    return key.strip(), "" if value in NONE else value


def _lines(context: Context) -> Iterator[Line]:
    for number, raw in enumerate(context.source.lines(), 1):
        text = raw.strip()
        if text:
            context.budget.spend_node()
            before = raw[: len(raw) - len(raw.lstrip())]
            yield Line(text, len(before.expandtabs()), context.source.line_start(number) + len(before))

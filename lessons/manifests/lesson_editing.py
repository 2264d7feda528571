"""Boxes put into the texts of a lesson, at the same place in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from lessons.manifests.lesson_text import read_body
from simulator.manifests.writer import write


def box(kind: str, content: str) -> str:
    """A box with its content."""
    return f"::: {kind}\n{content.rstrip()}\n:::"


def data_box(kind: str, data: Mapping[str, Any] | list[Any]) -> str:
    """A box that holds YAML."""
    if isinstance(data, list):
        return box(kind, "\n".join(f"- {entry}" for entry in data))
    return box(kind, write([data], sort_keys=False))


def sections_of(body: str) -> list[tuple[str, str]]:
    """(id, heading) of the sections one can put something into."""
    return [(section.id, section.title) for section in read_body(body, "", {}).sections if section.id]


def scene_ids(body: str) -> set[str]:
    """The ids that scenes of the text have."""
    return {str(piece.data["id"]) for piece in read_body(body, "", {}).pieces("scene")}


def inserted(body: str, made: str, *, section: str) -> str:
    """The text with a box at the end of a section; at the end of the text where there is no such section."""
    lines = body.rstrip("\n").split("\n") if body.strip() else []
    starts = [(part.id, part.heading[0].map or [0]) for part in read_body(body, "", {}).sections if part.heading]
    place = len(lines)
    for (name, _start), (_next, start) in pairwise(starts):
        if name == section:
            place = start[0]
    before = "\n".join(lines[:place]).rstrip("\n")
    after = "\n".join(lines[place:]).strip("\n")
    return "\n\n".join(part for part in (before, made, after) if part) + "\n"

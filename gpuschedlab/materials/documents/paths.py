"""Ways into a document, and documents with one thing in them changed. Documents themselves are never altered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

Path = tuple[str | int, ...]
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


class Absent(Enum):
    """What stands where nothing does."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


def get_at(document: Any, path: Path) -> Any:
    """What stands at a path, ABSENT where nothing does."""
    value = document
    for step in path:
        if isinstance(value, Mapping) and isinstance(step, str):
            value = value.get(step, ABSENT)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value


def set_at(document: Any, path: Path, value: Any) -> Any:
    """The document with `value` at a path; ABSENT takes it away, and with it mappings that are left empty by that.

    What is missing on the way is made as mappings. A path that leads through something else replaces it. An entry of a
    list is never taken away by this: an empty mapping stays in its place.
    """
    if not path:
        return {} if value is ABSENT else value
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        items = list(document) if isinstance(document, list) else []
        if 0 <= step < len(items):
            items[step] = set_at(items[step], rest, value)
        elif step == len(items) and value is not ABSENT:
            items.append(set_at(ABSENT, rest, value))
        return items
    entries = dict(document) if isinstance(document, Mapping) else {}
    if rest:
        inner = set_at(entries.get(step, ABSENT), rest, value)
        empty = value is ABSENT and inner in ({}, [])
        made: Any = ABSENT if empty else inner
    else:
        made = value
    if made is ABSENT:
        entries.pop(step, None)
    else:
        entries[step] = made
    return entries


def written(path: Path) -> str:
    """A path as the name of an input: `spec/goals/0/kind`."""
    return "/".join(map(str, path))


def read_path(name: str) -> Path:
    """The path a name stands for; steps of digits are places in lists."""
    return tuple(int(step) if _NUMBER.fullmatch(step) else step for step in name.split("/")) if name else ()


def dom_id(path: Path) -> str:
    """A path as a DOM id."""
    return "f-" + "-".join("".join(letter if letter.isalnum() else "_" for letter in str(step)) for step in path)

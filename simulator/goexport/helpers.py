"""Helper functions of exported packages, by name: only those a rule needs go along.

They keep to CEL where Go differs: a missing key, a bad index or a division by zero ends the cycle with an error.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILES: Final = Path(__file__).parent / "files"
ALWAYS: Final = ("ruleError",)
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "item": ("ruleError",),
    "key": ("ruleError",),
    "quotient": ("ruleError",),
    "remainder": ("ruleError",),
    "substring": ("ruleError",),
    "parseInt": ("ruleError",),
    "parseFloat": ("ruleError",),
    "largest": ("ruleError",),
    "smallest": ("ruleError",),
    "free": ("allocatable", "requested"),
    "contains": ("equal",),
}


@dataclass(frozen=True, slots=True)
class Helper:
    name: str
    text: str
    imports: tuple[str, ...]


def _read(name: str) -> dict[str, Helper]:
    """The blocks of a file, each behind a line `//= name: imports`."""
    found: dict[str, Helper] = {}
    for block in (FILES / name).read_text(encoding="utf-8").split("//= ")[1:]:
        head, _, text = block.partition("\n")
        title, _, imports = head.partition(":")
        found[title] = Helper(title, text.strip("\n"), tuple(imports.split()))
    return found


HELPERS: Final = _read("helpers.go.txt")


def chosen(names: Collection[str]) -> list[Helper]:
    """The helpers with these names and those they call, in the order of the file."""
    wanted: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += NEEDS.get(name, ())
    return [helper for name, helper in HELPERS.items() if name in wanted]

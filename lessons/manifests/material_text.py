"""The text of a draft (a question, a quiz, a lesson): one YAML mapping with its marks, read and changed in place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.manifests.documents import Document, parse
from simulator.manifests.editing import rewrite
from simulator.manifests.remarks import ManifestError, Path
from simulator.manifests.source import Place
from simulator.manifests.writer import write


@dataclass(frozen=True, slots=True)
class MaterialText:
    """A text as it was read. `document` is None where it is not one YAML mapping; `errors` say why, if YAML does."""

    document: Document | None
    errors: tuple[ManifestError, ...]

    @property
    def value(self) -> dict[str, Any] | None:
        return None if self.document is None else self.document.value

    def place_of(self, path: Path) -> Place:
        """Where in the text a path of the document leads; (0, 0) nowhere."""
        return Place(0, 0) if self.document is None else self.document.marks.nearest(path)


def read_material(text: str) -> MaterialText:
    """Read a draft's text; the answer is always a value, never an exception."""
    parsed = parse(text)
    one = parsed.documents[0] if len(parsed.documents) == 1 and not parsed.errors else None
    if one is None or not isinstance(one.value, Mapping):
        return MaterialText(None, parsed.errors)
    return MaterialText(one, ())


def write_material(text: str, value: Mapping[str, Any]) -> str:
    """The text that reads as `value`, with all of `text` kept that need not change."""
    return rewrite(text, value)


def material_text(value: Mapping[str, Any]) -> str:
    """A new text of a value."""
    return write([value], sort_keys=False)

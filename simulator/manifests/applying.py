"""From a text somebody pasted to an `apply` command, and from the API server's refusal back to lines of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulator.manifests.bundle_schema import is_front_matter
from simulator.manifests.documents import Document
from simulator.manifests.limits import DEFAULT_LIMITS, Limits
from simulator.manifests.reading import Reading, read
from simulator.manifests.remarks import Path
from simulator.manifests.source import Place


@dataclass(frozen=True, slots=True)
class Draft:
    """A text as it was read: the objects to apply, in order, with their marks."""

    reading: Reading
    documents: tuple[Document, ...]

    @property
    def command(self) -> dict[str, Any]:
        return {"type": "apply", "objects": [document.value for document in self.documents]}

    def place_of(self, path: Path) -> Place:
        """Where in the text a refused command's path leads: (objects, number, ...) or (config, ...); (0, 0) nowhere."""
        if path[:1] == ("objects",) and len(path) > 1 and isinstance(path[1], int):
            number, within = path[1], path[2:]
        else:
            number, within = 0, path[1:] if path[:1] == ("config",) else path
        if not 0 <= number < len(self.documents):
            return Place(0, 0)
        return self.documents[number].marks.nearest(tuple(within))


def draft(text: str, *, limits: Limits = DEFAULT_LIMITS) -> Draft:
    """Read a text for applying. Where its reading has errors, nothing should be applied."""
    reading = read(text, limits=limits)
    documents: Sequence[Document] = reading.documents
    if documents and is_front_matter(documents[0].value):
        documents = documents[1:]
    return Draft(reading, tuple(documents))

"""A scenario's text as one document: its front matter, and the objects beside it.

`{metadata: {name}, spec: {…}, objects: [manifest, …]}`; what is wrong with it is told with lines, and does not keep the
rest from being read as long as it is YAML and begins with the front matter of a Scenario.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulator.manifests.bundle_editing import rewrite_bundle
from simulator.manifests.bundle_schema import API_VERSION, KINDS, SCENARIO, front_matter_schema, is_front_matter
from simulator.manifests.documents import Document, parse
from simulator.manifests.limits import DEFAULT_LIMITS
from simulator.manifests.lists import flatten
from simulator.manifests.remarks import ManifestError, Notice, Path, Refused, Remarks
from simulator.manifests.schema_errors import schema_errors
from simulator.manifests.source import Place

SPEC_ORDER: Final = tuple(front_matter_schema(SCENARIO)["properties"]["spec"]["properties"])
"""The fields of `spec` in the order in which they are written."""


@dataclass(frozen=True, slots=True)
class ScenarioText:
    """A text as it was read. `front` is None where there is none that can be used; then `errors` says why."""

    front: Document | None
    documents: tuple[Document, ...]
    errors: tuple[ManifestError, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def value(self) -> dict[str, Any] | None:
        """The document of the text, None where it cannot be read."""
        if self.front is None:
            return None
        value = self.front.value
        return {**value, "objects": [document.value for document in self.documents]}

    def place_of(self, path: Path) -> Place:
        """Where in the text a path of the document leads; (0, 0) nowhere."""
        if self.front is None:
            return Place(0, 0)
        if path[:1] != ("objects",) or len(path) < 2:
            return self.front.marks.nearest(path)
        number = path[1]
        if not isinstance(number, int) or not 0 <= number < len(self.documents):
            return Place(0, 0)
        return self.documents[number].marks.nearest(path[2:])


def read_scenario(text: str) -> ScenarioText:
    """Read a scenario's text; the answer is always a value, never an exception."""
    parsed = parse(text)
    first = parsed.documents[0] if parsed.documents else None
    if parsed.errors or first is None or not is_front_matter(first.value) or first.value.get("kind") != SCENARIO:
        return ScenarioText(None, (), parsed.errors or (_no_front(first),), parsed.notices)
    remarks = Remarks(DEFAULT_LIMITS.max_remarks)
    objects: list[Document] = []
    try:
        for error in schema_errors(first, front_matter_schema(SCENARIO)):
            remarks.error(error)
        for document in parsed.documents[1:]:
            if is_front_matter(document.value):
                remarks.error(ManifestError("bundle.second_front_matter", {}, *document.marks.nearest(())))
        objects = flatten(list(parsed.documents[1:]), remarks, DEFAULT_LIMITS.max_documents)
    except Refused as refused:
        remarks.last_error(refused.error)
    front = first if _is_shaped(first.value) else None
    return ScenarioText(front, tuple(objects), remarks.errors, parsed.notices)


def write_scenario(text: str, value: Mapping[str, Any]) -> str:
    """The text that reads as `value`, with all of `text` kept that need not change."""
    front = {name: part for name, part in value.items() if name != "objects"}
    front = {"apiVersion": API_VERSION, "kind": SCENARIO, **front}
    front["spec"] = _in_order(front.get("spec") or {})
    return rewrite_bundle(text, front, list(value.get("objects") or ()))


def _in_order(spec: Mapping[str, Any]) -> dict[str, Any]:
    known = [name for name in SPEC_ORDER if name in spec]
    return {name: spec[name] for name in [*known, *(name for name in spec if name not in SPEC_ORDER)]}


def _is_shaped(value: Mapping[str, Any]) -> bool:
    """Whether the parts a form has to find are mappings."""
    return isinstance(value.get("metadata"), Mapping) and isinstance(value.get("spec"), Mapping)


def _no_front(first: Document | None) -> ManifestError:
    place = first.marks.nearest(()) if first is not None else Place(1, 1)
    params = {"api_version": API_VERSION, "kinds": ", ".join(KINDS)}
    return ManifestError("bundle.no_front_matter", params, *place)

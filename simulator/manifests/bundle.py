"""A scenario or a lab as one text: front matter first, then the objects, all of it readable by kubectl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simulator.manifests.bundle_schema import API_VERSION, KINDS, front_matter_schema, is_front_matter
from simulator.manifests.documents import Document, Parsed, parse
from simulator.manifests.limits import DEFAULT_LIMITS, Limits
from simulator.manifests.lists import flatten
from simulator.manifests.remarks import ManifestError, Notice, Refused, Remarks
from simulator.manifests.schema_errors import schema_errors
from simulator.manifests.source import Place
from simulator.manifests.writer import write


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle's text taken apart. `front` is None if there is none that can be used; then there are errors."""

    front: Document | None
    documents: tuple[Document, ...]
    errors: tuple[ManifestError, ...]
    notices: tuple[Notice, ...]

    @property
    def kind(self) -> str:
        return str(self.front.value["kind"]) if self.front else ""

    @property
    def name(self) -> str:
        return str(self.front.value["metadata"]["name"]) if self.front else ""

    @property
    def spec(self) -> Mapping[str, Any]:
        return self.front.value["spec"] if self.front else {}

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        return tuple(document.value for document in self.documents)


def read_bundle(data: str | bytes, *, limits: Limits = DEFAULT_LIMITS) -> Bundle:
    """Read a bundle; every problem of the front matter is told with its line. Objects are taken as they are."""
    parsed = parse(data, limits)
    remarks = Remarks(limits.max_remarks)
    front, rest = _split(parsed.documents)
    objects: list[Document] = []
    try:
        for error in [*parsed.errors, *_frame_errors(front, rest, parsed)]:
            remarks.error(error)
        objects = flatten(rest, remarks, limits.max_documents)
    except Refused as refused:
        remarks.last_error(refused.error)
    return Bundle(None if remarks.errors else front, tuple(objects), remarks.errors, parsed.notices)


def _frame_errors(front: Document | None, rest: list[Document], parsed: Parsed) -> Iterator[ManifestError]:
    if front is not None:
        yield from schema_errors(front, front_matter_schema(front.value["kind"]))
    elif not parsed.errors:
        place = rest[0].marks.nearest(()) if rest else Place(1, 1)
        yield ManifestError("bundle.no_front_matter", {"api_version": API_VERSION, "kinds": ", ".join(KINDS)}, *place)
    for document in rest:
        if is_front_matter(document.value):
            yield ManifestError("bundle.second_front_matter", {}, *document.marks.nearest(()))


def write_bundle(front: Mapping[str, Any], objects: Iterable[Mapping[str, Any]]) -> str:
    """Return the text of a bundle: the front matter in its schema's order, objects as `writer.write` prints them."""
    schema = front_matter_schema(str(front["kind"]))
    head = write([_in_order(front, schema, schema["$defs"])], sort_keys=False)
    body = write(objects)
    return f"{head}---\n{body}" if body else head


def _split(documents: tuple[Document, ...]) -> tuple[Document | None, list[Document]]:
    if documents and is_front_matter(documents[0].value):
        return documents[0], list(documents[1:])
    return None, list(documents)


def _in_order(value: Any, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    """Return a value with the keys of its mappings in the schema's order, those it does not name after them by name."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    if isinstance(value, Mapping):
        properties = schema.get("properties", {})
        keys = [key for key in properties if key in value] + sorted(key for key in value if key not in properties)
        return {key: _in_order(value[key], properties.get(key, {}), definitions) for key in keys}
    if isinstance(value, list | tuple):
        return [_in_order(item, schema.get("items", {}), definitions) for item in value]
    return value

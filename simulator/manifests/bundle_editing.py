"""A bundle's text changed as little as possible: its front matter, and objects changed, added, taken away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simulator.manifests.bundle import write_bundle
from simulator.manifests.bundle_schema import is_front_matter
from simulator.manifests.documents import SEPARATOR, parse
from simulator.manifests.editing import rewrite, same
from simulator.manifests.writer import write

_NOT_BLANK: Final = re.compile(r"\S")

Manifest = Mapping[str, Any]
Identity = tuple[str, str, str]


@dataclass(slots=True)
class _Part:
    """A part between `---` lines: its text, the separator before it, and the value it reads as (None for none)."""

    separator: str
    text: str
    value: Any = None


def rewrite_bundle(text: str, front: Manifest, objects: Sequence[Manifest]) -> str:
    """The bundle's text, changed so that it reads as this front matter and these objects.

    Objects are told apart by kind, namespace and name; those that are new come last. Where the text cannot be changed
    like that (it cannot be read, names repeat, another order is wanted) the whole of it is written anew.
    """
    anew = write_bundle(front, objects)
    parts = list(_parts(text))
    if not parts or not is_front_matter(parts[0].value):
        return anew
    parts[0].text = rewrite(parts[0].text, front)
    wanted = {identity(one): one for one in objects}
    if len(wanted) < len(objects):
        return anew
    left = dict(wanted)
    kept = [parts[0], *(part for part in parts[1:] if _keep(part, left))]
    changed = _ended("".join(part.separator + part.text for part in kept))
    for one in left.values():
        changed += f"---\n{write([one])}"
    return changed if _reads_as(changed, front, objects) else anew


def identity(manifest: Manifest) -> Identity:
    """(kind, namespace, name); the namespace is `default` where none is given."""
    metadata = manifest.get("metadata")
    named = metadata if isinstance(metadata, Mapping) else {}
    namespace, name = named.get("namespace") or "default", named.get("name") or ""
    return str(manifest.get("kind")), str(namespace), str(name)


def object_lines(text: str) -> dict[Identity, int]:
    """The line, from 1, at which each object of a bundle begins."""
    found: dict[Identity, int] = {}
    line = 1
    for part in _parts(text):
        line += part.separator.count("\n")
        for document in parse(part.text).documents:
            for path, value in _objects(document.value):
                found.setdefault(identity(value), line + document.marks.nearest(path).line - 1)
        line += part.text.count("\n")
    return found


def _parts(text: str) -> Iterator[_Part]:
    start, separator = 0, ""
    for found in SEPARATOR.finditer(text):
        if start or _NOT_BLANK.search(text, 0, found.start()):
            yield _part(separator, text[start : found.start()])
            separator = ""
        else:
            separator = text[: found.start()]
        end = found.end() + (text[found.end() : found.end() + 1] == "\n")
        separator += text[found.start() : end]
        start = end
    yield _part(separator, text[start:])


def _part(separator: str, text: str) -> _Part:
    parsed = parse(text)
    one = parsed.documents[0].value if not parsed.errors and len(parsed.documents) == 1 else None
    return _Part(separator, text, one)


def _objects(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Manifest]]:
    """The objects of a document, with the ways to them: itself, or the entries of a list."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _objects(item, (*path, index))
    elif isinstance(value, Mapping):
        items = value.get("items")
        if str(value.get("kind", "")).endswith("List") and isinstance(items, list):
            for index, item in enumerate(items):
                yield from _objects(item, (*path, "items", index))
        else:
            yield path, value


def _keep(part: _Part, left: dict[Identity, Manifest]) -> bool:
    """Bring a part to what is wanted of its objects, which are taken out of `left`; False where nothing of it stays."""
    if part.value is None:
        return True  # comments alone
    found = list(_objects(part.value))
    if len(found) == 1 and not found[0][0]:
        wanted = left.pop(identity(part.value), None)
        if wanted is None:
            return False
        part.text = rewrite(part.text, wanted)
        return True
    value = _with_objects(part.value, left)
    if not list(_objects(value)):
        return False
    part.text = rewrite(part.text, value)
    return True


def _with_objects(value: Any, left: dict[Identity, Manifest]) -> Any:
    """A list with what is wanted of its entries."""
    items = value if isinstance(value, list) else value["items"]
    kept = []
    for item in items:
        nested = isinstance(item, list) or (isinstance(item, Mapping) and isinstance(item.get("items"), list))
        if nested:
            kept.append(_with_objects(item, left))
        elif isinstance(item, Mapping) and (wanted := left.pop(identity(item), None)) is not None:
            kept.append(wanted)
    return kept if isinstance(value, list) else {**value, "items": kept}


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _reads_as(text: str, front: Manifest, objects: Sequence[Manifest]) -> bool:
    parsed = parse(text)
    if parsed.errors or not parsed.documents or not same(parsed.documents[0].value, front):
        return False
    found = [value for document in parsed.documents[1:] for _path, value in _objects(document.value)]
    return len(found) == len(objects) and all(same(a, b) for a, b in zip(found, objects, strict=True))

"""A text of manifests, YAML or JSON, to documents: plain values with their marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from simulator.manifests.context import Context
from simulator.manifests.json_reader import read_json
from simulator.manifests.limits import DEFAULT_LIMITS, Budget, Limits
from simulator.manifests.marks import Marks, Spot
from simulator.manifests.remarks import ManifestError, Notice, Refused, Remarks
from simulator.manifests.source import Source, read_source
from simulator.manifests.yaml_reader import read_yaml

_SEPARATOR: Final = re.compile(r"^---[ \t]*(?:#.*)?\r?$", re.MULTILINE)
"""Where kubectl cuts a text into documents before anything else is read: an error in one leaves the others readable."""

_DIRECTIVE: Final = re.compile(r"^%(YAML\b)?", re.MULTILINE)
_JSON_START: Final = re.compile(r"\s*[{\[]")


@dataclass(frozen=True, slots=True)
class Document:
    """One value of a text, for a manifest a mapping, and where everything in it stands."""

    value: Any
    marks: Marks


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a text holds. A document in which something is wrong is left out of `documents`."""

    documents: tuple[Document, ...]
    errors: tuple[ManifestError, ...]
    notices: tuple[Notice, ...]


def parse(data: str | bytes, limits: Limits = DEFAULT_LIMITS) -> Parsed:
    """Read a text of any number of YAML or JSON documents. The answer is always a value, never an exception.

    Each part between `---` lines is read on its own; one that starts with `{` or `[` is read as JSON, and as YAML
    where it is not JSON.
    """
    remarks = Remarks(limits.max_remarks)
    documents: list[Document] = []
    try:
        documents = parse_source(Context(read_source(data, limits), Budget(limits), remarks))
    except Refused as refused:
        remarks.error(refused.error)
    return Parsed(tuple(documents), remarks.errors, remarks.notices)


def parse_source(context: Context) -> list[Document]:
    """Read the documents of a source; problems go to its remarks. Raises `Refused` when a limit is met."""
    context.source.check_characters()
    context = replace(context, source=_without_directives(context.source))
    remarks = context.remarks
    documents: list[Document] = []
    for start, end in _parts(context.source.text):
        errors_before = remarks.error_count
        try:
            trees = _read_part(context, start, end)
        except Refused as refused:
            if _is_limit(refused.error):
                raise
            remarks.error(refused.error)
            continue
        if remarks.error_count == errors_before:
            documents.extend(Document(value, Marks(context.source, spot)) for value, spot in trees)
    return documents


def _is_limit(error: ManifestError) -> bool:
    return error.code.startswith("limits.")


def _read_part(context: Context, start: int, end: int) -> list[tuple[Any, Spot]]:
    if not _JSON_START.match(context.source.text, start, end):
        return read_yaml(context, start, end)
    budget = context.budget
    spent = budget.nodes, budget.documents
    as_json = replace(context, remarks=Remarks(budget.limits.max_remarks))
    try:
        trees = read_json(as_json, start, end)
    except Refused as no_json:
        if _is_limit(no_json.error):
            raise
        budget.nodes, budget.documents = spent
        return _read_as_yaml(context, start, end, no_json.error)
    context.remarks.extend(as_json.remarks)
    return trees


def _read_as_yaml(context: Context, start: int, end: int, no_json: ManifestError) -> list[tuple[Any, Spot]]:
    """Read what starts like JSON but is not, as YAML; if it is neither, the error that lies further on is told."""
    try:
        return read_yaml(context, start, end)
    except Refused as no_yaml:
        raise Refused(max(no_json, no_yaml.error, key=lambda error: (error.line, error.column))) from None


def _parts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for separator in _SEPARATOR.finditer(text):
        yield start, separator.start()
        start = separator.end()
    yield start, len(text)


def _without_directives(source: Source) -> Source:
    """Blank `%YAML` lines out and refuse other directives: tags that need a `%TAG` are refused anyway."""
    text = source.text
    if "%" not in text:
        return source
    for found in _DIRECTIVE.finditer(text):
        if found[1] is None:
            place = source.place(found.start())
            raise Refused(ManifestError("yaml.directive", {}, *place))
    return Source(_DIRECTIVE.sub(lambda found: "#" + (found[1] or ""), text))

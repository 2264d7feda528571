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

SEPARATOR: Final = re.compile(r"^---[ \t]*(?:#.*)?\r?$", re.MULTILINE)
"""Where kubectl cuts a text into documents before anything else is read: an error in one leaves the others readable."""

_DIRECTIVE: Final = re.compile(r"^%(YAML\b)?", re.MULTILINE)
_NOT_BLANK: Final = re.compile(r"\S")
_JSON_START: Final = re.compile(r"\s*[{\[][{\[\s]*[\"}\]]")
"""Braces and then a quoted key or an end: JSON. Anything else in braces is YAML's flow style (or KYAML)."""


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

    Each part between `---` lines is read on its own, as JSON if it starts like JSON.
    """
    remarks = Remarks(limits.max_remarks)
    documents: list[Document] = []
    try:
        documents = parse_source(Context(read_source(data, limits), Budget(limits), remarks))
    except Refused as refused:
        remarks.last_error(refused.error)
    return Parsed(tuple(documents), remarks.errors, remarks.notices)


def parse_source(context: Context) -> list[Document]:
    """Read the documents of a source; problems go to its remarks. Raises `Refused` when a limit is met."""
    context.source.check_characters()
    context = replace(context, source=_without_directives(context.source))
    remarks = context.remarks
    documents: list[Document] = []
    for start, end in _parts(context.source.text):
        context.budget.look_at_clock()
        errors_before = len(remarks.errors)
        try:
            trees = _read_part(context, start, end)
        except Refused as refused:
            if _is_limit(refused.error):
                raise
            remarks.error(refused.error)
            continue
        if len(remarks.errors) == errors_before:
            documents.extend(Document(value, Marks(context.source, spot)) for value, spot in trees)
    return documents


def _is_limit(error: ManifestError) -> bool:
    return error.code.startswith("limits.")


def _read_part(context: Context, start: int, end: int) -> list[tuple[Any, Spot]]:
    read_as = read_json if _JSON_START.match(context.source.text, start, end) else read_yaml
    return read_as(context, start, end)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for separator in SEPARATOR.finditer(text):
        if _NOT_BLANK.search(text, start, separator.start()):
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

"""What `kubectl describe` prints the same way for every kind: labels, annotations, dates."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from simulator.manifests.context import Context
from simulator.manifests.describe.outline import Described, Line
from simulator.manifests.draft import Draft
from simulator.manifests.remarks import shorten

_ANNOTATION: Final = re.compile(r"([^\s:]+):(?: (.*)|)")
_CUT: Final = "..."
_CUT_LENGTH: Final = 138
"""kubectl cuts a line of an annotation when key and value are longer than 140 characters."""

_DATE: Final = "%a, %d %b %Y %H:%M:%S %z"
_FIRST_YEAR: Final = 1000
"""Go prints a time that was never set as a date of the year 1."""


def put_labels(draft: Draft, described: Described) -> None:
    for line in described.listed("Labels"):
        key, equals, value = line.text.partition("=")
        if equals:
            draft.put(("metadata", "labels", key), value, line.at)


def put_annotations(draft: Draft, described: Described, context: Context) -> None:
    """Read `key: value` lines, and values of several lines, which stand deeper. Values kubectl has cut are reported."""
    lines = described.listed("Annotations")
    if not lines:
        return
    margin = lines[0].indent
    key, at, value, deeper = "", 0, "", list[Line]()
    for line in [*lines, None]:
        if line is not None and line.indent > margin:
            deeper.append(line)
            continue
        if key:
            text = _joined(deeper) if deeper else value
            draft.put(("metadata", "annotations", key), text, at)
            if any(part.text.endswith(_CUT) and len(part.text) >= _CUT_LENGTH for part in deeper):
                context.notice("describe.annotation_cut", at, ("metadata", "annotations", key), key=shorten(key))
        found = _ANNOTATION.fullmatch(line.text) if line is not None else None
        key, at, value, deeper = (found[1], line.at, found[2] or "", []) if found and line else ("", 0, "", [])


def _joined(lines: list[Line]) -> str:
    margin = min(line.indent for line in lines)
    return "\n".join(" " * (line.indent - margin) + line.text for line in lines)


def timestamp(text: str) -> str | None:
    """Return `Thu, 17 Mar 2022 10:11:37 +0100` as the API server writes it, None if it is no such date."""
    try:
        moment = datetime.strptime(text, _DATE).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year >= _FIRST_YEAR else None

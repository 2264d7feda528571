"""Labels without an object: `key=value` lines, label maps, and rows of `kubectl get nodes --show-labels`."""

from __future__ import annotations

import re
from typing import Any, Final

from simulator.manifests.context import Context
from simulator.manifests.documents import Document
from simulator.manifests.draft import Draft
from simulator.manifests.limits import Budget
from simulator.manifests.remarks import shorten

_KEY: Final = r"(?:[A-Za-z0-9][A-Za-z0-9.-]*/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
_VALUE: Final = r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?"
_LABELS: Final = re.compile(rf"{_KEY}={_VALUE}(?:,{_KEY}={_VALUE})*,?")
_KEY_ONLY: Final = re.compile(_KEY)

_HEADER: Final = re.compile(r"^[ \t]*NAME[ \t].*\bLABELS[ \t]*\r?$", re.MULTILINE)
_STATUS: Final = re.compile(r"(?:Ready|NotReady|Unknown)(?:,SchedulingDisabled)?")
_VERSION: Final = re.compile(r"v\d+\.\d+\S*")
_NOT_READY: Final = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
_FEWEST_COLUMNS: Final = 3
_NONE: Final = "<none>"


def is_label_map(value: Any) -> bool:
    """Tell whether a document is a bare map of labels: no apiVersion, no kind, keys as of labels, plain values."""
    if not isinstance(value, dict) or not value or "apiVersion" in value or "kind" in value:
        return False
    plain = all(isinstance(item, str | int | float) for item in value.values())
    return plain and all(_KEY_ONLY.fullmatch(key) for key in value) and any("/" in key for key in value)


def read_label_map(document: Document) -> Draft:
    """Return a Node with the labels of a map; numbers and booleans are printed as labels have them."""
    marks = document.marks
    draft = Draft("v1", "Node", marks.source.line_start(marks.nearest(()).line))
    for key, value in document.value.items():
        place = marks.nearest((key,))
        at = marks.source.line_start(place.line) + place.column - 1
        text = str(value).lower() if isinstance(value, bool) else str(value)
        draft.put(("metadata", "labels", key), text, at)
    return draft


def looks_like_label_lines(text: str) -> bool:
    lines = text.split()
    return bool(lines) and all(_LABELS.fullmatch(line) for line in lines)


def read_label_lines(context: Context) -> Draft:
    """Return a Node with the labels of `key=value` words, one or several (with commas) a line."""
    draft = Draft("v1", "Node", 0)
    for word in re.finditer(r"\S+", context.source.text):
        _put_labels(draft, word[0], word.start(), context.budget)
    return draft


def looks_like_node_table(text: str) -> bool:
    return _HEADER.search(text) is not None


def read_node_table(context: Context) -> list[Draft]:
    """Return a Node for each row under the header: labels, version, and whether it is ready and schedulable."""
    source = context.source
    header = _HEADER.search(source.text)
    first = source.place(header.start()).line if header else 0
    drafts = []
    for number, raw in enumerate(source.lines()[first:], first + 1):
        columns = raw.split()
        if not columns:
            continue
        start = source.line_start(number)
        at = start + raw.index(columns[0])
        if len(columns) < _FEWEST_COLUMNS or not (columns[-1] == _NONE or _LABELS.fullmatch(columns[-1])):
            context.error("labels.row", at, text=shorten(raw.strip()))
            continue
        context.budget.spend_document()
        draft = _row(columns, at, context)
        if columns[-1] != _NONE:
            _put_labels(draft, columns[-1], start + raw.rindex(columns[-1]), context.budget)
        drafts.append(draft)
    return drafts


def _row(columns: list[str], at: int, context: Context) -> Draft:
    draft = Draft("v1", "Node", at)
    draft.put(("metadata", "name"), columns[0], at)
    status = columns[1]
    if _STATUS.fullmatch(status):
        ready = status.startswith("Ready")
        draft.put(("status", "conditions", 0), {"type": "Ready", "status": "True" if ready else "False"}, at)
        if not ready:
            draft.put(("spec", "taints", 0), dict(_NOT_READY), at)
            taint = f"{_NOT_READY['key']}:{_NOT_READY['effect']}"
            context.notice("assumed.taint", at, ("spec", "taints", 0), node=columns[0], taint=taint)
        if status.endswith("SchedulingDisabled"):
            draft.put(("spec", "unschedulable"), True, at)
    version = next((column for column in columns[2:-1] if _VERSION.fullmatch(column)), None)
    if version:
        draft.put(("status", "nodeInfo", "kubeletVersion"), version, at)
    return draft


def _put_labels(draft: Draft, text: str, at: int, budget: Budget) -> None:
    for pair in text.split(","):
        if pair:
            budget.spend_node()
            key, _, value = pair.partition("=")
            draft.put(("metadata", "labels", key), value, at)
        at += len(pair) + 1

"""One entry for everything somebody may paste or upload: find out what kind of text it is and read it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from simulator.manifests.assumptions import complete_node, priority_classes
from simulator.manifests.bundle_schema import is_front_matter
from simulator.manifests.context import Context
from simulator.manifests.describe import looks_like_describe, read_describe
from simulator.manifests.documents import Document, parse_source
from simulator.manifests.draft import Draft
from simulator.manifests.dumps import without_server_fields
from simulator.manifests.labels import (
    is_label_map,
    looks_like_label_lines,
    looks_like_node_table,
    read_label_lines,
    read_label_map,
    read_node_table,
)
from simulator.manifests.limits import DEFAULT_LIMITS, Budget, Limits
from simulator.manifests.lists import flatten
from simulator.manifests.remarks import ManifestError, Notice, Refused, Remarks
from simulator.manifests.source import read_source

_TOPOLOGY: Final = re.compile(
    r"^(?:\x1b\[[0-9;]*m|[ \t])*[GN]PU0(?:[ \t]|GPU)|^GPU 0: .*UUID|ROCm System Management Interface", re.MULTILINE
)
_ASSUMED: Final = "assumed."


class TextKind(StrEnum):
    """What a text turned out to be."""

    MANIFESTS = "manifests"
    LIST = "list"
    BUNDLE = "bundle"
    DESCRIBE = "describe"
    LABELS = "labels"
    NODE_TABLE = "nodeTable"
    TOPOLOGY = "topology"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: objects (apiVersion, kind, metadata …) with their marks, in the order of the text.

    With errors the objects are those that could be read all the same; nothing should be applied then. `warnings` tell
    what was read otherwise than one may expect or was left out, `assumptions` which values the text does not hold;
    assumed PriorityClasses of dumped Pods come first. For `TOPOLOGY` there are no objects: `text` is for the reader of
    topology matrices. A `BUNDLE`'s first document is its front matter, and nothing is taken out of its objects.
    """

    kind: TextKind
    text: str = ""
    documents: tuple[Document, ...] = ()
    errors: tuple[ManifestError, ...] = ()
    warnings: tuple[Notice, ...] = ()
    assumptions: tuple[Notice, ...] = ()

    @property
    def objects(self) -> tuple[dict[str, Any], ...]:
        return tuple(document.value for document in self.documents)


def read(data: str | bytes, *, limits: Limits = DEFAULT_LIMITS) -> Reading:
    """Read any text: manifests, lists, dumps, bundles, `kubectl describe`, labels, node tables, topology matrices.

    The answer is always a Reading: nothing a text may hold raises, and limits bound how long it takes.
    """
    remarks = Remarks(limits.max_remarks)
    text, kind, documents = "", TextKind.UNREADABLE, list[Document]()
    try:
        source = read_source(data, limits)
        text = source.text
        kind, documents = _read(Context(source, Budget(limits), remarks))
    except Refused as refused:
        remarks.last_error(refused.error)
    if not documents and not remarks.errors and kind is not TextKind.TOPOLOGY:
        remarks.error(ManifestError("text.empty"))
    notices = remarks.notices
    return Reading(
        kind,
        text if kind is TextKind.TOPOLOGY else "",
        tuple(documents),
        remarks.errors,
        tuple(notice for notice in notices if not notice.code.startswith(_ASSUMED)),
        tuple(notice for notice in notices if notice.code.startswith(_ASSUMED)),
    )


def _read(context: Context) -> tuple[TextKind, list[Document]]:
    text = context.source.text
    if _TOPOLOGY.search(text):
        return TextKind.TOPOLOGY, []
    context.source.check_characters()
    if looks_like_describe(text):
        return TextKind.DESCRIBE, _completed(read_describe(context), context)
    if looks_like_node_table(text):
        return TextKind.NODE_TABLE, _completed(read_node_table(context), context)
    if looks_like_label_lines(text):
        return TextKind.LABELS, _completed([read_label_lines(context)], context)
    return _manifests(parse_source(context), context)


def _manifests(documents: list[Document], context: Context) -> tuple[TextKind, list[Document]]:
    if documents and is_front_matter(documents[0].value):
        return TextKind.BUNDLE, documents
    if documents and all(is_label_map(document.value) for document in documents):
        drafts = [read_label_map(document) for document in documents]
        return TextKind.LABELS, _completed(drafts, context)
    objects = flatten(documents, context.remarks, context.budget.limits.max_documents)
    is_list = not all(any(item is document for document in documents) for item in objects[:1])
    assumed = priority_classes(objects, context.remarks)
    return TextKind.LIST if is_list else TextKind.MANIFESTS, assumed + _cleaned(objects, context.remarks)


def _cleaned(documents: list[Document], remarks: Remarks) -> list[Document]:
    cleaned: list[Document] = []
    fields: dict[str, int] = {}
    for document in documents:
        value, dropped = without_server_fields(document.value)
        cleaned.append(Document(value, document.marks) if dropped else document)
        fields.update(dict.fromkeys(dropped, 1))
    if fields:
        remarks.notice(Notice("dump.dropped", {"fields": ", ".join(fields)}))
    return cleaned


def _completed(drafts: list[Draft], context: Context) -> list[Document]:
    taken = {str(draft.get(("metadata", "name"))) for draft in drafts}
    for draft in drafts:
        if draft.value["kind"] == "Node":
            complete_node(draft, taken, context.remarks)
    documents = [draft.document(context.source) for draft in drafts]
    return priority_classes(documents, context.remarks) + documents
